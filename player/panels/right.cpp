// SPDX-License-Identifier: MIT
// The lower right: one of its tabs.
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <fmt/format.h>

namespace pchr::player {
namespace {

constexpr float kGap = 14.0F;

void tab_titles(Session& session, float scale) {
  View& view = session.view;
  const std::size_t count = session.document ? session.problems.size() : 0;
  const std::string problems_title = count > 0 ? fmt::format("Problems {}", count) : "Problems";
  const bool artwork = shows_artwork(session);
  struct Title {
    Tab tab;
    const char* text;
    const char* explanation;
  };
  const Title titles[] = {{Tab::facts, "Facts", "The file and the picture"},
                          artwork ? Title{Tab::inside, "Layers", "Layers, palette and tilesets (V)"}
                                  : Title{Tab::inside, "Inside", "Meshes and bones (V)"},
                          {Tab::atlas, "Atlas", "Images, and what meshes cut from them (A)"},
                          {Tab::problems, problems_title.c_str(), "What is wrong with the file (P)"}};
  for (const Title& title : titles) {
    if (tab(title.text, title.explanation, view.tab == title.tab, scale)) view.tab = title.tab;
    ImGui::SameLine(0.0F, kGap * scale);
  }
  ImGui::NewLine();
}

}  // namespace

void right_panel(Session& session, const Layout& layout, AtlasTexture& texture) {
  if (!begin_panel("info", layout.info)) return;
  ImGui::SetCursorPosY(0.0F);
  tab_titles(session, layout.scale);
  switch (session.view.tab) {
    case Tab::facts:
      facts(session, layout);
      break;
    case Tab::inside:
      shows_artwork(session) ? layers(session, layout) : inside(session, layout);
      break;
    case Tab::problems:
      problems(session, layout);
      break;
    case Tab::atlas:
      atlas(session, layout, texture);
      break;
  }
  end_panel();
}

}  // namespace pchr::player
