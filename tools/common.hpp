// SPDX-License-Identifier: MIT
// What the verbs share: exit codes, the input file, the moment of a clip.
#pragma once

#include "film/input_files.hpp"

#include <pchr/character.hpp>
#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/marker.hpp>
#include <pchr/pose.hpp>

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace CLI {
class App;
}

namespace pchr::tools {

enum class ExitCode : int {
  fine = 0,
  bad_data = 1,
  usage = 2,
  environment = 3,  ///< No OpenGL, or the output cannot be written.
  unreadable = 4,   ///< A file that was named is missing or cannot be read.
  different = 5     ///< Two characters or two images differ, and both are fine.
};

/// Ends every help text.
inline constexpr char kExitCodes[] =
    "Exit code: 0 success, 1 the data is bad, 2 wrong usage, 3 no OpenGL or the output cannot be written,\n"
    "4 a file is missing or cannot be read";
/// Follows it in the help of a subcommand that compares.
inline constexpr char kExitCodeDifferent[] = ", 5 they differ";

/// Why a verb ended: an exit code, and what to say on standard error; empty where all is said.
struct Failure {
  ExitCode exit_code = ExitCode::fine;
  std::string message;
};

template <class T>
using Result = std::expected<T, Failure>;

[[nodiscard]] inline std::unexpected<Failure> fail(ExitCode exit_code, std::string message) {
  return std::unexpected(Failure{exit_code, std::move(message)});
}

/// What failed with a sentence, as a failure of the verb.
template <class T>
[[nodiscard]] Result<T> or_fail(ExitCode exit_code, std::expected<T, std::string> result) {
  if (!result) return fail(exit_code, "pchr: " + result.error());
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return *std::move(result);
  }
}

/// A verb of the command line and what it does once its options are read.
struct Verb {
  CLI::App* command = nullptr;
  std::function<Result<void>()> run;
};

[[nodiscard]] Verb add_inspect(CLI::App& app);
[[nodiscard]] Verb add_render(CLI::App& app);
[[nodiscard]] Verb add_sheet(CLI::App& app);
[[nodiscard]] Verb add_diff(CLI::App& app);
[[nodiscard]] Verb add_pose(CLI::App& app);
[[nodiscard]] Verb add_validate(CLI::App& app);
[[nodiscard]] Verb add_pack(CLI::App& app);
[[nodiscard]] Verb add_unpack(CLI::App& app);
[[nodiscard]] Verb add_convert(CLI::App& app);
[[nodiscard]] Verb add_play(CLI::App& app);

/// The file to read and how.
struct InputOptions {
  std::string file;  ///< "-": standard input.
  bool no_images = false;
  LoadOptions load;
  /// All files that were read with these options or with copies of them.
  std::shared_ptr<film::InputFiles> read = std::make_shared<film::InputFiles>();
};

void add_input_options(CLI::App& command, InputOptions& options);
/// The same but for the file.
void add_load_options(CLI::App& command, InputOptions& options);
/// Of those, the ones of Pomyu characters.
void add_chp_options(CLI::App& command, LoadOptions& options);
/// Those of Unreal meshes.
void add_psk_options(CLI::App& command, LoadOptions& options);

struct Input {
  Character character;
  std::vector<Bitmap> bitmaps;  ///< One per image, or none with `--no-images`.
};

/// Returns what messages call an input file: its name, or "standard input" for "-".
[[nodiscard]] std::string input_name(const std::string& file);
/// Returns what the names of outputs are made from: the file's name without its extension, or "stdin" for "-".
[[nodiscard]] std::string input_stem(const std::string& file);

/// Returns what is wrong with a file that was named, and the exit code for it.
[[nodiscard]] Failure data_failure(const Finding& finding, const std::string& file);

/// Fails where a .psa file that was named cannot be read. The runtime only warns of it.
[[nodiscard]] Result<void> check_animations(const InputOptions& options);

/// Reads `file`, or standard input for "-".
[[nodiscard]] std::expected<Character, LoadError> load_input(const std::string& file, const LoadOptions& options);

/// Reads the file and decodes its images.
[[nodiscard]] Result<Input> open_input(const InputOptions& options);

/// The markers beside the file; none where there is no such file.
[[nodiscard]] Result<Markers> open_markers(const Character& character, const InputOptions& options);

/// Shows the file's warnings on standard error.
void print_warnings(const Input& input, const InputOptions& options);

/// A moment of a clip, as asked for.
struct MomentOptions {
  std::optional<std::string> clip;
  std::optional<std::uint32_t> frame;
  std::optional<double> seconds;
  bool smooth = false;
};

void add_moment_options(CLI::App& command, MomentOptions& options);
/// The same but for the clip.
void add_time_options(CLI::App& command, MomentOptions& options);

/// For CLI11's `check`: a complaint where `text` is a number that a float cannot hold, else nothing.
[[nodiscard]] std::string check_finite(const std::string& text);

/// The clip of that name.
[[nodiscard]] Result<std::uint32_t> find_clip(const Character& character, const std::string& name);

/// The frame or time of `clip` that was asked for, else its first frame.
[[nodiscard]] Result<FramePosition> find_position(const Clip& clip, const MomentOptions& options);

}  // namespace pchr::tools
