// SPDX-License-Identifier: MIT
#include "platform/utf8_path.hpp"
#include "ui/panels.hpp"

#include <utility>

namespace pchr::player {
namespace {

constexpr std::array kFormatNames{"APNG", "GIF", "WebP", "PNGs", "Y4M", "Sheet", "MP4", "WebM"};
constexpr std::array kFormatTexts{"Lossless with soft edges; plays in browsers",
                                  "255 colors per animation; hard edges",
                                  "",
                                  "One numbered file per frame; lossless with soft edges",
                                  "Lossless, for video encoders; no alpha, so empty areas are black",
                                  "",
                                  "H.264 video; no alpha; by ffmpeg",
                                  "VP9 video with soft edges; by ffmpeg"};
/// Indexed by SheetOptions::Format.
constexpr std::array kEngineNames{"Aseprite JSON (most engines)", "Phaser", "PixiJS", "Godot 4", "Unity"};
constexpr float kBottomHeight = 138.0F;
constexpr float kMinWidth = 180.0F;  ///< Min width of a row's controls; the dialog is hidden if there is less room.

/// Lays out rows, each with a label on the left and controls on the right.
class ExportRows {
 public:
  ExportRows(const Rect& area, float scale) : area_(area), scale_(scale) {}

  void next(const char* text) {
    const float top = kExportRowHeight * scale_ * static_cast<float>(count_++);
    ImGui::SetCursorPos({kPadding * scale_, top});
    ImGui::AlignTextToFramePadding();
    label(text);
    ImGui::SetCursorPos({(kPadding + kExportLabelWidth) * scale_, top});
  }
  [[nodiscard]] float width() const { return export_row(area_, scale_, 0).size().x; }
  [[nodiscard]] float scale() const { return scale_; }

  void choice(const char* id, std::span<const char* const> labels, auto& value, float part = 1.0F) {
    segmented(id, labels, value, width() * part);
  }
  /// A number field after a choice.
  template <typename Value>
  void number(const char* id, const char* format, Value& value, int min, int max, float part) {
    ImGui::SameLine(0.0F, 8.0F * scale_);
    first_number(id, format, value, min, max, part - 8.0F * scale_ / width());
  }
  /// A number field at the start of a row.
  template <typename Value>
  void first_number(const char* id, const char* format, Value& value, int min, int max, float part) {
    ImGui::SetNextItemWidth(width() * part);
    int current = static_cast<int>(value);
    const bool changed = ImGui::InputScalar(id, ImGuiDataType_S32, &current, nullptr, nullptr, format);
    name_item(std::string_view(id).substr(2));
    if (changed) value = static_cast<Value>(std::clamp(current, min, max));
  }

