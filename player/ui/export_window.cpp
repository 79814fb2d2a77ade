// SPDX-License-Identifier: MIT
#include "ui/panels.hpp"

#include <cmath>

namespace pchr::player {
namespace {

constexpr std::array kFormatNames{"APNG", "GIF", "WebP", "PNGs", "Y4M", "Sheet"};
constexpr std::array kFormatTexts{"Lossless with soft edges; plays in browsers",
                                  "255 colors per animation; hard edges",
                                  "",
                                  "One numbered file per frame; lossless with soft edges",
                                  "Lossless, for video encoders; no alpha, so empty areas are black",
                                  "All frames in one image, with Aseprite JSON"};
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
    ImGui::SetNextItemWidth(width() * part - 8.0F * scale_);
    int current = static_cast<int>(value);
    if (!ImGui::InputScalar(id, ImGuiDataType_S32, &current, nullptr, nullptr, format)) return;
    value = static_cast<Value>(std::clamp(current, min, max));
  }

 private:
  Rect area_;
  float scale_;
  std::uint32_t count_ = 0;
};

void clips_row(const Playback& playback, ExportOptions& options, ExportRows& rows) {
  rows.next("Clips");
  constexpr std::array kClips{"This clip", "All clips", "Range"};
  const bool ranged = playback.clock.range().has_value();
  ExportClips clips = !ranged && options.clips == ExportClips::range ? ExportClips{} : options.clips;
  const auto labels = std::span(kClips).first(ranged ? 3 : 2);
  if (segmented("clips", labels, clips, rows.width())) options.clips = clips;
  if (!ranged) tooltip("Set a range (I, O) to export only its frames");
}

