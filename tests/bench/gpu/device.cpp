// SPDX-License-Identifier: MIT
#include "device.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace pchr::bench {
namespace {

constexpr double kWarmUpSeconds = 0.1, kMaxSeconds = 3;

template <typename T>
T value_or_exit(Expected<T, RenderError> expected) {
  if (expected) return *std::move(expected);
  std::fprintf(stderr, "gpu_bench: %s\n", expected.error().message.c_str());
  std::exit(1);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

bool is_software_renderer(std::string_view name) {
  constexpr std::string_view kNames[] = {"llvmpipe", "softpipe", "SwiftShader", "Microsoft Basic Render",
                                         "GDI Generic"};
  return std::ranges::any_of(kNames,
                             [&](std::string_view known) { return name.find(known) != std::string_view::npos; });
}

GLuint64 query(const Gl& gl, GLenum target, const std::function<void()>& draw) {
  GLuint name = 0;
  gl.GenQueries(1, &name);
  gl.BeginQuery(target, name);
  draw();
  gl.EndQuery(target);
  GLuint64 result = 0;
  gl.GetQueryObjectui64v(name, GL_QUERY_RESULT, &result);
  gl.DeleteQueries(1, &name);
  return result;
}

}  // namespace

Device open_device() {
  auto context = value_or_exit(HeadlessContext::create());
  auto gl = value_or_exit(load_gl(context.get_proc_address()));
  auto target = value_or_exit(OffscreenTarget::create(context.get_proc_address(), kWidth, kHeight));
  std::string name = context.description();
  const bool is_software = is_software_renderer(name);
  target.begin();
  GLint bits = 0;
  gl->GetQueryiv(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &bits);
  return {std::move(context), std::move(gl), std::move(target), std::move(name), is_software, !is_software && bits > 0};
}

Times measure(const Device& device, int rounds, const std::function<void()>& draw) {
  const Gl& gl = *device.gl;
  const double start = now();
  do {
    draw();
    gl.Finish();
  } while (rounds > 1 && now() - start < kWarmUpSeconds);
  Times best{1e9, 1e9, 1e9};
  for (int round = 0; round < rounds && (round == 0 || now() - start < kMaxSeconds); ++round) {
    const double begin = now();
    double submitted = 0;
    const GLuint64 nanoseconds = query(gl, GL_TIME_ELAPSED, [&] {
      draw();
      submitted = now() - begin;
    });
    gl.Finish();
    const double whole = now() - begin;
    best.whole = std::min(best.whole, whole);
    best.cpu = std::min(best.cpu, submitted);
    best.gpu = std::min(best.gpu, device.has_timer ? static_cast<double>(nanoseconds) * 1e-9 : whole);
  }
  return best;
}

Times measure_vertices(const Device& device, int rounds, const std::function<void()>& draw) {
  device.gl->Enable(GL_RASTERIZER_DISCARD);
  const Times times = measure(device, rounds, draw);
  device.gl->Disable(GL_RASTERIZER_DISCARD);
  return times;
}

std::uint64_t count_pixels(const Device& device, const std::function<void()>& draw) {
  return query(*device.gl, GL_SAMPLES_PASSED, draw);
}

}  // namespace pchr::bench
