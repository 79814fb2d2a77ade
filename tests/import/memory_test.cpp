// SPDX-License-Identifier: MIT
// A failing load takes little memory. This is a separate program because it replaces operator new to count bytes.
#include "support/aseprite.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/folder.hpp"
#include "support/load.hpp"
#include "support/psk.hpp"
#include "support/png.hpp"
#include "support/px.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <malloc.h>
#include <new>
#include <string>
#include <vector>

using namespace pchr;
using test::Bytes;

namespace {

// Several threads allocate memory.
std::atomic<std::size_t> now_used = 0, max_used = 0;

std::size_t size_of(void* memory) {
#ifdef _WIN32
  return _msize(memory);
#else
  return malloc_usable_size(memory);
#endif
}

}  // namespace

// The standard library implements the array and nothrow versions with these. Not inlined, because GCC would report
// mismatched calls of malloc and free.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t used = now_used += size_of(memory);
  for (std::size_t most = max_used; most < used && !max_used.compare_exchange_weak(most, used);) {
  }
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  now_used -= size_of(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace {

struct Peak {
  bool failed;
  std::size_t bytes;  ///< Peak memory of the load, without its input.
};

Peak load_and_measure(const Bytes& bytes, const ImportOptions& options = {}) {
  const std::size_t before = now_used;
  max_used = now_used.load();
  const auto character = load_character(bytes, options);
  return {!character, max_used - before};
}

std::size_t peak_of_failing_load(const Bytes& bytes) {
  const Peak peak = load_and_measure(bytes);
  REQUIRE(peak.failed);
  return peak.bytes;
}

std::size_t allowed(const Bytes& bytes) { return 4 * bytes.size() + (std::size_t{1} << 20); }

/// Returns about a megabyte, mostly frames and vertices.
CharacterData large_character() {
  CharacterData data = test::two_bone_arm();
  data.clips.push_back(test::resting_clip("long", 5000, data.bones.size()));
  for (int i = 0; i < 2000; ++i) test::add_quad(data, "quad", 0, {{0, 0}, {1, 1}}, 0);
  return data;
}

struct Broken {
  std::string what;
  Bytes bytes;
};

/// Returns files with `count` records of minimum size and one wrong value at the very end.
std::vector<Broken> crowded_files(std::size_t count) {
  std::vector<Broken> files;
  for (const std::string& name : {std::string(), std::string(1, 'n'), std::string(16, 'n')}) {
    const Image image{name, 1, 1, ImageEncoding::rgba8888, Bytes(4)};
    const auto add = [&](const std::string& what, CharacterData data) {
      data.frames_per_second = 30;
      files.push_back({fmt::format("{} {} with names of {} bytes", count, what, name.size()), test::write_v1(data)});
    };
    CharacterData images;
    images.images.assign(count, image);
    images.images.back().width = 0;
    add("images", images);

    CharacterData bones;
    bones.bones.assign(count, {name, BoneId::none});
    bones.bones.back().parent = BoneId{0xFFFFFFFE};
    add("bones", bones);

    CharacterData meshes;
    meshes.images.push_back(image);
    meshes.meshes.assign(count, {name});
    meshes.meshes.back().image = ImageId{1};
    add("meshes", meshes);

    CharacterData clips;
    clips.clips.assign(count, test::resting_clip(name, 0, 0));
    add("clips", clips);
    files.back().bytes.pop_back();

    // Each has a reserved flag, which causes a warning.
    files.push_back(files.back());
    files.back().what += " and flags";
    for (std::size_t i = 1; i < count; ++i) {
      Bytes& bytes = files.back().bytes;
      bytes[bytes.size() + 1 - (i + 1) * (5 + name.size()) + 2 + name.size()] = std::byte{0xFE};
    }

    for (const std::uint32_t frames : {1U, 5U, 10U}) {
      CharacterData animated;
      animated.bones.push_back({name, BoneId::none});
      animated.clips.assign(count, test::resting_clip(name, frames, 1));
      animated.clips.back().samples.scale_y.back() = std::numeric_limits<float>::infinity();
      add(fmt::format("clips of {} frames", frames), animated);
    }

    CharacterData all = images;
    all.images.back() = image;
    all.bones.assign(count, {name, BoneId::none});
    all.meshes.assign(count, {name});
    all.clips.assign(count, test::resting_clip(name, 0, 0));
    add("records of all kinds", all);
    files.back().bytes.pop_back();
  }
  return files;
}

std::string repeated(std::size_t count, const std::string& item) {
  std::string text = item;
  for (std::size_t i = 1; i < count; ++i) text += ',' + item;
  return text;
}

/// Like crowded_files: JSON with a huge number of small records and a value of the wrong type at the very end.
std::vector<Broken> crowded_texts() {
  const std::string bone = R"({"name":"","parent":-1})";
  const std::string image = R"({"name":"","path":"","width":1,"height":1})";
  const std::string mesh = R"({"name":"","image":0,"vertices":[],"indices":[]})";
  const std::string clip = R"({"name":"","loop":true,"frames":[]})";
  const std::string transform = R"({"x":0,"y":0,"rotation":0,"scaleX":1,"scaleY":1,"flags":0,"zOrder":0})";
  const auto text = [](const std::string& what, const std::string& images, const std::string& bones,
                       const std::string& meshes, const std::string& clips) {
    const std::string whole =
        fmt::format(R"({{"version":1,"fps":30,"images":[{}],"bones":[{}],"meshes":[{}],"animations":[{}],"flags":""}})",
                    images, bones, meshes, clips);
    const auto* first = reinterpret_cast<const std::byte*>(whole.data());
    return Broken{what, Bytes(first, first + whole.size())};
  };
  return {
      text("images", repeated(50000, image), "", "", ""),
      text("bones", "", repeated(50000, bone), "", ""),
      text("meshes", "", "", repeated(50000, mesh), ""),
      text("clips", "", "", "", repeated(50000, clip)),
      text("frames", "", bone, "",
           R"({"name":"","loop":true,"frames":[)" + repeated(50000, '[' + transform + ']') + "]}"),
      text("indices", "", "", R"({"name":"","image":0,"vertices":[],"indices":[)" + repeated(1000000, "0") + "]}", ""),
      text("influences", "", "",
           R"({"name":"","image":0,"vertices":[{"x":0,"y":0,"u":0,"v":0,"boneIds":[)" + repeated(1000000, "0") +
               R"(],"boneWeights":[]}],"indices":[]})",
           "")};
}

/// Returns an older packed file with a text and no image.
Bytes packed(const Bytes& text) {
  const std::uint32_t header[4] = {0x52484350, 1, static_cast<std::uint32_t>(text.size()), 0};
  Bytes bytes(sizeof(header));
  std::memcpy(bytes.data(), header, sizeof(header));
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

/// Returns small artworks that require as much memory as possible, with canvases of at most 64 x 64 pixels.
std::vector<Broken> greedy_artworks() {
  using test::PxArtwork, test::PxPixels, test::PxType;
  const test::PxColor red{255, 0, 0, 255};
  std::vector<Broken> files;
  const auto add = [&](const std::string& what, const PxArtwork& artwork) {
    files.push_back({what, test::write_px(artwork)});
  };
  PxArtwork base{.width = 64, .height = 64};
  base.add_layer("layer", {PxPixels(64 * 64, red)});

  PxArtwork masks = base;
  masks.add_layer("mask", {PxPixels(64 * 64, red)}).frames.resize(500);
  masks.entries.resize(1);
  masks.layers[0].clipping.assign(20000, {PxType::layer, "id of mask"});
  add("a mask of many frames, used very often", masks);

  PxArtwork layers{.width = 64, .height = 64};
  layers.add_layer("long", {PxPixels(64 * 64, red)}).frames.resize(5000);
  for (int i = 0; i < 5000; ++i) {
    layers.layers.push_back({.id = std::to_string(i), .name = {}});
    layers.entries.push_back({PxType::layer, layers.layers.back().id});
  }
  add("many layers beside a long one", layers);

  PxArtwork frames{.width = 64, .height = 64};
  std::vector<PxPixels> images(300, PxPixels(64 * 64, red));
  for (std::size_t i = 0; i < images.size(); ++i) images[i][i] = {};
  frames.add_layer("layer", images);
  add("many large frames", frames);

  PxArtwork tiles = base;
  tiles.tilesets.assign(4000, {"set", "tiles", 16384, 16384, std::vector<Bytes>(1, Bytes(8))});
  add("many huge tiles", tiles);
  for (auto& set : tiles.tilesets) set.tile_width = set.tile_height = 64;
  add("many large tiles", tiles);

  PxArtwork tags = base;
  tags.layers[0].frames.resize(1000, tags.layers[0].frames[0]);
  tags.tags.assign(5000, {"tag", 0, 999, 2});
  add("many tags of many frames", tags);

  PxArtwork references = base;
  for (int i = 0; i < 2000; ++i) {
    references.references.push_back({.id = std::to_string(i),
                                     .name = "layer",
                                     .png = test::png_of(64, 64, std::vector<std::uint8_t>(64 * 64 * 4)),
                                     .width = 64,
                                     .height = 64});
    references.entries.push_back({PxType::reference, references.references.back().id});
  }
  add("many reference layers", references);

  PxArtwork headers{.width = 1, .height = 1};
  headers.layers.resize(200'000);
  headers.tags.resize(200'000);
  headers.tilesets.resize(200'000);
  add("very many headers", headers);
  return files;
}

}  // namespace

TEST_CASE("an artwork takes at most a multiple of the limits", "[memory]") {
  ImportOptions options;
  options.limits.max_image_pixels = 1 << 16;
  options.limits.max_bone_samples = 1 << 16;
  options.layers = {LayerChoice::Which::named, {"layer", "long"}, {}};
  // Pixels that are inflated, composed, packed and stored as images, plus the stored samples.
  const std::size_t by_limits = 16 * 4 * (std::size_t{1} << 16) + 64 * (std::size_t{1} << 16);
  for (const Broken& file : greedy_artworks()) {
    const Peak peak = load_and_measure(file.bytes, options);
    INFO(file.what << ": " << file.bytes.size() << " bytes take " << peak.bytes);
    CHECK(peak.bytes <= by_limits + 4 * file.bytes.size());
  }
}

/// Returns Aseprite artworks that require as much memory as possible, like greedy_artworks().
std::vector<Broken> greedy_aseprite() {
  using test::AseArtwork, test::AsePixels;
  const test::AseColor red{255, 0, 0, 255};
  std::vector<Broken> files;
  const auto add = [&](const std::string& what, const AseArtwork& artwork) {
    files.push_back({what, test::write_aseprite(artwork)});
  };
  AseArtwork base{.width = 64, .height = 64, .depth = 8};
  base.add(test::ase_layer({"layer"})).add(test::ase_cel({}, 64, 64, Bytes(64 * 64, std::byte{1})));

  AseArtwork layers = base;
  for (int i = 0; i < 40'000; ++i) layers.add(test::ase_layer({.name = "", .type = i % 2, .level = i % 40}));
  add("many layers", layers);

  AseArtwork frames;
  for (int i = 0; i < 400; ++i) frames.add(test::ase_layer({"layer"}));
  frames.frames.resize(2600);
  for (int i = 0; i < 400; ++i) frames.add(test::ase_cel({.layer = i}, 1, 1, AsePixels{red}));
  add("many layers with one cel at the end", frames);

  AseArtwork palettes = base;
  for (int i = 0; i < 5000; ++i) {
    palettes.frames.emplace_back();
    const auto shade = static_cast<std::uint8_t>(i % 251);
    palettes.add(test::ase_palette({{shade, 0, 0, 255}}, 255)).add(test::ase_link({}, 0));
  }
  add("many palettes", palettes);

  AseArtwork large = base;
  for (int i = 0; i < 2000; ++i) {
    large.frames.emplace_back();
    large.add(test::ase_cel({.left = i % 9}, 65535, 65535, Bytes(9)));
    large.add(test::ase_cel({.left = i % 9}, 250, 250, Bytes(250 * 250, std::byte{1})));
  }
  add("many large cels", large);

  AseArtwork tiles = base;
  tiles.add(test::ase_layer({.name = "map", .type = 2}));
  for (std::uint32_t i = 0; i < 4000; ++i) tiles.add(test::ase_tileset(i, 6, 60'000, 64, 64, Bytes(9)));
  tiles.add(test::ase_tiles({.layer = 1}, 60'000, 60'000, {1}));
  add("many huge tilesets", tiles);

  AseArtwork parts = base;
  for (int i = 0; i < 100'000; ++i) parts.add(test::ase_tags({{""}})).add(test::ase_user_data("x"));
  add("many tags", parts);
  return files;
}

TEST_CASE("an Aseprite artwork takes at most a multiple of the limits", "[memory]") {
  ImportOptions options;
  options.limits.max_image_pixels = 1 << 16;
  options.limits.max_bone_samples = 1 << 16;
  // As above, plus the million frames of layers and the 16,384 layers that are allowed.
  const std::size_t by_limits = 16 * 4 * (std::size_t{1} << 16) + 64 * (std::size_t{1} << 16) + (std::size_t{40} << 20);
  for (const Broken& file : greedy_aseprite()) {
    const Peak peak = load_and_measure(file.bytes, options);
    INFO(file.what << ": " << file.bytes.size() << " bytes take " << peak.bytes);
    CHECK(peak.bytes <= by_limits + 4 * file.bytes.size());
  }
}

TEST_CASE("an artwork of one layer takes at most twice its canvas", "[memory]") {
  constexpr int kSide = 1024;
  constexpr std::size_t kCanvas = std::size_t{4} * kSide * kSide;
  const test::AseColor red{255, 0, 0, 255};
  // A tilemap, pixels, and pixels with a border that is trimmed.
  test::AseArtwork tiles{.width = kSide, .height = kSide}, pixels = tiles, trimmed = tiles, sparse = tiles;
  test::AsePixels two_tiles(std::size_t{2} * 8 * 8, red);
  tiles.add(test::ase_tileset(0, 6, 2, 8, 8, test::ase_bytes(two_tiles)));
  tiles.add(test::ase_layer({.name = "map", .type = 2}));
  tiles.add(test::ase_tiles({}, kSide / 8, kSide / 8, std::vector<std::uint32_t>(kSide / 8 * (kSide / 8), 1)));
  test::AsePixels all(kCanvas / 4, red);
  pixels.add(test::ase_layer({"layer"})).add(test::ase_cel({}, kSide, kSide, all));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % kSide < 9) all[i] = {};
  }
  trimmed.add(test::ase_layer({"layer"})).add(test::ase_cel({}, kSide, kSide, all));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % kSide > kSide / 2) all[i] = {};
  }
  sparse.add(test::ase_layer({"layer"})).add(test::ase_cel({}, kSide, kSide, all));
  for (const test::AseArtwork& artwork : {tiles, pixels, trimmed, sparse}) {
    const Bytes bytes = test::write_aseprite(artwork);
    const Peak peak = load_and_measure(bytes);
    REQUIRE_FALSE(peak.failed);
    INFO(bytes.size() << " bytes take " << peak.bytes << " of a canvas of " << kCanvas);
    CHECK(peak.bytes <= 2 * kCanvas + kCanvas / 16);
  }
}

TEST_CASE("a file truncated anywhere takes at most four times its size and a megabyte", "[memory]") {
  const Bytes whole = test::write_v1(large_character());
  for (std::size_t size = 1; size < whole.size(); size += whole.size() / 50) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    INFO(size);
    CHECK(peak_of_failing_load(cut) <= allowed(cut));
  }
}

TEST_CASE("a wrong value at the end takes at most four times the file and a megabyte", "[memory]") {
  CharacterData data = large_character();
  data.clips.back().samples.scale_y.back() = std::numeric_limits<float>::infinity();
  const Bytes bytes = test::write_v1(data);
  CHECK(peak_of_failing_load(bytes) <= allowed(bytes));
}

TEST_CASE("the largest possible counts take no memory", "[memory]") {
  Bytes bytes = test::write_v1(test::sliding_quad());
  for (std::size_t at = 8; at + 4 <= bytes.size(); ++at) {
    Bytes claim = bytes;
    std::memset(&claim[at], 0xFF, 4);
    if (load_character(claim)) continue;
    INFO(at);
    CHECK(peak_of_failing_load(claim) <= allowed(claim));
  }
}

TEST_CASE("a huge number of tiny records takes at most four times the file and a megabyte", "[memory]") {
  // The maximum number, and the largest number that is not checked before it is kept.
  for (const std::size_t count : {std::size_t{65535}, std::size_t{2000}}) {
    for (const Broken& file : crowded_files(count)) {
      const std::size_t peak = peak_of_failing_load(file.bytes);
      INFO(file.what << ": " << file.bytes.size() << " bytes take " << peak);
      CHECK(peak <= allowed(file.bytes));
    }
  }
}

// The parser alone takes nearly seven times the text: the positions of its values and a buffer for unescaped strings.
TEST_CASE("an invalid JSON text takes at most 25 times its size and a megabyte, packed or not", "[memory]") {
  for (const Broken& file : crowded_texts()) {
    for (const Bytes& bytes : {file.bytes, packed(file.bytes)}) {
      const std::size_t peak = peak_of_failing_load(bytes);
      INFO(file.what << ": " << bytes.size() << " bytes take " << peak);
      CHECK(peak <= 25 * bytes.size() + (std::size_t{1} << 20));
    }
  }
}

TEST_CASE("an animation whose sequences share their keys takes at most four times the files and a megabyte",
          "[memory][psk]") {
  const std::filesystem::path folder = test::fresh_folder("memory/psk");
  test::PskFile mesh = test::small_psk();
  test::chunk_of(mesh, "REFSKELT") = test::bone_chunk("REFSKELT", std::vector<test::PskBone>(900, {"bone"}));
  const Bytes mesh_bytes = test::bytes_of(mesh);
  test::write_file(folder / "hero.psk", mesh_bytes);
  // Far beyond the limit, and just below it.
  for (const std::size_t sequences : {std::size_t{400}, std::size_t{6}}) {
    test::PskFile animation = test::psa_for({"bone"});
    constexpr std::int32_t kFrames = 3000;
    animation.back() = test::chunk_of_records("ANIMKEYS", std::vector<std::array<float, 8>>(kFrames));
    test::PskChunk info{"ANIMINFO", 168, static_cast<std::int32_t>(sequences), Bytes(sequences * 168)};
    for (std::size_t i = 0; i < sequences; ++i) test::put(info, i, 164, kFrames);
    test::chunk_of(animation, "ANIMINFO") = info;
    const Bytes animation_bytes = test::bytes_of(animation);
    test::write_file(folder / "hero.psa", animation_bytes);
    const std::size_t before = now_used;
    max_used = now_used.load();
    const auto character = load_character(folder / "hero.psk");
    const std::size_t files = mesh_bytes.size() + animation_bytes.size();
    REQUIRE(character);
    CHECK(character->clips().empty());
    INFO(files << " bytes take " << max_used - before);
    CHECK(max_used - before <= 4 * files + (std::size_t{1} << 20));
  }
}

TEST_CASE("a mesh with a huge number of faces takes at most 64 times its size and a megabyte", "[memory][psk]") {
  struct Record {
    std::array<std::uint16_t, 3> wedges;
    std::uint8_t material, second_material;
    std::uint32_t groups;
  };
  // Each corner becomes a separate vertex.
  test::PskFile file = test::small_psk();
  test::chunk_of(file, "FACE0000") =
      test::chunk_of_records("FACE0000", std::vector<Record>(100'000, {{0, 1, 2}, 0, 0, 0}));
  const Bytes bytes = test::bytes_of(file);
  const Peak peak = load_and_measure(bytes);
  CHECK_FALSE(peak.failed);
  INFO(bytes.size() << " bytes take " << peak.bytes);
  CHECK(peak.bytes <= 64 * bytes.size() + (std::size_t{1} << 20));
}

TEST_CASE("a glTF scene takes at most a multiple of the limits and of its size", "[memory][gltf]") {
  ImportOptions options;
  options.limits.max_bone_samples = 1 << 16;
  options.flat = true;
  const auto scene = [](std::string_view nodes, std::string_view meshes, std::string_view accessors,
                        std::string_view more = {}) {
    const std::string text =
        fmt::format(R"({{"asset":{{"version":"2.0"}},"nodes":[{}],"meshes":[{}],"accessors":[{}]{}}})", nodes, meshes,
                    accessors, more);
    const auto bytes = std::as_bytes(std::span(text));
    return Bytes(bytes.begin(), bytes.end());
  };
  const auto repeated = [](std::string_view text, int count) {
    std::string result(text);
    for (int i = 1; i < count; ++i) result += fmt::format(",{}", text);
    return result;
  };
  constexpr std::string_view kMesh = R"({"primitives":[{"attributes":{"POSITION":0}}]})", kFlag = R"({"mesh":0})";
  constexpr std::string_view kKeys =
      R"(,{"componentType":5126,"count":2,"type":"SCALAR","sparse":{"count":1,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":1}}})";
  constexpr std::string_view kData =
      R"(,"bufferViews":[{"buffer":0,"byteLength":1},{"buffer":0,"byteOffset":4,"byteLength":4}],"buffers":[{"byteLength":8,"uri":"data:;base64,AQAAAAAAgEI="}])";
  const std::string moves = fmt::format(
      R"(,"animations":[{{"samplers":[{{"input":1,"output":0}}],"channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}}]}}]{})",
      kData);
  const auto vertices = [](int count) {
    return fmt::format(R"({{"componentType":5126,"count":{},"type":"VEC3"}})", count);
  };
  const std::vector<Broken> files{
      {"many vertices", scene(kFlag, kMesh, vertices(170'000))},
      {"too many vertices", scene(kFlag, kMesh, vertices(2'000'000'000))},
      {"a mesh on many nodes", scene(repeated(kFlag, 20'000), kMesh, vertices(30))},
      {"many primitives",
       scene(kFlag, fmt::format(R"({{"primitives":[{}]}})", repeated(R"({"attributes":{"POSITION":0}})", 10'000)),
             vertices(9))},
      {"a long name on many nodes",
       scene(repeated(kFlag, 5000), fmt::format(R"({{"name":"{}",{})", std::string(20'000, 'n'), kMesh.substr(1)),
             vertices(3))},
      {"many primitives with a long name",
       scene(kFlag,
             fmt::format(R"({{"name":"{}","primitives":[{}]}})", std::string(50'000, 'n'),
                         repeated(R"({"attributes":{"POSITION":0}})", 5000)),
             vertices(3))},
      {"a minute of frames", scene(kFlag, kMesh, vertices(3) + std::string(kKeys), moves)},
      {"a minute of frames of many meshes",
       scene(repeated(kFlag, 2000), kMesh, vertices(3) + std::string(kKeys), moves)},
  };
  for (const Broken& file : files) {
    const Peak peak = load_and_measure(file.bytes, options);
    INFO(file.what << ": " << file.bytes.size() << " bytes take " << peak.bytes);
    CHECK(peak.bytes <= 128 * (std::size_t{1} << 16) + 128 * file.bytes.size() + (std::size_t{1} << 20));
  }
}

TEST_CASE("long names of skeletons take at most a multiple of the limits and of their size", "[memory]") {
  ImportOptions options;
  options.limits.max_bone_samples = 1 << 16;
  const std::string name(20'000, 'n');
  const auto many = [](int count, const auto& element) {
    std::string list;
    for (int i = 0; i < count; ++i) list += fmt::format("{}{}", i == 0 ? "" : ",", element(i));
    return list;
  };
  struct Skeleton {
    std::string what, file, text;
    bool fails = true;
  };
  std::vector<Skeleton> skeletons;
  const auto add_armatures = [&](const char* what, const std::string& armatures) {
    skeletons.push_back({what, "hero_ske.json", fmt::format(R"({{"version":"5.5","armature":[{}]}})", armatures)});
  };
  const auto armature = [&](const std::string& own_name, int slots, int displays, const char* display) {
    const auto slot_name = [&](int i) { return fmt::format("{}{}", name, i); };
    const auto slot = [&](int i) { return fmt::format(R"({{"name":"{}","parent":"a"}})", slot_name(i)); };
    const auto shown = [&](int i) {
      return fmt::format(R"({{"name":"{}","display":[{}]}})", slot_name(i),
                         many(displays, [&](int) { return display; }));
    };
    return fmt::format(
        R"({{"name":"{}","bone":[{{"name":"a"}}],"slot":[{}],"skin":[{{"slot":[{}]}}],"animation":[{{"name":"m"}}]}})",
        own_name, many(slots, slot), many(slots, shown));
  };
  add_armatures("a slot with many displays", armature("hero", 1, 5000, R"({"name":"plain"})"));
  const std::string inner = R"({"name":"in","type":"armature"})";
  add_armatures("a slot that shows many armatures",
                armature("hero", 1, 5000, inner.c_str()) + R"(,{"name":"in","bone":[{"name":"a"}]})");
  std::string nested;
  for (int depth = 0; depth < 8; ++depth) {
    const std::string next = fmt::format(R"({{"name":"in{}","type":"armature"}})", depth + 1);
    nested += fmt::format("{}{}", depth == 0 ? "" : ",", armature(fmt::format("in{}", depth), 3, 1, next.c_str()));
  }
  add_armatures("armatures in armatures", nested + R"(,{"name":"in8","bone":[{"name":"a"}]})");
  const auto add_spine = [&](const char* what, std::string_view skin, std::string_view slot, bool fails) {
    const auto attachment = [](int i) { return fmt::format(R"("{}":{{"path":"plain"}})", i); };
    skeletons.push_back(
        {what, "hero.json",
         fmt::format(R"({{"skeleton":{{"spine":"4.1"}},"bones":[{{"name":"a"}}],"slots":[{{"name":"{}","bone":"a"}}],)"
                     R"("skins":[{{"name":"{}","attachments":{{"{}":{{{}}}}}}}]}})",
                     slot, skin, slot, many(5000, attachment)),
         fails});
  };
  add_spine("a Spine slot with many attachments", "default", name, true);
  add_spine("a Spine skin with many attachments", name, "s", false);
  for (const Skeleton& skeleton : skeletons) {
    test::Folder folder;
    folder.add(skeleton.file, skeleton.text);
    folder.add("hero_tex.json",
               R"({"imagePath":"p.png","width":8,"height":8,"SubTexture":[{"name":"plain","width":4,"height":4}]})");
    folder.add("hero.atlas", "p.png\nsize:8,8\nplain\nbounds:0,0,4,4\n");
    const std::size_t before = now_used;
    max_used = now_used.load();
    const auto imported = folder.import(skeleton.file, options);
    const std::size_t peak = max_used - before;
    INFO(skeleton.what << ": " << skeleton.text.size() << " bytes take " << peak);
    CHECK(imported.has_value() != skeleton.fails);
    if (!imported) CHECK(imported.error().id == DiagnosticId::limit_exceeded);
    CHECK(peak <= 128 * (std::size_t{1} << 16) + 64 * skeleton.text.size() + (std::size_t{1} << 20));
  }
}

TEST_CASE("no broken file of the tests takes more than four times its size and a megabyte", "[memory]") {
  std::vector<std::filesystem::path> folders{PCHR_DIAGNOSTICS_DIR};
  if (const auto folder = test::conformance_folder()) folders.push_back(*folder / "malformed");
  int failed = 0;
  for (const auto& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".pchr" && entry.path().extension() != ".json") continue;
      const Bytes bytes = test::read_file(entry.path());
      const Peak peak = load_and_measure(bytes);
      if (!peak.failed) continue;
      ++failed;
      INFO(entry.path().filename().string() << ": " << bytes.size() << " bytes take " << peak.bytes);
      CHECK(peak.bytes <= allowed(bytes));
    }
  }
  CHECK(failed > 20);
}
