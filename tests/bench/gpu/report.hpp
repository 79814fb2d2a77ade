// SPDX-License-Identifier: MIT
// Writes what was measured as tables in Markdown, for docs/performance.md, and as CSV.
#pragma once

#include "crowd.hpp"

namespace pchr::bench {

[[nodiscard]] std::string write_tables(const Device& device, const HardwareRates& rates, const CrowdCosts& costs);

/// One figure per line, like the other benchmarks.
[[nodiscard]] std::string write_csv(const Device& device, const HardwareRates& rates, const CrowdCosts& costs);

}  // namespace pchr::bench
