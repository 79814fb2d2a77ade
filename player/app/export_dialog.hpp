// SPDX-License-Identifier: MIT
// Films and sheets of what is open: what is asked for, and what that will be. Knows nothing of OpenGL.
#pragma once

#include "playback/transport.hpp"

#include <pchr/3d.hpp>
#include <pchr/geometry.hpp>
#include <pchr/character.hpp>
#include <pchr/export/sheet.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

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

/// What a person chooses, and the preferences remember.
struct ExportOptions {
  ExportClips clips = ExportClips::one;
  ExportFormat format = ExportFormat::apng;
  bool lossy = false;  ///< Of a WebP,
  int quality = 80;    ///< 0..100.
  ExportSizing sizing = ExportSizing::scale;
  int percent = 100;  ///< Frame pixels per 100 world pixels, 1..kMaxExportPercent.
  FrameSize size{};
  int margin = 5;         ///< Percent of the frame on each side, 0..kMaxExportMargin.
  bool resample = false;  ///< Instead of the clip's own frames, each for as long as the clip shows it:
  int rate = 30;          ///< so many frames per second, 1..kMaxExportRate.
  bool opaque = false;    ///< On the canvas's plain color.
  ExportPlays plays = ExportPlays::as_clip;
  int times = 2;  ///< 1..kMaxExportTimes.
  bool operator==(const ExportOptions&) const = default;
};

/// All that the frames depend on, but for what is hidden.
struct ExportRequest {
  ExportOptions options{};
  std::optional<ClipId> clip{};       ///< Absent: the bind pose, where there are no clips.
  std::optional<FrameRange> range{};  ///< Of that clip.
  bool smooth = false;                ///< Between frames, where they are sampled anew.
  bool flip_y = false;
  std::array<std::uint8_t, 3> color{};  ///< Of the background, where it is opaque.
  Affine3 turn = kIdentity3;            ///< Of a 3D character, from how it was read to how it is seen.
  bool cull_back_faces = false;         ///< Of that, too.
  bool operator==(const ExportRequest&) const = default;
};

/// One clip of it.
struct ExportedClip {
  std::string name;  ///< As a part of a file's name; none is there twice.
  FramePlan plan;
  AnimationInfo info;
  Camera camera;
  std::optional<SceneView> scene{};  ///< What the camera sees of a 3D character once it is turned.
};

/// What will be drawn and written.
struct ExportPlan {
  ExportRequest request;
  std::vector<ExportedClip> clips;  ///< At least one.
  EncoderOptions settings;          ///< But for a sheet.
  SheetOptions sheet;               ///< Of a sheet.
  [[nodiscard]] bool is_sheet() const noexcept { return request.options.format == ExportFormat::sheet; }
  [[nodiscard]] std::uint64_t frames() const noexcept;
};

/// What is open as it is shown, with the options that are chosen. A document must be open.
[[nodiscard]] ExportRequest export_request(const App& app);
/// Takes long where bounds of many frames are not known yet. Fails with a sentence, without a full stop.
[[nodiscard]] ExportResult<ExportPlan> plan_export(const Character& character, const ExportRequest& request);
/// How many frames and files of which size, and how long they take.
[[nodiscard]] std::string describe_export(const ExportPlan& plan);
/// What the format takes away of the first clip of which it does, for people; empty where that is nothing.
[[nodiscard]] std::string describe_losses(const ExportPlan& plan);

/// ".apng" and so on.
[[nodiscard]] std::string export_extension(ExportFormat format);
/// The file of a clip's frame, or that of all its frames; of a sheet that of the first page.
[[nodiscard]] std::string export_path(const ExportPlan& plan, const std::filesystem::path& stem, std::size_t clip,
                                      std::uint32_t frame);
/// All of those; of a sheet its JSON too.
[[nodiscard]] std::vector<std::string> export_paths(const ExportPlan& plan, const std::filesystem::path& stem);

/// The dialog, and what becomes of the export.
struct ExportDialog {
  ExportOptions options{};
  bool open = false;
  std::array<char, 4096> folder{};
  std::array<char, 256> name{};  ///< Without its extension.
  std::string proposed{};  ///< The name that was proposed last: until somebody changes it, it follows the options.
  std::filesystem::path proposed_for{};  ///< The file beside which the folder is that was proposed last.

  std::shared_ptr<const ExportPlan> plan{};  ///< Of the options, once it is known.
  std::string plan_error{};                  ///< Why there is none.
  std::string error{};                       ///< What went wrong.

  bool wanted = false;             ///< Shall begin as soon as the plan is there.
  bool replace = false;            ///< And replace what is there.
  std::size_t in_the_way = 0;      ///< Files that are there: whether to replace them is asked,
  std::string first_in_the_way{};  ///< of which this is the first.
  bool running = false;            ///< Frames are drawn and written.
  bool cancel = false;             ///< Shall end.
  float done = 0;                  ///< 0..1.
};

/// Opens or closes the dialog. It does not open without a document or while that is
/// presented, nor close while frames are drawn.
void toggle_exports(App& app);
/// Asks for the export; `replace`: also where files are there already.
void start_export(ExportDialog& exports, bool replace);
/// Goes back one step: ends what runs, takes back a question, closes the dialog.
void leave_export(ExportDialog& exports);
/// Proposes a folder and a name, where the file or the options have changed.
void propose_export_name(App& app);
/// Folder and name as they stand in the dialog.
[[nodiscard]] std::filesystem::path export_stem(const ExportDialog& exports);
/// The files that what is open was read from, markers, background and the character beside it included.
[[nodiscard]] InputFiles files_read(const App& app);
/// Looks whether files are in the way. Returns whether it may begin; else it asks, or says what is wrong.
[[nodiscard]] bool may_export(App& app);

}  // namespace pchr::player
