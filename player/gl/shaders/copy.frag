#version 330 core
// Copies each pixel.

uniform sampler2D image;

out vec4 color;

void main() { color = texelFetch(image, ivec2(gl_FragCoord.xy), 0); }
