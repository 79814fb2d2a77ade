// SPDX-License-Identifier: MIT
// Texture and tint, both premultiplied by alpha.
#version 330 core
in vec2 uv;

uniform sampler2D image;
uniform vec4 tint;

layout(location = 0) out vec4 colour;

void main() { colour = texture(image, uv) * tint; }
