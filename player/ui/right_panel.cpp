// SPDX-License-Identifier: MIT
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr float kRightTabGap = 14.0F;

void tab_titles(App& app, float scale) {
  View& view = app.view;
  std::size_t count = app.document ? count_problems(app.document->problems) : 0;
  if (app.document && !app.document->load_error.empty()) ++count;
  const std::string problems_title = count > 0 ? fmt::format("Problems {}", count) : "Problems";
  const bool artwork = app.shows_artwork();
  const auto title = [&](Tab of, const char* text, const char* id) {
    if (tab(text, view.tab == of, scale)) view.tab = of;
    id != nullptr ? command_tooltip(id) : tooltip("Show file and frame information");
    ImGui::SameLine(0.0F, kRightTabGap * scale);
  };
  title(Tab::facts, "Info", nullptr);
  title(Tab::inside, artwork ? "Layers" : "Parts", "inside");
  title(Tab::atlas, "Atlas", "atlas");
  title(Tab::problems, problems_title.c_str(), "problems");
  ImGui::NewLine();
}

constexpr std::array<const char*, 3> kProblemKinds{"Errors", "Warnings", "Hints"};
constexpr std::array kProblemColors{kErrorColor, kWarningColor, kBoneColor};
constexpr float kStripe = 3.0F;
constexpr float kProblemIndent = 10.0F;

float wrapped_height(std::string_view text, float width) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width).y;
}

/// Returns whether the row was clicked.
bool problem_row(const Problem& problem, bool chosen, float width, float scale) {
  const Vec2 padding{kProblemIndent * scale, 5.0F * scale};
  const float text_width = width - padding.x * 1.5F;
  const float message_height = wrapped_height(problem.message, text_width);
  const float detail_height = problem.detail.empty() ? 0.0F : wrapped_height(problem.detail, text_width) + 2.0F * scale;
  const Spot row = spot("row", {width, message_height + detail_height + 2.0F * padding.y});
  if (!ImGui::IsItemVisible()) return row.clicked;
  const auto [corner, end] = row.area;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (chosen || row.hovered) {
    fill({corner, end}, chosen ? kControlActive : kControlColor, 3.0F * scale);
  }
  fill({{corner.x, corner.y + padding.y}, {corner.x + kStripe * scale, end.y - padding.y}},
       kProblemColors[static_cast<std::size_t>(problem.kind)], 1.5F * scale);
  const auto text = [&](const std::string& content, float top, ImU32 color) {
    list.AddText(nullptr, 0.0F, {row.area.min.x + padding.x, row.area.min.y + top}, color, content.c_str(), nullptr,
                 text_width);
  };
  text(problem.message, padding.y, kTextColor);
  text(problem.detail, padding.y + message_height + 2.0F * scale, kDimTextColor);
  if (row.hovered) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(420.0F * scale);
    colored(kTextColor, problem.text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  return row.clicked;
}

void copy_button(const Document& document) {
  const float width = text_size("Copy all").x + ImGui::GetStyle().FramePadding.x * 2.0F;
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
  if (ImGui::SmallButton("Copy all")) copy_problems(document);
  command_tooltip("copy-problems");
}

/// While two files are compared, chooses the one whose problems are listed.
void choose_listed(App& app) {
  if (!comparing(app) || !compares_files(app)) return;
  const float width = ImGui::GetContentRegionAvail().x;
  const float room = width * 0.5F - ImGui::GetStyle().FramePadding.x * 2.0F;
  const std::string first = ellipsized(shown_path(app.document->path.filename()), room);
  const std::string second = ellipsized(second_name(app), room);
  const char* const names[] = {first.c_str(), second.c_str()};
  segmented("problems of", names, app.view.second_problems, width);
}

/// Says whether the listed version is no longer what is saved. Returns whether it is.
bool version_notes(const Document& document) {
  if (!document.load_error.empty()) {
    wrapped(kErrorColor, "The saved file does not load. The last version that did is shown.");
    wrapped(kTextColor, document.load_error);
  } else if (document.deleted) {
    wrapped(kWarningColor, "The file was deleted. Its last version is shown.");
  }
  return !document.load_error.empty() || document.deleted;
}

void problems(App& app, const Layout& layout) {
  if (!app.document) return note("No file is open.");
  ImGui::BeginChild("problems", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  choose_listed(app);
  Document& document = listed_document(app);
  const std::vector<Problem>& all = document.problems;
  const bool outdated = version_notes(document);
  if (all.empty()) note(outdated ? "That version has no problems." : "No problems.");
  const float scale = layout.scale;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 2.0F * scale});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ProblemKind kind = all[i].kind;
    if (i == 0 || all[i - 1].kind != kind) {
      if (i > 0 || outdated) ImGui::Dummy({0.0F, 6.0F * scale});
      const auto count = std::ranges::count(all, kind, &Problem::kind);
      colored(kTextColor, fmt::format("{} ({})", kProblemKinds[static_cast<std::size_t>(kind)], count));
      if (i == 0) copy_button(document);
    }
    ImGui::PushID(static_cast<int>(i));
    const bool chosen = document.problem == i;
    if (problem_row(all[i], chosen, ImGui::GetContentRegionAvail().x, scale)) choose_problem(app, i);
    if (chosen && document.reveal_problem) ImGui::SetScrollHereY(0.5F);
    ImGui::PopID();
  }
  document.reveal_problem = false;
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace

void right_panel(App& app, const Layout& layout, AtlasTexture& texture) {
  if (!begin_panel("info", layout.info, layout.is_over(Dock::right))) return;
  ImGui::SetCursorPosY(0.0F);
  tab_titles(app, layout.scale);
  ImGui::BeginChild("content", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  switch (app.view.tab) {
    case Tab::facts:
      facts(app, layout);
      break;
    case Tab::inside:
      app.shows_artwork() ? layers(app, layout) : inside(app, layout);
      break;
    case Tab::problems:
      problems(app, layout);
      break;
    case Tab::atlas:
      atlas(app, layout, texture);
      break;
  }
  ImGui::EndChild();
  ImGui::End();
}

void copy_problems(const Document& document) {
  std::string text = document.load_error.empty() ? "" : document.load_error + "\n";
  for (const Problem& problem : document.problems) text += problem.text + "\n";
  ImGui::SetClipboardText(text.c_str());
}

}  // namespace pchr::player
