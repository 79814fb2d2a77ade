// SPDX-License-Identifier: MIT
// Unreal meshes and animations, valid and broken.
#include "support/catch.hpp"
#include "support/psk.hpp"
#include "support/load.hpp"

#include "import/psk/psk.hpp"

#include <pchr/3d.hpp>
#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>
#include <pchr/import/save.hpp>
#include <pchr/import/import.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace psk_test {
using namespace pchr;
using test::PskFile;

namespace {

namespace fs = std::filesystem;

/// Mesh and the codes of its warnings.
struct Read {
  psk::Mesh mesh;
  std::set<std::string> codes;
};

Read read(const PskFile& file) {
  Warnings warnings;
  const test::Bytes bytes = test::bytes_of(file);
  Read result{psk::read_mesh(bytes, warnings).value(), {}};
  for (const Diagnostic& diagnostic : std::move(warnings).take()) result.codes.emplace(code(diagnostic.id));
  return result;
}

std::set<std::string> codes_of(const Character& character) {
  std::set<std::string> codes;
  for (const Diagnostic& diagnostic : character.warnings()) codes.emplace(code(diagnostic.id));
  return codes;
}

Character loaded(const PskFile& file) { return load_character(test::bytes_of(file)).value(); }

/// Separate folder with a mesh and an animation.
fs::path folder_with(const std::string& name, const PskFile& mesh, const PskFile& animation,
                     const std::string& animation_name = "HeroAnims.psa") {
  const fs::path folder = test::output("psk") / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  // No export extends beyond this folder.
  test::write_file(folder.parent_path() / "end.doc", {});
  test::write_file(folder / "Hero.psk", test::bytes_of(mesh));
  test::write_file(folder / animation_name, test::bytes_of(animation));
  return folder;
}

std::vector<Vec3> skinned(const Character& character, ClipId clip, ClipTime position) {
  PoseBuffers posed;
  pose_clip(character, clip, position, posed);
  std::vector<Vec3> points(character.vertices().size());
  deform(character.vertices(), character.vertices_3d(), posed.palette_3d, points);
  return points;
}

}  // namespace

TEST_CASE("a mesh is read with any flags and any order of chunks", "[psk]") {
  PskFile file = test::small_psk();
  std::reverse(file.begin() + 1, file.end());
  const Read found = read(file);
  CHECK(found.codes.empty());
  CHECK(found.mesh.points.size() == 4);
  CHECK(found.mesh.faces.size() == 4);
  CHECK(found.mesh.influences.size() == 5);
  CHECK(found.mesh.bones[1].name == "tip");
}

TEST_CASE("records can be longer than their known part", "[psk]") {
  PskFile file = test::small_psk();
  test::PskChunk& points = test::chunk_of(file, "PNTS0000");
  const test::Bytes records = points.records;
  points.records.clear();
  for (std::size_t i = 0; i < 4; ++i) {
    points.records.insert(points.records.end(), records.begin() + static_cast<std::ptrdiff_t>(12 * i),
                          records.begin() + static_cast<std::ptrdiff_t>(12 * i + 12));
    points.records.resize(points.records.size() + 4, std::byte{0x7F});
  }
  points.record_bytes = 16;
  const Read found = read(file);
  CHECK(found.codes.empty());
  CHECK(found.mesh.points[3] == Vec3{0, 0, 1});
}

TEST_CASE("garbage in the upper half of a short point index is ignored", "[psk]") {
  PskFile file = test::small_psk();
  test::put(test::chunk_of(file, "VTXW0000"), 2, 2, std::uint16_t{0xBEEF});
  CHECK(read(file).mesh.wedges[2].point == 2);
}

TEST_CASE("names end at their first zero byte, lose padding and become UTF-8", "[psk]") {
  PskFile file = test::small_psk();
  test::chunk_of(file, "REFSKELT") =
      test::bone_chunk("REFSKELT", {{"root   ", 0}, {std::string("a\0b", 3), 0}, {"caf\xE9", 0}});
  const Read found = read(file);
  CHECK(found.mesh.bones[0].name == "root");
  CHECK(found.mesh.bones[1].name == "a");
  CHECK(found.mesh.bones[2].name == "café");
}

