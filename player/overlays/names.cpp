// SPDX-License-Identifier: MIT
// Names of bones: along the chain from the root to the selected one, or of all.
#include "overlays/labels.hpp"
#include "overlays/overlay.hpp"

namespace pchr::player {
namespace {

void draw_bone_name(const Overlay& overlay, Labels& labels, std::size_t bone) {
  const float scale = overlay.scale;
  const bool selected = bone == overlay.selection.bone;
  const bool visible = overlay.document.posed.pose.visible[bone] != 0;
  const Vec2 joint = vec(overlay.place(overlay.document.posed.world[bone][2]));
  const LabelStyle style{.text = selected  ? kAccentColour
                                 : visible ? kTextColour
                                           : kDimTextColour,
                         .pivot = {0.0F, 0.5F},
                         .size = 0.92F};
  const std::string& name = overlay.document.character().bones()[bone].name;
  if (!draw_label(overlay, labels, name, joint + Vec2{8.0F * scale, 0.0F}, style)) return;
  overlay.list.AddCircleFilled(im(joint), 3.5F * scale, with_alpha(kJointRim, 0.9F));
  overlay.list.AddCircleFilled(im(joint), 2.4F * scale, selected ? kAccentColour : kJointColour);
}

}  // namespace

void draw_names(const Overlay& overlay, Labels& labels) {
  const auto bones = overlay.document.character().bones();
  const auto& visible = overlay.document.posed.pose.visible;
  if (const auto selected = overlay.selection.bone; selected && *selected < bones.size()) {
    for (auto bone = static_cast<std::int32_t>(*selected); bone >= 0;) {
      const auto index = static_cast<std::size_t>(bone);
      draw_bone_name(overlay, labels, index);
      bone = bones[index].parent;
    }
    return;
  }
  // Of bones that take turns at one place, such as eyes open and shut, the one that shows is named.
  for (const bool shown : {true, false}) {
    for (std::size_t bone = 0; bone < bones.size(); ++bone) {
      if ((visible[bone] != 0) == shown) draw_bone_name(overlay, labels, bone);
    }
  }
}

}  // namespace pchr::player
