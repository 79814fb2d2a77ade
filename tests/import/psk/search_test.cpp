// SPDX-License-Identifier: MIT
// Search for the animations and textures of an Unreal mesh among the files around it.
#include "support/catch.hpp"
#include "support/psk.hpp"
#include "support/load.hpp"

#include "import/psk/psk.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace search_test {
using namespace pchr;
using Names = std::vector<std::string>;

namespace {

namespace fs = std::filesystem;

std::set<std::string> codes_of(const Character& character) {
  std::set<std::string> codes;
  for (const Diagnostic& diagnostic : character.warnings()) codes.emplace(code(diagnostic.id));
  return codes;
}

/// Separate folder for the files of a test.
struct Folder {
  fs::path path;

  explicit Folder(const std::string& name) : path(test::output("psk_search") / name) {
    fs::remove_all(path);
    fs::create_directories(path);
    // Exports end here, so that no test finds files of another test.
    text("../end.doc", "");
  }
  void mesh(const fs::path& name, const Names& bones, const Names& materials = {}) const {
    test::PskFile file = test::small_psk();
    std::vector<test::PskBone> records;
    for (const std::string& bone : bones) records.push_back({bone});
    test::chunk_of(file, "REFSKELT") = test::bone_chunk("REFSKELT", records);
    if (!materials.empty()) {
      file.push_back(test::material_chunk(materials));
      for (std::size_t face = 0; face < 4; ++face) {
        test::put(test::chunk_of(file, "FACE0000"), face, 6, static_cast<std::uint8_t>(face % materials.size()));
      }
    }
    write(name, test::bytes_of(file));
  }
  void animation(const fs::path& name, const Names& bones) const { write(name, test::bytes_of(test::psa_for(bones))); }
  void image(const fs::path& name) const { write(name, encode_png(Bitmap{2, 2, std::vector<std::uint8_t>(16, 255)})); }
  void text(const fs::path& name, std::string_view content) const { write(name, std::as_bytes(std::span(content))); }
  void write(const fs::path& name, std::span<const std::byte> bytes) const {
    fs::create_directories((path / name).parent_path());
    test::write_file(path / name, bytes);
  }

  [[nodiscard]] ImportedCharacter load(const fs::path& name, const ImportOptions& options = {}) const {
    return pchr::load_character(path / name, options).value();
  }
};

Names files_that_are(const ImportedCharacter& character, bool attached) {
  Names names;
  for (const AnimationFile& file : character.file.animation_files) {
    if (file.attached == attached) names.push_back(fs::path(file.path).filename().string());
  }
  return names;
}
Names attached(const ImportedCharacter& character) { return files_that_are(character, true); }
Names candidates(const ImportedCharacter& character) { return files_that_are(character, false); }

const Names kFish{"root", "spine", "fin", "tail"};

}  // namespace

TEST_CASE("names of meshes and animations are compared without their usual prefixes and suffixes", "[psk][search]") {
  using psk::NameMatch;
  struct Case {
    std::string_view mesh, animation;
    NameMatch expected;
  };
  const std::vector<Case> cases{
      {"koi", "koi", NameMatch::pair},
      {"koi", "KOI", NameMatch::pair},
      {"HeroMesh", "HeroAnims", NameMatch::pair},
      {"SK_Hero", "Hero_Anim", NameMatch::pair},
      {"hero_LOD0", "hero_anims", NameMatch::pair},
      {"hero_skel", "heroanimset", NameMatch::pair},
      {"Hero_Mesh_LOD2", "A_Hero", NameMatch::pair},
      {"hero", "hero_run", NameMatch::begins},
      {"hero", "hero_run_anims", NameMatch::begins},
      {"HeroMesh", "HeroRun", NameMatch::begins},
      {"hero", "heron", NameMatch::none},
      {"hero", "villain", NameMatch::none},
      {"mesh", "anims", NameMatch::none},
      {"melod", "me", NameMatch::none},
  };
  for (const Case& each : cases) {
    INFO(each.mesh << " and " << each.animation);
    CHECK(psk::MeshNames(each.mesh).match(each.animation) == each.expected);
  }
}

TEST_CASE("an animation belongs to the mesh with the best matching name", "[psk][search]") {
  psk::MeshNames koi("koi");
  koi.add("koi_boss");
  CHECK(koi.match("koi") == psk::NameMatch::pair);
  CHECK(koi.match("koi_swim") == psk::NameMatch::begins);
  CHECK(koi.match("koi_boss") == psk::NameMatch::other_mesh);
  CHECK(koi.match("koi_boss_swim") == psk::NameMatch::other_mesh);
  psk::MeshNames boss("koi_boss");
  boss.add("koi");
  CHECK(boss.match("koi") == psk::NameMatch::other_mesh);
  CHECK(boss.match("koi_boss_swim") == psk::NameMatch::begins);
  psk::MeshNames detailed("hero_LOD0");
  detailed.add("hero_LOD1");
  CHECK(detailed.match("hero") == psk::NameMatch::pair);
}

