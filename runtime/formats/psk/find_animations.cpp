// SPDX-License-Identifier: MIT
// The animation files beside an Unreal mesh.
#include "formats/psk/find_animations.hpp"

#include "formats/partial_file.hpp"
#include "formats/psk/clips.hpp"
#include "formats/psk/config.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace pchr::psk {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kHeaderBytes = 32;
constexpr std::uint64_t kMaxBoneBytes = std::uint64_t{8} << 20;  // As many bones as a mesh may have.
constexpr int kMaxChunks = 64;

struct Folder {
  std::vector<fs::path> animations;
  std::vector<std::string> meshes;  ///< Stems.
};

Folder read_folder(const fs::path& path, SearchBudget& budget) {
  Folder folder;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end && budget.take();
       entry.increment(error)) {
    const std::string suffix = lower(entry->path().extension().string());
    std::error_code unknown;
    if (suffix == ".psk" || suffix == ".pskx") folder.meshes.push_back(entry->path().stem().string());
    if (suffix == ".psa" && entry->is_regular_file(unknown)) folder.animations.push_back(entry->path());
  }
  std::ranges::sort(folder.animations);
  return folder;
}

/// The bones of an animation file, read without the rest of it.
std::optional<std::vector<Bone>> read_bones_of(const fs::path& path) {
  const auto file = PartialFile::open(path);
  if (!file) return std::nullopt;
  std::uint64_t at = 0;
  for (int i = 0; i < kMaxChunks; ++i) {
    std::array<std::byte, kHeaderBytes> header{};
    if (!file->read(at, header) || (i == 0 && !is_animation(header))) return std::nullopt;
    std::int32_t record_bytes = 0, count = 0;
    std::memcpy(&record_bytes, &header[24], sizeof(record_bytes));
    std::memcpy(&count, &header[28], sizeof(count));
    if (record_bytes < 0 || count < 0) return std::nullopt;
    const std::uint64_t bytes = static_cast<std::uint64_t>(record_bytes) * static_cast<std::uint64_t>(count);
    constexpr char kBones[] = "BONENAMES";
    if (std::memcmp(header.data(), kBones, sizeof(kBones)) != 0) {
      at += kHeaderBytes + bytes;
      continue;
    }
    if (bytes > kMaxBoneBytes) return std::nullopt;
    std::vector<std::byte> chunk(kHeaderBytes + bytes);
    if (!file->read(at, chunk)) return std::nullopt;
    Remarks ignored;
    const std::vector<Chunk> chunks = read_chunks(chunk, ignored);
    const Chunk* const bones = find_chunk(chunks, "BONENAMES", kBoneBytes, ignored);
    return bones != nullptr ? std::optional(read_bones(*bones)) : std::nullopt;
  }
  return std::nullopt;
}

bool fits(const FoundAnimation& file) { return file.readable && std::uint64_t{file.matched_bones} * 2 >= file.bones; }

double share(const FoundAnimation& file) { return static_cast<double>(file.matched_bones) / file.bones; }

/// 1 where file and mesh have the same bones, 0 where they share none.
double likeness(const FoundAnimation& file, std::size_t mesh_bones) {
  return 2.0 * file.matched_bones / static_cast<double>(file.bones + mesh_bones);
}

constexpr double kAboutAsWell = 0.9;

/// The best share of bones among the files with that name match that fit; 0 where there are none.
double best_share(const std::vector<FoundAnimation>& files, NameMatch name) {
  double best = 0;
  for (const FoundAnimation& file : files) {
    if (file.name == name && fits(file)) best = std::max(best, share(file));
  }
  return best;
}

/// Chooses the files with that name match that fit about as well as the best of them. Returns whether there are any.
bool choose_fitting(std::vector<FoundAnimation>& files, NameMatch name) {
  const double best = best_share(files, name);
  for (FoundAnimation& file : files) {
    file.chosen |= file.name == name && fits(file) && share(file) >= best * kAboutAsWell;
  }
  return best > 0;
}

/// The file that fits best by bones alone, which moves at least half of the mesh's, or null.
FoundAnimation* best_by_bones(std::vector<FoundAnimation>& files, std::size_t mesh_bones) {
  FoundAnimation* best = nullptr;
  for (FoundAnimation& file : files) {
    const bool may_be_it =
        file.name != NameMatch::other_mesh && fits(file) && std::size_t{file.matched_bones} * 2 >= mesh_bones;
    if (may_be_it && (best == nullptr || likeness(file, mesh_bones) > likeness(*best, mesh_bones))) best = &file;
  }
  return best;
}

void choose(std::vector<FoundAnimation>& files, std::size_t mesh_bones) {
  if (choose_fitting(files, NameMatch::pair)) return;
  FoundAnimation* const best = best_by_bones(files, mesh_bones);
  const bool fits_better = best != nullptr && best->name == NameMatch::none &&
                           share(*best) * kAboutAsWell > best_share(files, NameMatch::begins);
  if (!fits_better && choose_fitting(files, NameMatch::begins)) return;
  // Attach these even if they do not fit, so that a warning says why they do not.
  bool any_pair = false;
  for (FoundAnimation& file : files) {
    file.chosen |= file.name == NameMatch::pair || (file.name == NameMatch::begins && !file.readable);
    any_pair |= file.name == NameMatch::pair;
  }
  if (!any_pair && best != nullptr) best->chosen = true;
}

}  // namespace

std::vector<FoundAnimation> find_animations(const fs::path& mesh, const Skeleton& skeleton, const LoadOptions& options,
                                            SearchBudget& budget) {
  const Folder folder = read_folder(mesh.has_parent_path() ? mesh.parent_path() : ".", budget);
  const std::string stem = mesh.stem().string();
  MeshNames names(stem);
  for (const std::string& other : folder.meshes) {
    if (other != stem) names.add(other);
  }
  std::vector<FoundAnimation> files;
  for (const fs::path& path : folder.animations) {
    if (!budget.take()) break;
    if (options.before_reading) options.before_reading(path);
    FoundAnimation file{path, names.match(path.stem().string())};
    if (const auto bones = read_bones_of(path)) {
      file.readable = true;
      file.bones = static_cast<std::uint32_t>(bones->size());
      file.matched_bones = static_cast<std::uint32_t>(match_bones(*bones, skeleton).matched);
    }
    files.push_back(std::move(file));
  }
  const std::size_t mesh_bones = skeleton.bones.size();
  std::ranges::stable_sort(files, [&](const FoundAnimation& a, const FoundAnimation& b) {
    return std::tuple(a.name, likeness(a, mesh_bones)) > std::tuple(b.name, likeness(b, mesh_bones));
  });
  choose(files, mesh_bones);
  std::erase_if(files, [](const FoundAnimation& file) { return !file.chosen && !fits(file); });
  std::ranges::stable_partition(files, &FoundAnimation::chosen);
  return files;
}

}  // namespace pchr::psk
