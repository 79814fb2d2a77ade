// SPDX-License-Identifier: MIT
// Vertex shader for 2D characters: skins, places and projects one vertex. The renderer prepends the version and the
// defines INFLUENCES (1 or 4), SMOOTH and LINEAR (0 or 1).
layout(location = 0) in vec4 position_uv;
layout(location = 1) in uvec4 bones;
layout(location = 2) in vec4 weights;
// Per instance:
layout(location = 3) in vec4 placement_columns;
layout(location = 4) in vec2 placement_translation;
layout(location = 5) in vec4 straight_tint;
layout(location = 6) in uint row;  // Upper 21 bits: first bone of the row. Lower 11: blend to the next row, in 1/2048.

uniform samplerBuffer palette;  // Two texels per bone: (a, b, c, d), (tx, ty, opacity, 0).
uniform int bones_per_row;
uniform mat3x2 world_to_clip;

out vec2 uv;
flat out vec4 tint;

struct Bone {
  vec4 columns;
  vec3 translation_opacity;
};

Bone fetch(uint number) {
  int texel = 2 * (int(row >> 11) + int(number));
  Bone bone = Bone(texelFetch(palette, texel), texelFetch(palette, texel + 1).xyz);
#if SMOOTH
  float factor = float(row & 2047u) * (1.0 / 2048.0);
  // The last row has no next row. It blends with itself.
  texel += factor > 0.0 ? 2 * bones_per_row : 0;
  bone.columns += (texelFetch(palette, texel) - bone.columns) * factor;
  bone.translation_opacity += (texelFetch(palette, texel + 1).xyz - bone.translation_opacity) * factor;
#endif
  return bone;
}

vec2 moved_by(Bone bone, vec2 point) {
  return bone.columns.xy * point.x + bone.columns.zw * point.y + bone.translation_opacity.xy;
}

#if LINEAR
vec3 decoded(vec3 color) {
  return mix(pow((color + 0.055) / 1.055, vec3(2.4)), color / 12.92, lessThanEqual(color, vec3(0.04045)));
}
#else
vec3 decoded(vec3 color) { return color; }
#endif

void main() {
  vec2 point = position_uv.xy;
  Bone first = fetch(bones.x);
  vec2 skinned = moved_by(first, point) * weights.x;
#if INFLUENCES > 1
  skinned += moved_by(fetch(bones.y), point) * weights.y;
  skinned += moved_by(fetch(bones.z), point) * weights.z;
  skinned += moved_by(fetch(bones.w), point) * weights.w;
#endif
  vec2 world = placement_columns.xy * skinned.x + placement_columns.zw * skinned.y + placement_translation;
  gl_Position = vec4(world_to_clip * vec3(world, 1.0), 0.0, 1.0);
  uv = position_uv.zw;
  float alpha = straight_tint.a * first.translation_opacity.z;
  tint = vec4(decoded(straight_tint.rgb) * alpha, alpha);
}
