// SPDX-License-Identifier: MIT
// Binary files in tests/diagnostics. Each is a small character with one mistake.
#include "import/validate/diagnostic_files.hpp"

#include "support/aseprite.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/px.hpp"
#include "support/scenes.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace pchr::test {
namespace {

/// Returns a v1 file of the sliding quad after `edit`.
template <class Edit>
Bytes edited(Edit edit) {
  CharacterData data = sliding_quad();
  edit(data);
  return write_v1(data);
}

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Returns a v1 file whose image is `png` and declared as 4 x 4 pixels.
Bytes with_png(Bytes png) {
  return edited([&](CharacterData& data) {
    data.images[0].encoding = ImageEncoding::png;
    data.images[0].bytes = std::move(png);
  });
}

Bytes white_png(std::uint32_t width, std::uint32_t height) {
  return png_of(width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height, 255));
}

/// Returns a PNG with valid chunks but invalid compressed pixels.
Bytes undecodable_png() {
  Bytes png = png_start({.width = 4, .height = 4});
  png_chunk(png, "IDAT", std::as_bytes(std::span("these bytes are not compressed pixels")));
  png_chunk(png, "IEND", {});
  return png;
}

/// Adds a second bone and a second quad above the first.
void add_second_quad(CharacterData& data) {
  data.bones.push_back({"second", BoneId::none});
  add_quad(data, "over", 0, {{-4, -4}, {4, 4}}, 1);
  data.clips = {resting_clip("bind", 1, 2)};
  data.clips[0].samples.z_order = {0, 1};
}

void add_triangle(CharacterData& data, std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  data.indices.insert(data.indices.end(), {a, b, c});
  data.meshes[0].index_count += 3;
}

