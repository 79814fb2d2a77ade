// SPDX-License-Identifier: MIT
// Every allocation fails once, in every reader and writer: the result is E131 or complete, and nothing leaks. A
// separate program because it replaces the functions of the C library that allocate, which libraries in C call, too.
#include "support/aseprite.hpp"
#include "support/bmp.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/image_files.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/px.hpp"
#include "support/scenes.hpp"

#include <pchr/image.hpp>
#include <pchr/import/import.hpp>
#include <pchr/import/save.hpp>
#include <pchr/load.hpp>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
}

namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

/// What happens to the allocations of a trial. Only one thread allocates then.
struct {
  bool runs = false;
  std::size_t left = kNever;  ///< Number of allocations until one fails.
  bool stays_full = false;    ///< Whether all allocations after that fail, too.
  bool failed = false;
  std::ptrdiff_t blocks = 0;  ///< Allocated and not freed.
} trial;

template <class Allocate>
void* attempt(const Allocate& allocate) {
  if (trial.runs && ((trial.failed && trial.stays_full) || trial.left-- == 0)) {
    trial.failed = true;
    errno = ENOMEM;
    return nullptr;
  }
  void* const memory = allocate();
  trial.blocks += trial.runs && memory != nullptr ? 1 : 0;
  return memory;
}

}  // namespace

extern "C" {
void* malloc(std::size_t bytes) {
  return attempt([&] { return __libc_malloc(bytes); });
}
void* calloc(std::size_t count, std::size_t bytes) {
  return attempt([&] { return __libc_calloc(count, bytes); });
}
void free(void* memory) {
  trial.blocks -= trial.runs && memory != nullptr ? 1 : 0;
  __libc_free(memory);
}
void* realloc(void* memory, std::size_t bytes) {
  if (memory == nullptr) return malloc(bytes);
  void* const larger = attempt([&] { return __libc_realloc(memory, bytes); });
  // The block has moved; there are not two.
  trial.blocks -= trial.runs && larger != nullptr ? 1 : 0;
  return larger;
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return attempt([&] { return __libc_memalign(alignment, bytes); });
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  void* const block = memalign(alignment, bytes);
  if (block == nullptr) return ENOMEM;
  *memory = block;
  return 0;
}
}

