// SPDX-License-Identifier: MIT
// The table of formats, and the import of a character in any of them.
#include "import/formats.hpp"

#include "character/fail.hpp"
#include "import/diagnose.hpp"
#include "import/json/json.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace pchr {
namespace {

using Result = Expected<Imported, LoadError>;

struct FormatRow {
  Evidence evidence;
  std::string_view title, extensions;
  bool (*looks_like)(const Source& source);
  Result (*read)(const Source& source, const ReaderOptions& options);
};

#define PCHR_FORMAT(name, evidence, title, extensions, ...) \
  {Evidence::evidence, title, extensions, looks_like_##name, read_##name},
constexpr FormatRow kFormats[] = {
#include "import/formats.def"
};
#undef PCHR_FORMAT

std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> result;
  for (std::size_t end = 0; !words.empty(); words.remove_prefix(std::min(end + 1, words.size()))) {
    end = std::min(words.find(' '), words.size());
    result.emplace_back(words.substr(0, end));
  }
  return result;
}

/// Returns whether a file starts like a JSON text in UTF-16.
bool is_utf16_json(std::span<const std::byte> bytes) noexcept {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 16));
  if (!is_utf16(text)) return false;
  const std::size_t first = text.find_first_not_of(std::string_view("\xFF\xFE\0 \t\r\n", 7));
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

/// Returns what a file of another program is, or nothing.
std::string_view foreign_format(std::span<const std::byte> bytes) noexcept {
  constexpr std::pair<std::string_view, std::string_view> kSignatures[] = {
      {"DBDT", "binary DragonBones skeleton (.dbbin)"},
      {"MOC3", "Live2D model (.moc3)"},
      {"RIVE", "Rive file (.riv)"},
      {"Kaydara FBX Binary", "FBX scene (.fbx)"},
      {"BLENDER", "Blender file (.blend)"},
      {"8BPS", "Photoshop document (.psd)"},
      {"PK\x03\x04", "ZIP archive"}};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto* const found =
      std::ranges::find_if(kSignatures, [&](const auto& each) { return text.starts_with(each.first); });
  return found == std::end(kSignatures) ? std::string_view() : found->second;
}

/// Reads a character in the format with the strongest evidence.
Result read(const Source& source, const ReaderOptions& options) {
  const std::span<const std::byte> bytes = source.bytes;
  if (bytes.empty()) return fail(DiagnosticId::truncated, std::uint64_t{0}, "the file is empty");
  if (auto pointer = find_lfs_pointer(bytes)) return Unexpected(*std::move(pointer));
  if (options.vertex_sequence) return read_vertices(source, options);
  if (is_utf16_json(bytes)) return Unexpected(utf16_error());
  for (const Evidence evidence : {Evidence::signature, Evidence::structure, Evidence::text}) {
    for (const FormatRow& format : kFormats) {
      if (format.evidence == evidence && format.looks_like(source)) return format.read(source, options);
    }
  }
  if (const std::string_view foreign = foreign_format(bytes); !foreign.empty()) {
    return fail(DiagnosticId::foreign_format, std::uint64_t{0}, fmt::format("the file is a {}", foreign));
  }
  return fail(DiagnosticId::unknown_format, std::uint64_t{0},
              fmt::format("the file starts with the bytes {:02x}, but a .pchr file starts with 50 43 48 52 (PCHR) and "
                          "a JSON file with {{",
                          fmt::join(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                              std::min<std::size_t>(bytes.size(), 4)),
                                    " ")));
}

/// Returns the file whose bind pose applies: the given one, or the one next to the character at `path`.
std::string find_rig(const ImportOptions& options, const std::string& path) {
  if (!options.rig.empty() && options.before_reading) options.before_reading(options.rig);
  if (!options.rig.empty() || path.empty()) return options.rig;
  std::string beside = rig_path(path);
  if (options.before_reading) options.before_reading(beside);
  if (!options.read_file) return find_kind(beside) != FileKind::none ? beside : "";
  return options.read_file(beside) ? beside : "";
}

