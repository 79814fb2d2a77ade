// SPDX-License-Identifier: MIT
// Reads a mesh with the positions of its vertices over time, which bones are fitted to.
#include "import/formats.hpp"
#include "import/json/tree.hpp"
#include "import/rig/rig.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace pchr::vertices {
namespace {

using namespace rig;
using Type = JsonNode::Type;

constexpr double kMaxNumber = 1e9;

class VertexReader {
 public:
  VertexReader(const JsonTree& tree, const ReaderOptions& options, Warnings& warnings)
      : tree_(tree), options_(options), warnings_(warnings) {}

  std::optional<Diagnostic> read(Model& model) {
    Armature& armature = model.armatures.emplace_back();
    armature.bones.push_back({.name = "root", .setup = {}});
    armature.steps.push_back({false, 0});
    armature.frames_per_second = 30;
    if (const JsonNode* const rate = find_field(&tree_.root(), "frames_per_second")) {
      if (rate->type != Type::number || !(rate->number >= 1 && rate->number <= 1000)) {
        return tree_.diagnose(DiagnosticId::value_out_of_range, *rate, "must be a number from 1 to 1000");
      }
      armature.frames_per_second = rate->number;
    }
    const JsonNode* const image = find_field(&tree_.root(), "image");
    if (image == nullptr || image->type != Type::string) return missing("image", "a path");
    Page page;
    std::uint64_t pixels = 0;
    if (auto problem = read_page(std::string(image->text()), "image", options_, pixels, warnings_, page)) {
      return problem;
    }
    page.width = page.image.width;
    page.height = page.image.height;
    model.regions.push_back({.name = {}, .width = page.width, .height = page.height});
    model.pages.push_back(std::move(page));

    Attachment mesh;
    mesh.kind = AttachmentKind::mesh;
    mesh.name = "mesh";
    mesh.region = 0;
    std::vector<double> uvs, triangles, rest;
    if (auto problem = read_numbers(find_field(&tree_.root(), "uvs"), "uvs", 0, uvs)) return problem;
    if (auto problem = read_numbers(find_field(&tree_.root(), "triangles"), "triangles", 0, triangles)) return problem;
    const std::size_t count = uvs.size() / 2;
    if (uvs.size() % 2 != 0 || count == 0 || count > 65535) {
      return tree_.diagnose(
          DiagnosticId::value_out_of_range, *find_field(&tree_.root(), "uvs"),
          fmt::format("has {} numbers, but a mesh has two for each of 1 to 65535 vertices", uvs.size()));
    }
    for (std::size_t i = 0; i < count; ++i) mesh.uvs.push_back({uvs[2 * i], uvs[2 * i + 1]});
    for (const double index : triangles) {
      if (!(index >= 0 && index < static_cast<double>(count) && index == std::floor(index)) ||
          triangles.size() % 3 != 0) {
        return tree_.diagnose(
            DiagnosticId::value_out_of_range, *find_field(&tree_.root(), "triangles"),
            fmt::format("must be three numbers of vertices, from 0 to {}, for each triangle", count - 1));
      }
      mesh.indices.push_back(static_cast<std::uint16_t>(index));
    }
    const JsonNode* const clips = find_field(&tree_.root(), "clips");
    if (clips == nullptr || clips->type != Type::array || clips->size == 1) return missing("clips", "a list of clips");
    const JsonNode* rest_node = find_field(&tree_.root(), "rest");
    for (const JsonNode& clip : JsonChildren(clips)) {
      const JsonNode* const frames = find_field(&clip, "frames");
      if (frames == nullptr || frames->type != Type::array || frames->size == 1) {
        return tree_.diagnose(DiagnosticId::missing_value, clip, "has no frames");
      }
      if (rest_node == nullptr) rest_node = &*JsonChildren(frames).begin();
      if (rest.empty()) {
        if (auto problem = read_numbers(rest_node, "rest", 2 * count, rest)) return problem;
        for (std::size_t i = 0; i < count; ++i) mesh.positions.push_back({rest[2 * i], rest[2 * i + 1]});
      }
      Animation& animation = armature.animations.emplace_back();
      const JsonNode* const name = find_field(&clip, "name");
      const JsonNode* const loop = find_field(&clip, "loop");
      animation.name = name != nullptr ? std::string(name->text()) : fmt::format("clip{}", armature.animations.size());
      animation.plays = loop != nullptr && loop->number != 0 ? 0 : 1;
      Timeline& timeline = animation.timelines.emplace_back();
      timeline.kind = TimelineKind::deform;
      timeline.channels = static_cast<std::uint32_t>(2 * count);
      std::vector<double> places;
      for (const JsonNode& frame : JsonChildren(frames)) {
        if (auto problem = read_numbers(&frame, "frame", 2 * count, places)) return problem;
        timeline.keys.push_back({static_cast<double>(timeline.keys.size()) / armature.frames_per_second, {}});
        for (std::size_t i = 0; i < places.size(); ++i) timeline.values.push_back(places[i] - rest[i]);
      }
      const std::size_t length = timeline.keys.size() - (animation.plays == 1 ? 1 : 0);
      animation.duration = static_cast<double>(length) / armature.frames_per_second;
      model.keys += timeline.values.size();
    }
    Slot& slot = armature.slots.emplace_back();
    slot.name = "mesh";
    slot.attachments.push_back(std::move(mesh));
    return std::nullopt;
  }

 private:
  Diagnostic missing(std::string_view field, std::string_view wanted) const {
    return tree_.diagnose(DiagnosticId::missing_value, tree_.root(),
                          fmt::format("has no \"{}\", which must be {}", field, wanted));
  }

  /// Reads a list of numbers, `count` of them unless it is 0.
  std::optional<Diagnostic> read_numbers(const JsonNode* list, std::string_view name, std::size_t count,
                                         std::vector<double>& numbers) const {
    if (list == nullptr || list->type != Type::array) {
      return list == nullptr ? missing(name, "a list of numbers")
                             : tree_.diagnose(DiagnosticId::wrong_type, *list, "must be a list of numbers");
    }
    numbers.clear();
    for (const JsonNode& each : JsonChildren(list)) {
      if (each.type != Type::number) return tree_.diagnose(DiagnosticId::wrong_type, each, "must be a number");
      if (!(std::abs(each.number) <= kMaxNumber)) {
        return tree_.diagnose(DiagnosticId::value_out_of_range, each,
                              fmt::format("is {:g}, but must be at most {:g}", each.number, kMaxNumber));
      }
      numbers.push_back(each.number);
    }
    if (count == 0 || numbers.size() == count) return std::nullopt;
    return tree_.diagnose(DiagnosticId::value_out_of_range, *list,
                          fmt::format("has {} numbers, but {} vertices need {}", numbers.size(), count / 2, count));
  }

  const JsonTree& tree_;
  const ReaderOptions& options_;
  Warnings& warnings_;
};

}  // namespace
}  // namespace pchr::vertices

namespace pchr {

Expected<Imported, LoadError> read_vertices(const Source& source, const ReaderOptions& options) {
  using namespace vertices;
  std::string copy;
  auto tree = JsonTree::read(json_text(source.bytes, source.readable, copy));
  if (!tree) return Unexpected(std::move(tree.error()));
  Model model;
  Warnings warnings;
  if (auto problem = VertexReader(*tree, options, warnings).read(model)) return Unexpected(*std::move(problem));
  auto imported = import_rig(std::move(model), 0, options, "vertex sequence", std::move(warnings));
  if (imported) imported->armatures.clear();
  return imported;
}

}  // namespace pchr
