// SPDX-License-Identifier: MIT
// What is wrong with the file, the rows leading to it.
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace pchr::player {
namespace {

constexpr std::array<const char*, 3> kKinds{"Errors", "Warnings", "Advice"};
constexpr std::array kColours{kErrorColour, kWarningColour, kBoneColour};
constexpr float kStripe = 3.0F;
constexpr float kIndent = 10.0F;

Vec2 wrapped_size(std::string_view text, float width) {
  return vec(ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width));
}

/// A row that leads to its place. Returns whether it was clicked.
bool row(const Problem& problem, bool chosen, float width, float scale) {
  const Vec2 padding{kIndent * scale, 5.0F * scale};
  const float text_width = width - padding.x * 1.5F;
  const float sentence_height = wrapped_size(problem.sentence, text_width).y;
  const float where_height = problem.where.empty() ? 0.0F : wrapped_size(problem.where, text_width).y + 2.0F * scale;
  const Vec2 size{width, sentence_height + where_height + 2.0F * padding.y};
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const bool clicked = ImGui::InvisibleButton("row", im(size));
  if (!ImGui::IsItemVisible()) return clicked;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (chosen || ImGui::IsItemHovered()) {
    list.AddRectFilled(im(corner), im(corner + size), chosen ? kControlActive : kControlColour, 3.0F * scale);
  }
  list.AddRectFilled(im(corner + Vec2{0.0F, padding.y}), im(corner + Vec2{kStripe * scale, size.y - padding.y}),
                     kColours[static_cast<std::size_t>(problem.kind)], 1.5F * scale);
  const auto text = [&](const std::string& content, float top, ImU32 colour) {
    list.AddText(nullptr, 0.0F, im(corner + Vec2{padding.x, top}), colour, content.data(),
                 content.data() + content.size(), text_width);
  };
  text(problem.sentence, padding.y, kTextColour);
  text(problem.where, padding.y + sentence_height + 2.0F * scale, kDimTextColour);
  if (ImGui::IsItemHovered()) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(420.0F * scale);
    ImGui::TextUnformatted(problem.text.data(), problem.text.data() + problem.text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  return clicked;
}

void copy_button(const std::vector<Problem>& all) {
  const float width = ImGui::CalcTextSize("Copy all").x + ImGui::GetStyle().FramePadding.x * 2.0F;
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
  if (ImGui::SmallButton("Copy all")) copy_problems(all);
  tooltip("The text of all, for a message (Ctrl+C)");
}

}  // namespace

void copy_problems(const std::vector<Problem>& all) {
  std::string text;
  for (const Problem& problem : all) text += problem.text + "\n";
  ImGui::SetClipboardText(text.c_str());
}

void problems(Session& session, const Layout& layout) {
  if (!session.document) return note("Nothing is open.");
  const std::vector<Problem>& all = session.problems;
  if (all.empty()) return note("No problems.");
  const float scale = layout.scale;
  ImGui::BeginChild("problems", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 2.0F * scale});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ProblemKind kind = all[i].kind;
    if (i == 0 || all[i - 1].kind != kind) {
      if (i > 0) ImGui::Dummy({0.0F, 6.0F * scale});
      const auto count = std::ranges::count(all, kind, &Problem::kind);
      ImGui::TextUnformatted(fmt::format("{} ({})", kKinds[static_cast<std::size_t>(kind)], count).c_str());
      if (i == 0) copy_button(all);
    }
    ImGui::PushID(static_cast<int>(i));
    const bool chosen = session.problem == i;
    if (row(all[i], chosen, ImGui::GetContentRegionAvail().x, scale)) choose_problem(session, i);
    if (chosen && session.reveal_problem) ImGui::SetScrollHereY(0.5F);
    ImGui::PopID();
  }
  session.reveal_problem = false;
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace pchr::player
