#version 330 core
// Lines as triangles in clip space.
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 straight;

out vec4 ink;

void main() {
  gl_Position = vec4(place, 0.0, 1.0);
  ink = vec4(straight.rgb * straight.a, straight.a);
}
