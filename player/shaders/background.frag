#version 330 core
// A chequered board of two colours.

uniform vec3 light;
uniform vec3 dark;
uniform vec2 origin;
uniform float tile;

out vec4 colour;

void main() {
  ivec2 cell = ivec2(floor((gl_FragCoord.xy - origin) / tile));
  colour = vec4(((cell.x + cell.y) & 1) == 0 ? light : dark, 1.0);
}