TEST_CASE("every prefix of a mesh or an animation is harmless and gives a valid result", "[psk][malformed]") {
  for (const test::Bytes& whole : {test::bytes_of(test::small_psk()), test::bytes_of(test::small_psa())}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      // Of exactly this size, so that a read past the end is detected.
      const test::Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      Warnings warnings;
      const auto mesh = psk::read_mesh(prefix, warnings);
      const auto animation = psk::read_animation(prefix, warnings);
      if (mesh) CHECK((mesh->faces.empty() || mesh->points.size() == 4));
      if (animation) CHECK(animation->sequences[0].frame_count * 2 <= animation->keys.size());
      (void)load_character(prefix);
    }
  }
}

TEST_CASE("counts beyond the end of the file are clamped", "[psk][malformed]") {
  for (const std::string id : {"PNTS0000", "VTXW0000", "FACE0000", "REFSKELT", "RAWWEIGHTS"}) {
    for (const std::int32_t number : {std::numeric_limits<std::int32_t>::max(), -1}) {
      PskFile file = test::small_psk();
      test::chunk_of(file, id).count = number;
      INFO(id << " " << number);
      const auto character = load_character(test::bytes_of(file));
      if (character) CHECK(codes_of(*character).contains("W250"));
      file = test::small_psk();
      test::chunk_of(file, id).record_bytes = number;
      (void)load_character(test::bytes_of(file));
    }
  }
}

TEST_CASE("a 3D character has y up, counter-clockwise faces seen from outside, and outward normals", "[psk]") {
  const Character character = loaded(test::small_psk());
  CHECK(character.is_3d());
  CHECK(character.warnings().empty());
  CHECK(validate(character).empty());
  // The highest point in the file is the highest point here.
  const auto top = std::ranges::max_element(character.vertices(), {}, &Vertex::y);
  CHECK(top->y == 1);
  const auto point = [&](std::size_t i) {
    return Vec3{character.vertices()[i].x, character.vertices()[i].y, character.vertices_3d()[i].z};
  };
  float volume = 0;
  for (std::size_t i = 0; i < character.indices().size(); i += 3) {
    const Vec3 a = point(character.indices()[i]), b = point(character.indices()[i + 1]),
               c = point(character.indices()[i + 2]);
    volume += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
  }
  CHECK(volume / 6 == Approx(1.0 / 6));
  for (std::size_t i = 0; i < character.vertices().size(); ++i) {
    const Vec3 from_middle = point(i) - Vec3{0.25F, 0.25F, -0.25F};
    const Vec3 normal = character.vertices_3d()[i].normal;
    CHECK(from_middle.x * normal.x + from_middle.y * normal.y + from_middle.z * normal.z > 0);
  }
}

TEST_CASE("faces of different smoothing groups have a hard edge between them", "[psk]") {
  CHECK(loaded(test::small_psk()).vertices().size() == 4);
  PskFile file = test::small_psk();
  for (std::uint32_t face = 0; face < 4; ++face) test::put(test::chunk_of(file, "FACE0000"), face, 8, 1U << face);
  CHECK(loaded(file).vertices().size() == 12);
  for (std::uint32_t face = 0; face < 4; ++face) test::put(test::chunk_of(file, "FACE0000"), face, 8, 0U);
  CHECK(loaded(file).vertices().size() == 12);
}

