// SPDX-License-Identifier: MIT
// Finds the image files that a JSON character refers to.
#include <pchr/import/save.hpp>

#include "import/file_names.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/read_file.hpp"

#include <simdjson.h>

namespace pchr {

std::vector<std::string> named_images(const std::string& path, std::uint64_t max_bytes) {
  std::vector<std::string> images;
  const auto file = read_file(path, max_bytes, simdjson::SIMDJSON_PADDING);
  if (!file) return images;
  std::string_view text(reinterpret_cast<const char*>(file->storage.data()), file->size);
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  simdjson::ondemand::array list;
  if (parser.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING).get(document) !=
          simdjson::SUCCESS ||
      document["images"].get_array().get(list) != simdjson::SUCCESS) {
    return images;
  }
  const std::string_view folder = folder_of(path);
  for (auto element : list) {
    simdjson::ondemand::object image;
    std::string_view name;
    if (element.get_object().get(image) != simdjson::SUCCESS) break;
    if (image["path"].get_string().get(name) != simdjson::SUCCESS) continue;
    images.push_back(path_in(folder, with_slashes(name)));
  }
  return images;
}

}  // namespace pchr
