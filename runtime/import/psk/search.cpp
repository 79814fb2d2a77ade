// SPDX-License-Identifier: MIT
// Finds the textures and the animations of an Unreal mesh.
#include "import/psk/psk.hpp"

#include "import/formats.hpp"
#include "import/images/image_file.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/output_file.hpp"
#include "platform/files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>
#include <tuple>

namespace pchr::psk {
namespace {

constexpr std::size_t kMaxFoldersAbove = 8;
constexpr std::size_t kMaxDepth = 16;
/// Other files that exporters of Unreal packages write.
constexpr std::array<std::string_view, 21> kExportEndings{
    ".psk", ".pskx",   ".psa",  ".config", ".props.txt", ".json", ".hdr", ".gltf", ".glb", ".bin",   ".fbx",
    ".obj", ".uasset", ".uexp", ".ubulk",  ".umap",      ".upk",  ".wav", ".ogg",  ".wem", ".ueanim"};

bool has_ending(std::string_view name, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string lower_name(std::string_view path) { return folded_name(file_name_of(path)); }

/// Returns whether a folder can contain anything, so that it is not part of an export.
bool is_no_export(const std::string& folder) { return folder_of(folder) == folder || is_personal_folder(folder); }

bool is_same_folder(std::string_view a, std::string_view b) {
  return a == b || (a == "game" && b == "content") || (a == "content" && b == "game");
}

/// Returns how many folders of the object, from the last one, contain the file.
std::size_t folders_shared(std::string_view path, const ObjectPath& object) {
  std::size_t count = 0;
  std::string_view folder = folder_of(path);
  while (count < object.folders.size() && !file_name_of(folder).empty() &&
         is_same_folder(lower_name(folder), object.folders[object.folders.size() - 1 - count])) {
    folder = folder_of(folder);
    ++count;
  }
  return count;
}

/// Returns how many leading names two paths have in common.
std::size_t common_names(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

constexpr std::size_t kMaxMaterialBytes = std::size_t{64} << 10;
/// Unreal's flags for materials with transparent parts.
constexpr std::uint32_t kMasked = 0x2, kTranslucent = 0x4;

/// Returns the name of the image in a .mat file of UE Viewer, or nothing.
std::string diffuse_in(const FileBytes& file) {
  std::string_view text(reinterpret_cast<const char*>(file.storage.data()), file.size);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    constexpr std::string_view kDiffuse = "Diffuse=";
    if (line.starts_with(kDiffuse)) return std::string(line.substr(kDiffuse.size()));
  }
  return {};
}

/// Returns one of a sequence of hues that differ as much as possible at any length.
std::array<std::uint8_t, 4> color_of(std::size_t number) {
  constexpr double kGoldenTurn = 0.618033988749895;
  const double hue = std::fmod(0.58 + kGoldenTurn * static_cast<double>(number), 1.0) * 6;
  const auto channel = [&](double center) {
    const double distance = std::abs(std::fmod(hue - center + 9, 6.0) - 3);
    const double full = std::clamp(2 - distance, 0.0, 1.0);
    return static_cast<std::uint8_t>(std::lround(128 + 92 * full));
  };
  return {channel(0), channel(2), channel(4), 255};
}

struct TextureFinder {
  const ReaderOptions& options;
  Warnings& warnings;
  std::uint64_t pixels_left = options.limits.max_image_pixels;
  SearchBudget budget{};
  FileFinder files{options, budget};
  std::map<std::pair<std::string, bool>, std::uint32_t> known{};
  Textures textures{};

  Textures find_all(const Mesh& mesh) && {
    const std::size_t count = mesh.materials.size();
    textures.image_of_material.resize(count + 1);
    std::vector<bool> used(count + 1);
    for (const Face& face : mesh.faces) used[std::min<std::size_t>(face.material, count)] = true;
    bool is_missing = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!used[i]) continue;
      const auto image = image_of(mesh.materials[i], i);
      is_missing = is_missing || !image;
      textures.image_of_material[i] = image ? *image : add_color(mesh.materials[i].name, i);
    }
    if (used[count]) textures.image_of_material[count] = add_color("no material", static_cast<std::uint32_t>(count));
    if (const std::string stopped = files.stopped(); is_missing && !stopped.empty()) {
      warn(warnings, DiagnosticId::psk_search_stopped, {}, "the search for textures stopped after {}", stopped);
    }
    return std::move(textures);
  }

