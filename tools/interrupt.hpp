// SPDX-License-Identifier: MIT
// Ctrl-C and the like, for verbs that have files to tidy up.
#pragma once

namespace pchr::tools {

/// From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE only make interrupted() true; a second one, but for
/// SIGPIPE, ends the program at once.
void catch_interrupts();
[[nodiscard]] bool interrupted();
/// Ends the program by the signal that came, if one did: who started it sees what happened.
void end_if_interrupted();

}  // namespace pchr::tools
