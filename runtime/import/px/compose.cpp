// SPDX-License-Identifier: MIT
// Layers of a frame into one picture.
#include "import/px/compose.hpp"

namespace pchr::px {
/// A row that is free again when this ends, as wide as `target` and transparent.
class Composer::Scratch {
 public:
  Scratch(Composer& composer, const Target& target) : composer_(composer), target_(target) {
    const auto width = static_cast<std::size_t>(target.right - target.left);
    if (composer.rows_used_ == composer.rows_.size()) composer.rows_.emplace_back();
    std::vector<Color>& row = composer.rows_[composer.rows_used_++];
    row.assign(width, Color{});
    target_.colors = row.data();
  }
  ~Scratch() { --composer_.rows_used_; }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const Target& target() const noexcept { return target_; }

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
    const std::uint8_t* const pixels = drawing.cel->row(part.y) + std::size_t{4} * (part.left - drawing.cel->box.left);
    return blend(drawing.blend, pixels, drawing.opacity, part.row());
  }
  const Scratch scratch(*this, part);
  render(drawing, scratch.target());
  blend(drawing.blend, scratch.target().row(), drawing.opacity, part.row());
}

/// What `drawing` is before its opacity, onto a transparent target that is within its box.
void Composer::render(const Drawing& drawing, const Target& target) {
  if (drawing.cel) {
    load(drawing.cel->row(target.y) + std::size_t{4} * (target.left - drawing.cel->box.left), target.row());
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
  const auto row = target.row(), covered = mask.target().row();
  for (std::size_t i = 0; i < row.size(); ++i) row[i].lanes *= covered[i].alpha();
}

void Composer::paint_masks(const Drawing& drawing, const Target& target) {
  const Scratch before(*this, target);
  const auto row = target.row(), base = before.target().row();
  std::ranges::copy(row, base.begin());
  for (const Drawing& mask : drawing.masks) {
    const Target part = target.within(mask.box);
    if (part.empty() || !(mask.opacity > 0)) continue;
    const Scratch scratch(*this, part);
    render(mask, scratch.target());
    const auto painted = scratch.target().row();
    const auto covered = base.subspan(static_cast<std::size_t>(part.left - target.left), painted.size());
    for (std::size_t i = 0; i < painted.size(); ++i) painted[i].lanes *= covered[i].alpha();
    blend(mask.blend, painted, mask.opacity, part.row());
  }
}

Cel Composer::compose(std::span<const Drawing> drawings) {
  Box box;
  for (const Drawing& drawing : drawings) box.include(drawing.box);
  if (box.empty()) return {};
  const auto width = static_cast<std::size_t>(box.width());
  picture_.resize(static_cast<std::size_t>(box.pixels()) * 4);
  for (std::int32_t y = box.top; y < box.bottom; ++y) {
    const Scratch row(*this, Target{y, box.left, box.right, nullptr});
    draw_all(drawings, row.target());
    store_straight(row.target().row(), picture_.data() + static_cast<std::size_t>(y - box.top) * width * 4);
  }
  return trimmed(picture_, width, box.left, box.top);
}

}  // namespace pchr::px
