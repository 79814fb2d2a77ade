// SPDX-License-Identifier: MIT
// Loads text as a Pomyu character. The first two bytes are the sizes of its images.
#include "use.hpp"

#include "import/chp/chp.hpp"
#include "import/text_decoding.hpp"

namespace {

pchr::Image image_of(std::uint8_t size) {
  const std::uint32_t side = size + 1U;
  return {"image", side, side, pchr::ImageEncoding::rgba8888, std::vector<std::byte>(std::size_t{4} * side * side)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(2);
  // Loads without images, because there is no folder.
  pchr::fuzz::load_and_use(bytes);

  const auto text = pchr::decode_text(bytes);
  pchr::fuzz::require(text.has_value(), "detected encodings are known");
  pchr::Warnings warnings;
  const pchr::chp::File file = pchr::chp::interpret(pchr::chp::read_commands(text->utf8, warnings), warnings);
  pchr::chp::Images images;
  images.all = {image_of(data[0]), image_of(data[1])};
  images.char_bmp = 0;
  images.char_tex = 1;
  constexpr std::uint64_t kFewSamples = 1U << 14;
  const auto plan = pchr::chp::plan_clips(file, images, kFewSamples);
  if (!plan) return 0;
  const auto character = pchr::Character::build(pchr::chp::make_character(file, *plan, std::move(images)));
  pchr::fuzz::require(character.has_value(), "a built character is valid");
  pchr::fuzz::use(*character);
  return 0;
}