TEST_CASE("a mesh gets the animations that pair with its name, and others are only listed", "[psk][search]") {
  const Folder folder("pair");
  folder.mesh("koi.psk", kFish);
  folder.animation("koi.psa", kFish);
  folder.animation("koi_boss.psa", kFish);
  folder.animation("whale.psa", kFish);
  folder.animation("bird.psa", {"wing", "beak"});
  const ImportedCharacter koi = folder.load("koi.psk");
  CHECK(attached(koi) == Names{"koi.psa"});
  CHECK(candidates(koi) == Names{"koi_boss.psa", "whale.psa"});
  CHECK(koi.clips().size() == 1);
  CHECK(koi.warnings().empty());
}

TEST_CASE("two meshes of one folder have their own animations, though one name begins with the other",
          "[psk][search]") {
  const Folder folder("two");
  for (const std::string name : {"koi", "koi_boss"}) {
    folder.mesh(name + ".psk", kFish);
    folder.animation(name + ".psa", kFish);
    CHECK(attached(folder.load(name + ".psk")) == Names{name + ".psa"});
    CHECK(folder.load(name + ".psk").warnings().empty());
  }
  // A mesh without its own animations does not use those of another mesh.
  fs::remove(folder.path / "koi.psa");
  CHECK(attached(folder.load("koi.psk")).empty());
  CHECK(candidates(folder.load("koi.psk")) == Names{"koi_boss.psa"});
}

TEST_CASE("animations that start with the name of a mesh are attached with a warning if their bones fit",
          "[psk][search]") {
  const Folder folder("begins");
  folder.mesh("koi.psk", kFish);
  folder.animation("koi_swim.psa", kFish);
  folder.animation("koi_eat.psa", {"root", "spine"});
  folder.animation("koi_boss.psa", {"root", "spine", "horn", "claw"});
  const ImportedCharacter koi = folder.load("koi.psk");
  CHECK(attached(koi) == Names{"koi_swim.psa", "koi_eat.psa"});
  CHECK(candidates(koi) == Names{"koi_boss.psa"});
  CHECK(codes_of(koi) == std::set<std::string>{"W258", "W262"});
}

TEST_CASE("better bones win over a name that only starts alike", "[psk][search]") {
  const Folder folder("bones");
  folder.mesh("koi.psk", kFish);
  folder.animation("koi_boss.psa", {"root", "spine", "horn", "claw"});
  folder.animation("fish.psa", kFish);
  const ImportedCharacter koi = folder.load("koi.psk");
  CHECK(attached(koi) == Names{"fish.psa"});
  CHECK(candidates(koi) == Names{"koi_boss.psa"});
}

TEST_CASE("of very many animations of other names the best is taken, and no more than bones is read of the rest",
          "[psk][search]") {
  const Folder folder("many");
  folder.mesh("koi.psk", kFish);
  for (int i = 0; i < 150; ++i) {
    test::PskFile file = test::psa_for({"root", "spine", "fin", fmt::format("feather {}", i)});
    // The rest is broken.
    file.resize(2);
    folder.write(fmt::format("a{:03}.psa", i), test::bytes_of(file));
  }
  folder.animation("zebra.psa", kFish);
  std::set<fs::path> announced;
  ImportOptions options;
  const auto announce = [&](const fs::path& path) { announced.insert(path); };
  options.before_reading = announce;
  const ImportedCharacter koi = folder.load("koi.psk", options);
  CHECK(attached(koi) == Names{"zebra.psa"});
  CHECK(candidates(koi).size() == 150);
  CHECK(codes_of(koi) == std::set<std::string>{"W262"});
  CHECK(announced.size() >= 152);
}

TEST_CASE("requested animations replace the ones that are found, or add to them", "[psk][search]") {
  const Folder folder("asked");
  folder.mesh("koi.psk", kFish);
  folder.animation("koi.psa", kFish);
  folder.animation("other/jump.psa", kFish);
  ImportOptions options;
  options.animations = {test::utf8_of(folder.path / "other/jump.psa")};
  const ImportedCharacter replaced = folder.load("koi.psk", options);
  CHECK(attached(replaced) == Names{"jump.psa"});
  CHECK(candidates(replaced) == Names{"koi.psa"});
  options.also_find_animations = true;
  CHECK(attached(folder.load("koi.psk", options)) == Names{"jump.psa", "koi.psa"});
  options.animations.push_back(test::utf8_of(folder.path / "koi.psa"));
  CHECK(attached(folder.load("koi.psk", options)) == Names{"jump.psa", "koi.psa"});
}

