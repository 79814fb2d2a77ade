// SPDX-License-Identifier: MIT
// Reads characters in any format, which is detected from the content.
#include <pchr/import/import.hpp>

#include "character/fail.hpp"
#include "import/diagnose.hpp"
#include "import/json/pachario_load.hpp"
#include "import/readers.hpp"
#include "import/text_decoding.hpp"
#include "pchr_v1/pchr_v1.hpp"
#include "platform/file_path.hpp"
#include "platform/file_system.hpp"
#include "platform/read_file.hpp"

#include <fmt/ranges.h>

namespace pchr {
namespace {

using Result = Expected<Imported, LoadError>;

Result with_format(Expected<Character, LoadError> character, const char* format) {
  if (!character) return Unexpected(std::move(character.error()));
  return Imported{.character = *std::move(character), .format = format};
}

Result read_binary(std::span<const std::byte> bytes, std::size_t readable, const ImportOptions& options) {
  const auto packed = [&] { return with_format(read_packed(bytes, readable, {options}), "packed Pachario JSON"); };
  if (is_packed(bytes)) return packed();
  auto character = read_pchr_v1(bytes, {options.limits, options.bind_pose});
  const bool is_v1 = character || character.error().id == DiagnosticId::unsupported_version;
  return is_v1 || !resembles_packed(bytes) ? with_format(std::move(character), "PCHR v1") : packed();
}

/// Reads a character. `readable` bytes from the start of `bytes` may be read; those past the end are padding for a
/// parser. `path` is empty for a file in memory. A text without commands is a Pomyu character only if `path` ends with
/// .chp.
Result read(std::span<const std::byte> bytes, std::size_t readable, const ImportOptions& options,
            const std::string& path = {}) {
  if (bytes.empty()) return fail(DiagnosticId::truncated, std::uint64_t{0}, "the file is empty");
  if (auto pointer = find_lfs_pointer(bytes)) return Unexpected(*std::move(pointer));
  if (looks_like_px(bytes)) return read_px(bytes, options);
  if (has_v1_magic(bytes)) return read_binary(bytes, readable, options);
  if (looks_like_json(bytes))
    return with_format(read_json(bytes, readable, reader_options(options, path)), "Pachario JSON");
  if (looks_like_psk(bytes)) return read_psk(bytes, reader_options(options, path), path);
  if (looks_like_psa(bytes)) {
    return fail(DiagnosticId::psa_without_mesh, std::uint64_t{0},
                "the file starts with ANIMHEAD, so it is an animation");
  }
  if (lower(extension_of(path)) == ".chp" || looks_like_chp(bytes))
    return read_chp(bytes, reader_options(options, path));
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
Result read_with_rig(std::span<const std::byte> bytes, std::size_t readable, const ImportOptions& options,
                     const std::string& path = {}) {
  const bool chooses = !std::holds_alternative<AutomaticBindPose>(options.bind_pose);
  if (chooses || !options.uses_rig) return read(bytes, readable, options, path);
  const std::string rig = find_rig(options, path);
  if (rig.empty()) return read(bytes, readable, options, path);
  // The caller's choice of a file may be a link to anywhere.
  const auto chosen = load_bind_pose(rig, options.rig.empty() ? reader_options(options, path) : ReaderOptions{options});
  if (!chosen && chosen.error().id == DiagnosticId::out_of_memory) return Unexpected(chosen.error());
  ImportOptions obeying = options;
  if (chosen) obeying.bind_pose = chosen->value_or(AutomaticBindPose{});
  Result result = read(bytes, readable, obeying, path);
  std::optional<Diagnostic> error;
  if (!chosen) {
    error = chosen.error();
  } else if (*chosen && !result && result.error().id == DiagnosticId::unknown_bind_clip) {
    error = Diagnostic{
        DiagnosticId::value_out_of_range, "bind", {}, {}, "names a pose that does not exist: " + result.error().detail};
    result = read(bytes, readable, options, path);
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
    return read_with_rig(bytes, bytes.size(), options);
  });
}

Expected<Imported, LoadError> import_character(const std::string& path, const ImportOptions& options) {
  return or_out_of_memory([&]() -> Result {
    if (options.before_reading) options.before_reading(path);
    const auto file = read_named_file(path, options.limits.max_file_bytes, kJsonPadding, options.read_file);
    if (!file) return Unexpected(file.error());
    return read_with_rig(file->bytes(), file->storage.size(), options, path);
  });
}

}  // namespace pchr
