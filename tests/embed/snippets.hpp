// SPDX-License-Identifier: MIT
// What the documents' snippets take for granted.
#pragma once

#include <pchr/animator.hpp>
#include <pchr/clock.hpp>
#include <pchr/draw_list.hpp>
#include <pchr/image.hpp>
#include <pchr/3d.hpp>
#include <pchr/import/save.hpp>
#include <pchr/import/artwork.hpp>
#include <pchr/export/sheet.hpp>
#include <pchr/import/import.hpp>
#include <pchr/import/pomyu.hpp>
#include <pchr/load.hpp>
#include <pchr/offscreen.hpp>
#include <pchr/pose.hpp>
#include <pchr/queries.hpp>
#include <pchr/renderer.hpp>

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
extern std::vector<pchr::PoseBuffers> poses;
extern pchr::PoseBuffers posed;
extern pchr::DrawStream stream;
extern std::vector<pchr::Instance> crowd;
extern const pchr::Affine placement;
extern const pchr::ClipId idle, walk, jump, wave, breathe;
extern const pchr::BoneId hand;
extern const std::size_t first, count;
extern const double seconds, dt;
extern const pchr::Vec2 target, mouse;
void draw_a_frame();
void react();
void play_sound();
void submit(pchr::ImageId image, std::span<const std::uint32_t> indices);
