// SPDX-License-Identifier: MIT
// Stamps: hidden files that tell what a run has read and written, so that the next one need not do it again.
#pragma once

#include "task.hpp"

namespace pchr::tools {

/// Returns the path of a stamp: in `cache`, or if that is empty, next to `output`, whose placeholders {folder} and
/// {file} are filled in. `key` is a hash of what decides a result besides files.
[[nodiscard]] std::string stamp_path(const std::string& cache, const std::string& output, const Hash& key);

/// Writes the stamp of a task that has succeeded. Returns why that failed, or nothing: without a stamp, the next run
/// does the work again.
std::string write_stamp(const std::string& path, const Hash& key, const Task& task) noexcept;

/// Returns the task of a stamp if it would have the same result again. Anything that is wrong with a stamp means that
/// it would not.
[[nodiscard]] std::optional<Task> find_unchanged_task(const std::string& path, const Hash& key);

}  // namespace pchr::tools
