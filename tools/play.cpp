// SPDX-License-Identifier: MIT
// pchr play: starts the player.
#include "tool.hpp"

#include <unistd.h>

#include <cstring>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;

constexpr char kPlayer[] = "pchr-player";

bool can_run(const fs::path& program) {
  std::error_code error;
  return fs::is_regular_file(program, error) && access(program.c_str(), X_OK) == 0;
}

/// Looks next to this program first, where the version matches, then in PATH.
std::optional<fs::path> find_player() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!error && can_run(self.parent_path() / kPlayer)) return self.parent_path() / kPlayer;
  const char* variable = std::getenv("PATH");
  for (const std::string& folder : CLI::detail::split(variable != nullptr ? variable : "", ':')) {
    const fs::path program = fs::path(folder) / kPlayer;
    if (!folder.empty() && can_run(program)) return program;
  }
  return std::nullopt;
}

struct PlayOptions {
  std::vector<std::string> files;
  ImportOptions load;  ///< Only the options of add_chp_options(), which the player has too.
};

void run_play(const PlayOptions& options) {
  const auto player = find_player();
  if (!player) {
    fail(ExitCode::environment, "pchr: cannot find pchr-player next to this program or in PATH");
  }
  std::vector<std::string> arguments{kPlayer};
  if (options.load.second_player) arguments.emplace_back("--second-player");
  if (options.load.black_color_key) arguments.emplace_back("--black-key");
  const std::string& encoding = options.load.text_encoding;
  if (!encoding.empty()) arguments.insert(arguments.end(), {"--encoding", encoding});
  // A file name can begin with "-".
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), options.files.begin(), options.files.end());
  std::vector<char*> values;
  for (std::string& argument : arguments) values.push_back(argument.data());
  values.push_back(nullptr);
  execv(player->c_str(), values.data());
  fail(ExitCode::environment, "cannot start {}: {}", player->string(), std::strerror(errno));
}

}  // namespace

void add_play(CLI::App& app) {
  const auto [command, options] = add_subcommand<PlayOptions>(app, "play", "Play characters in a window", run_play);
  add_option(command, "FILE", options.files, "[FILE]...", "Characters or folders to open; - is standard input");
  add_chp_options(command, options.load);
  set_manual(command, R"(Runs pchr-player from this program's folder or from PATH. The first file opens; Ctrl+Page Down
and Ctrl+Page Up switch to the others.)",
             R"(  pchr play hero.pchr
  pchr play characters/
  pchr play konpei.chp --second-player
  zcat hero.pchr.gz | pchr play -)");
}

}  // namespace pchr::tools
