#version 330 core
// An image behind the character, again and again, over a color.

uniform sampler2D image;
uniform vec3 behind;
uniform vec2 corner;  // Its upper left, in framebuffer pixels from the bottom.
uniform vec2 size;    // Of one image, in framebuffer pixels.

out vec4 color;

void main() {
  vec4 texel = texture(image, vec2(gl_FragCoord.x - corner.x, corner.y - gl_FragCoord.y) / size);
  color = vec4(texel.rgb + behind * (1.0 - texel.a), 1.0);
}