TEST_CASE("the four largest weights of a point are kept and normalized", "[psk]") {
  PskFile file = test::small_psk();
  std::vector<test::PskBone> bones(6);
  test::chunk_of(file, "REFSKELT") = test::bone_chunk("REFSKELT", bones);
  struct Record {
    float weight;
    std::int32_t point, bone;
  };
  test::chunk_of(file, "RAWWEIGHTS") = test::chunk_of_records("RAWWEIGHTS", std::vector<Record>{{0.1F, 0, 5},
                                                                                                {0.2F, 0, 4},
                                                                                                {0.05F, 0, 3},
                                                                                                {0.3F, 0, 2},
                                                                                                {0.2F, 0, 1},
                                                                                                {0.5F, 1, 0},
                                                                                                {0.25F, 2, 3},
                                                                                                {0.25F, 2, 3}});
  const Character character = loaded(file);
  CHECK(codes_of(character) == std::set<std::string>{"W209"});
  const auto vertex_at = [&](float x, float y, float z) {
    for (std::size_t i = 0; i < character.vertices().size(); ++i) {
      const Vertex& vertex = character.vertices()[i];
      if (vertex.x == x && vertex.y == y && character.vertices_3d()[i].z == z) return vertex;
    }
    return Vertex{};
  };
  const Vertex many = vertex_at(0, 0, 0);
  CHECK(many.bones[0] == 2);
  CHECK(many.weights[0] == Approx(0.3 / 0.8));
  CHECK(many.bones[3] == 5);
  CHECK(many.weights[0] + many.weights[1] + many.weights[2] + many.weights[3] == Approx(1));
  CHECK(vertex_at(1, 0, 0).weights[0] == 1);
  const Vertex twice = vertex_at(0, 0, -1);
  CHECK(twice.bones[0] == 3);
  CHECK(twice.weights[0] == 1);
  CHECK(twice.weights[1] == 0);
  // A point without weights follows the first bone.
  CHECK(vertex_at(0, 1, 0).weights[0] == 1);
}

TEST_CASE("bones come after their parents", "[psk]") {
  PskFile file = test::small_psk();
  test::chunk_of(file, "REFSKELT") =
      test::bone_chunk("REFSKELT", {{"root", 0}, {"finger", 2}, {"hand", 0}, {"prop", -1}});
  const Character character = loaded(file);
  CHECK(character.warnings().empty());
  CHECK(character.bones()[character.find_bone("finger")].parent == BoneId{1});
  CHECK(character.bones()[1].name == "hand");
  CHECK(character.bones()[character.find_bone("prop")].parent == BoneId::none);
}

TEST_CASE("a mesh without bones gets one bone and does not move", "[psk]") {
  PskFile file = test::small_psk();
  std::erase_if(file, [](const test::PskChunk& chunk) { return chunk.id == "REFSKELT" || chunk.id == "RAWWEIGHTS"; });
  const Character character = loaded(file);
  CHECK(character.bones().size() == 1);
  CHECK(character.warnings().empty());
  PoseBuffers posed;
  pose_bind(character, posed);
  CHECK(posed.palette_3d[0] == kIdentity3);
}

TEST_CASE("a mesh with more than 65,535 vertices is split", "[psk]") {
  struct Wedge {
    std::uint32_t point;
    float u, v;
    std::uint32_t rest;
  };
  struct Face {
    std::array<std::uint32_t, 3> wedges;
    std::array<std::uint8_t, 6> rest;
  } __attribute__((packed));
  constexpr std::uint32_t kPoints = 90'000;
  std::vector<std::array<float, 3>> points;
  std::vector<Wedge> wedges;
  std::vector<Face> faces;
  for (std::uint32_t i = 0; i < kPoints; ++i) {
    points.push_back({static_cast<float>(i % 300), static_cast<float>(i % 7), static_cast<float>(i) / 300});
    wedges.push_back({i, 0, 0, 0});
  }
  for (std::uint32_t i = 0; i + 2 < kPoints; i += 3) faces.push_back({{i, i + 1, i + 2}, {0, 0, 1, 0, 0, 0}});
  PskFile file{{"ACTRHEAD", 0, 0, {}},
               test::chunk_of_records("PNTS0000", points),
               test::chunk_of_records("VTXW0000", wedges),
               test::chunk_of_records("FACE3200", faces)};
  REQUIRE(file.back().record_bytes == 18);
  const Character character = loaded(file);
  CHECK(character.meshes().size() == 2);
  CHECK(character.vertices().size() == kPoints);
  CHECK(character.indices().size() == kPoints);
  CHECK(character.vertices().back().y == points[kPoints - 2][2]);
}

