// SPDX-License-Identifier: MIT
// Options of Unreal meshes: their animations and textures.
#include "common.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace pchr::tools {

void add_psk_options(CLI::App& command, LoadOptions& options) {
  using Paths = std::vector<std::string>;
  const auto add = [&command](const char* name, const auto& use, const char* description) {
    return command.add_option_function<Paths>(name, use, description)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  add(
      "--animation",
      [&options](const Paths& paths) {
        for (const std::string& path : paths) {
          if (path == "auto") {
            options.also_find_animations = true;
          } else {
            options.animations.emplace_back(path);
          }
        }
      },
      "A .psa file to play on a .psk instead of those found beside it; may be repeated, auto adds those found (auto)")
      ->option_text("FILE");
  add(
      "--also-animation",
      [&options](const Paths& paths) {
        // Options are read in this order: --animation has replaced what would be found.
        options.also_find_animations |= options.animations.empty();
        options.animations.insert(options.animations.end(), paths.begin(), paths.end());
      },
      "A .psa file to play in addition to those found beside a .psk, or to --animation; may be repeated")
      ->option_text("FILE");
  add(
      "--textures",
      [&options](const Paths& folders) { options.texture_folders.assign(folders.begin(), folders.end()); },
      "A folder to look for the textures and .mat files of a .psk first; may be repeated")
      ->option_text("DIR")
      ->check(CLI::ExistingDirectory);
}

}  // namespace pchr::tools