namespace out_of_memory_test {
using namespace pchr;
namespace fs = std::filesystem;
using test::Bytes;

namespace {

void append(std::string& text, std::span<const std::byte> bytes) {
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// Returns what tells a complete result from one that lacks something.
std::string contents_of(const Imported& imported) {
  std::string text = imported.format;
  for (const Diagnostic& warning : imported.character.warnings()) text += describe(warning) + '\n';
  for (const Image& image : imported.character.images()) append(text += image.name, image.bytes);
  for (const Clip& clip : imported.character.clips()) text += clip.name + std::to_string(clip.frame_count);
  for (const AnimationFile& file : imported.animation_files) text += file.path + (file.attached ? "+" : "-");
  return text + std::to_string(imported.character.vertices().size());
}
std::string contents_of(const Character& character) { return contents_of(Imported{character}); }
std::string contents_of(const Bitmap& bitmap) { return {bitmap.rgba.begin(), bitmap.rgba.end()}; }
std::string contents_of(const std::vector<Bitmap>& bitmaps) {
  std::string text;
  for (const Bitmap& bitmap : bitmaps) text += contents_of(bitmap);
  return text;
}
std::string contents_of(const Saved& saved) {
  std::string text;
  append(text, saved.file.bytes);
  for (const SavedFile& image : saved.images) append(text += image.name, image.bytes);
  return text + std::to_string(saved.losses.size());
}
std::string contents_of(const std::vector<std::byte>& bytes) {
  std::string text;
  append(text, bytes);
  return text;
}
std::string contents_of(const Sidecar& sidecar) {
  return std::to_string(sidecar.markers.all().size()) + std::to_string(sidecar.rig.springs.size()) +
         std::to_string(sidecar.states.layers.size()) + std::to_string(sidecar.state_errors.size());
}
std::string contents_of(const Markers& markers) { return std::to_string(markers.all().size()); }

/// Lets each allocation of `work` fail, alone and with all that follow.
template <class Work>
void check(const char* what, const Work& work) {
  INFO(what);
  // Allocated only once.
  for (int i = 0; i < 2; ++i) {
    const auto first = work();
    INFO((first ? std::string() : describe(first.error())));
    REQUIRE(first);
  }
  const std::string expected = contents_of(*work());
  for (const bool stays_full : {false, true}) {
    std::size_t failures = 0, complete = 0, wrong = 0, leaks = 0;
    std::string first_wrong;
    for (std::size_t number = 0;; ++number) {
      trial = {.runs = true, .left = number, .stays_full = stays_full};
      std::ptrdiff_t blocks = 0;
      std::optional<DiagnosticId> id;
      {
        auto result = work();
        trial.left = kNever;
        trial.runs = false;
        if (result) {
          ++complete;
          if (contents_of(*result) != expected) ++wrong, first_wrong = "another result";
        } else {
          ++failures;
          id = result.error().id;
          if (*id != DiagnosticId::out_of_memory) ++wrong, first_wrong = describe(result.error());
        }
        trial.runs = true;
      }
      trial.runs = false;
      blocks = trial.blocks;
      leaks += blocks != 0 ? 1 : 0;
      if (!trial.failed) break;
    }
    INFO(failures << " failures, " << complete << " complete results; wrong: " << first_wrong);
    CHECK(wrong == 0);
    CHECK(leaks == 0);
    CHECK(failures > 0);
  }
}

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Bytes png(std::uint32_t side) { return test::png_of(side, side, std::vector<std::uint8_t>(side * side * 4, 77)); }

CharacterData arm_with_png() {
  CharacterData data = test::two_bone_arm();
  for (Image& image : data.images) image = {image.name, 8, 8, ImageEncoding::png, png(8)};
  return data;
}

Character arm() { return Character::build(arm_with_png()).value(); }

void write_all(const fs::path& folder, const Saved& saved) {
  test::write_file(folder / saved.file.name, saved.file.bytes);
  for (const SavedFile& image : saved.images) test::write_file(folder / image.name, image.bytes);
}

}  // namespace

TEST_CASE("PCHR v1, from memory and from a file", "[out_of_memory]") {
  const fs::path folder = test::fresh_folder("out_of_memory/v1");
  const Bytes bytes = test::write_v1(arm_with_png());
  test::write_file(folder / "arm.pchr", bytes);
  const std::string path = (folder / "arm.pchr").string();
  check("load bytes", [&] { return load(bytes); });
  check("load file", [&] { return load(path); });
  check("import bytes", [&] { return import_character(bytes); });
  check("import file", [&] { return import_character(path); });
}

TEST_CASE("Pachario JSON with images, and packed", "[out_of_memory]") {
  const fs::path folder = test::fresh_folder("out_of_memory/json");
  CharacterData data = arm_with_png();
  data.images.push_back(test::plain_image(4, 4, {1, 2, 3, 255}, "raw"));
  const Character character = Character::build(std::move(data)).value();
  for (const JsonDialect dialect : {JsonDialect::v1, JsonDialect::pachario}) {
    const SaveOptions options{.json_dialect = dialect, .lossy = true};
    write_all(folder, save(character, Format::json, "arm", options).value());
    write_all(folder, save(character, Format::packed, "arm", options).value());
    const std::string json = (folder / "arm.json").string(), packed = (folder / "arm.pchr").string();
    check("JSON", [&] { return import_character(json); });
    check("packed", [&] { return import_character(packed); });
    // Without padding, the text is copied.
    const Bytes text = test::read_file(packed);
    check("packed bytes", [&] { return import_character(text); });
  }
}

TEST_CASE("a warning in JSON, whose line is found", "[out_of_memory]") {
  const fs::path folder = test::fresh_folder("out_of_memory/warning");
  CharacterData data = arm_with_png();
  data.clips.front().samples.z_order.front() = 40'000;
  write_all(folder, save(Character::build(std::move(data)).value(), Format::json, "arm").value());
  const std::string json = (folder / "arm.json").string();
  REQUIRE_FALSE(import_character(json)->character.warnings().empty());
  check("JSON", [&] { return import_character(json); });
}

TEST_CASE("a Pomyu character with images of all formats", "[out_of_memory]") {
  const fs::path folder = test::fresh_folder("out_of_memory/chp");
  const std::vector<std::uint8_t> rgba(32 * 32 * 4, 90), rgb(32 * 32 * 3, 200), indices(32 * 32, 1);
  std::vector<std::uint8_t> opaque = rgba;
  for (std::size_t i = 3; i < opaque.size(); i += 4) opaque[i] = 255;
  const std::string tga("\0\0\2\0\0\0\0\0\0\0\0\0\2\0\1\0\x18\0abcdef", 24);
  // No lossless WebP and no alpha, which is lossless: libwebp 1.2.4 frees an invalid pointer if it gets no memory
  // there.
  const std::vector<std::pair<const char*, Bytes>> files{
      {"a.bmp", test::bmp_of({40, 2, 1, 24, 0, 0, {}, std::vector<std::uint8_t>(8, 9)})},
      {"b.png", png(32)},
      {"c.jpg", test::jpeg_of(32, 32, rgb, {})},
      {"d.jpg", test::jpeg_of(32, 32, rgb, {3, true})},
      {"e.gif", test::gif_of(32, 32, indices)},
      {"f.gif", test::gif_of(32, 32, indices, {.interlaced = true, .own_colors = true, .transparent = 2})},
      {"g.webp", test::webp_of(32, 32, opaque, false)},
      {"h.tga", bytes_of(tga)}};
  for (const auto& [name, bytes] : files) {
    test::write_file(folder / name, bytes);
    // In Japanese, so that the text is converted.
    const std::string text = std::string("#Data 16\n#CharName \x83\x65\x83\x58\x83\x67\n#CharBMP ") + name +
                             "\n#02 0 0 2 1\n#Patern 1 02\n#Texture 1 02\n";
    test::write_file(folder / "a.chp", bytes_of(text));
    const std::string path = (folder / "a.chp").string();
    REQUIRE(import_character(path)->character.warnings().empty());
    check(name, [&] { return import_character(path); });
  }
}

TEST_CASE("a Pomyu character whose images are found ignoring case", "[out_of_memory]") {
  const fs::path folder = test::fresh_folder("out_of_memory/case");
  test::write_file(folder / "Body.BMP", test::bmp_of({40, 2, 1, 24, 0, 0, {}, std::vector<std::uint8_t>(8, 9)}));
  test::write_file(folder / "a.chp",
                   bytes_of("#Data 16\n#CharBMP body.bmp\n#02 0 0 2 1\n#Patern 1 02\n#Texture 1 02\n"));
  const std::string path = (folder / "a.chp").string();
  check("import", [&] { return import_character(path); });
}

TEST_CASE("a Pixquare artwork", "[out_of_memory]") {
  test::PxArtwork artwork{.width = 8, .height = 8};
  artwork.add_layer("one", {test::PxPixels(64, {255, 0, 0, 255}), test::PxPixels(64, {0, 255, 0, 128})});
  artwork.add_layer("two", {test::PxPixels(64, {0, 0, 255, 255})});
  artwork.tags.push_back({"walk", 0, 1, 2});
  const Bytes bytes = test::write_px(artwork);
  check("import", [&] { return import_character(bytes); });
  const Bytes hotaru = test::read_file(test::asset("hotaru.px"));
  ImportOptions few;
  few.layers = {LayerChoice::Which::all, {}, {}};
  check("all layers", [&] { return import_character(bytes, few); });
}

TEST_CASE("an Aseprite artwork", "[out_of_memory]") {
  const Bytes bytes = test::write_aseprite(test::full_aseprite());
  check("import", [&] { return import_character(bytes); });
}

TEST_CASE("an Unreal mesh with textures and animations", "[out_of_memory]") {
  const fs::path folder = test::fresh_folder("out_of_memory/psk");
  fs::create_directories(folder / "Textures");
  test::write_file(
      folder / "Hero.psk",
      test::bytes_of(test::boxes_psk({{"skin", {-1, -1, 0}, {1, 1, 6}}, {"M_Hat", {-1, -1, 6}, {1, 1, 8}}})));
  test::write_file(folder / "HeroAnims.psa", test::bytes_of(test::small_psa()));
  test::write_file(folder / "Other.psa", test::bytes_of(test::psa_for({"root", "fin"})));
  test::write_file(folder / "HeroAnims.config", bytes_of("[AnimSet]\nbAnimRotationOnly=0\n"));
  test::write_file(folder / "skin.png", png(4));
  test::write_file(folder / "Textures" / "M_Hat.mat", bytes_of("Diffuse=T_Hat\n"));
  test::write_file(folder / "Textures" / "T_Hat.png", png(2));
  const std::string path = (folder / "Hero.psk").string();
  const auto imported = import_character(path);
  REQUIRE(imported);
  REQUIRE(imported->character.clips().size() == 1);
  check("import", [&] { return import_character(path); });
}

TEST_CASE("markers and rigs", "[out_of_memory]") {
  const fs::path folder = test::fresh_folder("out_of_memory/rig");
  const Character character = arm();
  const std::string clip = character.clips()[ClipId{0}].name, bone = character.bones()[BoneId{0}].name;
  const std::string text = R"({"markers": [{"clip": ")" + clip +
                           R"(", "frame": 0, "name": "step"}], "springs": [{"bones": ")" + bone +
                           R"(", "frequency": 3}], "states": {"parameters": [{"name": "a", "type": "boolean"}],
    "layers": [{"name": "body", "states": [{"name": "b"}, {"name": "c", "clip": "none"}],
    "transitions": [{"to": "b", "when": [{"parameter": "a"}]}, {"to": "c"}]}]}})";
  test::write_file(folder / "arm.rig.json", bytes_of(text));
  const std::string path = (folder / "arm.rig.json").string(), owner = (folder / "arm.pchr").string();
  check("rig", [&] { return load_rig(path, character); });
  check("rig bytes", [&] { return load_rig(std::as_bytes(std::span(text)), character); });
  check("sidecar", [&] { return load_sidecar(owner, character); });
  check("markers", [&] { return load_markers(path, character); });
}

