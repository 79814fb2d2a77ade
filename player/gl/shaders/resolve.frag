#version 330 core
// Averages the samples of each pixel.

uniform sampler2DMS image;
uniform int samples;

out vec4 color;

void main() {
  vec4 sum = vec4(0.0);
  // Software renderers take half the time for a loop that can be unrolled. There are 1, 2 or 4 samples.
  for (int i = 0; i < 4; ++i) sum += texelFetch(image, ivec2(gl_FragCoord.xy), i * samples / 4);
  color = sum * 0.25;
}
