// SPDX-License-Identifier: MIT
// Exports animations and sprite sheets of the open document: options, plan and dialog state.
#pragma once

#include "document/parts.hpp"
#include "playback/playback.hpp"

#include <pchr/export/animation.hpp>
#include <pchr/export/sheet.hpp>

#include <filesystem>

namespace pchr::player {

struct App;

/// A mix, to be played from its start.
struct MixRecipe {
  ClipId from{}, to{};
  double fade_seconds = 0;
  std::vector<MixLayer> layers{};
  bool operator==(const MixRecipe&) const = default;
};

/// Another character in the scene.
struct SceneMember {
  Character character;
  std::optional<ClipId> own_clip{};  ///< Played if it has no clip with the exported clip's name.
  Vec2 place{0.0F};                  ///< Where its origin is, in the exported character's world.
  Affine3 rotation = kIdentity3;
  std::vector<std::uint8_t> hidden{};
  Filter filter = Filter::trilinear;
  Limits limits{};  ///< For its images.
  bool operator==(const SceneMember& other) const;
};

/// Everything besides the clip itself. Empty for a plain clip.
struct ExportScene {
  std::optional<MixRecipe> mix{};  ///< Replaces the clip.
  std::optional<Rig> rig{};
  float travel = 0;                          ///< See RigMotion.
  std::shared_ptr<const Markers> markers{};  ///< For the rig. Present if the scene is not plain.
  Sampling sampling = Sampling::step;        ///< How the mix is sampled.
  std::vector<SceneMember> members{};        ///< From back to front, all behind the exported character.
  bool operator==(const ExportScene&) const = default;
  [[nodiscard]] bool is_plain() const noexcept { return !mix && !rig && members.empty(); }
};

/// Poses a scene's frames in order.
class ScenePoser {
 public:
  ScenePoser(Character character, ExportScene scene, const Affine3& rotation, std::vector<std::uint8_t> hidden);
  [[nodiscard]] const ExportScene& scene() const noexcept { return scene_; }
  /// Poses the exported character in a frame of `plan`: any plan's first one, or the next one of the same plan.
  void pose(const FramePlan& plan, std::uint32_t frame, PoseBuffers& out);
  /// Poses a member in any frame of `plan`.
  void pose_member(std::size_t member, const FramePlan& plan, std::uint32_t frame, PoseBuffers& out) const;
  /// Poses all characters in a frame, like pose(), and returns the box around them.
  [[nodiscard]] Box box(const FramePlan& plan, std::uint32_t frame, PoseBuffers& posed);

 private:
  void pose_mix(const FramePlan& plan, std::uint32_t frame, PoseBuffers& out);