  struct Texture {
    std::uint32_t image = 0;
    std::string path;
    std::string material;  ///< The .mat file that refers to it, if any.
    bool guessed = false;
  };

  std::optional<std::uint32_t> image_of(const Material& material, std::uint32_t number) {
    const bool transparent = (material.poly_flags & (kMasked | kTranslucent)) != 0;
    const std::string path = fmt::format("materials[{}]", number);
    const At at{.path = path, .name = material.name};
    std::vector<std::string> problems;
    if (const auto texture = find(read_object_path(material.name), {}, transparent, problems)) {
      if (texture->guessed) {
        warn(warnings, DiagnosticId::psk_texture_elsewhere, at, "uses \"{}\", which is outside the mesh's folder{}",
             shown(texture->path),
             texture->material.empty() ? "" : fmt::format(" (named in \"{}\")", shown(texture->material)));
      }
      return texture->image;
    }
    const bool nowhere = options.image_folder.empty() && options.texture_folders.empty() && options.images.empty();
    if (nowhere) problems = {"a mesh loaded from memory has no folder to search"};
    if (material.is_encoding_guessed) {
      problems.emplace_back("its name is not UTF-8 and was read as Windows-1252, unless --encoding names another");
    }
    warn(warnings, DiagnosticId::psk_texture_missing, at, "has no texture: {}", fmt::join(problems, "; "));
    return std::nullopt;
  }

  std::uint32_t add_color(const std::string& name, std::uint32_t number) {
    constexpr std::uint32_t kSide = 2;
    Image image{name, kSide, kSide, ImageEncoding::rgba8888, {}};
    for (std::uint32_t pixel = 0; pixel < kSide * kSide; ++pixel) {
      for (const std::uint8_t channel : color_of(number)) image.bytes.push_back(std::byte{channel});
    }
    return add(std::move(image));
  }

  std::uint32_t add(Image image) {
    textures.images.push_back(std::move(image));
    return static_cast<std::uint32_t>(textures.images.size() - 1);
  }

  /// Finds the texture with the name of the object, or through a .mat file with that name. `material` is the .mat file
  /// that refers to the object, if any.
  std::optional<Texture> find(const ObjectPath& object, const std::string& material, bool transparent,
                              std::vector<std::string>& problems) {
    const bool is_diffuse = !material.empty();
    const std::string folder(is_diffuse ? folder_of(material) : files.mesh_folder());
    const std::span<const std::string_view> endings = is_diffuse ? kImageEndings : std::span(kMaterialEndings);
    while (const auto found = files.find(object, endings, folder)) {
      if (lower(extension_of(found->path)) != ".mat") {
        if (const auto image = image_at(found->path, transparent, problems)) {
          return Texture{*image, found->path, material,
                         found->guessed && folder_of(found->path) != folder_of(material)};
        }
      } else if (auto texture = find_diffuse(found->path, transparent, problems)) {
        texture->guessed |= found->guessed;
        return texture;
      }
      files.reject(found->path);
    }
    problems.push_back(fmt::format("found no file \"{}\" with the extension .png, .bmp or .tga",
                                   printable(object.names.empty() ? std::string() : object.names.front())));
    return std::nullopt;
  }

  std::optional<Texture> find_diffuse(const std::string& material, bool transparent,
                                      std::vector<std::string>& problems) {
    announce(material);
    const auto file = read(material, kMaxMaterialBytes);
    if (!file && file.error().id == DiagnosticId::link_outside) refuse(material, file.error().detail, problems);
    const ObjectPath object = read_object_path(file ? decode_name(diffuse_in(*file), options.text_encoding) : "");
    if (object.names.empty()) return std::nullopt;
    return find(object, material, transparent, problems);
  }

