// SPDX-License-Identifier: MIT
// Vertex shader for 3D characters: skins, places and projects one vertex. The renderer prepends look.vert.
layout(location = 0) in vec4 position_uv;
layout(location = 1) in uvec4 bones;
layout(location = 2) in vec4 weights;
// Per instance, as in character.vert:
layout(location = 3) in vec4 placement_columns;
layout(location = 4) in vec2 placement_translation;
layout(location = 6) in uint row;

layout(location = 7) in vec4 depth_normal;

// The palette has three texels per bone: the rows of its matrix.
uniform int bones_per_row;  // In pairs of texels.
uniform mat4 world_to_clip;
uniform mat3 world_to_view;

out vec2 uv;
out vec3 normal;  // In view space: x right, y up, z toward the camera.
flat out float mirrored;  // -1 if the placement turns faces inside out, else 1.

mat3x4 fetch(uint number) {
  int texel = 2 * int(row >> 11) + 3 * int(number);
  mat3x4 rows = mat3x4(palette_texel(texel), palette_texel(texel + 1), palette_texel(texel + 2));
#if SMOOTH
  float factor = float(row & 2047u) * (1.0 / 2048.0);
  // The last row has no next row. It blends with itself.
  texel += factor > 0.0 ? 2 * bones_per_row : 0;
  rows += (mat3x4(palette_texel(texel), palette_texel(texel + 1), palette_texel(texel + 2)) - rows) * factor;
#endif
  return rows;
}

void main() {
  mat3x4 rows = fetch(bones.x) * weights.x + fetch(bones.y) * weights.y + fetch(bones.z) * weights.z +
                fetch(bones.w) * weights.w;
  vec3 point = vec4(position_uv.xy, depth_normal.x, 1.0) * rows;
  vec3 outward = vec4(depth_normal.yzw, 0.0) * rows;
  mat2 columns = mat2(placement_columns);
  vec2 placed = columns * point.xy + placement_translation;
  gl_Position = world_to_clip * vec4(placed, point.z, 1.0);
  normal = world_to_view * vec3(columns * outward.xy, outward.z);
  mirrored = determinant(columns) < 0.0 ? -1.0 : 1.0;
  uv = position_uv.zw;
  pass_look(1.0, placed);
}
