// SPDX-License-Identifier: MIT
// Pictures packed into few images.
#include "formats/px/atlas.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pchr::px {
namespace {

constexpr std::uint32_t kMostSide = 4096;
constexpr std::uint32_t kPadding = 1;

/// So that all of them make about a square, and the widest fits.
std::uint32_t page_width(std::span<const PictureSize> pictures) noexcept {
  double area = 0;
  std::uint32_t widest = 0;
  for (const PictureSize& picture : pictures) {
    area += (picture.width + kPadding) * static_cast<double>(picture.height + kPadding);
    widest = std::max(widest, picture.width);
  }
  return std::max(widest, static_cast<std::uint32_t>(std::min<double>(std::ceil(std::sqrt(area)), kMostSide)));
}

/// Fills one page after the other.
class Packer {
 public:
  explicit Packer(std::uint32_t width) : width_(width) {}

  AtlasPlace add(const PictureSize& picture) {
    if (x_ > 0 && x_ + picture.width > width_) start_shelf();
    if (atlas_pages_.empty() || (y_ > 0 && y_ + picture.height > kMostSide)) start_page();
    const AtlasPlace place{static_cast<std::uint32_t>(atlas_pages_.size() - 1), x_, y_};
    PictureSize& page = atlas_pages_.back();
    page.width = std::max(page.width, x_ + picture.width);
    page.height = std::max(page.height, y_ + picture.height);
    x_ += picture.width + kPadding;
    shelf_height_ = std::max(shelf_height_, picture.height);
    return place;
  }

  [[nodiscard]] std::vector<PictureSize> take_pages() && { return std::move(atlas_pages_); }

 private:
  void start_shelf() {
    x_ = 0;
    y_ += shelf_height_ + kPadding;
    shelf_height_ = 0;
  }

  void start_page() {
    atlas_pages_.emplace_back();
    x_ = y_ = shelf_height_ = 0;
  }

  const std::uint32_t width_;
  std::vector<PictureSize> atlas_pages_;
  std::uint32_t x_ = 0, y_ = 0, shelf_height_ = 0;
};

}  // namespace

Atlas pack(std::span<const PictureSize> pictures) {
  std::vector<std::size_t> order(pictures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return pictures[a].height != pictures[b].height ? pictures[a].height > pictures[b].height : a < b;
  });
  Packer packer(page_width(pictures));
  Atlas atlas;
  atlas.places.resize(pictures.size());
  for (const std::size_t i : order) atlas.places[i] = packer.add(pictures[i]);
  atlas.pages = std::move(packer).take_pages();
  return atlas;
}

}  // namespace pchr::px
