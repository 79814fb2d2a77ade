#version 330 core
// Highlights the pixels in which two layers differ. The others are gray and faint, so that shapes stay recognizable.

uniform sampler2D layer;
uniform sampler2D kept;
uniform ivec2 corner;
uniform vec3 highlight;

out vec4 color;

const float kVisible = 1.5 / 255.0;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) - corner;
  vec4 first = texelFetch(kept, at, 0);
  vec4 second = texelFetch(layer, at, 0);
  vec4 apart = abs(first - second);
  float difference = max(max(apart.r, apart.g), max(apart.b, apart.a));
  float strength = min(0.25 + 1.5 * difference, 1.0);
  vec4 faint = vec4(vec3(dot(first.rgb, vec3(0.3, 0.6, 0.1))), first.a) * 0.3;
  color = difference > kVisible ? vec4(highlight, 1.0) * strength : faint;
}