  Character character_;
  ExportScene scene_;
  Affine3 rotation_;
  Selection selection_{};
  std::optional<Mix> mix_{};
  RigMotion motion_{};
};

enum class ExportClips : std::uint8_t { one, all, range };
enum class ExportFormat : std::uint8_t { apng, gif, webp, png, y4m, sheet, mp4, webm };
/// Returns whether ffmpeg encodes a format.
[[nodiscard]] constexpr bool is_video(ExportFormat format) noexcept { return format >= ExportFormat::mp4; }
enum class ExportSizing : std::uint8_t {
  scale,  ///< Scales the character; frames are as large as the clip needs.
  fit     ///< Fits the clip into frames of a fixed size.
};
enum class ExportPlays : std::uint8_t { as_clip, forever, counted };

inline constexpr int kMaxExportPercent = 6400;
inline constexpr int kMaxExportMargin = 25;
inline constexpr int kMaxExportRate = 240;
inline constexpr int kMaxExportTimes = 99;
inline constexpr int kMaxExportPadding = 64;
inline constexpr const char* kNoFfmpeg = "ffmpeg was not found. Install it, or add its folder to PATH.";
inline constexpr std::size_t kMaxPresets = 50;
inline constexpr std::size_t kMaxPresetName = 60;

/// The choices in the dialog, saved in the preferences.
struct ExportOptions {
  ExportClips clips = ExportClips::one;
  ExportFormat format = ExportFormat::apng;
  bool lossy = false;  ///< WebP only.
  int quality = 80;    ///< Quality of lossy WebP and videos, 0..100.
  ExportSizing sizing = ExportSizing::scale;
  int percent = 100;  ///< Frame pixels per 100 world pixels, 1..kMaxExportPercent.
  FrameSize size{};
  int margin = 5;         ///< Percent of the frame on each side, 0..kMaxExportMargin.
  bool resample = false;  ///< Sample at `rate` instead of using the clip's own frames.
  int rate = 30;          ///< Frames per second, 1..kMaxExportRate.
  bool opaque = false;    ///< Use the canvas's plain color as the background.
  ExportPlays plays = ExportPlays::as_clip;
  int times = 2;         ///< 1..kMaxExportTimes.
  bool rig = true;       ///< Apply the rig, if it is applied in the player.
  SheetOptions sheet{};  ///< Without a path.
  /// Compares all that export_settings() lists.
  bool operator==(const ExportOptions& other) const;
};

/// Value of an ExportSetting: its name in the preferences, and its label in the dialog.
struct ExportChoice {
  const char* name;
  const char* label;
};

/// A member of ExportOptions: its row in the dialog and its key in the preferences.
struct ExportSetting {
  /// The member, as a number.
  struct Value {
    int (*get)(const ExportOptions& options);
    void (*set)(ExportOptions& options, int value);
  };
  std::string_view row;  ///< Label of the row. Settings in sequence share it.
  std::string_view key;  ///< Empty for the height, which is saved with the width.
  const char* id;        ///< The widget's id.
  Value value;
  std::span<const ExportChoice> choices{};  ///< Empty for a number.
  int min = 0, max = 0;                     ///< Range of a number.
  const char* format = nullptr;             ///< How a number is shown.
  float part = 1;                           ///< Share of the row's width.
  const char* tooltip = nullptr;
  using Condition = bool (*)(const App& app);
  static constexpr bool always(const App& /*app*/) { return true; }
  Condition is_shown = always, is_enabled = always, is_explained = always;  ///< With the tooltip.

  constexpr ExportSetting show_if(Condition condition) && { return is_shown = condition, *this; }
  constexpr ExportSetting enable_if(Condition condition) && { return is_enabled = condition, *this; }
  constexpr ExportSetting explain(const char* text, Condition condition = always) && {
    return tooltip = text, is_explained = condition, *this;
  }
};
/// Lists all settings, in the order of the dialog.
[[nodiscard]] std::span<const ExportSetting> export_settings();

/// Options that the user saved under a name.
struct ExportPreset {
  std::string name;  ///< UTF-8, at most kMaxPresetName bytes, without control characters.
  ExportOptions options{};
  bool operator==(const ExportPreset&) const = default;
};

/// Everything that the frames depend on, except hidden meshes.
struct SceneRequest {
  ExportOptions options{};
  std::optional<ClipId> clip{};       ///< Absent for the bind pose, if there are no clips.
  std::optional<FrameRange> range{};  ///< Frames of that clip.
  bool smooth = false;                ///< Interpolate resampled frames.
  bool flip_y = false;
  std::array<float, 4> background{};  ///< Premultiplied.
  Affine3 rotation = kIdentity3;      ///< For 3D characters.
  bool cull_back_faces = false;       ///< For 3D characters.
  ExportScene scene{};
  std::optional<Artwork> artwork{};  ///< Layers and slices of pixel art, for sheets.
  bool operator==(const SceneRequest&) const = default;
};

struct PlannedClip {
  std::string name;  ///< Unique; part of the file name.
  FramePlan frames;
  ExportedAnimation animation;  ///< Without paths. Its frames have a scene if the character is 3D.
  float reach = 1;              ///< Max distance from z = 0.
};

struct ScenePlan {
  SceneRequest request;
  std::vector<PlannedClip> clips{};  ///< At least one.
  EncoderOptions settings{};         ///< For animations.
  SheetCharacter sheet_character{};
  std::string left_out{};  ///< Name of the clip that is not exported because it only holds the bind pose.
  [[nodiscard]] bool is_sheet() const noexcept { return request.options.format == ExportFormat::sheet; }
  [[nodiscard]] bool is_video() const noexcept { return pchr::player::is_video(request.options.format); }
  [[nodiscard]] std::uint64_t frames() const noexcept;
};

/// Returns a request for the current view with the chosen options. A document must be open.
[[nodiscard]] SceneRequest scene_request(const App& app);
/// Plans an export with plan_export(). Slow if the bounds of many frames are not known yet.
[[nodiscard]] ExportResult<ScenePlan> plan_scene(const Character& character, const SceneRequest& request);
[[nodiscard]] std::string describe_export(const ScenePlan& plan);
/// Describes the size of the files, if it is estimated, and the memory that the export needs.
[[nodiscard]] std::string describe_sizes(const ScenePlan& plan, std::optional<double> file_bytes);
/// Describes what the format cannot keep of the first affected clip; empty if it keeps everything.
[[nodiscard]] std::string describe_losses(const ScenePlan& plan);

[[nodiscard]] std::string export_extension(ExportFormat format);
/// Returns the path of a clip's frame, of the file with all its frames, or of a sheet's first page.
[[nodiscard]] std::string export_path(const ScenePlan& plan, const std::filesystem::path& stem, std::size_t clip,
                                      std::uint32_t frame);
/// Returns all output paths. Of a sheet, those that are known before it is packed: its first page and the files that
/// describe it.
[[nodiscard]] std::vector<std::string> export_paths(const ScenePlan& plan, const std::filesystem::path& stem);

/// How far the running export is.
struct ExportProgress {
  std::string file{};                          ///< Name of the first file.
  std::uint64_t frames = 0;                    ///< Frames drawn so far, in all passes.
  std::uint64_t total = 0;                     ///< Frames to draw in total.
  std::uint64_t bytes = 0;                     ///< Bytes written so far.
  double seconds = 0;                          ///< Time since the start.
  [[nodiscard]] float share() const noexcept;  ///< 0..1.
};
/// Returns what the export has done, and how long it will take once that can be estimated.
[[nodiscard]] std::string describe_progress(const ExportProgress& progress);

/// State of the dialog and of the running export. The dialog can be closed during an export.
struct ExportDialog {
  ExportOptions options{};
  std::vector<ExportPreset> presets{};  ///< At most kMaxPresets.
  bool open = false;
  bool naming_preset = false;  ///< Whether the user enters a name for a preset.
  bool focus_name = false;     ///< Give the field for that name the focus.
  std::array<char, kMaxPresetName + 1> preset_name{};
  std::array<char, 4096> folder{};
  std::array<char, 256> name{};          ///< Without the extension.
  std::string proposed{};                ///< Last proposed name; new proposals replace it until the user edits it.
  std::filesystem::path proposed_for{};  ///< File whose folder was last proposed.

