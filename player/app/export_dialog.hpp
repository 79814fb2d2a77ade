// SPDX-License-Identifier: MIT
// Animations and sheets of the open document: options, plan and dialog.
#pragma once

#include "playback/transport.hpp"

#include <pchr/export/sheet.hpp>

namespace pchr::player {

struct App;

enum class ExportClips : std::uint8_t { one, all, range };
enum class ExportFormat : std::uint8_t { apng, gif, webp, png, y4m, sheet };
enum class ExportSizing : std::uint8_t {
  scale,  ///< Pixels of the character: the frames are as large as its clip needs.
  fit     ///< Frames of one size, which the clip fits.
};
enum class ExportPlays : std::uint8_t { as_clip, for_ever, counted };

inline constexpr int kMaxExportPercent = 6400;
inline constexpr int kMaxExportMargin = 25;
inline constexpr int kMaxExportRate = 240;
inline constexpr int kMaxExportTimes = 99;

/// The choices in the dialog, which the preferences remember.
struct ExportOptions {
  ExportClips clips = ExportClips::one;
  ExportFormat format = ExportFormat::apng;
  bool lossy = false;  ///< For WebP.
  int quality = 80;    ///< Of lossy WebP, 0..100.
  ExportSizing sizing = ExportSizing::scale;
  int percent = 100;  ///< Frame pixels per 100 world pixels, 1..kMaxExportPercent.
  FrameSize size{};
  int margin = 5;         ///< Percent of the frame on each side, 0..kMaxExportMargin.
  bool resample = false;  ///< At `rate`, instead of the clip's own frames.
  int rate = 30;          ///< Frames per second, 1..kMaxExportRate.
  bool opaque = false;    ///< On the canvas's plain color.
  ExportPlays plays = ExportPlays::as_clip;
  int times = 2;  ///< 1..kMaxExportTimes.
  bool operator==(const ExportOptions&) const = default;
};

/// All that the frames depend on, except for hidden meshes.
struct ExportRequest {
  ExportOptions options{};
  std::optional<ClipId> clip{};       ///< Absent: the bind pose, where there are no clips.
  std::optional<FrameRange> range{};  ///< Of that clip.
  bool smooth = false;                ///< Interpolate where frames are resampled.
  bool flip_y = false;
  std::array<float, 4> background{};  ///< Premultiplied.
  Affine3 turn = kIdentity3;          ///< Of a 3D character.
  bool cull_back_faces = false;       ///< The same.
  bool operator==(const ExportRequest&) const = default;
};

struct ExportedClip {
  std::string name;  ///< Part of its file's name; unique.
  FramePlan plan;
  AnimationInfo info;
  Camera camera;
  std::optional<SceneView> scene{};  ///< Of a 3D character, once it is turned.
};

struct ExportPlan {
  ExportRequest request;
  std::vector<ExportedClip> clips{};  ///< At least one.
  EncoderOptions settings{};          ///< Of animations.
  SheetOptions sheet{};
  [[nodiscard]] bool is_sheet() const noexcept { return request.options.format == ExportFormat::sheet; }
  [[nodiscard]] std::uint64_t frames() const noexcept;
};

/// Returns the request for what is shown, with the chosen options. A document must be open.
[[nodiscard]] ExportRequest export_request(const App& app);
/// Plans an export. Slow where bounds of many frames are not known yet.
[[nodiscard]] ExportResult<ExportPlan> plan_export(const Character& character, const ExportRequest& request);
[[nodiscard]] std::string describe_export(const ExportPlan& plan);
/// Describes what the format cannot keep of the first clip that it affects; empty where it keeps all.
[[nodiscard]] std::string describe_losses(const ExportPlan& plan);

[[nodiscard]] std::string export_extension(ExportFormat format);
/// Returns the file of a clip's frame, or that of all its frames; of a sheet that of the first page.
[[nodiscard]] std::string export_path(const ExportPlan& plan, const std::filesystem::path& stem, std::size_t clip,
                                      std::uint32_t frame);
/// Returns all of those, of a sheet with its JSON.
[[nodiscard]] std::vector<std::string> export_paths(const ExportPlan& plan, const std::filesystem::path& stem);

/// The dialog, and the state of the export.
struct ExportDialog {
  ExportOptions options{};
  bool open = false;
  std::array<char, 4096> folder{};
  std::array<char, 256> name{};          ///< Without its extension.
  std::string proposed{};                ///< The last proposed name, which follows the options until it is edited.
  std::filesystem::path proposed_for{};  ///< The file beside which a folder was last proposed.

  std::shared_ptr<const ExportPlan> plan{};  ///< Of the options, once it is known.
  std::string plan_error{};
  std::string error{};

  bool wanted = false;             ///< Begin as soon as the plan is there.
  bool replace = false;            ///< Replace existing files.
  std::size_t in_the_way = 0;      ///< Existing files that the dialog asks about.
  std::string first_in_the_way{};  ///< One of them.
  bool running = false;            ///< Frames are drawn and written.
  bool cancel = false;             ///< Stop that.
  float done = 0;                  ///< 0..1.
};

/// Opens or closes the dialog. Stays closed without a document or while it is presented, open while frames are drawn.
void toggle_exports(App& app);
/// Requests the export, which replaces existing files where `replace` says so.
void start_export(ExportDialog& exports, bool replace);
/// Goes back one step: cancels the export, withdraws a question, or closes the dialog.
void leave_export(ExportDialog& exports);
/// Proposes a folder and a name, where the file or the options have changed.
void propose_export_name(App& app);
[[nodiscard]] std::filesystem::path export_stem(const ExportDialog& exports);
/// Returns all files that the open documents were read from, with markers and the background.
[[nodiscard]] InputFiles files_read(const App& app);
/// Returns whether the export may begin; else asks about existing files, or sets the error.
[[nodiscard]] bool may_export(App& app);

}  // namespace pchr::player
