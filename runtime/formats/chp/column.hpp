// SPDX-License-Identifier: MIT
// The columns of a timeline: pairs of digits and dashes, one for each frame.
#pragma once

#include "formats/chp/file.hpp"

#include <span>

namespace pchr::chp {

/// Reads a word such as `0203--05` in `base`. What is no number takes the value before it, with a remark; a column has
/// at most 4096 frames.
[[nodiscard]] Column read_column(const Field& word, int base, std::uint32_t line, Remarks& remarks);

/// Makes tweens of the column's dashes, at `frame_ms` for each frame: from the start of the first key's frame to the
/// end of the last one's. A key between two runs of dashes is shared: one tween ends and the next begins in the middle
/// of its frame. Dashes that have a key at one end only hold it.
void resolve_tweens(Column& column, std::int64_t frame_ms);

}  // namespace pchr::chp