  std::shared_ptr<const ScenePlan> plan{};  ///< Absent until the plan for the current options is ready.
  std::optional<double> estimated_bytes{};  ///< Size of the planned files, once that is estimated.
  std::string plan_error{};
  std::string error{};

  std::filesystem::path ffmpeg{};     ///< Empty if it was not found.
  bool wanted = false;                ///< Start as soon as the plan is ready.
  bool replace = false;               ///< Replace existing files.
  std::size_t existing_files = 0;     ///< Number of existing files that the dialog asks about.
  std::string first_existing_file{};  ///< One of them.
  bool running = false;               ///< Frames are being drawn and written.
  bool cancel = false;                ///< Stop the running export.
  ExportProgress progress{};
};

/// Opens or closes the dialog. Does not open without a document or while presenting. Opens with the range, if there is
/// one.
void toggle_exports(App& app);
/// Saves the options as a preset, replacing the one with that name. Ignores a name without visible characters.
void save_preset(ExportDialog& exports, std::string_view name);
/// Returns the index of the preset with the current options.
[[nodiscard]] std::optional<std::size_t> current_preset(const ExportDialog& exports) noexcept;
/// Requests the export.
void start_export(ExportDialog& exports, bool replace);
/// Goes back one step: withdraws a question or closes the dialog. A running export goes on.
void leave_export(ExportDialog& exports);
/// Sets the folder that the dialog shows.
void set_export_folder(ExportDialog& exports, const std::filesystem::path& folder);
/// Proposes a folder and a name if the file or the options changed.
void propose_export_name(App& app);
[[nodiscard]] std::filesystem::path export_stem(const ExportDialog& exports);
/// Returns all files that the open documents were read from, including markers and the background image.
[[nodiscard]] InputFiles files_read(const App& app);
/// Counts those of the files that exist, and asks about them.
void ask_about_existing(ExportDialog& exports, std::span<const std::string> paths);
/// Returns whether the export can start; otherwise asks about existing files or sets the error.
[[nodiscard]] bool may_export(App& app);

}  // namespace pchr::player
