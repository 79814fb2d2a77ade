#version 330 core
// Averages the samples of each pixel.

uniform sampler2DMS image;
uniform int samples;

out vec4 color;

void main() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < samples; ++i) sum += texelFetch(image, ivec2(gl_FragCoord.xy), i);
  color = sum * (1.0 / float(samples));
}
