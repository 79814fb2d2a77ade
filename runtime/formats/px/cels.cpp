// SPDX-License-Identifier: MIT
// The pixels of layers, inflated when they are wanted.
#include "formats/px/cels.hpp"

#include "formats/px/pixels.hpp"

#include <utility>

namespace pchr::px {
namespace {

template <typename Items>
std::unordered_map<std::string_view, std::int32_t> numbers_of(const Items& items) {
  std::unordered_map<std::string_view, std::int32_t> numbers;
  for (std::size_t i = 0; i < items.size(); ++i) numbers.emplace(items[i].id, static_cast<std::int32_t>(i));
  return numbers;
}

std::int32_t number_of(const std::unordered_map<std::string_view, std::int32_t>& numbers, std::string_view id) {
  const auto found = numbers.find(id);
  return found == numbers.end() ? -1 : found->second;
}

}  // namespace

CelStore::CelStore(const File& file, const std::vector<Tiles>& tiles, std::uint64_t budget_pixels)
    : file_(file),
      tiles_(tiles),
      budget_pixels_(budget_pixels),
      contents_(numbers_of(file.contents)),
      tilemaps_(numbers_of(file.tilemap_contents)),
      tilesets_(numbers_of(file.tilesets)) {}

std::int32_t CelStore::find(const Item& item, std::string_view content) {
  const bool is_tiled = item.kind == LayerKind::tilemap;
  const std::int32_t number = number_of(is_tiled ? tilemaps_ : contents_, content);
  const std::int32_t tileset = is_tiled ? number_of(tilesets_, item.tileset) : -1;
  if (number < 0 || (is_tiled && tileset < 0)) return kNoCel;
  const auto key = std::uint64_t{static_cast<std::uint32_t>(number)} << 32 | static_cast<std::uint32_t>(tileset);
  const auto [found, is_new] = slot_numbers_.emplace(key, static_cast<std::int32_t>(slots_.size()));
  if (is_new) {
    Slot& slot = slots_.emplace_back();
    slot.content = number;
    slot.tileset = tileset;
  }
  return found->second;
}

std::int32_t CelStore::add(std::shared_ptr<const Cel> cel) {
  kept_pixels_ += cel->box.pixels();
  slots_.emplace_back().kept = std::move(cel);
  return static_cast<std::int32_t>(slots_.size() - 1);
}

std::shared_ptr<const Cel> CelStore::acquire(std::int32_t cel, CelScratch& scratch) {
  Slot& slot = slots_[static_cast<std::size_t>(cel)];
  const std::lock_guard lock(slot.mutex);
  if (slot.kept) return slot.kept;
  auto made = std::make_shared<const Cel>(make(slot, scratch));
  if (slot.uses > 1 && kept_pixels_ + made->box.pixels() <= budget_pixels_) {
    kept_pixels_ += made->box.pixels();
    slot.kept = made;
  }
  return made;
}

void CelStore::release(std::int32_t cel) {
  Slot& slot = slots_[static_cast<std::size_t>(cel)];
  const std::lock_guard lock(slot.mutex);
  if (--slot.uses > 0 || !slot.kept) return;
  kept_pixels_ -= slot.kept->box.pixels();
  slot.kept.reset();
}

Cel CelStore::make(Slot& slot, CelScratch& scratch) const {
  const auto content = static_cast<std::size_t>(slot.content);
  scratch.canvas.resize(std::size_t{file_.width} * file_.height * 4);
  if (slot.tileset >= 0) {
    lay_tiles(file_.tilemap_contents[content], tiles_[static_cast<std::size_t>(slot.tileset)], file_.width,
              file_.height, scratch.canvas);
  } else if (!inflate_pixels(scratch.inflater, file_.contents[content].deflated, file_.palette, scratch.canvas)) {
    slot.unusable = true;
    return {};
  }
  return trimmed(scratch.canvas, file_.width);
}

void CelStore::remark(Remarks& remarks) const {
  for (const Slot& slot : slots_) {
    if (!slot.unusable) continue;
    remarks.add(FindingId::px_pixels_unusable, [&] {
      return finding_in(FindingId::px_pixels_unusable, "frameContents", {},
                        file_.contents[static_cast<std::size_t>(slot.content)].offset,
                        "a frame's pixels are broken, or as many as the canvas does not have");
    });
  }
}

}  // namespace pchr::px