  [[nodiscard]] std::string shown(const std::string& path) const {
    return printable(path_from(files.mesh_folder(), path));
  }

  /// Reports a file before it is read. Paths below the mesh's folder start with the folder as given in the options.
  void announce(const std::string& path) const {
    if (!options.before_reading) return;
    const std::string below = path_from(files.mesh_folder(), path);
    const bool is_below = !files.mesh_folder().empty() && !below.empty() && !below.starts_with("../");
    options.before_reading(is_below ? path_in(options.image_folder, below) : path);
  }

  /// Returns the index of the image in a file. Reads each file once for all materials.
  std::optional<std::uint32_t> image_at(const std::string& path, bool transparent, std::vector<std::string>& problems) {
    const auto found = known.find({path, transparent});
    if (found != known.end()) return found->second;
    auto image = read_image(path, transparent);
    if (!image) {
      refuse(path, image.error(), problems);
      return std::nullopt;
    }
    return known[{path, transparent}] = add(*std::move(image));
  }

  static void refuse(const std::string& path, const std::string& why, std::vector<std::string>& problems) {
    problems.push_back(fmt::format("\"{}\" cannot be used: {}", printable(file_name_of(path)), why));
  }

  [[nodiscard]] Expected<FileBytes, Diagnostic> read(const std::string& path, std::uint64_t max_bytes) const {
    const bool is_given = std::ranges::find(options.images, path) != options.images.end();
    return is_given ? read_file(path, max_bytes, 0, options.read_file) : read_found_file(path, max_bytes, options);
  }

