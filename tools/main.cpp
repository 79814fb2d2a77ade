// SPDX-License-Identifier: MIT
// pchr: inspects, converts and renders Pachario characters without a display.
#include "cli.hpp"
#include "drawing.hpp"
#include "platform/process.hpp"

int main(int argc, char** argv) {
  pchr::prepare_standard_streams();
  const pchr::tools::ExitCode code = pchr::tools::run(pchr::utf8_arguments(argc, argv));
  pchr::tools::close_stage();
  pchr::end_program(static_cast<int>(code));
}