TEST_CASE("an animation next to a mesh of the same name plays on it", "[psk]") {
  const fs::path folder = folder_with("beside", test::small_psk(), test::small_psa());
  const auto character = load_character(folder / "Hero.psk");
  REQUIRE(character);
  CHECK(character->warnings().empty());
  REQUIRE(character->clips().size() == 1);
  const Clip& clip = character->clips()[0];
  CHECK(clip.name == "turn");
  CHECK(clip.looping);
  CHECK(clip.frames_per_second == 20);
  CHECK(clip.frame_count == 4);
  // The point that follows only the tip, halfway between the third and fourth frames.
  const std::vector<Vec3> points = skinned(*character, ClipId{0}, {2, 3, 0.5F});
  const auto found = std::ranges::find_if(
      character->vertices(), [](const Vertex& vertex) { return vertex.weights[0] == 1 && vertex.bones[0] == 1; });
  REQUIRE(found != character->vertices().end());
  CHECK(points[static_cast<std::size_t>(found - character->vertices().begin())].y == Approx(found->y + 2.5F));
}

TEST_CASE("an animation with another name plays only if its bones are the mesh's", "[psk]") {
  const fs::path folder = folder_with("fitting", test::small_psk(), test::small_psa(), "anything.psa");
  PskFile other = test::small_psa();
  test::chunk_of(other, "BONENAMES") = test::bone_chunk("BONENAMES", {{"fish"}, {"fin"}});
  test::write_file(folder / "other.psa", test::bytes_of(other));
  const auto character = load_character(folder / "Hero.psk");
  REQUIRE(character);
  CHECK(codes_of(*character) == std::set<std::string>{"W262"});
  CHECK(character->clips().size() == 1);
  CHECK(character->file.animation_files.size() == 1);
}

TEST_CASE("bones with the same name follow separate tracks", "[psk]") {
  const auto bones = [](const std::vector<std::string>& names) {
    std::vector<psk::Bone> result;
    for (const std::string& name : names) result.push_back({name, 0});
    return result;
  };
  Warnings warnings;
  // The second is a child of the last, so it comes after it.
  std::vector<psk::Bone> mesh = bones({"root", "hand", "Hand", "arm", "hand"});
  mesh[1].parent = 3;
  const psk::Skeleton skeleton = psk::make_skeleton(mesh, warnings);
  REQUIRE(skeleton.number_of[1] > skeleton.number_of[3]);
  const psk::Match same = psk::match_bones(mesh, skeleton);
  CHECK(same.matched == 5);
  CHECK(same.extra.empty());
  for (std::uint32_t i = 0; i < mesh.size(); ++i) CHECK(same.track_of[skeleton.number_of[i]] == i);

  const psk::Match other = psk::match_bones(bones({"hand", "tail", "root", "hand"}), skeleton);
  CHECK(other.track_of[skeleton.number_of[1]] == 0);
  CHECK(other.track_of[skeleton.number_of[2]] == 3);
  CHECK(other.track_of[skeleton.number_of[4]] == psk::Match::kNone);
  CHECK(other.matched == 3);
  CHECK(other.extra == std::vector<std::string>{"tail"});
}

TEST_CASE("all bones move if the mesh and the animation have the same bones", "[psk]") {
  PskFile mesh = test::small_psk();
  test::chunk_of(mesh, "REFSKELT") = test::bone_chunk("REFSKELT", {{"root"}, {"tip"}, {"tip"}, {"tip"}});
  const fs::path folder = folder_with("duplicates", mesh, test::psa_for({"root", "tip", "tip", "tip"}));
  const auto character = load_character(folder / "Hero.psk");
  REQUIRE(character);
  CHECK(character->warnings().empty());
  // The keys of frame 0 are at 0, 1, 0, 2.
  const PoseView frame = character->clips().front().samples.frame(0, 4);
  CHECK(std::vector<float>(frame.y.begin(), frame.y.end()) == std::vector<float>{0, 1, 0, 2});
}

