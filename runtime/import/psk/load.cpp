// SPDX-License-Identifier: MIT
// Loads Unreal meshes with nearby animations and textures.
#include "character/build.hpp"
#include "character/fail.hpp"
#include "character/format.hpp"
#include "import/psk/psk.hpp"
#include "import/formats.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <fmt/ranges.h>

#include <cmath>

namespace pchr {
namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;

bool has_magic(std::span<const std::byte> bytes, std::string_view id) noexcept {
  return bytes.size() >= id.size() && std::memcmp(bytes.data(), id.data(), id.size()) == 0;
}

std::string shown(std::string_view path) { return printable(file_name_of(path)); }

struct AnimationLoader {
  const psk::Skeleton& skeleton;
  const ReaderOptions& options;
  CharacterData& data;
  std::vector<AnimationFile>& files;
  Warnings& warnings;
  std::uint64_t samples_left = options.limits.max_bone_samples;

  void load(const std::string& mesh) {
    for (const std::string& path : options.animations) load_one(path, Origin::named);
    if (mesh.empty()) return;
    const bool attaches = options.animations.empty() || options.also_find_animations;
    psk::SearchBudget budget;
    for (const psk::FoundAnimation& file : psk::find_animations(mesh, skeleton, options, budget)) {
      if (is_requested(file.path)) continue;
      if (attaches && file.chosen) {
        if (!load_one(file.path, Origin::found) || file.name == psk::NameMatch::pair) continue;
        warn(warnings, DiagnosticId::psa_other_name, {}, "\"{}\" was attached because {}; {} of its {} are in the mesh",
             shown(file.path),
             file.name == psk::NameMatch::begins ? "its name starts with the mesh's name" : "its bones fit best",
             file.matched_bones, counted(file.bones, "bone"));
      } else if (file.readable) {
        files.push_back({file.path, file.bones, file.matched_bones, false});
      }
    }
    if (budget.stopped.empty()) return;
    warn(warnings, DiagnosticId::psk_search_stopped, {}, "the search for animations stopped after {}", budget.stopped);
  }

  [[nodiscard]] bool is_requested(const std::string& path) const {
    return std::ranges::any_of(options.animations, [&](const std::string& other) {
      if (options.read_file) return normal_path(path) == normal_path(other);
      return path == other || is_same_file(path, other);
    });
  }

  bool refuse(const std::string& path, const std::string& detail) {
    warn(warnings, DiagnosticId::psa_unusable, {}, "\"{}\" cannot be used: {}", shown(path), detail);
    return false;
  }

  enum class Origin : std::uint8_t { named, found };

  /// Adds the clips of a file. Returns false if it cannot be used.
  bool load_one(const std::string& path, Origin origin) {
    if (options.before_reading) options.before_reading(path);
    const std::uint64_t max_bytes = options.limits.max_file_bytes;
    const auto file = origin == Origin::named ? read_file(path, max_bytes, 0, options.read_file)
                                              : read_found_file(path, max_bytes, options);
    if (!file) return refuse(path, file.error().detail);
    if (!looks_like_psa(file->bytes())) return refuse(path, "the file does not start with ANIMHEAD");
    Warnings own;
    const auto animation = psk::read_animation(file->bytes(), own, options.text_encoding);
    if (!animation) return refuse(path, animation.error().detail);
    const std::uint64_t frames = psk::frames_of(*animation), bones = skeleton.bones.size();
    const std::uint64_t allowed = samples_allowed(animation->keys.size());
    if (frames > allowed / bones) {
      return refuse(path,
                    fmt::format("{} of {} exceed the limit of {} samples for a file with {}", counted(frames, "frame"),
                                counted(bones, "bone"), allowed, counted(animation->keys.size(), "key")));
    }
    samples_left -= frames * bones;
    for (Diagnostic& diagnostic : std::move(own).take()) {
      diagnostic.detail += fmt::format(", in \"{}\"", shown(path));
      warnings.add(diagnostic.id, [&] { return std::move(diagnostic); });
    }
    const psk::Match match = psk::match_bones(animation->bones, skeleton);
    report_bones(path, match, animation->bones.size());
    files.push_back(
        {path, static_cast<std::uint32_t>(animation->bones.size()), static_cast<std::uint32_t>(match.matched), true});
    psk::add_clips(*animation, skeleton, match, config_of(path), data);
    return true;
  }

  /// Returns the sample limit of a file, roughly proportional to its keys. Without it, a small file could require any
  /// number of samples: sequences can share keys, and a mesh can have far more bones than the file.
  [[nodiscard]] std::uint64_t samples_allowed(std::uint64_t keys) const {
    const std::uint64_t limit = options.limits.max_bone_samples;
    const std::uint64_t per_key = std::max<std::uint64_t>(limit >> 18, 1);
    return std::min(samples_left, std::max(limit / 16, keys * per_key));
  }

