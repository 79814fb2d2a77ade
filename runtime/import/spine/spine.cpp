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

/// Returns the names of the atlases in the character's folder, in alphabetical order.
std::vector<std::string> atlases_in_folder(const ReaderOptions& options) {
  std::vector<std::string> names;
  if (options.image_folder.empty()) return names;
  const auto note = [&](const std::string& path, FileKind /*kind*/) {
    const std::string name = lower(path);
    if (name.ends_with(".atlas") || name.ends_with(".atlas.txt")) names.emplace_back(file_name_of(path));
    return true;
  };
  visit_folder(options.image_folder, options, note);
  std::ranges::sort(names);
  return names;
}

std::string_view without_ending(std::string_view name, std::string_view ending) {
  return lower(name).ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
}

/// Returns the names of a character without the endings that programs add to the names of its files: `hero` for
/// hero-pro.json, and for hero.skel.bytes and hero.json.txt, as Unity wants them.
std::vector<std::string> bases_of(std::string_view file) {
  const std::string_view plain = without_ending(without_ending(file, ".txt"), ".bytes");
  const std::string_view extension = extension_of(plain);
  const bool is_known = extension_of(file) == extension || lower(extension) == ".json" || lower(extension) == ".skel" ||
                        lower(extension) == ".atlas";
  const std::string base(plain.substr(0, plain.size() - (is_known ? extension.size() : 0)));
  std::vector<std::string> bases = {base};
  for (const char* const ending : {"-pro", "-ess", "-pma", ".skel"}) {
    if (const std::string_view shorter = without_ending(base, ending); shorter != base) bases.emplace_back(shorter);
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
  for (const std::string& base : bases_of(atlas)) {
    for (const char* const ending :
         {".json", ".skel", "-pro.json", "-pro.skel", "-ess.json", "-ess.skel", ".skel.bytes", ".json.txt"}) {
      names.push_back(base + ending);
    }
  }
  return names;
}

/// Returns the atlas of a folder that a skeleton without an atlas of its own name uses: the only one, or the one whose
/// name the skeleton's name starts with, such as hero.atlas for "hero winter.json".
std::optional<std::string> guess_atlas(std::string_view skeleton, const ReaderOptions& options) {
  const std::vector<std::string> atlases = atlases_in_folder(options);
  if (atlases.size() == 1) return atlases.front();
  const std::string name = lower(bases_of(skeleton).front());
  std::size_t longest = 0;
  std::optional<std::string> found;
  for (const std::string& atlas : atlases) {
    const std::string base = lower(bases_of(atlas).back());
    const bool is_start = name.size() > base.size() && name.starts_with(base) &&
                          std::string_view(" ._-").find(name[base.size()]) != std::string_view::npos;
    if (!is_start || base.size() <= longest) continue;
    longest = base.size();
    found = atlas;
  }
  return found;
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
  Companion skeleton_file, atlas_file;
  Warnings warnings;
  const auto read_first = [&](std::span<const std::string> names) {
    return read_companion(names, options.limits.max_file_bytes, options, warnings, kJsonPadding);
  };
  const auto refuse = [](Companion& companion) {
    companion.file.error().detail += fmt::format(", in \"{}\"", printable(companion.name));
    return Unexpected(std::move(companion.file.error()));
  };
  const bool is_binary = looks_like_binary(bytes);
  if (!is_binary && !looks_like_json(bytes)) {
    // The atlas was opened.
    atlas_text = as_text(bytes);
    skeleton_file = read_first(skeleton_names(name));
    if (!skeleton_file.exists) {
      return fail(DiagnosticId::rig_skeleton_missing,
                  fmt::format("the file is a texture atlas, and its folder has no \"{}\"",
                              printable(skeleton_names(name).front())));
    }
    if (!skeleton_file.file) return refuse(skeleton_file);
    bytes = skeleton_file.file->bytes();
    readable = skeleton_file.file->storage.size();
    name = skeleton_file.name;
  } else {
    atlas_file = read_first(atlas_names(name));
    if (!atlas_file.exists) {
      if (const auto guess = guess_atlas(name, options)) atlas_file = read_first(std::span(&*guess, 1));
    }
    if (!atlas_file.exists) {
      return fail(DiagnosticId::rig_atlas_missing,
                  options.image_folder.empty()
                      ? std::string("a character loaded from memory has no folder to search for its texture atlas")
                      : fmt::format("the folder has no \"{}\"", printable(atlas_names(name).front())));
    }
    if (!atlas_file.file) return refuse(atlas_file);
    atlas_text = as_text(atlas_file.file->bytes());
  }

  const std::string atlas_name(atlas_file.exists ? atlas_file.name : file_name_of(source.path));
  // The old dialect has no word for it.
  const bool is_named_premultiplied = lower(atlas_name).find("-pma.atlas") != std::string::npos;
  auto atlas = read_atlas(atlas_text);
  if (!atlas) {
    if (atlas_file.exists) atlas.error().detail += fmt::format(", in \"{}\"", printable(atlas_name));
    return Unexpected(std::move(atlas.error()));
  }
  std::string copy;
  auto tree = looks_like_binary(bytes) ? read_binary(bytes) : JsonTree::read(json_text(bytes, readable, copy));
  if (!tree && skeleton_file.exists) tree.error().detail += fmt::format(", in \"{}\"", printable(name));
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
      if (atlas_file.exists) problem->detail += fmt::format(", in \"{}\"", printable(atlas_name));
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
