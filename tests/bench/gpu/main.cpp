// SPDX-License-Identifier: MIT
// Measures the renderer on a GPU:
//   gpu_bench [--quick] [FILE.csv]
// Prints tables in Markdown. A software renderer gets smaller crowds, because it takes a hundred times as long.
#include "report.hpp"

#include <cstdio>
#include <fstream>
#include <string_view>

using namespace pchr::bench;

namespace {

Effort choose_effort(bool is_software, bool is_quick) {
  if (is_quick) return {.counts = {2, 5}, .rounds = 1, .layers = 1, .side = 32};
  if (is_software) return {.counts = {50, 200}, .rounds = 3, .layers = 4, .side = 256};
  return {.counts = {1000, 10'000, 100'000}, .rounds = 30, .layers = 64, .side = 1024};
}

}  // namespace

int main(int argument_count, char** arguments) {
  bool is_quick = false;
  const char* csv = nullptr;
  for (int i = 1; i < argument_count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--quick") {
      is_quick = true;
    } else if (csv == nullptr && !argument.starts_with('-')) {
      csv = arguments[i];
    } else {
      std::fputs("usage: gpu_bench [--quick] [FILE.csv]\n", stderr);
      return 2;
    }
  }
  Device device = open_device();
  const Effort effort = choose_effort(device.is_software, is_quick);
  const HardwareRates rates = measure_hardware(device, effort);
  const CrowdCosts costs = measure_crowds(device, effort);
  if (const GLenum error = device.gl->GetError(); error != GL_NO_ERROR) {
    std::fprintf(stderr, "gpu_bench: OpenGL error 0x%x\n", error);
    return 1;
  }
  std::fputs(write_tables(device, rates, costs).c_str(), stdout);
  if (csv == nullptr) return 0;
  std::ofstream file(csv, std::ios::binary);
  file << write_csv(device, rates, costs) << std::flush;
  if (file) return 0;
  std::fprintf(stderr, "gpu_bench: cannot write %s\n", csv);
  return 1;
}
