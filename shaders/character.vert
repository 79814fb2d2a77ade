// SPDX-License-Identifier: MIT
// Vertex shader for 2D characters: skins, places and projects one vertex. The renderer prepends look.vert and the
// define INFLUENCES (1 or 4).
layout(location = 0) in vec4 position_uv;
layout(location = 1) in uvec4 bones;
layout(location = 2) in vec4 weights;
// Per instance:
layout(location = 3) in vec4 placement_columns;
layout(location = 4) in vec2 placement_translation;
layout(location = 6) in uint row;  // Upper 21 bits: first bone of the row. Lower 11: blend to the next row, in 1/2048.

// The palette has two texels per bone: (a, b, c, d), (tx, ty, opacity, 0).
uniform int bones_per_row;
uniform mat3x2 world_to_clip;

out vec2 uv;

struct Bone {
  vec4 columns;
  vec3 translation_opacity;
};

Bone fetch(uint number) {
  int texel = 2 * (int(row >> 11) + int(number));
  Bone bone = Bone(palette_texel(texel), palette_texel(texel + 1).xyz);
#if SMOOTH
  float factor = float(row & 2047u) * (1.0 / 2048.0);
  // The last row has no next row. It blends with itself.
  texel += factor > 0.0 ? 2 * bones_per_row : 0;
  bone.columns += (palette_texel(texel) - bone.columns) * factor;
  bone.translation_opacity += (palette_texel(texel + 1).xyz - bone.translation_opacity) * factor;
#endif
  return bone;
}

vec2 moved_by(Bone bone, vec2 point) {
  return bone.columns.xy * point.x + bone.columns.zw * point.y + bone.translation_opacity.xy;
}

void main() {
  vec2 point = position_uv.xy;
  Bone first = fetch(bones.x);
  vec2 skinned = moved_by(first, point) * weights.x;
#if INFLUENCES > 1
  skinned += moved_by(fetch(bones.y), point) * weights.y;
  skinned += moved_by(fetch(bones.z), point) * weights.z;
  skinned += moved_by(fetch(bones.w), point) * weights.w;
#endif
  vec2 placed = placement_columns.xy * skinned.x + placement_columns.zw * skinned.y + placement_translation;
#if LOOKS
  float depth = uintBitsToFloat(look.w);
#else
  const float depth = 0.0;
#endif
  gl_Position = vec4(world_to_clip * vec3(placed, 1.0), depth, 1.0);
  uv = position_uv.zw;
  pass_look(first.translation_opacity.z, placed);
}
