// SPDX-License-Identifier: MIT
// The options that choose which moments of a clip a film shows.
#pragma once

#include "common.hpp"
#include "film/plan.hpp"

namespace pchr::tools {

/// --frames, --fps and --speed.
void add_film_options(CLI::App& command, film::PlanOptions& options);

}  // namespace pchr::tools