TEST_CASE("sequences are equal whether their fields count frames or keys", "[psk]") {
  const auto ranges = [](std::vector<std::array<std::int32_t, 2>> fields) {
    PskFile file = test::small_psa();
    test::PskChunk info{"ANIMINFO", 168, static_cast<std::int32_t>(fields.size()), test::Bytes(fields.size() * 168)};
    for (std::size_t i = 0; i < fields.size(); ++i) test::put(info, i, 160, fields[i]);
    test::chunk_of(file, "ANIMINFO") = info;
    Warnings warnings;
    const psk::Animation animation = psk::read_animation(test::bytes_of(file), warnings).value();
    CHECK(std::move(warnings).take().empty());
    std::vector<std::array<std::uint32_t, 2>> result;
    for (const psk::Sequence& each : animation.sequences) result.push_back({each.first_frame, each.frame_count});
    return result;
  };
  // Four frames of two bones.
  const std::vector<std::array<std::uint32_t, 2>> expected{{0, 1}, {1, 3}};
  CHECK(ranges({{0, 1}, {1, 3}}) == expected);
  CHECK(ranges({{0, 2}, {2, 6}}) == expected);
  CHECK(ranges({{0, 8}}) == std::vector<std::array<std::uint32_t, 2>>{{0, 4}});
  // Sequences can share frames.
  CHECK(ranges({{0, 4}, {0, 4}}) == std::vector<std::array<std::uint32_t, 2>>{{0, 4}, {0, 4}});
}

TEST_CASE("a clip has the group of its sequence", "[psk]") {
  PskFile animation = test::small_psa();
  test::put(test::chunk_of(animation, "ANIMINFO"), 0, 64, std::array<char, 5>{'S', 'w', 'i', 'm', '\0'});
  const fs::path folder = folder_with("group", test::small_psk(), animation);
  CHECK(load_character(folder / "Hero.psk").value().clips()[0].group == "Swim");
}

TEST_CASE("sequences that share keys take a limited number of samples", "[psk][malformed]") {
  PskFile mesh = test::small_psk();
  test::chunk_of(mesh, "REFSKELT") = test::bone_chunk("REFSKELT", std::vector<test::PskBone>(1000));
  PskFile animation = test::psa_for({"a"});
  const std::size_t sequences = 200;
  test::PskChunk info{"ANIMINFO", 168, sequences, test::Bytes(sequences * 168)};
  for (std::size_t i = 0; i < sequences; ++i) test::put(info, i, 164, std::int32_t{8});
  test::chunk_of(animation, "ANIMINFO") = info;
  const fs::path folder = folder_with("shared keys", mesh, animation);
  // 1,600 frames of 1,000 bones.
  const Character refused = load_character(folder / "Hero.psk").value();
  CHECK(refused.clips().empty());
  CHECK(codes_of(refused) == std::set<std::string>{"W261"});
  ImportOptions options;
  options.limits.max_bone_samples = std::uint64_t{64} << 20;
  CHECK(load_character(folder / "Hero.psk", options).value().clips().size() == sequences);
}

TEST_CASE("a mesh with more face corners than allowed samples is refused", "[psk][malformed]") {
  ImportOptions options;
  options.limits.max_bone_samples = 11;
  const auto refused = load_character(test::bytes_of(test::small_psk()), options);
  REQUIRE_FALSE(refused);
  CHECK(code(refused.error().id) == "E104");
  options.limits.max_bone_samples = 12;
  CHECK(load_character(test::bytes_of(test::small_psk()), options));
}

TEST_CASE("several animations are combined, and sequences with the same name are numbered", "[psk]") {
  const fs::path folder = folder_with("stacked", test::small_psk(), test::small_psa(), "one.psa");
  test::write_file(folder / "two.psa", test::bytes_of(test::small_psa()));
  ImportOptions options;
  for (const char* const name : {"one.psa", "two.psa", "one.psa"}) {
    options.animations.push_back(test::utf8_of(folder / name));
  }
  const auto character = load_character(folder / "Hero.psk", options);
  REQUIRE(character);
  REQUIRE(character->clips().size() == 3);
  CHECK(character->clips()[1].name == "turn #2");
  CHECK(character->clips()[2].name == "turn #3");
}

