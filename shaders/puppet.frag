// SPDX-License-Identifier: MIT
// Multiplies texture and tint, both premultiplied by alpha.
in vec2 uv;
flat in vec4 tint;

uniform sampler2D image;

layout(location = 0) out vec4 color;

void main() { color = texture(image, uv) * tint; }