TEST_CASE("decoding", "[out_of_memory]") {
  const fs::path folder = test::fresh_folder("out_of_memory/decode");
  std::vector<std::uint8_t> rgba(64 * 64 * 4);
  for (std::size_t i = 0; i < rgba.size(); ++i) rgba[i] = static_cast<std::uint8_t>(i * i % 255);
  const Image image{"noise", 64, 64, ImageEncoding::png, test::png_of(64, 64, rgba)};
  const Image raw = test::plain_image(4, 4, {1, 2, 3, 255});
  const Image absent{"absent", 4, 4, ImageEncoding::absent, {}};
  test::write_file(folder / "noise.png", image.bytes);
  const std::string path = (folder / "noise.png").string();
  const Character character = arm();
  check("PNG", [&] { return decode(image); });
  check("raw", [&] { return decode(raw); });
  check("absent", [&] { return decode(absent); });
  check("file", [&] { return load_png(path); });
  check("all", [&] { return decode_images(character); });
}

TEST_CASE("saving in every format", "[out_of_memory]") {
  CharacterData data = arm_with_png();
  data.images.push_back(test::plain_image(4, 4, {1, 2, 3, 255}, "raw"));
  const Character character = Character::build(std::move(data)).value();
  for (const Format format : {Format::v1, Format::json, Format::packed}) {
    for (const bool raw_pixels : {false, true}) {
      const SaveOptions options{.raw_pixels = raw_pixels, .lossy = true};
      check("save", [&] { return save(character, format, "arm", options); });
    }
  }
  const Bytes mesh = test::bytes_of(test::boxes_psk({{"skin", {-1, -1, 0}, {1, 1, 6}}}));
  const Character solid = import_character(mesh)->character;
  check("glTF", [&] { return save_gltf(solid); });
}

}  // namespace out_of_memory_test
