// SPDX-License-Identifier: MIT
// Texture, tint, and a light over the viewer's shoulder, so shapes read well from every side.
in vec2 uv;
in vec3 normal;
flat in vec4 tint;
flat in float mirrored;

uniform sampler2D image;

layout(location = 0) out vec4 color;

void main() {
  vec4 texel = texture(image, uv);
  // Transparent texels must not hide what is behind them.
  if (texel.a < 0.5) discard;
  vec3 outward = normalize(normal) * (gl_FrontFacing ? mirrored : -mirrored);
  float key = max(dot(outward, normalize(vec3(-0.4, 0.6, 0.75))), 0.0);
  float fill = max(dot(outward, normalize(vec3(0.8, 0.1, 0.3))), 0.0);
  // More light from above than from below.
  float light = 0.36 + 0.12 * outward.y + 0.56 * key + 0.12 * fill;
#if LINEAR
  light = pow(max(light, 0.0), 2.2);
#endif
  color = vec4(min(texel.rgb / texel.a * light, vec3(1.0)) * tint.rgb, tint.a);
}
