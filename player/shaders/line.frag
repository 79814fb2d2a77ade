#version 330 core
in vec4 ink;

out vec4 colour;

void main() { colour = ink; }