/// Returns an older packed file: two lengths, JSON and no image.
Bytes packed_without_image() {
  constexpr std::string_view kJson =
      R"({"version":1,"fps":24,"images":[{"name":"atlas","path":"atlas.png","width":4,"height":4}],)"
      R"("bones":[{"name":"root","parentIdx":-1}],"meshes":[{"name":"flag","imageIdx":0,"triangles":[0,1,2],"vertices":[)"
      R"({"x":0,"y":0,"u":0,"v":1,"bones":[{"idx":0,"weight":1}]},)"
      R"({"x":8,"y":0,"u":1,"v":1,"bones":[{"idx":0,"weight":1}]},)"
      R"({"x":0,"y":8,"u":0,"v":0,"bones":[{"idx":0,"weight":1}]}]}],)"
      R"("animations":[{"name":"bind","loop":false,"frames":[[)"
      R"({"x":0,"y":0,"rotation":0,"scaleX":1,"scaleY":1,"visible":true,"zOrder":0}]]}]})";
  Bytes bytes = bytes_of("PCHR");
  for (const std::uint32_t number : {std::uint32_t{1}, static_cast<std::uint32_t>(kJson.size()), std::uint32_t{0}}) {
    const auto raw = std::as_bytes(std::span(&number, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
  const Bytes json = bytes_of(kJson);
  bytes.insert(bytes.end(), json.begin(), json.end());
  return bytes;
}

std::map<std::string, Bytes> files_with_errors() {
  std::map<std::string, Bytes> files;
  files["E101_unknown_format.pchr"] = bytes_of("GIF89a, which is no character");
  files["E179_utf16_text.json"] = bytes_of(std::string_view("\xFF\xFE{\0\"\0", 6));
  files["E180_foreign_format.pchr"] = bytes_of("DBDT, which is DragonBones");
  files["E102_unsupported_version.pchr"] = edited([](CharacterData&) {});
  files["E102_unsupported_version.pchr"][4] = std::byte{2};
  files["E103_truncated.pchr"] = edited([](CharacterData&) {});
  files["E103_truncated.pchr"].resize(100);
  files["E104_limit_exceeded.pchr"] =
      edited([](CharacterData& data) { data.images[0] = plain_image(5, 5, {255, 255, 255, 255}); });
  files["E105_invalid_utf8.pchr"] = edited([](CharacterData& data) { data.bones[0].name = "ro\xFFot"; });
  files["E134_git_lfs_pointer.pchr"] = bytes_of(
      "version https://git-lfs.github.com/spec/v1\n"
      "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n");
  files["E110_image_size_zero.pchr"] = edited([](CharacterData& data) { data.images[0] = plain_image(0, 4, {}); });
  files["E111_unknown_image_format.pchr"] =
      edited([](CharacterData& data) { data.images[0].encoding = static_cast<ImageEncoding>(7); });
  files["E112_image_data_size.pchr"] = edited([](CharacterData& data) { data.images[0].bytes.pop_back(); });
  files["E113_invalid_parent.pchr"] = edited([](CharacterData& data) { data.bones[0].parent = BoneId{0}; });
  files["E114_bone_out_of_range.pchr"] = edited([](CharacterData& data) { data.vertices[2].bones[0] = 7; });
  files["E115_image_out_of_range.pchr"] = edited([](CharacterData& data) { data.meshes[0].image = ImageId{5}; });
  files["E116_vertex_out_of_range.pchr"] = edited([](CharacterData& data) { data.indices[4] = 9; });
  files["E117_incomplete_triangle.pchr"] = edited([](CharacterData& data) { data.meshes[0].index_count = 5; });
  files["E118_not_finite.pchr"] =
      edited([](CharacterData& data) { data.clips[1].samples.x[2] = std::numeric_limits<float>::quiet_NaN(); });
  files["E120_not_png.pchr"] = with_png(bytes_of("GIF89a"));
  Bytes cut = white_png(4, 4);
  cut.resize(cut.size() - 6);
  files["E121_broken_png.pchr"] = with_png(cut);
  Bytes flipped = white_png(4, 4);
  flipped[29] ^= std::byte{1};  // First byte of the header's checksum.
  files["E122_png_checksum.pchr"] = with_png(flipped);
  files["E123_png_size_mismatch.pchr"] = with_png(white_png(2, 3));
  files["E124_png_undecodable.pchr"] = with_png(undecodable_png());
  // The only chunk is longer than the file.
  files["E169_gltf_container_broken.glb"] = bytes_of(std::string_view("glTF\2\0\0\0\x18\0\0\0\x10\0\0\0JSON{}  ", 24));
  return files;
}

std::map<std::string, Bytes> files_with_warnings() {
  std::map<std::string, Bytes> files;
  files["W201_reserved_flags.pchr"] = edited([](CharacterData& data) { data.reserved_flags = 3; });
  files["W202_trailing_bytes.pchr"] = edited([](CharacterData&) {});
  files["W202_trailing_bytes.pchr"].resize(files["W202_trailing_bytes.pchr"].size() + 7);
  files["W203_zero_frame_rate.pchr"] = edited([](CharacterData& data) { data.frames_per_second = 0; });
  files["W204_clip_without_frames.pchr"] =
      edited([](CharacterData& data) { data.clips.push_back(resting_clip("empty", 0, 1)); });
  files["W205_negative_weight.pchr"] = edited([](CharacterData& data) {
    data.vertices[1].weights[0] = 1.5F;
    data.vertices[1].weights[1] = -0.5F;
  });
  files["W206_bind_not_invertible.pchr"] = edited([](CharacterData& data) { data.clips[0].samples.scale_x[0] = 0; });
  files["W210_image_absent.pchr"] = packed_without_image();
  files["W211_uncertain_bind_pose.pchr"] = edited([](CharacterData& data) {
    data.clips[0] = resting_clip("fall", 2, 1);
    data.clips[0].samples.y = {20, 10};
  });
  files["W212_stretching_bind_pose.pchr"] = edited([](CharacterData& data) {
    data.bones.push_back({"hat", BoneId::none});
    add_quad(data, "hat", 0, {{-8, -8}, {8, 8}}, 1);
    data.clips = {resting_clip("grow", 2, 2), resting_clip("walk", 8, 2)};
    for (Clip& clip : data.clips) {
      for (std::size_t frame = 0; frame < clip.frame_count; ++frame) {
        clip.samples.x[2 * frame + 1] = 16;
        clip.samples.z_order[2 * frame + 1] = 1;
      }
    }
    data.clips[0].samples.x[1] = 8;
    data.clips[0].samples.scale_x[1] = data.clips[0].samples.scale_y[1] = 2;
    data.clips[1].samples.x[1] = 0;
  });
  return files;
}

std::map<std::string, Bytes> files_with_advice() {
  std::map<std::string, Bytes> files;
  files["W401_weight_sum.pchr"] = edited([](CharacterData& data) {
    data.vertices[1].weights[0] = 0.9F;
    data.vertices[2].weights[0] = 1.1F;
  });
  files["W402_weight_gap.pchr"] =
      edited([](CharacterData& data) { std::swap(data.vertices[3].weights[0], data.vertices[3].weights[2]); });
  files["W403_degenerate_triangle.pchr"] = edited([](CharacterData& data) { add_triangle(data, 1, 3, 3); });
  files["W404_duplicate_triangle.pchr"] = edited([](CharacterData& data) { add_triangle(data, 3, 2, 0); });
  files["W405_texture_outside.pchr"] = edited([](CharacterData& data) { data.vertices[1].u = 1.25F; });
  files["W406_mesh_without_weights.pchr"] = edited([](CharacterData& data) {
    for (Vertex& vertex : data.vertices) vertex.weights[0] = 0;
  });
  files["W407_unused_vertex.pchr"] = edited([](CharacterData& data) {
    data.vertices.push_back(data.vertices[0]);
    data.meshes[0].vertex_count += 1;
  });
  files["W408_duplicate_name.pchr"] = edited([](CharacterData& data) { data.clips[0].name = data.clips[1].name; });
  files["W409_equal_draw_order.pchr"] = edited([](CharacterData& data) {
    add_second_quad(data);
    data.clips[0].samples.z_order = {4, 4};
  });
  files["W410_doubled_seam.pchr"] = edited([](CharacterData& data) { data.clips[1].samples.x = {0, 4, 8, 0}; });
  files["W411_unused_image.pchr"] =
      edited([](CharacterData& data) { data.images.push_back(plain_image(2, 2, {0, 0, 0, 255}, "spare")); });
  files["W412_still_clip.pchr"] = edited([](CharacterData& data) { data.clips[1].samples.x = {4, 4, 4, 4}; });
  files["W413_pose_overflow.pchr"] = edited([](CharacterData& data) {
    add_second_quad(data);
    data.bones[1].parent = BoneId{0};
    data.clips.push_back(resting_clip("burst", 1, 2));
    data.clips[1].samples.z_order = {0, 1};
    data.clips[1].samples.scale_x = {1e30F, 1e30F};
  });
  files["W414_mesh_without_triangles.pchr"] = edited([](CharacterData& data) { data.meshes[0].index_count = 0; });
  return files;
}

template <class Edit>
Bytes edited_psk(Edit edit) {
  PskFile file = small_psk();
  edit(file);
  return bytes_of(file);
}

/// Returns an optional chunk with one record too few.
PskChunk too_few_normals() { return chunk_of_records("VTXNORMS", std::vector<std::array<float, 3>>(3, {0, 0, 1})); }

std::map<std::string, Bytes> meshes_with_diagnostics() {
  std::map<std::string, Bytes> files;
  files["E150_psk_part_missing.psk"] = bytes_of(PskFile{{"ACTRHEAD", 0, 0, {}}});
  files["E151_psa_without_mesh.psk"] = bytes_of(small_psa());
  files["W250_psk_truncated.psk"] = bytes_of(small_psk());
  files["W250_psk_truncated.psk"].resize(files["W250_psk_truncated.psk"].size() - 7);
  files["W251_psk_part_ignored.psk"] = edited_psk([](PskFile& file) { file.push_back(too_few_normals()); });
  files["W252_psk_face_dropped.psk"] =
      edited_psk([](PskFile& file) { put(chunk_of(file, "FACE0000"), 2, 2, std::uint16_t{9}); });
  files["W253_psk_weight_dropped.psk"] =
      edited_psk([](PskFile& file) { put(chunk_of(file, "RAWWEIGHTS"), 4, 8, std::int32_t{7}); });
  files["W254_psk_bone_detached.psk"] = edited_psk([](PskFile& file) {
    chunk_of(file, "REFSKELT") = bone_chunk("REFSKELT", {{"root", 0}, {"hand", 2}, {"finger", 1}});
  });
  files["W255_psk_value_replaced.psk"] =
      edited_psk([](PskFile& file) { put(chunk_of(file, "PNTS0000"), 1, 4, std::numeric_limits<float>::quiet_NaN()); });
  files["W256_psk_material_missing.psk"] = edited_psk([](PskFile& file) {
    file.push_back(material_chunk({"white"}));
    put(chunk_of(file, "FACE0000"), 1, 6, std::uint8_t{5});
  });
  files["W257_psk_texture_missing.psk"] =
      edited_psk([](PskFile& file) { file.push_back(material_chunk({"M_Hero_Inst"})); });
  files["W263_psk_texture_elsewhere.psk"] =
      edited_psk([](PskFile& file) { file.push_back(material_chunk({"white"})); });
  return files;
}

/// Adds a mesh and an animation whose bones have these names.
void add_pair(std::map<std::string, Bytes>& files, const std::string& stem, const std::vector<std::string>& mesh_bones,
              const std::vector<std::string>& tracks, const std::string& animation_suffix = ".psa") {
  std::vector<PskBone> bones;
  for (const std::string& name : mesh_bones) bones.push_back({name, 0});
  files[stem + ".psk"] = edited_psk([&](PskFile& file) { chunk_of(file, "REFSKELT") = bone_chunk("REFSKELT", bones); });
  files[stem + animation_suffix] = bytes_of(psa_for(tracks));
}

std::map<std::string, Bytes> animations_with_diagnostics() {
  std::map<std::string, Bytes> files;
  add_pair(files, "W258_psa_bones_unmatched", {"left claw", "crab"}, {"right claw", "crab"});
  add_pair(files, "W259_psa_other_skeleton", {"fish", "fin"}, {"neck", "fish", "hoof", "tail"});
  add_pair(files, "W260_psa_frames_repaired", {"bird", "wing"}, {"bird", "wing"});
  PskFile shifted = small_psa();
  chunk_of(shifted, "BONENAMES") = bone_chunk("BONENAMES", {{"bird", 0}, {"wing", 0}});
  put(chunk_of(shifted, "ANIMINFO"), 0, 160, std::int32_t{4});
  files["W260_psa_frames_repaired.psa"] = bytes_of(shifted);
  add_pair(files, "W261_psa_unusable", {"newt", "tongue"}, {"newt", "tongue"});
  files["W261_psa_unusable.psa"].resize(20);
  add_pair(files, "W262_psa_other_name", {"snail", "shell"}, {"snail", "shell"}, "_crawl.psa");
  return files;
}

constexpr PxColor kRed{255, 0, 0, 255}, kBlue{0, 0, 255, 255};

/// Returns two frames of two pixels after `edit`.
template <class Edit>
Bytes edited_px(Edit edit) {
  PxArtwork artwork{.width = 2, .height = 1};
  artwork.add_layer("drawn", {{kRed, kBlue}, {kBlue, kRed}});
  edit(artwork);
  return write_px(artwork);
}

/// Returns the artworks.
std::map<std::string, Bytes> px_diagnostic_files() {
  std::map<std::string, Bytes> files;
  files["E145_px_canvas_size.px"] = edited_px([](PxArtwork& artwork) { artwork.width = 0; });
  PxArtwork clear{.width = 2, .height = 1};
  clear.add_layer("clear", {PxPixels(2)});
  files["W277_artwork_invisible.px"] = write_px(clear);
  files["W239_px_nothing_drawn.px"] =
      edited_px([](PxArtwork& artwork) { artwork.add_layer("clear", {PxPixels(2), PxPixels(2)}); });
  files["W240_px_damaged.px"] = edited_px([](PxArtwork&) {});
  files["W240_px_damaged.px"].resize(files["W240_px_damaged.px"].size() - 10);
  files["W241_px_pixels_unusable.px"] = edited_px([](PxArtwork& artwork) { artwork.contents[1].deflated.resize(5); });
  files["W242_px_entry_ignored.px"] =
      edited_px([](PxArtwork& artwork) { artwork.entries.push_back({PxType::layer, "nobody"}); });
  files["W243_px_value_replaced.px"] = edited_px([](PxArtwork& artwork) { artwork.tags.push_back({"long", 0, 7}); });
  files["W244_px_unknown.px"] = edited_px([](PxArtwork& artwork) { artwork.layers[0].blend = 99; });
  files["W245_px_effect_ignored.px"] = edited_px([](PxArtwork& artwork) {
    artwork.layers[0].effects = {1};
    artwork.post_processors = {0};
  });
  files["W246_px_layer_not_found.px"] = edited_px([](PxArtwork&) {});
  files["W247_px_repeats_ignored.px"] =
      edited_px([](PxArtwork& artwork) { artwork.tags.push_back({"often", 0, 1, 0, 60'000}); });
  files["W248_px_empty.px"] = edited_px([](PxArtwork& artwork) { artwork.layers[0].frames.clear(); });
  files["W249_px_duration_conflict.px"] = edited_px(
      [](PxArtwork& artwork) { artwork.add_layer("slower", {{kRed, kRed}, {kBlue, kBlue}}).frames[1].ms = 250; });
  return files;
}

/// Returns an Aseprite artwork of one pixel, with a chunk of any type.
Bytes aseprite_with(int type, const AseFields& content, AseArtwork artwork = {}) {
  artwork.add(ase_layer({"drawn"})).add(ase_cel({}, 1, 1, AsePixels{kRed}));
  if (type != 0) artwork.add(ase_chunk(type, content.bytes));
  return write_aseprite(artwork);
}

std::map<std::string, Bytes> aseprite_diagnostic_files() {
  std::map<std::string, Bytes> files;
  files["E146_aseprite_color_depth.aseprite"] = aseprite_with(0, {}, {.depth = 24});
  files["W236_aseprite_pixel_ratio.aseprite"] = aseprite_with(0, {}, {.pixel_ratio = {2, 1}});
  files["W237_artwork_color_profile.aseprite"] = aseprite_with(0x2007, AseFields{}.word(2).zeros(14).dword(3).zeros(3));
  files["W238_artwork_external.aseprite"] =
      aseprite_with(0x2008, AseFields{}.dword(1).zeros(8).dword(1).byte(0).zeros(7).string("warm.gpl"));
  return files;
}

}  // namespace

std::map<std::string, Bytes> diagnostic_files() {
  std::map<std::string, Bytes> files = files_with_errors();
  files.merge(files_with_warnings());
  files.merge(files_with_advice());
  files.merge(px_diagnostic_files());
  files.merge(aseprite_diagnostic_files());
  files.merge(meshes_with_diagnostics());
  files.merge(animations_with_diagnostics());
  return files;
}

}  // namespace pchr::test
