#version 330 core
// Counts how often each pixel of a layer that was initially white was dimmed.

uniform sampler2D layer;
uniform ivec2 corner;
uniform vec3 colors[16];
uniform int count;
uniform float dimming;

out vec4 color;

void main() {
  float left = texelFetch(layer, ivec2(gl_FragCoord.xy) - corner, 0).r;
  int times = left > 0.0 ? int(round(log(left) / dimming)) : count;
  if (times <= 0) discard;
  color = vec4(colors[min(times, count) - 1], 1.0);
}
