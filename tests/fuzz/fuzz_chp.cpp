// SPDX-License-Identifier: MIT
// Any text as a Pomyu character: two bytes say how large its pictures are, which it has whatever it names.
#include "use.hpp"

#include "import/chp/build.hpp"
#include "import/text_decoding.hpp"

namespace {

pchr::Image picture(std::uint8_t size) {
  const std::uint32_t side = size + 1U;
  return {"picture", side, side, pchr::ImageEncoding::rgba8888, std::vector<std::byte>(std::size_t{4} * side * side)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(2);
  // Without a folder it has no pictures.
  pchr::fuzz::load_and_use(bytes);

  const auto text = pchr::decode_text(bytes);
  pchr::fuzz::require(text.has_value(), "what is found out is known");
  pchr::Warnings remarks;
  const pchr::chp::File file = pchr::chp::interpret(pchr::chp::read_commands(text->utf8, remarks), remarks);
  pchr::chp::Images images;
  images.all = {picture(data[0]), picture(data[1])};
  images.char_bmp = 0;
  images.char_tex = 1;
  constexpr std::uint64_t kFewSamples = 1U << 14;
  const auto plan = pchr::chp::plan_clips(file, images, kFewSamples);
  if (!plan) return 0;
  const auto character = pchr::Character::build(pchr::chp::make_character(file, *plan, std::move(images)));
  pchr::fuzz::require(character.has_value(), "what is made is sound");
  pchr::fuzz::use(*character);
  return 0;
}
