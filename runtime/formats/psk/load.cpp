// SPDX-License-Identifier: MIT
// Unreal meshes with the animations and textures near them.
#include "formats/psk/load.hpp"

#include "formats/psk/build.hpp"
#include "formats/psk/clips.hpp"
#include "formats/read_file.hpp"
#include "model/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace pchr {
namespace {

namespace fs = std::filesystem;

// To find those that fit, each has to be read.
constexpr std::size_t kMostTried = 64;
constexpr std::size_t kMostConfigBytes = std::size_t{4} << 20;

std::vector<fs::path> animations_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (psk::lower(entry->path().extension().string()) == ".psa") paths.push_back(entry->path());
  }
  std::ranges::sort(paths);
  return paths;
}

/// Attaches animations to one character.
class AnimationLoader {
 public:
  AnimationLoader(const psk::Skeleton& skeleton, const LoadOptions& options, CharacterData& data, Remarks& remarks)
      : skeleton_(skeleton),
        options_(options),
        data_(data),
        remarks_(remarks),
        samples_left_(options.limits.max_bone_samples) {}

  void load(const fs::path& mesh) {
    for (const fs::path& path : options_.animations) load_one(path, Wanted::yes);
    if (mesh.empty()) return;
    const std::string stem = psk::lower(mesh.stem().string());
    std::vector<fs::path> others;
    for (fs::path& path : animations_in(mesh.has_parent_path() ? mesh.parent_path() : ".")) {
      if (is_asked_for(path)) continue;
      const bool is_named = psk::lower(path.stem().string()).starts_with(stem);
      is_named ? load_one(path, Wanted::yes) : others.push_back(std::move(path));
    }
    if (!data_.clips.empty() || !options_.animations.empty()) return;
    others.resize(std::min(others.size(), kMostTried));
    for (const fs::path& path : others) load_one(path, Wanted::if_it_fits);
  }

 private:
  enum class Wanted : std::uint8_t { yes, if_it_fits };

  [[nodiscard]] bool is_asked_for(const fs::path& path) const {
    return std::ranges::any_of(options_.animations, [&](const fs::path& other) {
      std::error_code error;
      return path == other || fs::equivalent(path, other, error);
    });
  }

  /// Files that are tried and do not fit are none of the character's.
  void announce(const fs::path& path) const {
    if (options_.before_reading) options_.before_reading(path);
  }

  void refuse(const fs::path& path, Wanted wanted, std::string detail) {
    if (wanted == Wanted::if_it_fits) return;
    remarks_.add(FindingId::psa_unusable, [&] {
      return Finding{
          FindingId::psa_unusable, {}, {}, {}, fmt::format("\"{}\": {}", printable(path.filename().string()), detail)};
    });
  }

  void load_one(const fs::path& path, Wanted wanted) {
    if (wanted == Wanted::yes) announce(path);
    const auto file = read_file(path, options_.limits.max_file_bytes);
    if (!file) return refuse(path, wanted, file.error().detail);
    if (!psk::is_animation(file->bytes())) return refuse(path, wanted, "it does not begin with ANIMHEAD");
    Remarks remarks;
    const auto animation = psk::read_animation(file->bytes(), remarks);
    if (!animation) return refuse(path, wanted, animation.error().detail);
    const psk::Match match = psk::match_bones(animation->bones, skeleton_);
    if (wanted == Wanted::if_it_fits && match.extra.size() * 2 > animation->bones.size()) return;
    if (wanted == Wanted::if_it_fits) announce(path);
    const std::uint64_t samples = psk::samples_of(*animation, skeleton_);
    if (samples > samples_left_) {
      return refuse(path, wanted,
                    fmt::format("its {} samples go beyond the limit of {}", samples, options_.limits.max_bone_samples));
    }
    samples_left_ -= samples;
    for (Finding& finding : std::move(remarks).take()) {
      finding.detail += fmt::format(" (in \"{}\")", printable(path.filename().string()));
      remarks_.add(finding.id, [&] { return std::move(finding); });
    }
    report(path, match, animation->bones.size());
    psk::add_clips(*animation, skeleton_, match, config_of(path), data_);
  }

  void report(const fs::path& path, const psk::Match& match, std::size_t tracks) {
    if (match.matched == skeleton_.bones.size() && match.extra.empty()) return;
    const bool is_other = (tracks - match.extra.size()) * 3 < tracks;
    const FindingId id = is_other ? FindingId::psa_other_skeleton : FindingId::psa_bones_unmatched;
    remarks_.add(id, [&] {
      std::string detail = fmt::format("\"{}\" moves {} of {} bones", printable(path.filename().string()),
                                       match.matched, skeleton_.bones.size());
      if (!match.extra.empty()) {
        constexpr std::size_t kMostNames = 4;
        std::vector<std::string> names;
        for (const std::string& name : std::span(match.extra).first(std::min(match.extra.size(), kMostNames))) {
          names.push_back(printable(name));
        }
        detail += fmt::format("; {} of its {} are not in this mesh: {}{}", match.extra.size(), tracks,
                              fmt::join(names, ", "), match.extra.size() > kMostNames ? ", ..." : "");
      }
      return Finding{id, {}, {}, {}, std::move(detail)};
    });
  }

  /// Beside `hero.psa` that is `hero.config`, or `hero.psa.config`.
  static std::optional<psk::Config> config_of(fs::path path) {
    for (const bool replaces : {true, false}) {
      fs::path name = path;
      replaces ? name.replace_extension(".config") : name += ".config";
      const auto file = read_file(name, kMostConfigBytes);
      if (!file) continue;
      return psk::read_config({reinterpret_cast<const char*>(file->storage.data()), file->size});
    }
    return std::nullopt;
  }

  const psk::Skeleton& skeleton_;
  const LoadOptions& options_;
  CharacterData& data_;
  Remarks& remarks_;
  std::uint64_t samples_left_;
};

/// For a summary; each clip has its own.
std::uint32_t highest_rate(const CharacterData& data) {
  double rate = 30;
  for (const Clip& clip : data.clips) rate = std::max(rate, clip.frames_per_second);
  return static_cast<std::uint32_t>(std::lround(std::min(rate, 1.0e6)));
}

}  // namespace

std::expected<Character, LoadError> read_psk(std::span<const std::byte> bytes, const LoadOptions& options,
                                             const std::filesystem::path& path) {
  Remarks remarks;
  const auto mesh = psk::read_mesh(bytes, remarks);
  if (!mesh) return std::unexpected(mesh.error());
  const psk::Skeleton skeleton = psk::make_skeleton(mesh->bones, remarks);
  auto data = psk::make_character(*mesh, skeleton, psk::find_textures(*mesh, options, remarks), remarks);
  if (!data) return std::unexpected(std::move(data.error()));
  AnimationLoader(skeleton, options, *data, remarks).load(path);
  data->frames_per_second = highest_rate(*data);
  return CharacterBuilder::build(std::move(*data), options.bind_pose, {}, std::move(remarks));
}

}  // namespace pchr
