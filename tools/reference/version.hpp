// SPDX-License-Identifier: MIT
// The version and the name that the programs print.
#pragma once

namespace pchr::reference {

/// Returns the version and, if it is known, the commit: "0.2.0 (commit 0123456789)". "-modified" follows the commit if
/// files differed from it when this was built.
[[nodiscard]] const char* version_and_commit();

/// Returns the name of the command line tool, which is another one where another program is called pchr.
[[nodiscard]] const char* tool_name();

}  // namespace pchr::reference
