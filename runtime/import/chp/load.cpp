// SPDX-License-Identifier: MIT
// Loads Pomyu characters.
#include "import/readers.hpp"

#include "character/build.hpp"
#include "character/fail.hpp"
#include "import/chp/build.hpp"
#include "import/diagnose.hpp"
#include "import/text_decoding.hpp"

namespace pchr {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;
constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;

bool is_text(std::string_view text) noexcept {
  const auto is_control = [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return (byte < 0x20 && letter != '\t' && letter != '\r' && letter != '\n') || byte == 0x7F;
  };
  return static_cast<std::size_t>(std::ranges::count_if(text, is_control)) * 10 <= text.size() * 3;
}

Expected<std::string, Diagnostic> read_text(std::span<const std::byte> bytes, const std::string& encoding,
                                            Warnings& warnings) {
  if (bytes.size() > kMaxTextBytes) {
    bytes = bytes.first(kMaxTextBytes);
    warn(warnings, DiagnosticId::chp_too_long, {.offset = kMaxTextBytes},
         "the text is longer than 1 MiB; the rest is ignored");
  }
  auto text = decode_text(bytes, encoding);
  if (!text) {
    return fail(DiagnosticId::unknown_encoding,
                fmt::format("this system's iconv does not know the text encoding \"{}\"",
                            printable(encoding.empty() ? "CP932" : encoding)));
  }
  if (!is_text(text->utf8)) {
    return fail(DiagnosticId::not_text, std::uint64_t{0}, "more than 30% of the characters are control characters");
  }
  if (text->replacements > 0) {
    warn(warnings, DiagnosticId::undecodable_text, {}, "the text is not valid {}; {} replaced", text->encoding,
         text->replacements == 1 ? "1 character was" : fmt::format("{} characters were", text->replacements));
  }
  return std::move(text->utf8);
}

}  // namespace

bool looks_like_chp(std::span<const std::byte> bytes) {
  const auto text = decode_text(bytes.first(std::min(bytes.size(), kSniffedBytes)));
  if (!text || !is_text(text->utf8)) return false;
  Warnings ignored;
  return std::ranges::any_of(chp::read_commands(text->utf8, ignored), chp::is_known);
}

Expected<Imported, LoadError> read_chp(std::span<const std::byte> bytes, const ReaderOptions& options) {
  Warnings warnings;
  const auto text = read_text(bytes, options.text_encoding, warnings);
  if (!text) return Unexpected(text.error());
  const chp::File file = chp::interpret(chp::read_commands(*text, warnings), warnings);
  auto images = chp::load_images(file, options, warnings);
  if (!images) return Unexpected(std::move(images.error()));
  const auto plan = chp::plan_clips(file, *images, options.limits.max_bone_samples);
  if (!plan) {
    return fail(DiagnosticId::limit_exceeded,
                fmt::format("the frames draw more sprites than the limit of {} samples allows",
                            options.limits.max_bone_samples));
  }
  if (plan->step_ms == chp::kNoSteps) {
    warn(warnings, DiagnosticId::chp_coarse_tween, {},
         "there are too many tweens to interpolate; they jump from frame to frame");
  } else if (plan->step_ms > 1) {
    warn(warnings, DiagnosticId::chp_coarse_tween, {},
         "tweens with {} sprites and clipped parts move in steps of {} ms to limit memory", plan->sprites.size(),
         plan->step_ms);
  }
  if (plan->clips.empty()) warn(warnings, DiagnosticId::chp_empty, {}, "");
  auto menu = chp::menu_images(file, *images);
  CharacterData data = chp::make_character(file, *plan, *std::move(images));
  BindPose bind = IdentityBindPose{};
  if (!data.clips.empty()) bind = ClipBindPose{data.clips.front().name, 0};
  auto character = CharacterBuilder::build(std::move(data), bind, {}, std::move(warnings));
  if (!character) return Unexpected(std::move(character.error()));
  return Imported{.character = *std::move(character),
                  .format = file.legacy ? "legacy Pomyu CHP" : "Pomyu CHP",
                  .title = file.name,
                  .author = file.artist,
                  .menu_images = std::move(menu),
                  .chara = CharaInfo{file.legacy, static_cast<std::uint32_t>(file.wait)}};
}

}  // namespace pchr