TEST_CASE("parts that a config file removes stay in the bind pose", "[psk]") {
  const fs::path folder = folder_with("config", test::small_psk(), test::small_psa());
  const std::string config = "[AnimSet]\r\nbAnimRotationOnly=0\r\n[RemoveTracks]\r\nTurn.1=trans\r\nTurn.x=all\r\n";
  test::write_file(folder / "HeroAnims.config", std::as_bytes(std::span(config)));
  const auto character = load_character(folder / "Hero.psk");
  REQUIRE(character);
  const std::vector<Vec3> points = skinned(*character, ClipId{0}, {3, 3, 0});
  for (std::size_t i = 0; i < points.size(); ++i) CHECK(points[i].y == Approx(character->vertices()[i].y).margin(1e-6));

  const psk::Config only =
      psk::read_config("[AnimSet]\nbAnimRotationOnly=1\n[UseTranslationBoneNames]\nRoot\n[RemoveTracks]\nA.b.3=rot\n");
  CHECK(only.rotation_only);
  CHECK(only.with_position == std::set<std::string>{"root"});
  CHECK(only.removed.at({"a.b", 3}).rotation);
  CHECK_FALSE(only.removed.at({"a.b", 3}).position);
}

TEST_CASE("scale keys are applied", "[psk]") {
  PskFile animation = test::small_psa();
  animation.push_back(test::chunk_of_records("SCALEKEYS", std::vector<std::array<float, 4>>(8, {2, 3, 4, 1})));
  const fs::path folder = folder_with("scale", test::small_psk(), animation);
  const auto character = load_character(folder / "Hero.psk");
  REQUIRE(character);
  const BoneSamples& samples = character->clips()[0].samples;
  CHECK(samples.scale_x[0] == 2);
  CHECK(samples.scale_y[0] == 4);
  CHECK(samples.samples_3d[0].scale_z == 3);
}

TEST_CASE("a texture near the mesh is found by the name of its material, in any case", "[psk]") {
  PskFile mesh = test::small_psk();
  test::PskChunk materials{"MATT0000", 88, 1, test::Bytes(88)};
  test::put(materials, 0, 0, std::array<char, 5>{'S', 'k', 'i', 'n', '\0'});
  mesh.push_back(materials);
  const fs::path folder = folder_with("textures", mesh, test::small_psa());
  CHECK(codes_of(load_character(folder / "Hero.psk").value()) == std::set<std::string>{"W257"});
  const Bitmap white{2, 2, std::vector<std::uint8_t>(16, 255)};
  fs::create_directories(folder / "Texture2D");
  test::write_file(folder / "Texture2D" / "SKIN.png", encode_png(white));
  const Character character = load_character(folder / "Hero.psk").value();
  CHECK(character.warnings().empty());
  CHECK(character.images()[0].name == "SKIN.png");
  fs::rename(folder / "Texture2D" / "SKIN.png", folder / "Texture2D" / "T_Skin_D.png");
  const std::string material = "Normal=T_Skin_N\r\nDiffuse=T_Skin_D\r\n";
  test::write_file(folder / "skin.mat", std::as_bytes(std::span(material)));
  CHECK(load_character(folder / "Hero.psk").value().images()[0].name == "T_Skin_D.png");
}

TEST_CASE("a 3D character cannot be written in a 2D format, even with losses", "[psk]") {
  const Character character = loaded(test::small_psk());
  for (const Format format : {Format::v1, Format::json, Format::packed}) {
    SaveOptions options;
    options.lossy = true;
    const auto saved = save(character, format, "hero", options);
    REQUIRE_FALSE(saved);
    CHECK(code(saved.error().id) == "E311");
  }
}

}  // namespace psk_test