  Expected<Image, std::string> read_image(const std::string& path, bool transparent) {
    announce(path);
    const auto file = read(path, options.limits.max_file_bytes);
    if (!file) return Unexpected(file.error().detail);
    const bool is_tga = lower(extension_of(path)) == ".tga";
    auto bitmap = is_tga ? decode_tga(file->bytes(), pixels_left) : decode_image_file(file->bytes(), pixels_left);
    if (!bitmap) return Unexpected(std::move(bitmap.error()));
    pixels_left -= std::uint64_t{bitmap->width} * bitmap->height;
    if (!transparent) {
      // Unreal stores other data in alpha, such as shininess.
      for (std::size_t i = 3; i < bitmap->rgba.size(); i += 4) bitmap->rgba[i] = 255;
    }
    const auto pixels = std::as_bytes(std::span(bitmap->rgba));
    return Image{printable(file_name_of(path)),
                 bitmap->width,
                 bitmap->height,
                 ImageEncoding::rgba8888,
                 {pixels.begin(), pixels.end()}};
  }
};

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
    const std::vector<Chunk> chunks = read_chunks(chunk, ignored, options.text_encoding);
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

ObjectPath read_object_path(std::string_view text) {
  // Material3'Package.Name' starts with the class.
  if (const std::size_t quote = text.find('\''); quote != std::string_view::npos) {
    text.remove_prefix(quote + 1);
    text = text.substr(0, text.find('\''));
  }
  std::string path = folded_name(text);
  std::ranges::replace(path, '\\', '/');
  ObjectPath object{.spelled = std::string(text)};
  std::size_t slash = 0;
  while ((slash = path.find('/')) != std::string::npos) {
    // Only listed files are found, so `..` leads nowhere.
    if (slash > 0) object.folders.push_back(path.substr(0, slash));
    path.erase(0, slash + 1);
  }
  if (path.empty()) return object;
  const std::size_t dot = path.rfind('.');
  if (has_ending(path, kImageEndings)) {
    object.names.push_back(path.substr(0, dot));
    return object;
  }
  const bool has_package = !object.folders.empty() && dot != std::string::npos;
  if (!has_package) object.names.push_back(path);
  // Blender appends a number to a duplicate name.
  if (dot == std::string::npos || path.find_first_not_of("0123456789", dot + 1) == std::string::npos) return object;
  object.names.push_back(path.substr(dot + 1));
  if (has_package) {
    object.names.push_back(path.substr(0, path.find('.')));
  } else if (object.folders.empty()) {
    // Either Package.Group.Name or a name with dots.
    std::string_view groups = std::string_view(path).substr(0, dot);
    while (!groups.empty()) {
      const std::size_t end = std::min(groups.find('.'), groups.size());
      object.folders.emplace_back(groups.substr(0, end));
      groups.remove_prefix(std::min(end + 1, groups.size()));
    }
  }
  return object;
}

FileFinder::FileFinder(const ReaderOptions& options, SearchBudget& budget) : options_(options), budget_(budget) {
  for (const std::string& image : options.images) given_[folded_name(file_name_of(image), options)].push_back(image);
  for (const std::string& folder : options.texture_folders) list_below(absolute_folder(folder, options), named_, true);
  if (options.image_folder.empty()) return;
  mesh_folder_ = absolute_folder(options.image_folder, options);
  list(mesh_folder_, near_);
  for (std::string folder(folder_of(mesh_folder_)); !is_no_export(folder) && above_.size() < kMaxFoldersAbove;
       folder = std::string(folder_of(folder))) {
    above_.push_back(folder);
  }
}

const FileFinder::Listing& FileFinder::list(const std::string& folder, Index& index) {
  const auto [at, is_new] = listings_.try_emplace(folder);
  Listing& listing = at->second;
  if (!is_new) return listing;
  const auto add = [&](std::string path, FileKind kind) {
    if (!budget_.take()) return false;
    const std::string name = folded_name(file_name_of(path), options_);
    if (kind == FileKind::folder || kind == FileKind::link_to_folder) {
      listing.is_of_export &= name != ".git";
      // A link can lead anywhere, even back.
      if (!name.starts_with('.') && kind == FileKind::folder) listing.folders.push_back(std::move(path));
    } else if (has_ending(name, kMaterialEndings)) {
      if (kind == FileKind::file) index[name].push_back(std::move(path));
    } else if (!has_ending(name, kExportEndings) && !name.starts_with(kHiddenPrefix)) {
      listing.is_of_export = false;
    }
    return true;
  };
  visit_folder(folder, options_, add);
  // The order of directory entries depends on the system.
  std::ranges::sort(listing.folders);
  return listing;
}

/// Lists a folder and its subfolders, or everything below it if `all` is set.
void FileFinder::list_below(const std::string& folder, Index& index, bool all) {
  std::vector<std::string> level{folder};
  for (std::size_t depth = 0; depth <= (all ? kMaxDepth : 1) && !level.empty(); ++depth) {
    std::vector<std::string> next;
    for (const std::string& at : level) {
      const Listing& listing = list(at, index);
      next.insert(next.end(), listing.folders.begin(), listing.folders.end());
    }
    level = std::move(next);
  }
}

/// Lists the siblings of a folder that is not the mesh's.
void FileFinder::list_around(const std::string& folder) {
  if (folder == mesh_folder_ || folder.empty()) return;
  list_below(folder, near_, false);
  const std::string above(folder_of(folder));
  if (!is_no_export(above)) list_below(above, near_, false);
}

/// Lists the folders to which the object's path leads from the folders above the mesh, with and without Game.
void FileFinder::follow(const ObjectPath& object) {
  if (object.folders.empty()) return;
  for (const std::string& start : above_) {
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
      std::string at = start;
      for (std::size_t i = first; i < object.folders.size() && !at.empty(); ++i) {
        const std::vector<std::string>& folders = list(at, near_).folders;
        const auto found = std::ranges::find_if(
            folders, [&](const std::string& folder) { return is_same_folder(lower_name(folder), object.folders[i]); });
        at = found != folders.end() ? *found : std::string();
      }
      if (!at.empty() && at != start) list(at, near_);
    }
  }
}