TEST_CASE("a search with too many entries stops with a warning", "[psk][search]") {
  const Folder folder("slow");
  folder.mesh("koi.psk", kFish);
  folder.animation("koi.psa", kFish);
  Warnings warnings;
  const psk::Skeleton skeleton = psk::make_skeleton({}, warnings);
  psk::SearchBudget small{.entries_left = 1};
  CHECK(psk::find_animations(test::utf8_of(folder.path / "koi.psk"), skeleton, {}, small).empty());
  CHECK(small.stopped == "200,000 directory entries");
}

TEST_CASE("the path of an object gives its folders and its possible file names", "[psk][search]") {
  const auto check = [](std::string_view text, const Names& folders, const Names& names) {
    INFO(text);
    const psk::ObjectPath object = psk::read_object_path(text);
    CHECK(object.folders == folders);
    CHECK(object.names == names);
  };
  check("M_Hero", {}, {"m_hero"});
  check("/Game/Hero/Materials/M_Hero.M_Hero", {"game", "hero", "materials"}, {"m_hero", "m_hero"});
  check("Game/Hero/M_Hero", {"game", "hero"}, {"m_hero"});
  check("Material3'Hero.Skins.M_Hero'", {"hero", "skins"}, {"hero.skins.m_hero", "m_hero"});
  check("Textures\\T_Hero.tga", {"textures"}, {"t_hero"});
  check("Skin.001", {}, {"skin.001"});
  check("", {}, {});
  check("a/", {"a"}, {});
}

TEST_CASE("the package path of a material leads to its texture", "[psk][search]") {
  const Folder folder("package");
  folder.mesh("export/Game/Characters/Hero/Meshes/Hero.psk", kFish,
              {"/Game/Characters/Hero/Materials/M_Hero.M_Hero", "Game/Shared/Wood"});
  // A nearer image with the same name, but the package path takes precedence.
  folder.image("export/Game/Characters/Hero/T_Hero.png");
  folder.text("export/Game/Characters/Hero/Materials/M_Hero.mat",
              "Diffuse=/Game/Characters/Hero/Textures/T_Hero.T_Hero\n");
  folder.image("export/Game/Characters/Hero/Textures/T_Hero.png");
  folder.image("export/game/shared/wood.png");
  const Character hero = folder.load("export/Game/Characters/Hero/Meshes/Hero.psk");
  CHECK(hero.warnings().empty());
  REQUIRE(hero.images().size() == 2);
  CHECK(hero.images()[0].name == "T_Hero.png");
  CHECK(hero.images()[1].name == "wood.png");
}

TEST_CASE("the folder Game can be called Content in an export, or be missing", "[psk][search]") {
  for (const std::string root : {"Fortune/Content/", ""}) {
    const Folder folder("content");
    const std::string mesh = "export/" + root + "Hero/Meshes/Hero.psk";
    folder.mesh(mesh, kFish, {"/Game/Hero/Materials/M_Hero.M_Hero"});
    folder.image("export/" + root + "Hero/Materials/M_Hero.png");
    CHECK(folder.load(mesh).warnings().empty());
  }
}

TEST_CASE("materials and textures in sibling folders are found with a warning", "[psk][search]") {
  const Folder folder("siblings");
  const std::string mesh = "export/CH_Hero/SkeletalMesh3/Hero.psk";
  folder.mesh(mesh, kFish, {"M_Hero"});
  // The root can contain files that no exporter writes.
  folder.text("export/notes.doc", "");
  folder.text("export/CH_Shared/MaterialInstanceConstant/M_Hero.mat", "Normal=T_N\r\nDiffuse=T_Hero_D\r\n");
  folder.image("export/CH_Shared/Texture2D/T_Hero_D.png");
  folder.image("export/CH_Another/Texture2D/T_Hero_D.png");
  std::set<fs::path> announced;
  ImportOptions options;
  const auto announce = [&](const fs::path& path) { announced.insert(path); };
  options.before_reading = announce;
  std::set<fs::path> listed;
  const auto announce_folder = [&](const fs::path& path) { listed.insert(path); };
  options.before_listing = announce_folder;
  const Character hero = folder.load(mesh, options);
  REQUIRE(hero.warnings().size() == 1);
  CHECK(code(hero.warnings()[0].id) == "W263");
  CHECK(hero.warnings()[0].detail ==
        "uses \"../../CH_Shared/Texture2D/T_Hero_D.png\", which is outside the mesh's folder (named in "
        "\"../../CH_Shared/MaterialInstanceConstant/M_Hero.mat\")");
  CHECK(announced.contains(folder.path / "export/CH_Shared/MaterialInstanceConstant/M_Hero.mat"));
  CHECK(announced.contains(folder.path / "export/CH_Shared/Texture2D/T_Hero_D.png"));
  for (const char* name : {"export", "export/CH_Shared/Texture2D", "export/CH_Another/Texture2D"}) {
    CHECK(listed.contains(folder.path / name));
  }
}

