// SPDX-License-Identifier: MIT
// One vertex of a character: skinned by its bones, placed in the world, seen by the camera.
#version 330 core
layout(location = 0) in vec4 position_uv;
layout(location = 1) in uvec4 bones;
layout(location = 2) in vec4 weights;

uniform samplerBuffer palette;  // Two texels per bone: (a, b, c, d), (tx, ty, 0, 0).
uniform int first_bone;
uniform mat3x2 placement;
uniform mat3x2 world_to_clip;

out vec2 uv;

vec2 moved_by(uint bone, vec2 point) {
  int texel = 2 * (first_bone + int(bone));
  vec4 columns = texelFetch(palette, texel);
  vec2 translation = texelFetch(palette, texel + 1).xy;
  return columns.xy * point.x + columns.zw * point.y + translation;
}

void main() {
  vec2 point = position_uv.xy;
  vec2 skinned = moved_by(bones.x, point) * weights.x;
  skinned += moved_by(bones.y, point) * weights.y;
  skinned += moved_by(bones.z, point) * weights.z;
  skinned += moved_by(bones.w, point) * weights.w;
  vec2 world = placement * vec3(skinned, 1.0);
  gl_Position = vec4(world_to_clip * vec3(world, 1.0), 0.0, 1.0);
  uv = position_uv.zw;
}
