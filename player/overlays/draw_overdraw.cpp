// SPDX-License-Identifier: MIT
// How many meshes cover each pixel: every mesh dims what is below it by the same factor, and the layer counts back.
#include "overlays/heat.hpp"
#include "overlays/under.hpp"

namespace pchr::player {
namespace {

void make_plain(const Session& session, PlainSkin& plain, Renderer& renderer) {
  if (plain.file == session.files_opened) return;
  const Model& model = session.document->model;
  const Character& character = model.character();
  SkinData data;
  data.name = "plain";
  const std::uint32_t white =
      add_image(data, character, Bitmap{.width = 1, .height = 1, .rgba = {0xFF, 0xFF, 0xFF, 0xFF}});
  for (std::uint32_t mesh = 0; mesh < character.meshes().size(); ++mesh) part_of(data, mesh).image = white;
  auto skin = renderer.upload_skin(model, data);
  plain.skin.reset();
  plain.file = session.files_opened;
  if (skin) plain.skin.emplace(std::move(*skin));
}

}  // namespace

Colour overdraw_colour(std::size_t meshes) noexcept {
  return heat(static_cast<float>(meshes - 1) / static_cast<float>(kOverdrawColours - 1));
}

bool draw_overdraw(const Session& session, PlainSkin& plain, Layer& layer, Renderer& renderer) {
  make_plain(session, plain, renderer);
  if (!plain.skin || !layer.begin({1.0F, 1.0F, 1.0F, 1.0F})) return false;
  const Document& document = *session.document;
  DrawList list = document.posed.draw_list;
  for (DrawItem& item : list) item = {.mesh = item.mesh};  // Faint meshes cost as much.
  const Appearance dimming{.tint = {0.0F, 0.0F, 0.0F, kCountedAlpha}};
  renderer.draw(document.model, document.posed.palette, list, session.view.camera, dimming, &*plain.skin);
  std::array<Colour, kOverdrawColours> colours{};
  for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = overdraw_colour(i + 1);
  layer.lay_counts(colours);
  return true;
}

}  // namespace pchr::player