TEST_CASE("the export ends at folders that contain other kinds of files", "[psk][search]") {
  const Folder folder("end");
  const std::string mesh = "work/export/A/B/C/Hero.psk";
  folder.mesh(mesh, kFish, {"skin"});
  folder.text("work/CMakeLists.txt", "");
  folder.image("work/photos/skin.png");
  CHECK(codes_of(folder.load(mesh)) == std::set<std::string>{"W257"});
  folder.image("work/export/D/E/skin.png");
  CHECK(codes_of(folder.load(mesh)) == std::set<std::string>{"W263"});
  // The tool's own files do not count.
  folder.text("work/export/.pchr.Hero.png.stamp", "");
  CHECK(codes_of(folder.load(mesh)) == std::set<std::string>{"W263"});
}

TEST_CASE("given folders are searched first, with everything below them and without a warning", "[psk][search]") {
  const Folder folder("named");
  folder.mesh("mesh/Hero.psk", kFish, {"skin"});
  folder.image("mesh/skin.png");
  folder.image("elsewhere/deep/down/SKIN.png");
  CHECK(folder.load("mesh/Hero.psk").images()[0].name == "skin.png");
  ImportOptions options;
  options.texture_folders = {test::utf8_of(folder.path / "elsewhere")};
  const Character hero = folder.load("mesh/Hero.psk", options);
  CHECK(hero.images()[0].name == "SKIN.png");
  CHECK(hero.warnings().empty());
  const Character in_memory = load_character(test::read_file(folder.path / "mesh/Hero.psk"), options).value();
  CHECK(in_memory.images()[0].name == "SKIN.png");
}

TEST_CASE("a search for textures keeps to its budget and reads no folder twice", "[psk][search]") {
  const Folder folder("budget");
  for (int i = 0; i < 50; ++i) folder.image(fmt::format("export/A/{}/skin.png", i));
  ReaderOptions options;
  options.image_folder = test::utf8_of(folder.path / "export/A/0");
  psk::SearchBudget budget{.entries_left = 30};
  psk::FileFinder stopped(options, budget);
  constexpr std::array<std::string_view, 1> kPng{".png"};
  CHECK_FALSE(stopped.find(psk::read_object_path("none"), kPng, options.image_folder));
  CHECK_FALSE(stopped.stopped().empty());

  psk::SearchBudget enough;
  psk::FileFinder finder(options, enough);
  const auto look = [&] { return finder.find(psk::read_object_path("none"), kPng, options.image_folder); };
  CHECK_FALSE(look());
  const std::size_t left = enough.entries_left;
  CHECK_FALSE(look());
  CHECK(enough.entries_left == left);
}

TEST_CASE("names of an Unreal mesh in a legacy encoding are read as it is named, and textures are found",
          "[psk][search]") {
  // 루트, 머리 and 재질 in code page 949.
  const Names bones{"\xB7\xE7\xC6\xAE", "\xB8\xD3\xB8\xAE"};
  const Folder folder("encoding");
  folder.mesh("hero.psk", bones, {"\xC0\xE7\xC1\xFA"});
  folder.animation("hero.psa", bones);
  folder.image("재질.png");
  const auto guessed = folder.load("hero.psk");
  REQUIRE(codes_of(guessed) == std::set<std::string>{"W257"});
  CHECK_THAT(guessed.warnings()[0].detail, test::contains("read as Windows-1252, unless --encoding names another"));
  ImportOptions options;
  options.text_encoding = "CP949";
  const auto hero = folder.load("hero.psk", options);
  CHECK(codes_of(hero).empty());
  CHECK(hero.bones()[0].name == "루트");
  CHECK(hero.bones()[1].name == "머리");
  CHECK(hero.meshes()[0].name == "재질");
  CHECK(attached(hero) == Names{"hero.psa"});
  CHECK(hero.file.animation_files[0].matched_bones == 2);
  // A wrong encoding, and one that does not exist.
  options.text_encoding = "UTF-8";
  CHECK(codes_of(folder.load("hero.psk", options)).contains("W220"));
  options.text_encoding = "nonsense";
  const auto refused = load_character(folder.path / "hero.psk", options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().id == DiagnosticId::unknown_encoding);
}

}  // namespace search_test