/// Reads a character with the bind pose that its rig chooses, unless the caller chose one.
Result read_with_rig(const Source& source, const ImportOptions& options) {
  const bool chooses = !std::holds_alternative<AutomaticBindPose>(options.bind_pose);
  if (chooses || !options.uses_rig) return read(source, reader_options(options, source.path));
  const std::string rig = find_rig(options, source.path);
  if (rig.empty()) return read(source, reader_options(options, source.path));
  // The caller's choice of a file may be a link to anywhere.
  const ReaderOptions plain = reader_options(options, source.path);
  const auto chosen = load_bind_pose(rig, options.rig.empty() ? plain : ReaderOptions{options});
  if (!chosen && chosen.error().id == DiagnosticId::out_of_memory) return Unexpected(chosen.error());
  ReaderOptions obeying = plain;
  if (chosen) obeying.bind_pose = chosen->value_or(AutomaticBindPose{});
  Result result = read(source, obeying);
  std::optional<Diagnostic> error;
  if (!chosen) {
    error = chosen.error();
  } else if (*chosen && !result && result.error().id == DiagnosticId::unknown_bind_clip) {
    error = Diagnostic{
        DiagnosticId::value_out_of_range, "bind", {}, {}, "names a pose that does not exist: " + result.error().detail};
    result = read(source, plain);
  }
  if (!result) return result;
  result->rig_error = std::move(error);
  result->rig_file = rig;
  return result;
}

}  // namespace

Expected<Imported, LoadError> import_character(std::span<const std::byte> bytes, const ImportOptions& options) {
  return or_out_of_memory([&]() -> Result {
    if (bytes.size() > options.limits.max_file_bytes) {
      return fail(DiagnosticId::limit_exceeded, fmt::format("the file has {} bytes, but the limit is {}", bytes.size(),
                                                            options.limits.max_file_bytes));
    }
    return read_with_rig({bytes}, options);
  });
}

Expected<Imported, LoadError> import_character(const std::string& path, const ImportOptions& options) {
  return or_out_of_memory([&]() -> Result {
    if (options.before_reading) options.before_reading(path);
    const auto file = read_named_file(path, options.limits.max_file_bytes, kJsonPadding, options.read_file);
    if (!file) return Unexpected(file.error());
    return read_with_rig({file->bytes(), file->storage.size(), path}, options);
  });
}

const std::vector<InputFormat>& input_formats() {
  static const std::vector<InputFormat> formats = [] {
    std::vector<InputFormat> result;
    for (const FormatRow& format : kFormats) {
      result.push_back({std::string(format.title), split(format.extensions)});
    }
    return result;
  }();
  return formats;
}

std::string list_extensions(std::string_view conjunction, bool all) {
  std::vector<std::string> extensions;
  for (const InputFormat& format : input_formats()) {
    const auto last = all ? format.extensions.end() : format.extensions.begin() + 1;
    for (auto each = format.extensions.begin(); each != last; ++each) {
      if (std::ranges::find(extensions, *each) == extensions.end()) extensions.push_back(*each);
    }
  }
  const std::string last = std::move(extensions.back());
  extensions.pop_back();
  return fmt::format("{} {} {}", fmt::join(extensions, ", "), conjunction, last);
}

bool has_character_name(std::string_view path) {
  const std::string name = lower(file_name_of(path));
  if (name.ends_with(".rig.json") || name.ends_with(".markers.json") || name == "texture.json") return false;
  // Atlases of Spine
  if (name.ends_with(".atlas")) return false;
  if (name.ends_with(".json")) {
    // Atlases of DragonBones: hero_tex.json, hero_tex_0.json
    const std::string_view stem = std::string_view(name).substr(0, name.size() - 5);
    if (stem.substr(0, stem.find_last_not_of("0123456789_") + 1).ends_with("_tex")) return false;
  }
  return std::ranges::any_of(input_formats(), [&](const InputFormat& format) {
    return std::ranges::find(format.extensions, extension_of(name)) != format.extensions.end();
  });
}

}  // namespace pchr
