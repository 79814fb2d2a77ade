// SPDX-License-Identifier: MIT
#include "render/model.hpp"

#include "render/batch.hpp"

namespace pchr {
namespace {

CullBox to_cull_box(const Rect& bounds) {
  constexpr float kMaxFloat = std::numeric_limits<float>::max();
  if (bounds.empty()) return {0, 0, -kMaxFloat, -kMaxFloat};
  const Vec2 center = bounds.center(), half = bounds.max * 0.5F - bounds.min * 0.5F;
  return {center.x, center.y, half.x * 1.0001F, half.y * 1.0001F};
}

DrawSegment only_segment(const DrawOrders& orders, std::uint32_t number) {
  if (number == DrawOrders::kNone || orders.orders[number].segment_count != 1) return {BakedRow::kNotOneSegment, 0, 0};
  return orders.segments[orders.orders[number].first_segment];
}

}  // namespace

Model::Resources::~Resources() {
  for (const BakedClip& clip : clips) palettes->release(clip.handle);
  gl->DeleteVertexArrays(1, &vertex_array);
  gl->DeleteBuffers(1, &vertices);
  gl->DeleteBuffers(1, &depths);
  gl->DeleteBuffers(1, &indices);
  gl->DeleteTextures(static_cast<GLsizei>(textures.size()), textures.data());
}

Model::Model(std::unique_ptr<Resources> resources) noexcept
    : resources_(resources.release(), [](Resources* owned) { delete owned; }) {}

const Character& Model::character() const noexcept { return resources_->character; }
std::uint64_t Model::gpu_bytes() const noexcept { return resources_->gpu_bytes; }
void Model::set_filter(Filter filter) noexcept { resources_->filter = filter; }

const BakedClip* find_baked(Model::Resources& model, ClipId id, bool smooth) noexcept {
  BakedClip& clip = model.clip(id);
  const PaletteStore::Block* block = model.palettes->find(clip.handle);
  if (block == nullptr || (smooth && !clip.rate.smooth)) return nullptr;
  clip.first_bone = block->first_bone;
  clip.texture = model.palettes->texture(block->page);
  clip.in_use = model.palettes->use();
  return &clip;
}

const BakedClip* bake(Model::Resources& model, ClipId id, bool smooth, const Executor& executor) {
  if (const BakedClip* found = find_baked(model, id, smooth)) return found;
  PaletteStore& store = *model.palettes;
  BakedClip& clip = model.clip(id);
  if (clip.too_large || (smooth && clip.not_smooth)) return nullptr;
  // Otherwise, clips that do not fit the budget together would evict each other forever.
  constexpr std::uint64_t kUsesBeforeBakingAgain = 256;
  const bool was_evicted = clip.baked_in_use != 0 && (clip.rate.smooth || !smooth);
  if (was_evicted && store.use() - clip.baked_in_use < kUsesBeforeBakingAgain) return nullptr;

  const std::optional<BakeRate> rate = smooth ? smooth_bake_rate(model.character, model.layout, id) : BakeRate{};
  const std::uint32_t frames = baked_frames(model.character, id);
  const std::size_t entries = model.layout.row_bones();
  if (!rate || rate->rows(frames) > store.max_page_bones() / entries) {
    (smooth ? clip.not_smooth : clip.too_large) = true;
    return nullptr;
  }
  store.release(clip.handle);
  const auto rows = static_cast<std::size_t>(rate->rows(frames));
  std::vector<BoneTexels> palettes(rows * entries);
  std::vector<Rect> bounds(rows);
  bake_clip(model.character, model.layout, id, *rate, palettes, bounds, executor);
  const auto handle = store.store(palettes);
  clip.last_frame = frames - 1;
  clip.rate = *rate;
  clip.rows.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto frame = static_cast<std::uint32_t>(row / rate->steps);
    clip.rows[row] = {to_cull_box(bounds[row]), only_segment(model.orders, model.orders.of_frame(id, frame % frames)),
                      static_cast<std::uint32_t>(row * entries) * kFactorSteps};
  }
  clip.is_simple =
      std::ranges::all_of(clip.rows, [](const BakedRow& row) { return row.segment.image != BakedRow::kNotOneSegment; });
  clip.boxes_between.resize(clip.rate.smooth ? rows - 1 : 0);
  for (std::size_t row = 0; row < clip.boxes_between.size(); ++row) {
    Rect both = bounds[row];
    both.include(bounds[row + 1]);
    clip.boxes_between[row] = to_cull_box(both);
  }
  clip.handle = handle.value_or(PaletteStore::Handle{});
  clip.baked_in_use = store.use();
  return find_baked(model, id, smooth);
}

}  // namespace pchr
