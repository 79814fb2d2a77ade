#version 330 core
// Draws a layer as a ghost: in one hue, with some of its own colors so that its parts remain distinguishable.

uniform sampler2D layer;
uniform ivec2 corner;
uniform vec3 hue;
uniform float strength;

out vec4 color;

void main() {
  vec4 texel = texelFetch(layer, ivec2(gl_FragCoord.xy) - corner, 0);
  color = vec4(mix(texel.rgb, hue * texel.a, 0.7), texel.a) * strength;
}
