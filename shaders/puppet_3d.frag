// SPDX-License-Identifier: MIT
// Texture, tint and a light that comes over the shoulder of who looks, so that a shape is seen from every side.
in vec2 uv;
in vec3 normal;
flat in vec4 tint;
flat in float mirrored;

uniform sampler2D image;

layout(location = 0) out vec4 color;

void main() {
  vec4 texel = texture(image, uv);
  // What is cut out must not hide what is behind it.
  if (texel.a < 0.5) discard;
  vec3 outward = normalize(normal) * (gl_FrontFacing ? mirrored : -mirrored);
  float key = max(dot(outward, normalize(vec3(-0.4, 0.6, 0.75))), 0.0);
  float fill = max(dot(outward, normalize(vec3(0.8, 0.1, 0.3))), 0.0);
  // More from the sky than from the ground.
  float light = 0.36 + 0.12 * outward.y + 0.56 * key + 0.12 * fill;
#if LINEAR
  light = pow(max(light, 0.0), 2.2);
#endif
  color = vec4(min(texel.rgb / texel.a * light, vec3(1.0)) * tint.rgb, tint.a);
}
