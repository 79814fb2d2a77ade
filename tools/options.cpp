// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <cmath>

namespace pchr::tools {

std::string check_finite(const std::string& text) {
  return std::isfinite(std::strtof(text.c_str(), nullptr)) ? "" : '"' + text + "\" is not a finite number";
}

std::string check_above_0(const std::string& text) {
  const double value = std::strtod(text.c_str(), nullptr);
  return value > 0 && std::isfinite(value) ? "" : '"' + text + "\" is not a positive number";
}

CLI::Validator check_range(double min, double max) {
  const auto check = [min, max](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == '\0' && value >= min && value <= max && std::isfinite(value))
      return std::string();
    const std::string range =
        std::isinf(max) ? fmt::format("at least {}", min) : fmt::format("from {} to {}", min, max);
    return fmt::format("\"{}\" is not a number {}", text, range);
  };
  return {check, ""};
}

CLI::Validator check_choice(const std::vector<std::string>& names) {
  const auto check = [names](const std::string& text) {
    return std::ranges::count(names, text) > 0 ? std::string()
                                               : fmt::format("\"{}\" is not one of {}", text, fmt::join(names, ", "));
  };
  return {check, ""};
}

void begin_group(CLI::App& command, const char* heading) { command.option_defaults()->group(heading); }

CLI::Option* add_compression_option(CLI::App& command, PngCompression& target) {
  using enum PngCompression;
  return add_choice<PngCompression>(
      command, "--compression", target, {{"fast", fast}, {"default", normal}, {"best", best}},
      fmt::format("Write PNG files fast or small{}", target == fast ? " (default: fast)" : ""));
}

CLI::Option* add_mega_option(CLI::App& command, const std::string& name, std::uint64_t& target,
                             const std::string& description) {
  return command
      .add_option_function<std::uint32_t>(
          name, [&target](std::uint32_t megas) { target = std::uint64_t{megas} << 20; }, description)
      ->option_text("N");
}

void add_output_limit(CLI::App& command, std::uint64_t& target, const char* fallback) {
  begin_group(command, "Limits");
  add_mega_option(command, "--max-output-mb", target,
                  fmt::format("Max size of all files written for each input, in MiB (default: {})", fallback));
  begin_group(command, "Options");
}

CLI::Option* add_pair_option(CLI::App& command, const std::string& name, std::vector<float>& target,
                             const std::string& argument, const std::string& description) {
  return add_option(command, name, target, argument, description, check_finite)->delimiter(',')->expected(2);
}

}  // namespace pchr::tools
