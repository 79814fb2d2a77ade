// SPDX-License-Identifier: MIT
// Opens Spine skeletons: finds the skeleton of an atlas and the atlas of a skeleton, and their images.
#include "import/spine/spine.hpp"

#include "character/fail.hpp"
#include "import/formats.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace pchr::spine {
namespace {

/// A file next to the one that was opened.
struct SideFile {
  std::string name;
  FileBytes file;
};

/// Reads the first of some files next to the character that exists, or nothing.
Expected<std::optional<SideFile>, Diagnostic> read_first(const std::vector<std::string>& names,
                                                         const ReaderOptions& options) {
  for (const std::string& name : names) {
    const auto given = find_given_image(name, options);
    if (!given && (options.image_folder.empty() || !stays_inside(name))) continue;
    const std::string path = given ? *given : path_in(options.image_folder, name);
    if (options.before_reading) options.before_reading(path);
    const std::uint64_t max_bytes = options.limits.max_file_bytes;
    auto file = given ? read_file(path, max_bytes, kJsonPadding, options.read_file)
                      : read_side_file(path, max_bytes, options, kJsonPadding);
    if (file) return SideFile{name, *std::move(file)};
    if (file.error().id == DiagnosticId::link_outside || file.error().id == DiagnosticId::limit_exceeded) {
      return Unexpected(std::move(file.error()));
    }
  }
  return std::optional<SideFile>();
}

/// Returns the files of the character's folder with an extension, in alphabetical order.
std::vector<std::string> names_with(std::string_view extension, const ReaderOptions& options) {
  std::vector<std::string> names;
  if (options.image_folder.empty()) return names;
  const auto note = [&](const std::string& path, FileKind /*kind*/) {
    if (extension_of(lower(path)) == extension) names.emplace_back(file_name_of(path));
    return true;
  };
  visit_folder(options.image_folder, options, note);
  std::ranges::sort(names);
  return names;
}

/// Returns the name of a character without the endings that programs add to the names of its files.
std::vector<std::string> bases_of(std::string_view file) {
  std::vector<std::string> bases = {std::string(file.substr(0, file.size() - extension_of(file).size()))};
  for (const char* const ending : {"-pro", "-ess", "-pma", ".skel"}) {
    if (lower(bases[0]).ends_with(ending)) {
      bases.push_back(bases[0].substr(0, bases[0].size() - std::string_view(ending).size()));
    }
  }
  return bases;
}

/// Returns the names that the atlas of a skeleton can have.
std::vector<std::string> atlas_names(std::string_view skeleton) {
  std::vector<std::string> names;
  for (const std::string& base : bases_of(skeleton)) {
    for (const char* const ending : {".atlas", ".atlas.txt", "-pma.atlas", "-pma.atlas.txt"})
      names.push_back(base + ending);
  }
  return names;
}

std::vector<std::string> skeleton_names(std::string_view atlas) {
  std::vector<std::string> names;
  const bool is_text = lower(atlas).ends_with(".txt");
  for (const std::string& base : bases_of(is_text ? atlas.substr(0, atlas.size() - 4) : atlas)) {
    for (const char* const ending :
         {".json", ".skel", "-pro.json", "-pro.skel", "-ess.json", "-ess.skel", ".skel.bytes"}) {
      names.push_back(base + ending);
    }
  }
  return names;
}

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

bool looks_like_json(std::span<const std::byte> bytes) {
  constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;
  const std::string text(as_text(bytes.first(std::min(bytes.size(), kSniffedBytes))));
  JsonReader reader(JsonText{text});
  enum class Verdict : std::uint8_t { unknown, yes, no } verdict = Verdict::unknown;
  // A truncated text fails here only if its keys do not come first.
  (void)reader.read_document([&] {
    if (reader.type() != JsonReader::Type::object) return false;
    return reader.read_object([&](std::string_view key) {
      if (key == "images" || key == "meshes" || key == "armature") verdict = Verdict::no;
      if (verdict != Verdict::unknown) return false;
      if (key != "skeleton" || reader.type() != JsonReader::Type::object) return reader.skip();
      return reader.read_object([&](std::string_view inner) {
        if (inner == "spine") verdict = Verdict::yes;
        return verdict == Verdict::unknown && reader.skip();
      });
    });
  });
  return verdict == Verdict::yes;
}

}  // namespace
}  // namespace pchr::spine

