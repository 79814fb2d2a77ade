#version 330 core
// A checkerboard of two colors with the lines of a grid.

uniform vec3 light;
uniform vec3 dark;
uniform vec2 origin;
uniform float tile;

// In pixels from the origin, y down.
uniform float minor;  // 0 for no grid
uniform float major;
uniform vec2 phase;
uniform vec2 axes;
uniform float thickness;

out vec4 color;

const vec3 kAxisX = vec3(0.90, 0.36, 0.38);
const vec3 kAxisY = vec3(0.45, 0.76, 0.36);

// Returns, per coordinate, whether this pixel is on the nearest line.
bvec2 on_line(vec2 at, vec2 first, float period, float width) {
  vec2 line = first + round((at - first) / period) * period;
  vec2 begin = floor(line - width * 0.5 + 0.5);
  return bvec2(at.x > begin.x && at.x < begin.x + width, at.y > begin.y && at.y < begin.y + width);
}

vec3 with_grid(vec3 base, vec2 at) {
  vec3 ink = vec3(dot(base, vec3(0.3, 0.6, 0.1)) > 0.5 ? 0.0 : 1.0);
  if (any(on_line(at, phase, major, thickness))) {
    base = mix(base, ink, 0.17);
  } else if (any(on_line(at, phase, minor, thickness))) {
    base = mix(base, ink, 0.07);
  }
  bvec2 axis = on_line(at, axes, 1.0e6, thickness * 2.0);
  if (axis.y) base = mix(base, kAxisX, 0.75);
  if (axis.x) base = mix(base, kAxisY, 0.75);
  return base;
}

void main() {
  ivec2 cell = ivec2(floor((gl_FragCoord.xy - origin) / tile));
  vec3 base = ((cell.x + cell.y) & 1) == 0 ? light : dark;
  if (minor > 0.0) base = with_grid(base, vec2(gl_FragCoord.x - origin.x, origin.y - gl_FragCoord.y));
  color = vec4(base, 1.0);
}
