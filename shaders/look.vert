// SPDX-License-Identifier: MIT
// Prepended to both vertex shaders: reads palettes, and passes the look of an instance on to character.frag. The renderer
// prepends the version and the defines SMOOTH, LINEAR, LOOKS and HOOK (0 or 1).
#ifdef GL_ES
// OpenGL ES 3.0 has no buffer textures. This one has 2048 texels per row.
uniform highp sampler2D palette;
vec4 palette_texel(int number) { return texelFetch(palette, ivec2(number & 2047, number >> 11), 0); }
#else
uniform samplerBuffer palette;
vec4 palette_texel(int number) { return texelFetch(palette, number); }
#endif

layout(location = 5) in vec4 straight_tint;
flat out vec4 tint;

#if LOOKS
// Additive color and image slot, dark tint and 1 for Blend::add (bytes), effect (16 bits each), bits of the depth.
layout(location = 8) in uvec4 look;
flat out vec3 offset;
flat out vec2 effect;
flat out uvec2 slot_and_add;

vec3 color_of(uint bytes) { return vec3(bytes & 255u, bytes >> 8 & 255u, bytes >> 16 & 255u) * (1.0 / 255.0); }
#endif

#if HOOK
out vec2 world;
#endif

#if LINEAR
vec3 decoded(vec3 color) {
  return mix(pow((color + 0.055) / 1.055, vec3(2.4)), color / 12.92, lessThanEqual(color, vec3(0.04045)));
}
#else
vec3 decoded(vec3 color) { return color; }
#endif

void pass_look(float opacity, vec2 world_position) {
  float alpha = straight_tint.a * opacity;
  vec3 light = decoded(straight_tint.rgb);
#if LOOKS
  vec3 dark = decoded(color_of(look.y));
  offset = (dark + decoded(color_of(look.x))) * alpha;
  light -= dark;
  effect = vec2(look.z & 65535u, look.z >> 16) * (1.0 / 65535.0);
  slot_and_add = uvec2(look.x >> 24, look.y >> 24);
#endif
  tint = vec4(light * alpha, alpha);
#if HOOK
  world = world_position;
#endif
}
