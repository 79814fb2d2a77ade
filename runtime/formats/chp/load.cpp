// SPDX-License-Identifier: MIT
// Pomyu characters: .chp files and the pictures they name.
#include "formats/chp/load.hpp"

#include "formats/chp/build.hpp"
#include "formats/text_decoding.hpp"
#include "model/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace pchr {
namespace {

constexpr std::size_t kMostTextBytes = std::size_t{1} << 20;
constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;

bool is_text(std::string_view text) noexcept {
  const auto is_control = [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return (byte < 0x20 && letter != '\t' && letter != '\r' && letter != '\n') || byte == 0x7F;
  };
  return static_cast<std::size_t>(std::ranges::count_if(text, is_control)) * 10 <= text.size() * 3;
}

std::expected<std::string, Finding> read_text(std::span<const std::byte> bytes, const std::string& encoding,
                                              Remarks& remarks) {
  if (bytes.size() > kMostTextBytes) {
    bytes = bytes.first(kMostTextBytes);
    remarks.add(FindingId::chp_too_long,
                [] { return Finding{FindingId::chp_too_long, {}, {}, kMostTextBytes, "more than 1 MiB of text"}; });
  }
  auto text = decode_text(bytes, encoding);
  if (!text) {
    return std::unexpected(Finding{FindingId::unknown_encoding,
                                   {},
                                   {},
                                   {},
                                   fmt::format("\"{}\" is not among what this system's iconv knows",
                                               printable(encoding.empty() ? "CP932" : encoding))});
  }
  if (!is_text(text->utf8)) {
    return std::unexpected(
        Finding{FindingId::not_text, {}, {}, 0, "more than three in ten characters are control characters"});
  }
  if (text->replacements > 0) {
    remarks.add(FindingId::undecodable_text, [&] {
      return Finding{FindingId::undecodable_text,
                     {},
                     {},
                     {},
                     fmt::format("read as {}, with {} replacement characters", text->encoding, text->replacements)};
    });
  }
  return std::move(text->utf8);
}

std::string steps_of(const chp::Plan& plan) {
  if (plan.step_ms == chp::kNoSteps) return "they go from frame to frame";
  return fmt::format("{} sprites and their clipped parts allow steps of {} ms", plan.sprites.size(), plan.step_ms);
}

void remark_on_plan(const chp::Plan& plan, Remarks& remarks) {
  if (plan.step_ms > 1) {
    remarks.add(FindingId::chp_coarse_tween,
                [&] { return Finding{FindingId::chp_coarse_tween, {}, {}, {}, steps_of(plan)}; });
  }
  if (plan.clips.empty()) {
    remarks.add(FindingId::chp_empty, [] { return Finding{FindingId::chp_empty, {}, {}, {}, {}}; });
  }
}

}  // namespace

bool looks_like_chp(std::span<const std::byte> bytes) {
  const auto text = decode_text(bytes.first(std::min(bytes.size(), kSniffedBytes)));
  if (!text || !is_text(text->utf8)) return false;
  Remarks ignored;
  return std::ranges::any_of(chp::read_commands(text->utf8, ignored), chp::is_known);
}

std::expected<Character, LoadError> read_chp(std::span<const std::byte> bytes, const LoadOptions& options) {
  Remarks remarks;
  const auto text = read_text(bytes, options.text_encoding, remarks);
  if (!text) return std::unexpected(text.error());
  const chp::File file = chp::interpret(chp::read_commands(*text, remarks), remarks);
  chp::Pictures pictures = chp::load_pictures(file, options, remarks);
  const auto plan = chp::plan_clips(file, pictures, options.limits.max_bone_samples);
  if (!plan) {
    return std::unexpected(Finding{FindingId::limit_exceeded,
                                   {},
                                   {},
                                   {},
                                   fmt::format("its frames draw more sprites than the limit of {} samples allows",
                                               options.limits.max_bone_samples)});
  }
  remark_on_plan(*plan, remarks);
  return CharacterBuilder::build(chp::make_character(file, *plan, std::move(pictures)), AutomaticBindPose{}, {},
                                 std::move(remarks));
}

}  // namespace pchr
