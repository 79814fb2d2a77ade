// SPDX-License-Identifier: MIT
// Composes a frame's layers into one image.
#include "import/px/compose.hpp"

namespace pchr::px {

/// Transparent row as wide as `target`, returned to the composer at the end of its scope.
class Composer::Scratch {
 public:
  Scratch(Composer& composer, const Target& target) : composer_(composer), target_(target) {
    if (composer.rows_used_ == composer.rows_.size()) composer.rows_.emplace_back();
    std::vector<Color>& row = composer.rows_[composer.rows_used_++];
    row.assign(target.row().size(), Color{});
    target_.colors = row.data();
  }
  ~Scratch() { --composer_.rows_used_; }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const Target& target() const noexcept { return target_; }
  [[nodiscard]] std::span<Color> row() const noexcept { return target_.row(); }

 private:
  Composer& composer_;
  Target target_;
};

Composer::Target Composer::Target::within(const Box& box) const noexcept {
  if (y < box.top || y >= box.bottom || box.left >= right || box.right <= left) return {y, 0, 0, nullptr};
  const std::int32_t start = std::max(left, box.left);
  return {y, start, std::min(right, box.right), colors + (start - left)};
}

void Composer::draw_all(std::span<const Drawing> drawings, const Target& target) {
  for (const Drawing& drawing : drawings) draw(drawing, target);
}

void Composer::draw(const Drawing& drawing, const Target& target) {
  const Target part = target.within(drawing.box);
  if (part.empty() || !(drawing.opacity > 0)) return;
  const bool is_masked = drawing.cropped || !drawing.masks.empty();
  if (drawing.cel && !is_masked) {
    return blend(drawing.blend, drawing.cel->at(part.left, part.y), drawing.opacity, part.row());
  }
  const Scratch scratch(*this, part);
  render(drawing, scratch.target());
  blend(drawing.blend, scratch.row(), drawing.opacity, part.row());
}

/// Draws onto a transparent target within the drawing's box, without its opacity.
void Composer::render(const Drawing& drawing, const Target& target) {
  if (drawing.cel) {
    load(drawing.cel->at(target.left, target.y), target.row());
  } else {
    draw_all(drawing.parts, target);
  }
  if (drawing.cropped) {
    crop(drawing, target);
  } else if (!drawing.masks.empty()) {
    paint_masks(drawing, target);
  }
}

void Composer::crop(const Drawing& drawing, const Target& target) {
  const Scratch mask(*this, target);
  draw_all(drawing.masks, mask.target());
  const auto row = target.row(), covered = mask.row();
  for (std::size_t i = 0; i < row.size(); ++i) row[i].lanes *= covered[i].alpha();
}

void Composer::paint_masks(const Drawing& drawing, const Target& target) {
  const Scratch before(*this, target);
  std::ranges::copy(target.row(), before.row().begin());
  for (const Drawing& mask : drawing.masks) {
    const Target part = target.within(mask.box);
    if (part.empty() || !(mask.opacity > 0)) continue;
    const Scratch scratch(*this, part);
    render(mask, scratch.target());
    const auto painted = scratch.row();
    const auto covered = before.row().subspan(static_cast<std::size_t>(part.left - target.left), painted.size());
    for (std::size_t i = 0; i < painted.size(); ++i) painted[i].lanes *= covered[i].alpha();
    blend(mask.blend, painted, mask.opacity, part.row());
  }
}

Cel Composer::compose(std::span<const Drawing> drawings) {
  Box box;
  for (const Drawing& drawing : drawings) box.include(drawing.box);
  if (box.empty()) return {};
  canvas_.resize(box.pixels() * 4);
  std::uint8_t* pixels = canvas_.data();
  for (std::int32_t y = box.top; y < box.bottom; ++y, pixels += std::size_t{box.width()} * 4) {
    const Scratch row(*this, Target{y, box.left, box.right, nullptr});
    draw_all(drawings, row.target());
    store_straight(row.row(), pixels);
  }
  return trimmed(canvas_, box.width(), box.left, box.top);
}

}  // namespace pchr::px
