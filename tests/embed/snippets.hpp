// SPDX-License-Identifier: MIT
// What the documents' snippets take for granted.
#pragma once

#include <pchr/animator.hpp>
#include <pchr/bone.hpp>
#include <pchr/bounds.hpp>
#include <pchr/chara.hpp>
#include <pchr/clock.hpp>
#include <pchr/draw_stream.hpp>
#include <pchr/hit_test.hpp>
#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/renderer.hpp>
#include <pchr/skin.hpp>

#include <cstdio>
#include <memory>
#include <span>
#include <vector>

extern "C" void (*glfwGetProcAddress(const char* name))();

extern const pchr::Character hero;
extern pchr::Renderer renderer;
extern pchr::Model model;
extern const pchr::Camera camera;
extern pchr::Animator animator;
extern std::vector<pchr::Animator> animators;
extern std::vector<pchr::PosedCharacter> poses;
extern pchr::PosedCharacter posed;
extern pchr::DrawStream stream;
extern std::vector<pchr::Instance> crowd;
extern const pchr::Affine placement;
extern const std::uint32_t idle, walk, jump, wave, breathe, hand;
extern const std::size_t first, count;
extern const double seconds, dt;
extern const pchr::Vec2 target, mouse;
void draw_a_frame();
void react();
void play_sound();
void submit(std::uint32_t image, std::span<const std::uint32_t> indices);
