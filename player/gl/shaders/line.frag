#version 330 core
in vec4 ink;

out vec4 color;

void main() { color = ink; }
