// SPDX-License-Identifier: MIT
// Colors a pixel of a 2D or 3D character. All colors are premultiplied. The renderer prepends the version and the
// defines LINEAR, IS_3D, LOOKS, HOOK (0 or 1) and IMAGES (1 or 15). With HOOK it appends fragment_main().
in vec2 uv;
flat in vec4 tint;

#if LOOKS
flat in vec3 offset;
flat in vec2 effect;
flat in uvec2 slot_and_add;
uniform float min_alpha;
#endif

#if IS_3D
in vec3 normal;
flat in float mirrored;
#endif

uniform sampler2D images[IMAGES];

layout(location = 0) out vec4 color;

#if HOOK || IMAGES > 1
// Implicit derivatives are undefined in the branches below and in most of a hook.
vec2 uv_dx = vec2(0.0), uv_dy = vec2(0.0);  // Set by main().
#define TEXEL(image) textureGrad(image, at, uv_dx, uv_dy)
#else
#define TEXEL(image) texture(image, at)
#endif

// GLSL 3.30 allows only constants as indices of samplers.
#define FOR_ALL_IMAGES CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13)

vec4 image_texel(vec2 at) {
#if IMAGES > 1
#define CASE(i) case i: return TEXEL(images[i]);
  switch (int(slot_and_add.x)) {
    FOR_ALL_IMAGES
    default: return TEXEL(images[IMAGES - 1]);
  }
#undef CASE
#else
  return TEXEL(images[0]);
#endif
}

#if HOOK
in vec2 world;
uniform vec4 effect_values;

vec2 image_size() {
#if IMAGES > 1
#define CASE(i) case i: return vec2(textureSize(images[i], 0));
  switch (int(slot_and_add.x)) {
    FOR_ALL_IMAGES
    default: return vec2(textureSize(images[IMAGES - 1], 0));
  }
#undef CASE
#else
  return vec2(textureSize(images[0], 0));
#endif
}

vec4 fragment_main(vec4 color);
#endif

#if IS_3D
// Light over the viewer's shoulder, so shapes read well from every side.
float light() {
  vec3 outward = normalize(normal) * (gl_FrontFacing ? mirrored : -mirrored);
  float key = max(dot(outward, normalize(vec3(-0.4, 0.6, 0.75))), 0.0);
  float fill = max(dot(outward, normalize(vec3(0.8, 0.1, 0.3))), 0.0);
  // More light from above than from below.
  float sum = 0.36 + 0.12 * outward.y + 0.56 * key + 0.12 * fill;
#if LINEAR
  sum = pow(max(sum, 0.0), 2.2);
#endif
  return sum;
}
#endif

void main() {
#if HOOK || IMAGES > 1
  uv_dx = dFdx(uv);
  uv_dy = dFdy(uv);
#endif
  vec4 texel = image_texel(uv);
#if IS_3D
  // Transparent texels must not hide what is behind them.
  if (texel.a < 0.5) discard;
  texel = vec4(min(texel.rgb / texel.a * light(), vec3(1.0)), 1.0);
#endif
  color = texel * tint;
#if LOOKS
  color.rgb = min(color.rgb + texel.a * offset, color.a);
#if HOOK
  color = fragment_main(color);
#endif
  if (color.a < min_alpha * tint.a) discard;
  color.a *= 1.0 - float(slot_and_add.y);
#endif
}