 private:
  Rect area_;
  float scale_;
  std::uint32_t count_ = 0;
};

/// Chooses, saves and deletes presets.
void preset_row(ExportDialog& exports, ExportRows& rows) {
  rows.next("Preset");
  const float button = 64.0F * rows.scale();
  const float gap = 8.0F * rows.scale();
  const auto next_button = [&](const char* text, const char* name) {
    ImGui::SameLine(0.0F, gap);
    const bool clicked = ImGui::Button(text, {button, 0.0F});
    name_item(name);
    return clicked;
  };
  const float width = rows.width() - 2.0F * (button + gap);
  if (exports.naming_preset) {
    ImGui::SetNextItemWidth(width);
    if (std::exchange(exports.focus_name, false)) focus_next_item();
    bool save = ImGui::InputTextWithHint("##preset-name", "Name of the preset", exports.preset_name.data(),
                                         exports.preset_name.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    name_item("preset name");
    save |= next_button("Save", "save preset");
    if (save) save_preset(exports, exports.preset_name.data());
    if (next_button("Cancel", "cancel preset") || save) exports.naming_preset = false;
    return;
  }
  const auto current = current_preset(exports);
  const char* const shown = current                              ? exports.presets[*current].name.c_str()
                            : exports.options == ExportOptions{} ? "Default"
                                                                 : "Custom";
  const auto chosen = combo("##preset", shown, width, exports.presets.size() + 1, current ? *current + 1 : 0,
                            [&](std::size_t i) { return i == 0 ? "Default" : exports.presets[i - 1].name.c_str(); });
  if (chosen) exports.options = *chosen == 0 ? ExportOptions{} : exports.presets[*chosen - 1].options;
  if (next_button("Save...", "new preset")) {
    exports.naming_preset = exports.focus_name = true;
    exports.preset_name = {};
    if (current) exports.presets[*current].name.copy(exports.preset_name.data(), kMaxPresetName);
  }
  tooltip("Save these options under a name");
  ImGui::BeginDisabled(!current);
  if (next_button("Delete", "delete preset")) {
    exports.presets.erase(exports.presets.begin() + static_cast<std::ptrdiff_t>(*current));
  }
  ImGui::EndDisabled();
  tooltip("Delete this preset");
}

void clips_row(const App& app, ExportOptions& options, ExportRows& rows) {
  const Playback& playback = app.playback;
  if (const Mix* mix = playback.mix()) {
    rows.next("Mix");
    const auto clips = app.document()->character().clips();
    ImGui::AlignTextToFramePadding();
    colored(kTextColor, fmt::format("{} to {}, from the start", clips[mix->from].name, clips[mix->to].name));
    tooltip("Until the crossfade has ended and the second clip has played once");
    return;
  }
  rows.next("Clips");
  constexpr std::array kClips{"This clip", "All clips", "Range"};
  const bool ranged = playback.clock.range().has_value();
  ExportClips clips = !ranged && options.clips == ExportClips::range ? ExportClips{} : options.clips;
  const auto labels = std::span(kClips).first(ranged ? 3 : 2);
  if (segmented("clips", labels, clips, rows.width())) options.clips = clips;
  if (!ranged) tooltip("Set a range (I, O) to export only its frames");
}

void format_rows(ExportDialog& exports, ExportRows& rows) {
  ExportOptions& options = exports.options;
  rows.next("Format");
  rows.choice("format", kFormatNames, options.format);
  if (options.format == ExportFormat::sheet) {
    rows.next("Engine");
    SheetOptions::Format& engine = options.sheet.format;
    const auto current = static_cast<std::size_t>(engine);
    const auto chosen = combo("##engine", kEngineNames[current], rows.width(), kEngineNames.size(), current,
                              [](std::size_t i) { return kEngineNames[i]; });
    if (chosen) engine = static_cast<SheetOptions::Format>(*chosen);
    tooltip("Which program the files beside the image are for");
    return;
  }
  if (options.format != ExportFormat::webp) {
    rows.next("");
    ImGui::AlignTextToFramePadding();
    const bool missing = is_video(options.format) && exports.ffmpeg.empty();
    missing ? colored(kWarningColor, kNoFfmpeg) : label(kFormatTexts[static_cast<std::size_t>(options.format)]);
    if (!is_video(options.format)) return;
    rows.next("Quality");
    slider("##quality", options.quality, 0, 100, "%d / 100", rows.width());
    return;
  }
  rows.next("Quality");
  rows.choice("lossy", std::array{"Lossless", "Lossy"}, options.lossy, 0.5F);
  ImGui::BeginDisabled(!options.lossy);
  rows.number("##quality", "%d / 100", options.quality, 0, 100, 0.5F);
  ImGui::EndDisabled();
}

void size_rows(ExportOptions& options, ExportRows& rows) {
  rows.next("Size");
  rows.choice("sizing", std::array{"Scale", "Fit"}, options.sizing, 0.5F);
  if (options.sizing == ExportSizing::scale) {
    rows.number("##percent", "%d%%", options.percent, 1, kMaxExportPercent, 0.5F);
    tooltip("Scale of the character; frames are as large as the clip needs");
  } else {
    rows.number("##width", "%d px", options.size.width, 1, kMaxFrameSide, 0.25F);
    rows.number("##height", "%d px", options.size.height, 1, kMaxFrameSide, 0.25F);
  }
  rows.next("Margin");
  slider("##margin", options.margin, 0, kMaxExportMargin, "%d%%", rows.width());
  tooltip("Empty space on each side, as a percentage of the frame");
}

void sheet_rows(ExportSheet& sheet, ExportRows& rows) {
  rows.next("Pages");
  rows.choice("pages", std::array{"Any size", "Power of two"}, sheet.power_of_two, 0.65F);
  rows.number("##page", "%d px max.", sheet.max_side, 1, kMaxFrameSide, 0.35F);
  tooltip("Max width and height of a page");
  rows.next("Spacing");
  rows.first_number("##padding", "%d px padding", sheet.padding, 0, kMaxExportPadding, 0.5F);
  tooltip("Pixels between frames");
  rows.number("##extrude", "%d px extruded", sheet.extrude, 0, kMaxExportPadding, 0.5F);
  tooltip("How many times to repeat the edge pixels of each frame");
  rows.next("Borders");
  rows.choice("trim", std::array{"Keep empty", "Trim"}, sheet.trim);
  tooltip("Keep the transparent border of each frame, or trim it and store where the frame was");
  rows.next("Equal frames");
  rows.choice("share", std::array{"Store each", "Store once"}, sheet.share);
  tooltip("Give frames that look the same a place each, or one in common");
  if (sheet.format != SheetOptions::Format::aseprite) return;
  rows.next("JSON frames");
  rows.choice("layout", std::array{"Named (hash)", "Listed (array)"}, sheet.layout);
  tooltip("Store the frames in the JSON as an object with a key for each, or as an array");
}

void time_rows(ExportOptions& options, ExportRows& rows) {
  rows.next("Frames");
  rows.choice("resample", std::array{"Original frames", "Resampled"}, options.resample, 0.65F);
  ImGui::BeginDisabled(!options.resample);
  rows.number("##rate", "%d FPS", options.rate, 1, kMaxExportRate, 0.35F);
  ImGui::EndDisabled();
  tooltip("Frame rate; frames in between are held or smooth, as in the player (M)");
}

void background_row(View& view, ExportOptions& options, ExportRows& rows) {
  rows.next("Background");
  const float swatch = ImGui::GetFrameHeight() + 8.0F * rows.scale();
  bool opaque = options.opaque || options.format == ExportFormat::mp4;
  ImGui::BeginDisabled(options.format == ExportFormat::mp4);
  rows.choice("opaque", std::array{"Transparent", "Plain"}, opaque, 1.0F - swatch / rows.width());
  ImGui::EndDisabled();
  if (options.format != ExportFormat::mp4) options.opaque = opaque;
  ImGui::SameLine(0.0F, 8.0F * rows.scale());
  if (ImGui::ColorEdit3("##color", view.color.data(), ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel)) {
    options.opaque = true;
  }
  tooltip("Plain background color");
}

void plays_row(ExportOptions& options, ExportRows& rows) {
  if (options.format == ExportFormat::sheet) return;
  rows.next("Repeat");
  rows.choice("plays", std::array{"As in clip", "Forever", "Counted"}, options.plays, 0.75F);
  ImGui::BeginDisabled(options.plays != ExportPlays::counted);
  const char* format = options.times == 1 ? "%d time" : "%d times";
  rows.number("##times", format, options.times, 1, kMaxExportTimes, 0.25F);
  ImGui::EndDisabled();
  if (options.format == ExportFormat::png || options.format == ExportFormat::y4m || is_video(options.format)) {
    tooltip("This format stores no repeat count: the frames are written once, or as often as counted");
  }
}

void file_rows(App& app, ExportRows& rows) {
  ExportDialog& exports = app.exports;
  rows.next("Folder");
  const float browse = 88.0F * rows.scale();
  ImGui::SetNextItemWidth(rows.width() - browse - 8.0F * rows.scale());
  bool edited = ImGui::InputText("##folder", exports.folder.data(), exports.folder.size());
  name_item("export folder");
  ImGui::SameLine(0.0F, 8.0F * rows.scale());
  if (ImGui::Button("Browse...", {browse, 0.0F})) {
    open_folder_browser(app.browser, app.files, BrowseFor::exports, path_from_utf8(exports.folder.data()));
  }
  name_item("browse folder");
  rows.next("Name");
  const bool several = exports.options.clips == ExportClips::all && app.playback.mix() == nullptr;
  const bool parts = several && exports.options.format != ExportFormat::sheet;
  const bool numbers = exports.options.format == ExportFormat::png;
  const std::string end =
      fmt::format("{}{}{}", parts ? "_CLIP" : "", numbers ? "_0000" : "", export_extension(exports.options.format));
  const float end_width = text_size(end).x + 8.0F * rows.scale();
  ImGui::SetNextItemWidth(rows.width() - end_width);
  edited |= ImGui::InputText("##name", exports.name.data(), exports.name.size());
  name_item("export name");
  // The question was about other files.
  if (edited) exports.existing_files = 0;
  ImGui::SameLine(0.0F, 8.0F * rows.scale());
  label(end);
}

void export_rows(App& app, const Rect& area, float scale) {
  ExportDialog& exports = app.exports;
  ExportRows rows(area, scale);
  ImGui::BeginDisabled(exports.running);
  preset_row(exports, rows);
  clips_row(app, exports.options, rows);
  format_rows(exports, rows);
  if (exports.options.format == ExportFormat::sheet) sheet_rows(exports.options.sheet, rows);
  size_rows(exports.options, rows);
  time_rows(exports.options, rows);
  background_row(app.view, exports.options, rows);
  plays_row(exports.options, rows);
  if (moves_with_rig(app)) {
    rows.next("Rig");
    rows.choice("rig", std::array{"Plain animation", "Applied"}, exports.options.rig);
    tooltip("Leave out or apply springs and other constraints");
  }
  file_rows(app, rows);
  ImGui::EndDisabled();
}

/// Returns a hint about what the export leaves out.
std::string not_exported(const App& app) {
  if (app.playback.game() != nullptr) return "Exports the clip, not the game.";
  if (comparing(app)) return "Exports only the first of the two clips.";
  return "Hidden parts, overlays and speed are not exported.";
}

void show_progress(const ExportProgress& progress, float scale) {
  thin_bar(progress.share(), ImGui::GetContentRegionAvail().x, scale);
  wrapped(kTextColor, describe_progress(progress));
}

/// Shows what will be written, or what prevents it.
void outcome(const App& app, float scale) {
  const ExportDialog& exports = app.exports;
  if (exports.running) return show_progress(exports.progress, scale);
  if (exports.existing_files > 0) {
    const std::string question = exports.existing_files == 1
                                     ? exports.first_existing_file + " already exists. Replace it?"
                                     : fmt::format("{} files already exist, including {}. Replace them?",
                                                   exports.existing_files, exports.first_existing_file);
    return wrapped(kWarningColor, question);
  }
  if (!exports.error.empty()) return wrapped(kErrorColor, exports.error);
  if (!exports.plan_error.empty()) return wrapped(kErrorColor, exports.plan_error);
  if (exports.plan == nullptr) return;
  wrapped(kTextColor, describe_export(*exports.plan));
  wrapped(kTextColor, describe_sizes(*exports.plan, exports.estimated_bytes));
  const std::string losses = describe_losses(*exports.plan);
  wrapped(losses.empty() ? kDimTextColor : kWarningColor, losses.empty() ? not_exported(app) : losses);
}

bool button_at(const Rect& area, const char* text, const char* name) {
  ImGui::SetCursorScreenPos(area.min);
  const bool clicked = ImGui::Button(text, area.size());
  name_item(name);
  return clicked;
}

void export_buttons(ExportDialog& exports, const Rect& area, float scale) {
  const bool asks = exports.existing_files > 0;
  const bool stops = exports.running;
  const char* const back = stops ? "Cancel" : asks ? "Back" : "Close";
  if (button_at(export_button(area, scale, false), back, "export back")) {
    stops ? void(exports.cancel = true) : leave_export(exports);
  }
  ImGui::BeginDisabled(stops || exports.plan == nullptr);
  for (const ImGuiCol color : {ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive}) {
    ImGui::PushStyleColor(color, kAccentColor);
  }
  ImGui::PushStyleColor(ImGuiCol_Text, kAccentText);
  if (button_at(export_button(area, scale, true), asks ? "Replace" : "Export", "export start"))
    start_export(exports, asks);
  ImGui::PopStyleColor(4);
  ImGui::EndDisabled();
}

}  // namespace

void exports_window(App& app, const Layout& layout) {
  // The browser chooses the folder for it.
  if (!app.exports.open || !app.document() || app.browser.open) return;
  const float scale = layout.scale;
  const Rect area = export_area(ImGui::GetIO().DisplaySize, scale);
  const Rect upper{area.min + Vec2{0.0F, kHeadingHeight * scale}, area.max - Vec2{0.0F, kBottomHeight * scale}};
  const Vec2 min_size{(kPadding + kExportLabelWidth + kMinWidth) * scale, kExportRowHeight * scale};
  if (upper.size().x < min_size.x || upper.size().y < min_size.y) return;
  begin_popup("export", area, ImGui::GetStyle().WindowPadding, 10.0F * scale, 0, 1.0F);
  ImGui::TextUnformatted("Export");
  const float close = 24.0F * scale;
  ImGui::SetCursorScreenPos({area.max.x - close - kPadding * scale, area.min.y + 8.0F * scale});
  if (icon_button("close export", Icon::close, Vec2{close}, "Close (Esc)")) app.exports.open = false;

  ImGui::SetCursorScreenPos(upper.min);
  ImGui::BeginChild("rows", upper.size(), false, ImGuiWindowFlags_NoNav);
  export_rows(app, area, scale);
  ImGui::EndChild();
  const Rect lower{{area.min.x + kPadding * scale, upper.max.y + 8.0F * scale},
                   {area.max.x - kPadding * scale, export_button(area, scale, true).min.y - 6.0F * scale}};
  ImGui::SetCursorScreenPos(lower.min);
  ImGui::BeginChild("outcome", lower.size(), false, ImGuiWindowFlags_NoNav);
  outcome(app, scale);
  ImGui::EndChild();
  export_buttons(app.exports, area, scale);
  ImGui::End();
}

void export_bubble(App& app, const Layout& layout) {
  ExportDialog& exports = app.exports;
  if (!exports.running || (exports.open && app.document())) return;
  const float scale = layout.scale;
  const Vec2 size{std::min(300.0F * scale, layout.canvas.size().x - 28.0F * scale), 84.0F * scale};
  if (size.x < 120.0F * scale) return;
  // Above a notice.
  const Vec2 corner = layout.canvas.max - size - Vec2{14.0F, 72.0F} * scale;
  ImGui::SetNextWindowBgAlpha(0.94F);
  begin_popup("exporting", {corner, corner + size}, Vec2{12.0F, 8.0F} * scale, 8.0F * scale,
              ImGuiWindowFlags_NoFocusOnAppearing);
  const float button = 22.0F * scale;
  const Vec2 inside = ImGui::GetCursorScreenPos();
  const Spot file = spot("export progress", {ImGui::GetContentRegionAvail().x - button - 6.0F * scale, button});
  tooltip("Show the export dialog");
  if (file.clicked && app.document()) exports.open = true;
  text_in(file.area, file.hovered ? kAccentColor : kTextColor, "Exporting " + exports.progress.file);
  ImGui::SetCursorScreenPos({corner.x + size.x - button - 12.0F * scale, inside.y});
  if (icon_button("cancel export", Icon::close, Vec2{button}, "Cancel the export")) exports.cancel = true;
  show_progress(exports.progress, scale);
  ImGui::End();
}

}  // namespace pchr::player
