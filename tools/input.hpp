// SPDX-License-Identifier: MIT
// The character that a subcommand reads.
#pragma once

#include "engine.hpp"

#include <pchr/import/import.hpp>

namespace pchr::tools {

struct InputOptions {
  std::string file;    ///< "-" for standard input.
  BatchOptions batch;  ///< Unused by subcommands that read one file.
  bool no_images = false;
  ImportOptions load;
  std::string rig;  ///< File with the markers and the rig; empty for the one next to the character.
  bool no_rig = false;
  /// All files that were read with these options or copies of them.
  std::shared_ptr<InputFiles> read = std::make_shared<InputFiles>();
};

/// Adds FILE..., the options of a batch and those for reading files.
void add_inputs_options(CLI::App& command, InputOptions& options);
void add_load_options(CLI::App& command, InputOptions& options);
/// Adds --rig, for a subcommand that reads it.
void add_rig_option(CLI::App& command, InputOptions& options);
/// Adds --rig and --no-rig, for a subcommand that draws.
void add_drawn_rig_options(CLI::App& command, InputOptions& options);
void add_chp_options(CLI::App& command, ImportOptions& options);

struct Input : Imported {
  std::vector<Bitmap> bitmaps;  ///< One per image; empty with --no-images.
};

/// Fails if a .psa file named by the user cannot be read. The library only warns.
void check_animations(const InputOptions& options);

/// Reads a file for the current task, which notes what is read.
[[nodiscard]] Expected<Imported, LoadError> load_input(const std::string& file, const ImportOptions& options);

/// Reads the file, calls `check`, and decodes its images. Calls `meanwhile` while a thread decodes.
[[nodiscard]] Input open_input(const InputOptions& options, const std::function<void()>& meanwhile = {},
                               const std::function<void(const Character&)>& check = {});
void print_warnings(const Input& input, const InputOptions& options);

/// Returns the path of the file with the markers and the rig, if there is one.
[[nodiscard]] std::optional<std::string> sidecar_path(const InputOptions& options);
/// Reads the markers and the rig from there.
[[nodiscard]] Expected<Sidecar, LoadError> load_sidecar_of(const InputOptions& options, const std::string& path,
                                                           const Character& character);
/// Reads the markers and the rig of the character. Without their file, returns the markers of the character's.
[[nodiscard]] Sidecar open_sidecar(const Imported& imported, const InputOptions& options);

struct MomentOptions {
  std::optional<std::uint32_t> frame;
  std::optional<double> seconds;
  bool smooth = false;
};

void add_moment_options(CLI::App& command, MomentOptions& options);

/// Returns "frame 3 of clip idle", or "the identity".
[[nodiscard]] std::string describe_pose(const Character& character, const BindPoseSource& source);

[[nodiscard]] ClipId find_clip(const Character& character, const std::string& name);
[[nodiscard]] std::vector<ClipId> find_clips(const Character& character, const std::vector<std::string>& names);
/// Returns the named clips; without names, all clips except one that only holds the bind pose, which it notes.
[[nodiscard]] std::vector<ClipId> find_clips_or_all(const Character& character, const std::vector<std::string>& names,
                                                    const std::string& file);
/// Returns the first frame if neither a frame nor a time is given.
[[nodiscard]] ClipTime find_time(const Clip& clip, const MomentOptions& options);

}  // namespace pchr::tools
