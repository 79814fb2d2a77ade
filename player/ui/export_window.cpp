// SPDX-License-Identifier: MIT
#include "platform/utf8_path.hpp"
#include "ui/panels.hpp"

#include <utility>

namespace pchr::player {
namespace {

constexpr std::array kFormatTexts{"Lossless with soft edges; plays in browsers",
                                  "255 colors per animation; hard edges",
                                  "",
                                  "One numbered file per frame; lossless with soft edges",
                                  "Lossless, for video encoders; no alpha, so empty areas are black",
                                  "",
                                  "H.264 video; no alpha; by ffmpeg",
                                  "VP9 video with soft edges; by ffmpeg"};
constexpr float kBottomHeight = 138.0F;
constexpr float kMinWidth = 180.0F;  ///< Min width of a row's controls; the dialog is hidden if there is less room.

/// Lays out rows, each with a label on the left and controls on the right.
class ExportRows {
 public:
  ExportRows(const Rect& area, float scale) : area_(area), scale_(scale) {}

  void next(std::string_view text) {
    const float top = kExportRowHeight * scale_ * static_cast<float>(count_++);
    ImGui::SetCursorPos({kPadding * scale_, top});
    ImGui::AlignTextToFramePadding();
    label(text);
    ImGui::SetCursorPos({(kPadding + kExportLabelWidth) * scale_, top});
  }
  [[nodiscard]] float width() const { return export_row(area_, scale_, 0).size().x; }
  [[nodiscard]] float scale() const { return scale_; }

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

constexpr float kGap = 8.0F;  ///< Between the controls of a row.

/// The control of a setting. A number that has a row for itself is a slider. Returns whether the value changed.
bool control(const ExportSetting& setting, int& value, float width, bool is_alone) {
  const auto label_of = [&](std::size_t i) { return setting.choices[i].label; };
  const auto count = setting.choices.size();
  const std::string_view id = setting.id;
  if (count == 0 && is_alone) return slider(setting.id, value, setting.min, setting.max, setting.format, width);
  if (count == 0) {
    ImGui::SetNextItemWidth(width);
    const char* const format = value == 1 && id == "##times" ? "%d time" : setting.format;
    const bool changed = ImGui::InputScalar(setting.id, ImGuiDataType_S32, &value, nullptr, nullptr, format);
    name_item(id.substr(2));
    value = std::clamp(value, setting.min, setting.max);
    return changed;
  }
  if (id.starts_with("##")) {
    const auto current = static_cast<std::size_t>(value);
    const auto chosen = combo(setting.id, label_of(current), width, count, current, label_of);
    if (chosen) value = static_cast<int>(*chosen);
    return chosen.has_value();
  }
  std::array<const char*, 8> labels{};
  for (std::size_t i = 0; i < count; ++i) labels[i] = label_of(i);
  return segmented(setting.id, std::span(labels).first(count), value, width);
}

/// Shows the settings of a row, `width` in total.
void setting_row(App& app, std::span<const ExportSetting> settings, float width, ExportRows& rows) {
  ExportOptions& options = app.exports.options;
  const auto is_shown = [&](const ExportSetting& each) { return each.is_shown(app); };
  const auto count = std::ranges::count_if(settings, is_shown);
  if (count == 0) return;
  rows.next(settings.front().row);
  float gap = 0;
  for (const ExportSetting& setting : settings) {
    if (!setting.is_shown(app)) continue;
    if (gap > 0) ImGui::SameLine(0.0F, gap);
    const bool is_alone = count == 1;
    const bool enabled = setting.is_enabled(app);
    const float part = is_alone ? 1.0F : setting.part;
    // An MP4 is always opaque.
    int value = setting.key == "export-background" && !enabled ? 1 : setting.value.get(options);
    ImGui::BeginDisabled(!enabled);
    if (control(setting, value, width * part - gap, is_alone)) setting.value.set(options, value);
    ImGui::EndDisabled();
    if (setting.tooltip != nullptr && setting.is_explained(app)) tooltip(setting.tooltip);
    gap = kGap * rows.scale();
  }
}

void clips_row(App& app, const ExportSetting& setting, ExportRows& rows) {
  const Playback& playback = app.playback;
  if (const Mix* mix = playback.mix()) {
    rows.next("Mix");
    const auto clips = app.document()->character().clips();
    ImGui::AlignTextToFramePadding();
    colored(kTextColor, fmt::format("{} to {}, from the start", clips[mix->from].name, clips[mix->to].name));
    tooltip("Until the crossfade has ended and the second clip has played once");
    return;
  }
  if (playback.clock.range()) return setting_row(app, {&setting, 1}, rows.width(), rows);
  ExportOptions& options = app.exports.options;
  ExportSetting without_range = setting;
  without_range.choices = setting.choices.first(2);
  rows.next(setting.row);
  int clips = options.clips == ExportClips::range ? 0 : static_cast<int>(options.clips);
  if (control(without_range, clips, rows.width(), true)) setting.value.set(options, clips);
  tooltip("Set a range (I, O) to export only its frames");
}

/// Says what a format is for, or that there is no ffmpeg.
void format_text(const ExportDialog& exports, ExportRows& rows) {
  const ExportFormat format = exports.options.format;
  const char* const text = kFormatTexts[static_cast<std::size_t>(format)];
  if (*text == '\0') return;
  rows.next("");
  ImGui::AlignTextToFramePadding();
  is_video(format) && exports.ffmpeg.empty() ? colored(kWarningColor, kNoFfmpeg) : label(text);
}

void setting_rows(App& app, ExportRows& rows) {
  ExportOptions& options = app.exports.options;
  for (auto rest = export_settings(); !rest.empty();) {
    const auto end = std::ranges::find_if(rest, [&](const auto& each) { return each.row != rest.front().row; });
    const auto row = rest.first(static_cast<std::size_t>(end - rest.begin()));
    rest = rest.subspan(row.size());
    if (row.front().row == "Clips") {
      clips_row(app, row.front(), rows);
    } else if (row.front().row == "Background") {
      const float swatch = ImGui::GetFrameHeight() + 8.0F * rows.scale();
      setting_row(app, row, rows.width() - swatch, rows);
      ImGui::SameLine(0.0F, kGap * rows.scale());
      constexpr ImGuiColorEditFlags kSwatch = ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel;
      if (ImGui::ColorEdit3("##color", app.view.color.data(), kSwatch)) options.opaque = true;
      tooltip("Plain background color");
    } else {
      setting_row(app, row, rows.width(), rows);
    }
    if (row.front().row == "Format") format_text(app.exports, rows);
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
    open_folder_browser(app.browser, app.requests, BrowseFor::exports, path_from_utf8(exports.folder.data()));
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
  setting_rows(app, rows);
  file_rows(app, rows);
  ImGui::EndDisabled();
}

/// Returns a hint about what the export leaves out.
std::string not_exported(const App& app) {
  if (app.playback.game() != nullptr) return "Exports the clip, not the game.";
  if (app.playback.machine() != nullptr) return "Exports the clip, not the states; pchr render exports them.";
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