/// Lists everything below the next folder above the mesh. Returns false if there is none.
bool FileFinder::climb() {
  if (at_root_ || climbed_ == above_.size()) {
    at_limit_ = !at_root_ && above_.size() == kMaxFoldersAbove;
    return false;
  }
  const std::string& folder = above_[climbed_];
  const std::string below = lower_name(climbed_ > 0 ? above_[climbed_ - 1] : mesh_folder_);
  const std::string inner = lower_name(climbed_ > 1 ? above_[climbed_ - 2] : mesh_folder_);
  // Exporters name folders within a package after Unreal classes.
  const bool is_package = climbed_ > 0 && (inner.starts_with("skeletalmesh") || inner.starts_with("staticmesh"));
  const bool is_root = is_package || below == "game" || below == "content" || below == "engine";
  const bool is_of_export = list(folder, near_).is_of_export;
  // The siblings of the mesh's folder are always searched.
  if (is_root || is_of_export || climbed_ == 0) list_below(folder, near_, is_root || is_of_export);
  at_root_ = is_root || !is_of_export;
  ++climbed_;
  return true;
}

std::string FileFinder::stopped() const {
  if (!budget_.stopped.empty() || !at_limit_) return budget_.stopped;
  return fmt::format("{} parent folders", kMaxFoldersAbove);
}

const std::string* FileFinder::look_up(const Index& index, const ObjectPath& object,
                                       std::span<const std::string_view> endings, const std::string& from) const {
  const auto names_from = names_in(from);
  for (const std::string& name : object.names) {
    for (const std::string_view ending : endings) {
      const auto found = index.find(name + std::string(ending));
      if (found == index.end()) continue;
      const std::string* best = nullptr;
      std::tuple<std::size_t, std::size_t, bool> best_rank;
      for (const std::string& path : found->second) {
        const std::tuple rank{folders_shared(path, object), common_names(names_in(path), names_from),
                              object.spelled.find(stem_of(path)) != std::string::npos};
        if (rejected_.contains(path)) continue;
        if (best != nullptr && (rank < best_rank || (rank == best_rank && *best < path))) continue;
        best = &path;
        best_rank = rank;
      }
      if (best != nullptr) return best;
    }
  }
  return nullptr;
}

bool FileFinder::is_guess(const std::string& path, const ObjectPath& object) const {
  const auto folder = names_in(mesh_folder_);
  if (common_names(folder, names_in(path)) == folder.size()) return false;
  const std::size_t shared = folders_shared(path, object);
  const std::size_t folders = object.folders.size();
  // Game can be missing.
  return folders == 0 || (shared != folders && !(shared > 1 && shared + 1 == folders));
}

std::optional<FileFinder::Found> FileFinder::find(const ObjectPath& object, std::span<const std::string_view> endings,
                                                  const std::string& from) {
  if (object.names.empty()) return std::nullopt;
  for (const Index* index : {&given_, &named_}) {
    if (const std::string* path = look_up(*index, object, endings, from)) return Found{*path, false};
  }
  if (mesh_folder_.empty()) return std::nullopt;
  const auto look_near = [&] { return look_up(near_, object, endings, from); };
  const std::string* path = look_near();
  if (path == nullptr || !object.folders.empty()) {
    follow(object);
    path = look_near();
  }
  if (path == nullptr) {
    list_around(from);
    path = look_near();
  }
  if (path == nullptr && !std::exchange(listed_below_, true)) {
    list_below(mesh_folder_, near_, list(mesh_folder_, near_).is_of_export);
    path = look_near();
  }
  while (path == nullptr && climb()) path = look_near();
  if (path == nullptr) return std::nullopt;
  return Found{*path, is_guess(*path, object)};
}

Textures find_textures(const Mesh& mesh, const ReaderOptions& options, Warnings& warnings) {
  return TextureFinder{options, warnings}.find_all(mesh);
}

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
