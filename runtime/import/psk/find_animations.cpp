// SPDX-License-Identifier: MIT
// Finds the .psa files of an Unreal mesh.
#include "import/psk/search.hpp"

#include "import/folders.hpp"
#include "import/readers.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/read_file.hpp"

#include <cctype>

namespace pchr::psk {
namespace {

constexpr std::uint64_t kChunkHeaderBytes = 32;
constexpr std::uint64_t kMaxBoneBytes = std::uint64_t{8} << 20;  // Enough for the maximum number of bones.
constexpr int kMaxChunks = 64;
/// Ratio of bone shares above which two files fit about equally well.
constexpr double kAboutAsWell = 0.9;

constexpr std::array<std::string_view, 6> kPrefixes{"sk_", "skm_", "sm_", "as_", "a_", "anim_"};
constexpr std::array<std::string_view, 10> kSuffixes{"animations",   "animation", "animset", "anims", "anim",
                                                     "skeletalmesh", "skeleton",  "skel",    "mesh",  "lod"};
constexpr std::string_view kSeparators = "_-. ";

bool is_upper(char letter) { return std::isupper(static_cast<unsigned char>(letter)) != 0; }
bool is_separator(char letter) { return kSeparators.find(letter) != std::string_view::npos; }

/// Removes one suffix that marks a mesh or an animation. LODs have a number.
std::string_view without_suffix(std::string_view name) {
  const std::string low = lower(name);
  for (const std::string_view suffix : kSuffixes) {
    std::string_view rest = low;
    if (suffix == "lod") {
      rest = rest.substr(0, rest.find_last_not_of("0123456789") + 1);
      if (rest.size() == low.size()) continue;
    }
    if (!rest.ends_with(suffix)) continue;
    rest.remove_suffix(suffix.size());
    rest = rest.substr(0, rest.find_last_not_of(kSeparators) + 1);
    if (!rest.empty()) return name.substr(0, rest.size());
  }
  return name;
}

/// Returns whether a word of `name` ends before `at`: hero|_run, hero|Run.
bool is_boundary(std::string_view name, std::size_t at) {
  return at == name.size() || is_separator(name[at]) || (is_upper(name[at]) && !is_upper(name[at - 1]));
}

/// Returns the name of the subject without the usual marks of meshes and animations, such as SK_, _LOD0, Mesh and
/// Anims.
std::string_view subject_of(std::string_view stem) {
  const std::string low = lower(stem);
  const auto prefix = std::ranges::find_if(
      kPrefixes, [&](std::string_view each) { return low.starts_with(each) && low.size() > each.size(); });
  if (prefix != kPrefixes.end()) stem.remove_prefix(prefix->size());
  for (std::size_t size = 0; size != stem.size();) {
    size = stem.size();
    stem = without_suffix(stem);
  }
  return stem;
}

/// Reads the bones of an animation file without the rest of it, which only the file system can do.
std::optional<std::vector<Bone>> read_bones_of(const std::string& path, const ReaderOptions& options) {
  std::optional<FileBytes> whole;
  if (options.read_file) {
    auto file = read_file(path, options.limits.max_file_bytes, 0, options.read_file);
    if (!file) return std::nullopt;
    whole = *std::move(file);
  }
  const auto folders = whole ? std::vector<std::string>() : real_folders_of(path, options);
  const auto read_part_of_file = [&](std::uint64_t offset, std::span<std::byte> bytes) {
    if (!whole) return read_part(folders, path, offset, bytes);
    if (offset > whole->size || bytes.size() > whole->size - offset) return false;
    std::ranges::copy(whole->bytes().subspan(offset, bytes.size()), bytes.begin());
    return true;
  };
  std::uint64_t at = 0;
  for (int i = 0; i < kMaxChunks; ++i) {
    std::array<std::byte, kChunkHeaderBytes> header{};
    if (!read_part_of_file(at, header) || (i == 0 && !looks_like_psa(header))) return std::nullopt;
    std::int32_t record_bytes = 0, count = 0;
    std::memcpy(&record_bytes, &header[24], sizeof(record_bytes));
    std::memcpy(&count, &header[28], sizeof(count));
    if (record_bytes < 0 || count < 0) return std::nullopt;
    const std::uint64_t bytes = static_cast<std::uint64_t>(record_bytes) * static_cast<std::uint64_t>(count);
    constexpr char kBones[] = "BONENAMES";
    if (std::memcmp(header.data(), kBones, sizeof(kBones)) != 0) {
      at += kChunkHeaderBytes + bytes;
      continue;
    }
    if (bytes > kMaxBoneBytes) return std::nullopt;
    std::vector<std::byte> chunk(kChunkHeaderBytes + bytes);
    if (!read_part_of_file(at, chunk)) return std::nullopt;
    Warnings ignored;
    const std::vector<Chunk> chunks = read_chunks(chunk, ignored);
    const Chunk bones = find_chunk(chunks, "BONENAMES", kBoneBytes, ignored);
    return bones.count > 0 ? std::optional(read_bones(bones)) : std::nullopt;
  }
  return std::nullopt;
}

bool fits(const FoundAnimation& file) { return file.readable && std::uint64_t{file.matched_bones} * 2 >= file.bones; }

double share(const FoundAnimation& file) { return static_cast<double>(file.matched_bones) / file.bones; }

/// Returns 1 if the file and the mesh have the same bones, and 0 if they share none.
double likeness(const FoundAnimation& file, std::size_t mesh_bones) {
  return 2.0 * file.matched_bones / static_cast<double>(file.bones + mesh_bones);
}

/// Returns the best share of bones among fitting files with the given name match, or 0 if there are none.
double best_share(const std::vector<FoundAnimation>& files, NameMatch name) {
  double best = 0;
  for (const FoundAnimation& file : files) {
    if (file.name == name && fits(file)) best = std::max(best, share(file));
  }
  return best;
}

/// Chooses the files with the given name match that fit about as well as the best of them. Returns false if none fits.
bool choose_fitting(std::vector<FoundAnimation>& files, NameMatch name) {
  const double best = best_share(files, name);
  for (FoundAnimation& file : files) {
    file.chosen |= file.name == name && fits(file) && share(file) >= best * kAboutAsWell;
  }
  return best > 0;
}

/// Returns the file whose bones fit best, if it moves at least half of the mesh's bones, or null.
FoundAnimation* best_by_bones(std::vector<FoundAnimation>& files, std::size_t mesh_bones) {
  FoundAnimation* best = nullptr;
  for (FoundAnimation& file : files) {
    const bool is_candidate =
        file.name != NameMatch::other_mesh && fits(file) && std::size_t{file.matched_bones} * 2 >= mesh_bones;
    if (is_candidate && (best == nullptr || likeness(file, mesh_bones) > likeness(*best, mesh_bones))) best = &file;
  }
  return best;
}

void choose(std::vector<FoundAnimation>& files, std::size_t mesh_bones) {
  if (choose_fitting(files, NameMatch::pair)) return;
  FoundAnimation* const best = best_by_bones(files, mesh_bones);
  const bool fits_better = best != nullptr && best->name == NameMatch::none &&
                           share(*best) * kAboutAsWell > best_share(files, NameMatch::begins);
  if (!fits_better && choose_fitting(files, NameMatch::begins)) return;
  // Attach these even if they do not fit, so that a warning explains why.
  for (FoundAnimation& file : files) {
    file.chosen |= file.name == NameMatch::pair || (file.name == NameMatch::begins && !file.readable);
  }
  const bool any_pair = std::ranges::find(files, NameMatch::pair, &FoundAnimation::name) != files.end();
  if (!any_pair && best != nullptr) best->chosen = true;
}

}  // namespace

MeshNames::MeshNames(std::string_view mesh) : stem_(lower(mesh)), subject_(lower(subject_of(mesh))) {}

void MeshNames::add(std::string_view other) {
  other_stems_.insert(lower(other));
  other_subjects_.insert(lower(subject_of(other)));
}

NameMatch MeshNames::match(std::string_view animation) const {
  const std::string stem = lower(animation);
  if (stem == stem_) return NameMatch::pair;
  if (other_stems_.contains(stem)) return NameMatch::other_mesh;
  const std::string_view name = subject_of(animation);
  const std::string subject = lower(name);
  // The animation belongs to the mesh with the longest name that is a prefix of its own.
  for (std::size_t size = subject.size(); size > 0; --size) {
    if (!is_boundary(name, size)) continue;
    const std::string_view front = std::string_view(subject).substr(0, size);
    if (front == subject_) return size == subject.size() ? NameMatch::pair : NameMatch::begins;
    if (other_subjects_.contains(front)) return NameMatch::other_mesh;
  }
  return NameMatch::none;
}

std::vector<FoundAnimation> find_animations(const std::string& mesh, const Skeleton& skeleton,
                                            const ReaderOptions& options, SearchBudget& budget) {
  MeshNames names(stem_of(mesh));
  std::vector<std::string> animations;
  const auto collect = [&](std::string path, FileKind kind) {
    if (!budget.take()) return false;
    const std::string suffix = lower(extension_of(path));
    const bool is_mesh = suffix == ".psk" || suffix == ".pskx";
    if (is_mesh && stem_of(path) != stem_of(mesh)) names.add(stem_of(path));
    if (suffix == ".psa" && kind == FileKind::file) animations.push_back(std::move(path));
    return true;
  };
  const std::string folder(folder_of(mesh));
  visit_folder(folder.empty() ? "." : folder, options, collect);
  std::ranges::sort(animations);
  std::vector<FoundAnimation> files;
  for (const std::string& path : animations) {
    if (!budget.take()) break;
    if (options.before_reading) options.before_reading(path);
    FoundAnimation file{path, names.match(stem_of(path))};
    if (const auto bones = read_bones_of(path, options)) {
      file.readable = true;
      file.bones = static_cast<std::uint32_t>(bones->size());
      file.matched_bones = static_cast<std::uint32_t>(match_bones(*bones, skeleton).matched);
    }
    files.push_back(std::move(file));
  }
  const std::size_t mesh_bones = skeleton.bones.size();
  std::ranges::stable_sort(files, std::greater(), [&](const FoundAnimation& file) {
    return std::pair(file.name, likeness(file, mesh_bones));
  });
  choose(files, mesh_bones);
  std::erase_if(files, [](const FoundAnimation& file) { return !file.chosen && !fits(file); });
  std::ranges::stable_partition(files, &FoundAnimation::chosen);
  return files;
}

}  // namespace pchr::psk