namespace pchr {

bool looks_like_spine(const Source& source) {
  using namespace spine;
  return looks_like_json(source.bytes) || looks_like_binary(source.bytes) || looks_like_atlas(as_text(source.bytes));
}

Expected<Imported, LoadError> read_spine(const Source& source, const ReaderOptions& options) {
  using namespace spine;
  std::span<const std::byte> bytes = source.bytes;
  std::size_t readable = source.readable;
  std::string name(file_name_of(source.path));
  std::string_view atlas_text;
  std::optional<SideFile> skeleton_file, atlas_file;
  const bool is_binary = looks_like_binary(bytes);
  if (!is_binary && !looks_like_json(bytes)) {
    // The atlas was opened.
    atlas_text = as_text(bytes);
    auto found = read_first(skeleton_names(name), options);
    if (!found) return Unexpected(std::move(found.error()));
    if (!*found) {
      return fail(DiagnosticId::rig_skeleton_missing,
                  fmt::format("the file is a texture atlas, and its folder has no \"{}\"",
                              printable(skeleton_names(name).front())));
    }
    skeleton_file = *std::move(found);
    bytes = skeleton_file->file.bytes();
    readable = skeleton_file->file.storage.size();
    name = skeleton_file->name;
  } else {
    auto found = read_first(atlas_names(name), options);
    if (!found) return Unexpected(std::move(found.error()));
    if (!*found) {
      const std::vector<std::string> others = names_with(".atlas", options);
      if (others.size() == 1) found = read_first(others, options);
      if (!found) return Unexpected(std::move(found.error()));
    }
    if (!*found) {
      return fail(DiagnosticId::rig_atlas_missing,
                  options.image_folder.empty()
                      ? std::string("a character loaded from memory has no folder to search for its texture atlas")
                      : fmt::format("the folder has no \"{}\"", printable(atlas_names(name).front())));
    }
    atlas_file = *std::move(found);
    atlas_text = as_text(atlas_file->file.bytes());
  }

  Warnings warnings;
  const std::string atlas_name(atlas_file ? atlas_file->name : file_name_of(source.path));
  // The old dialect has no word for it.
  const bool is_named_premultiplied = lower(atlas_name).find("-pma.atlas") != std::string::npos;
  auto atlas = read_atlas(atlas_text);
  if (!atlas) {
    if (atlas_file) atlas.error().detail += fmt::format(", in \"{}\"", printable(atlas_name));
    return Unexpected(std::move(atlas.error()));
  }
  std::string copy;
  auto tree = looks_like_binary(bytes) ? read_binary(bytes) : JsonTree::read(json_text(bytes, readable, copy));
  if (!tree && skeleton_file) tree.error().detail += fmt::format(", in \"{}\"", printable(name));
  if (!tree) return Unexpected(std::move(tree.error()));
  auto skeleton = read_skeleton(*tree, *atlas, options.skin, bytes.size(), warnings);
  if (!skeleton) return Unexpected(std::move(skeleton.error()));
  std::uint64_t pixels = 0;
  for (const AtlasPage& each : atlas->pages) {
    rig::Page page;
    page.width = each.width;
    page.height = each.height;
    page.is_premultiplied = each.is_premultiplied || is_named_premultiplied;
    const std::string field = fmt::format("pages[{}]", skeleton->model.pages.size());
    if (auto problem = rig::read_page(each.file, field, options, pixels, warnings, page)) {
      if (atlas_file) problem->detail += fmt::format(", in \"{}\"", printable(atlas_name));
      return Unexpected(*std::move(problem));
    }
    if (!(page.width > 0)) page.width = page.image.width;
    if (!(page.height > 0)) page.height = page.image.height;
    skeleton->model.pages.push_back(std::move(page));
  }
  auto imported = rig::import_rig(std::move(skeleton->model), 0, options, "Spine", std::move(warnings));
  if (!imported) return imported;
  imported->armatures.clear();
  imported->skins = std::move(skeleton->skins);
  return imported;
}

}  // namespace pchr
