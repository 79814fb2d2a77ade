// SPDX-License-Identifier: MIT
// pchr: inspects, converts and renders Pachario characters without a display.
#include "cli.hpp"
#include "platform/process.hpp"

int main(int argc, char** argv) {
  pchr::prepare_standard_streams();
  pchr::end_program(static_cast<int>(pchr::tools::run(pchr::utf8_arguments(argc, argv))));
}
