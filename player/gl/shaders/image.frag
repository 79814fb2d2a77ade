#version 330 core
// Draws a background image, tiled, over a color.

uniform sampler2D image;
uniform vec3 behind;
uniform vec2 corner;  // Top left corner, in framebuffer pixels, y up.
uniform vec2 size;    // Size of one tile, in framebuffer pixels.

out vec4 color;

void main() {
  vec4 texel = texture(image, vec2(gl_FragCoord.x - corner.x, corner.y - gl_FragCoord.y) / size);
  color = vec4(texel.rgb + behind * (1.0 - texel.a), 1.0);
}
