// SPDX-License-Identifier: MIT
// Saves every character that loads in all formats and loads it again. The result must be the same character.
#include "support/load.hpp"

#include "use.hpp"

#include <pchr/image.hpp>
#include <pchr/import/save.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

namespace {

using pchr::fuzz::require;

/// Writes `files` to a folder that only this process uses.
std::filesystem::path write_folder(std::span<const pchr::SavedFile> files) {
  static const std::filesystem::path folder = [] {
    std::string name = (std::filesystem::temp_directory_path() / "pchr-fuzz-XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "a temporary folder can be created");
    return std::filesystem::path(name);
  }();
  for (const pchr::SavedFile& file : files) {
    std::ofstream out(folder / file.name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.bytes.data()), static_cast<std::streamsize>(file.bytes.size()));
  }
  return folder;
}

pchr::Character load_saved(const pchr::Saved& saved) {
  pchr::ImportOptions options = pchr::fuzz::small_options();
  if (!saved.images.empty()) options.image_folder = write_folder(saved.images);
  auto character = pchr::load_character(saved.file.bytes, options);
  if (!character) std::fputs((describe(character.error(), "the saved file") + "\n").c_str(), stderr);
  require(character.has_value(), "a saved character loads");
  return *std::move(character);
}

/// Removes unused influence slots, which the exporter's dialect omits.
void drop_unused_slots(pchr::Vertex& vertex) {
  pchr::Vertex used = vertex;
  std::fill(used.bones, used.bones + 4, std::uint16_t{0});
  std::fill(used.weights, used.weights + 4, 0.0F);
  for (int slot = 0, next = 0; slot < 4; ++slot) {
    if (vertex.weights[slot] == 0) continue;
    used.bones[next] = vertex.bones[slot];
    used.weights[next] = vertex.weights[slot];
    ++next;
  }
  vertex = used;
}

/// Checks everything that all formats store, which excludes the encoding of images.
pchr::CharacterData comparable(const pchr::Character& character, bool all_slots) {
  pchr::CharacterData data = character.data();
  data.pixel_art = false;
  for (pchr::Image& image : data.images) {
    image.encoding = {};
    image.bytes.clear();
  }
  if (!all_slots) std::for_each(data.vertices.begin(), data.vertices.end(), drop_unused_slots);
  return data;
}

std::vector<std::vector<std::uint8_t>> pixels(const pchr::Character& character) {
  std::vector<std::vector<std::uint8_t>> result;
  for (const pchr::Image& image : character.images()) {
    auto bitmap = pchr::decode(image, pchr::fuzz::small_options().limits);
    result.push_back(bitmap ? std::move(bitmap->rgba) : std::vector<std::uint8_t>());
  }
  return result;
}

void round_trip(const pchr::Character& character, pchr::Format format, pchr::JsonDialect dialect) {
  pchr::SaveOptions options;
  options.json_dialect = dialect;
  options.limits = pchr::fuzz::small_options().limits;
  const auto saved = pchr::save(character, format, "input", options);
  if (saved) {
    const pchr::Character back = load_saved(*saved);
    const bool all_slots = format == pchr::Format::v1 || dialect == pchr::JsonDialect::v1;
    require(comparable(back, all_slots) == comparable(character, all_slots), "the same character comes back");
    require(pixels(back) == pixels(character), "the same pixels come back");
    return;
  }
  require(!describe(saved.error(), "input").empty(), "an error has a description");
  options.lossy = true;
  if (const auto lossy = pchr::save(character, format, "input", options)) (void)load_saved(*lossy);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  auto character = pchr::load_character(bytes, pchr::fuzz::small_options());
  if (!character) character = pchr::load_character(pchr::fuzz::pack(bytes), pchr::fuzz::small_options());
  if (!character) return 0;
  pchr::fuzz::use(*character);
  round_trip(*character, pchr::Format::v1, pchr::JsonDialect::v1);
  for (const auto dialect : {pchr::JsonDialect::v1, pchr::JsonDialect::pachario}) {
    round_trip(*character, pchr::Format::json, dialect);
    round_trip(*character, pchr::Format::packed, dialect);
  }
  return 0;
}
