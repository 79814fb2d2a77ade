// SPDX-License-Identifier: MIT
// pchr play: starts the player.
#include "commands/commands.hpp"
#include "input.hpp"
#include "options.hpp"
#include "platform/process.hpp"

namespace pchr::tools {
namespace {

constexpr char kPlayer[] = "pchr-player";

struct PlayOptions {
  std::vector<std::string> files;
  std::string bind_pose;
  ImportOptions load;  ///< Only the options of add_chp_options(), which the player has too.
};

void run_play(const PlayOptions& options) {
  const auto player = find_program(kPlayer);
  if (!player) {
    fail(ExitCode::environment, "pchr: cannot find pchr-player next to this program or in PATH");
  }
  std::vector<std::string> arguments{kPlayer};
  if (!options.bind_pose.empty()) arguments.insert(arguments.end(), {"--bind", options.bind_pose});
  if (options.load.second_player) arguments.emplace_back("--second-player");
  if (options.load.black_color_key) arguments.emplace_back("--black-key");
  const std::string& encoding = options.load.text_encoding;
  if (!encoding.empty()) arguments.insert(arguments.end(), {"--encoding", encoding});
  // A file name can begin with "-".
  arguments.emplace_back("--");
  for (const std::string& file : options.files)
    std::ranges::copy(expand_wildcards(file), std::back_inserter(arguments));
  const std::string reason = become_program(*player, std::move(arguments));
  fail(ExitCode::environment, "cannot start {}: {}", *player, reason);
}

}  // namespace

void add_play(CLI::App& app) {
  const auto [command, options] = add_subcommand<PlayOptions>(app, "play", "Play characters in a window", run_play);
  add_option(command, "FILE", options.files, "[FILE]...", "Characters or folders to open; - is standard input");
  add_option(command, "--bind", options.bind_pose, "POSE",
             "Bind pose of the first file: CLIP[:FRAME], identity or auto (default: auto)");
  add_chp_options(command, options.load);
  set_manual(command, R"(Runs pchr-player from this program's folder or from PATH. The first file opens; Ctrl+Page Down
and Ctrl+Page Up switch to the others.)",
             R"(  pchr play hero.pchr
  pchr play characters/
  pchr play konpei.chp --second-player
  zcat hero.pchr.gz | pchr play -)");
}

}  // namespace pchr::tools