void format_rows(ExportOptions& options, ExportRows& rows) {
  rows.next("Format");
  rows.choice("format", kFormatNames, options.format);
  if (options.format != ExportFormat::webp) {
    rows.next("");
    ImGui::AlignTextToFramePadding();
    label(kFormatTexts[static_cast<std::size_t>(options.format)]);
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
  rows.choice("opaque", std::array{"Transparent", "Plain"}, options.opaque, 1.0F - swatch / rows.width());
  ImGui::SameLine(0.0F, 8.0F * rows.scale());
  if (ImGui::ColorEdit3("##color", view.color.data(), ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel)) {
    options.opaque = true;
  }
  tooltip("Plain background color");
}

void plays_row(ExportOptions& options, ExportRows& rows) {
  rows.next("Repeat");
  ImGui::BeginDisabled(options.format == ExportFormat::sheet);
  rows.choice("plays", std::array{"As in clip", "Forever", "Counted"}, options.plays, 0.75F);
  ImGui::BeginDisabled(options.plays != ExportPlays::counted);
  const char* format = options.times == 1 ? "%d time" : "%d times";
  rows.number("##times", format, options.times, 1, kMaxExportTimes, 0.25F);
  ImGui::EndDisabled();
  ImGui::EndDisabled();
  if (options.format == ExportFormat::png || options.format == ExportFormat::y4m) {
    tooltip("This format stores no repeat count: the frames are written once, or as often as counted");
  }
}

void file_rows(ExportDialog& exports, ExportRows& rows) {
  rows.next("Folder");
  ImGui::SetNextItemWidth(rows.width());
  bool edited = ImGui::InputText("##folder", exports.folder.data(), exports.folder.size());
  rows.next("Name");
  const bool parts = exports.options.clips == ExportClips::all && exports.options.format != ExportFormat::sheet;
  const bool numbers = exports.options.format == ExportFormat::png;
  const std::string end =
      fmt::format("{}{}{}", parts ? "_CLIP" : "", numbers ? "_0000" : "", export_extension(exports.options.format));
  const float end_width = text_size(end).x + 8.0F * rows.scale();
  ImGui::SetNextItemWidth(rows.width() - end_width);
  edited |= ImGui::InputText("##name", exports.name.data(), exports.name.size());
  // The question was about other files.
  if (edited) exports.existing_files = 0;
  ImGui::SameLine(0.0F, 8.0F * rows.scale());
  label(end);
}

void export_rows(App& app, const Rect& area, float scale) {
  ExportDialog& exports = app.exports;
  ExportRows rows(area, scale);
  ImGui::BeginDisabled(exports.running);
  clips_row(app.playback, exports.options, rows);
  format_rows(exports.options, rows);
  size_rows(exports.options, rows);
  time_rows(exports.options, rows);
  background_row(app.view, exports.options, rows);
  plays_row(exports.options, rows);
  file_rows(exports, rows);
  ImGui::EndDisabled();
}

/// Returns a hint about what the export leaves out.
std::string not_exported(const App& app) {
  if (app.playback.mix() != nullptr) return "Exports the clip, not the mix.";
  if (app.playback.game() != nullptr) return "Exports the clip, not the game.";
  if (comparing(app)) return "Exports only the first of the two clips.";
  return "Hidden parts, overlays and speed are not exported.";
}

void export_progress(const ExportDialog& exports, float scale) {
  const auto frames = static_cast<double>(exports.plan->frames());
  const std::string text = fmt::format("{:.0f} of {:.0f} frames", std::floor(frames * exports.done), frames);
  ImGui::PushStyleColor(ImGuiCol_PlotHistogram, kAccentColor);
  ImGui::ProgressBar(exports.done, {-1.0F, 22.0F * scale}, "");
  ImGui::PopStyleColor();
  label(exports.done < 1.0F ? text : "Writing...");
}

/// Shows what will be written, or what prevents it.
void outcome(const App& app, float scale) {
  const ExportDialog& exports = app.exports;
  if (exports.running) return export_progress(exports, scale);
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
  const std::string losses = describe_losses(*exports.plan);
  wrapped(losses.empty() ? kDimTextColor : kWarningColor, losses.empty() ? not_exported(app) : losses);
}

bool button_at(const Rect& area, const char* text) {
  ImGui::SetCursorScreenPos(area.min);
  return ImGui::Button(text, area.size());
}

void export_buttons(ExportDialog& exports, const Rect& area, float scale) {
  const bool asks = exports.existing_files > 0;
  const bool stops = exports.running;
  const char* const back = stops ? "Cancel" : asks ? "Back" : "Close";
  if (button_at(export_button(area, scale, false), back)) leave_export(exports);
  ImGui::BeginDisabled(stops || exports.plan == nullptr);
  for (const ImGuiCol color : {ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive}) {
    ImGui::PushStyleColor(color, kAccentColor);
  }
  ImGui::PushStyleColor(ImGuiCol_Text, kAccentText);
  if (button_at(export_button(area, scale, true), asks ? "Replace" : "Export")) start_export(exports, asks);
  ImGui::PopStyleColor(4);
  ImGui::EndDisabled();
}

}  // namespace

void exports_window(App& app, const Layout& layout) {
  if (!app.exports.open || !app.document) return;
  const float scale = layout.scale;
  const Rect area = export_area(ImGui::GetIO().DisplaySize, scale);
  const Rect upper{area.min + Vec2{0.0F, kHeadingHeight * scale}, area.max - Vec2{0.0F, kBottomHeight * scale}};
  const Vec2 min_size{(kPadding + kExportLabelWidth + kMinWidth) * scale, kExportRowHeight * scale};
  if (upper.size().x < min_size.x || upper.size().y < min_size.y) return;
  begin_popup("export", area, ImGui::GetStyle().WindowPadding, 10.0F * scale, 0, 1.0F);
  ImGui::TextUnformatted("Export");
  const float close = 24.0F * scale;
  ImGui::SetCursorScreenPos({area.max.x - close - kPadding * scale, area.min.y + 8.0F * scale});
  ImGui::BeginDisabled(app.exports.running);
  if (icon_button("close", Icon::close, Vec2{close}, "Close (Esc)")) app.exports.open = false;
  ImGui::EndDisabled();

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

}  // namespace pchr::player