  void report_bones(const std::string& path, const psk::Match& match, std::size_t tracks) {
    const std::size_t extra = match.extra.size();
    if (match.matched == skeleton.bones.size() && extra == 0) return;
    constexpr std::size_t kMaxNames = 4;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(extra, kMaxNames); ++i) names.push_back(printable(match.extra[i]));
    if (extra > kMaxNames) names.emplace_back("...");
    const bool is_other = (tracks - extra) * 3 < tracks;
    warn(warnings, is_other ? DiagnosticId::psa_other_skeleton : DiagnosticId::psa_bones_unmatched, {},
         "\"{}\" moves {} of {}{}", shown(path), match.matched, counted(skeleton.bones.size(), "bone"),
         extra == 0 ? ""
                    : fmt::format("; the mesh lacks {} of its {} bones: {}", extra, tracks, fmt::join(names, ", ")));
  }

  /// Reads `hero.config` or `hero.psa.config` next to `hero.psa`.
  [[nodiscard]] std::optional<psk::Config> config_of(const std::string& path) {
    for (const bool replaces : {true, false}) {
      const std::string name = replaces ? with_extension(path, ".config") : path + ".config";
      if (options.before_reading) options.before_reading(name);
      const auto file = read_found_file(name, kMaxConfigBytes, options);
      if (!file && file.error().id == DiagnosticId::link_outside) refuse(name, file.error().detail);
      if (!file) continue;
      return psk::read_config({reinterpret_cast<const char*>(file->storage.data()), file->size});
    }
    return std::nullopt;
  }
};

void warn_of_replacements(const psk::Mesh& mesh, const std::string& encoding, Warnings& warnings) {
  const auto is_replaced = [](const auto& each) { return each.name.find("\xEF\xBF\xBD") != std::string::npos; };
  const auto count =
      std::ranges::count_if(mesh.bones, is_replaced) + std::ranges::count_if(mesh.materials, is_replaced);
  if (count == 0) return;
  warn(warnings, DiagnosticId::undecodable_text, {}, "the names are not valid {}; {} could not be read completely",
       printable(encoding), counted(static_cast<std::uint64_t>(count), "name"));
}

}  // namespace

bool looks_like_psa(std::span<const std::byte> bytes) noexcept { return has_magic(bytes, "ANIMHEAD"); }

bool looks_like_psk(const Source& source) {
  return has_magic(source.bytes, "ACTRHEAD") || looks_like_psa(source.bytes);
}

Expected<Imported, LoadError> read_psk(const Source& source, const ReaderOptions& options) {
  if (looks_like_psa(source.bytes)) {
    return fail(DiagnosticId::psa_without_mesh, std::uint64_t{0},
                "the file starts with ANIMHEAD, so it is an animation");
  }
  Warnings warnings;
  const std::string& encoding = options.text_encoding;
  if (!decode_text({}, encoding)) return Unexpected(unknown_encoding_error(encoding));
  const auto mesh = psk::read_mesh(source.bytes, warnings, encoding);
  if (!mesh) return Unexpected(mesh.error());
  if (!encoding.empty()) warn_of_replacements(*mesh, encoding, warnings);
  // Each corner of a face can become a separate vertex.
  if (mesh->faces.size() > options.limits.max_bone_samples / 3) {
    return Unexpected(diagnose(DiagnosticId::limit_exceeded, {},
                               "the mesh has {} faces, but the limit of {} samples allows {}", mesh->faces.size(),
                               options.limits.max_bone_samples, options.limits.max_bone_samples / 3));
  }
  const psk::Skeleton skeleton = psk::make_skeleton(mesh->bones, warnings);
  auto data = psk::make_character(*mesh, skeleton, psk::find_textures(*mesh, options, warnings), warnings);
  if (!data) return Unexpected(std::move(data.error()));
  std::vector<AnimationFile> files;
  AnimationLoader{skeleton, options, *data, files, warnings}.load(source.path);
  // The highest rate represents the file in summaries. Each clip has its own.
  double rate = 30;
  for (const Clip& clip : data->clips) rate = std::max(rate, clip.frames_per_second);
  data->frames_per_second = static_cast<std::uint32_t>(std::lround(std::min(rate, 1.0e6)));
  auto character = CharacterBuilder::build(std::move(*data), options.bind_pose, {}, std::move(warnings));
  if (!character) return Unexpected(std::move(character.error()));
  return Imported{.character = *std::move(character), .format = "Unreal PSK", .animation_files = std::move(files)};
}

}  // namespace pchr
