// SPDX-License-Identifier: MIT
// Reads DragonBones skeletons (JSON 4.0 to 5.7) with their texture atlases. In these files y points down and angles are
// in degrees, clockwise.
#include "character/fail.hpp"
#include "import/diagnose.hpp"
#include "import/formats.hpp"
#include "import/json/tree.hpp"
#include "import/rig/rig.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace pchr::dragonbones {
namespace {

using namespace rig;
using Type = JsonReader::Type;

constexpr double kDegree = kPi / 180;
/// Largest magnitude of a number, far beyond any character.
constexpr double kMaxNumber = 1e9;
/// A curve with more samples looks the same.
constexpr double kMaxSamples = 240;
constexpr std::size_t kMaxPages = 64;

/// Returns the equal angle above -pi, at most pi.
double normalized(double angle) noexcept {
  angle = std::fmod(angle + kPi, 2 * kPi);
  return angle > 0 ? angle - kPi : angle + kPi;
}

Matrix flipped(const Matrix& matrix) noexcept {
  return {matrix.a, -matrix.b, -matrix.c, matrix.d, matrix.tx, -matrix.ty};
}

/// Returns the value of a cubic curve.
double cubic(double start, double first, double second, double end, double part) noexcept {
  const double rest = 1 - part;
  return rest * rest * rest * start + 3 * rest * rest * part * first + 3 * rest * part * part * second +
         part * part * part * end;
}

/// Samples a curve as DragonBones does when it loads a file, because that is what artists see: evenly in time, each
/// value by 14 bisections and to four decimals.
std::vector<float> sample_curve(std::vector<double> points, double frames) {
  // Most files leave out the ends.
  if (points.size() % 6 == 4) {
    points.insert(points.begin(), {0, 0});
    points.insert(points.end(), {1, 1});
  }
  const auto count = static_cast<std::size_t>(std::min(frames, kMaxSamples)) + 1;
  std::vector<float> samples;
  std::size_t curve = 0;
  for (std::size_t i = 1; i <= count; ++i) {
    const double time = static_cast<double>(i) / static_cast<double>(count + 1);
    while (curve + 13 < points.size() && points[curve + 6] < time) curve += 6;
    const double* const point = &points[curve];
    double low = 0, high = 1, middle = 0;
    for (int step = 0; step < 14; ++step) {
      middle = (low + high) / 2;
      (cubic(point[0], point[2], point[4], point[6], middle) < time ? low : high) = middle;
    }
    const double value = cubic(point[1], point[3], point[5], point[7], middle);
    samples.push_back(static_cast<float>(std::round(value * 1e4) / 1e4));
  }
  return samples;
}

/// A texture atlas and where its images are.
struct Atlas {
  const JsonTree* tree = nullptr;
  const JsonNode* node = nullptr;
  std::string file;  ///< Name of its own file; empty if it is in the skeleton's.
};

class Reader : JsonFields {
 public:
  Reader(const JsonTree& tree, const ReaderOptions& options, Warnings& warnings, std::uint64_t text_bytes)
      : JsonFields(tree, kMaxNumber, warnings),
        options_(options),
        max_values_((1U << 20) + 4 * text_bytes),
        values_left_(max_values_) {}

  std::optional<Diagnostic> read(std::span<const Atlas> atlases) {
    for (const Atlas& atlas : atlases) {
      if (auto problem = read_atlas(atlas)) return problem;
    }
    frame_rate_ = number(&tree_.root(), "frameRate", 24);
    const JsonNode* const list = field(&tree_.root(), "armature", Type::array);
    if (list != nullptr) {
      for (const JsonNode& node : JsonChildren(list)) {
        const std::string_view name = text(&node, "name");
        armatures_.try_emplace(name, static_cast<std::uint32_t>(armature_nodes_.size()));
        armature_nodes_.push_back(&node);
        model.armatures.emplace_back().name = name;
      }
    }
    if (auto problem = choose_armature()) return problem;
    animations_.resize(model.armatures.size());
    is_needed_.resize(model.armatures.size());
    need(chosen);
    for (std::size_t i = 0; i < needed_.size() && !error_; ++i) read_armature(needed_[i]);
    link_children();
    return error_;
  }

  Model model;
  std::uint32_t chosen = 0;
  std::vector<std::string> skins;

 private:
  using Names = std::unordered_map<std::string_view, std::uint32_t>;

  /// Takes values that a short file could ask for many times from what its size allows.
  bool take(std::uint64_t count, const JsonNode& node) {
    if (count > values_left_) {
      fail(DiagnosticId::limit_exceeded, node,
           fmt::format("needs {} values after {} others, but the limit for a file of this size is {}", count,
                       max_values_ - values_left_, max_values_));
      return false;
    }
    values_left_ -= count;
    return true;
  }

  /// Some programs write numbers as strings, booleans as numbers, and null or "NaN" for the default.
  double value_of(const JsonNode& node, double missing) {
    if (node.type == Type::null) return missing;
    if (node.type == Type::number || node.type == Type::boolean) {
      if (std::abs(node.number) <= kMaxNumber) return node.number;
      fail(DiagnosticId::value_out_of_range, node, fmt::format("must be between -{0:g} and {0:g}", kMaxNumber));
      return missing;
    }
    if (node.text() == "NaN") return missing;
    fail(DiagnosticId::wrong_type, node, "must be a number");
    return missing;
  }

  double number(const JsonNode* object, std::string_view key, double missing) {
    const JsonNode* const found = find_field(object, key);
    return found == nullptr ? missing : value_of(*found, missing);
  }

  bool boolean(const JsonNode* object, std::string_view key, bool missing) {
    const JsonNode* const found = find_field(object, key);
    if (found == nullptr || found->type == Type::null) return missing;
    if (found->type == Type::string) return found->text() == "true" || found->text() == "1";
    return value_of(*found, missing ? 1 : 0) != 0;
  }

  /// Returns the numbers of an array.
  std::vector<double> numbers(const JsonNode* object, std::string_view key) {
    std::vector<double> result;
    const JsonNode* const list = field(object, key, Type::array);
    if (list == nullptr) return result;
    result.reserve(list->size - 1);
    for (const JsonNode& each : JsonChildren(list)) result.push_back(value_of(each, 0));
    return result;
  }

  /// Reads a transform, y down.
  Transform transform_of(const JsonNode* object) {
    Transform result;
    const JsonNode* const node = field(object, "transform", Type::object);
    if (node == nullptr) return result;
    result.x = number(node, "x", 0);
    result.y = number(node, "y", 0);
    if (find_field(node, "rotate") != nullptr || find_field(node, "skew") != nullptr) {
      result.rotation = normalized(number(node, "rotate", 0) * kDegree);
      result.skew = normalized(number(node, "skew", 0) * kDegree);
    } else {
      result.rotation = normalized(number(node, "skY", 0) * kDegree);
      result.skew = normalized(number(node, "skX", 0) * kDegree) - result.rotation;
    }
    result.scale_x = number(node, "scX", 1);
    result.scale_y = number(node, "scY", 1);
    return result;
  }

  static Transform y_up(Transform transform) noexcept {
    transform.y = -transform.y;
    transform.rotation = -transform.rotation;
    transform.skew = -transform.skew;
    return transform;
  }

  std::optional<Diagnostic> read_atlas(const Atlas& atlas) {
    // Its diagnostics are about another file.
    Reader other(*atlas.tree, options_, warnings_, 0);
    Reader& reader = atlas.tree == &tree_ ? *this : other;
    const JsonNode* const node = atlas.node;
    const auto page_number = static_cast<std::uint32_t>(model.pages.size());
    Page page;
    page.width = std::max(reader.number(node, "width", 0), 0.0);
    page.height = std::max(reader.number(node, "height", 0), 0.0);
    const double scale = reader.number(node, "scale", 1);
    page.scale = scale > 1e-3 ? 1 / scale : 1;
    std::string path(reader.text(node, "imagePath"));
    if (path.empty()) path = with_extension(atlas.file, ".png");
    if (auto problem = read_page(path, "imagePath", options_, pixels_, warnings_, page)) return problem;
    if (!(page.width > 0)) page.width = page.image.width;
    if (!(page.height > 0)) page.height = page.image.height;
    model.pages.push_back(std::move(page));
    const JsonNode* const list = reader.field(node, "SubTexture", Type::array);
    if (list != nullptr) {
      for (const JsonNode& texture : JsonChildren(list)) {
        Region region;
        region.name = reader.text(&texture, "name");
        region.page = page_number;
        region.x = reader.number(&texture, "x", 0);
        region.y = reader.number(&texture, "y", 0);
        region.width = reader.number(&texture, "width", 0);
        region.height = reader.number(&texture, "height", 0);
        region.turns = reader.boolean(&texture, "rotated", false) ? 1 : 0;
        region.full_width = reader.number(&texture, "frameWidth", 0);
        region.full_height = reader.number(&texture, "frameHeight", 0);
        if (region.full_width > 0 && region.full_height > 0) {
          region.trim_left = -reader.number(&texture, "frameX", 0);
          region.trim_top = -reader.number(&texture, "frameY", 0);
        }
        model.regions.push_back(std::move(region));
        // The name is in the text, which outlives the model.
        regions_.try_emplace(reader.text(&texture, "name"), static_cast<std::uint32_t>(model.regions.size() - 1));
      }
    }
    if (reader.error_ && &reader != this) {
      reader.error_->detail += fmt::format(", in \"{}\"", printable(atlas.file));
      return reader.error_;
    }
    return error_;
  }

  std::optional<Diagnostic> choose_armature() {
    if (error_) return error_;
    if (model.armatures.empty()) {
      return tree_.diagnose(DiagnosticId::missing_value, tree_.root(), "has no armature");
    }
    const std::string_view stage = text(&tree_.root(), "stage");
    const std::string_view wanted = options_.armature.empty() ? stage : std::string_view(options_.armature);
    if (const auto found = armatures_.find(wanted); found != armatures_.end()) {
      chosen = found->second;
    } else if (!options_.armature.empty()) {
      return unknown_choice("armature", options_.armature, armature_names());
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> armature_names() const {
    std::vector<std::string> names;
    for (const Armature& armature : model.armatures) names.push_back(armature.name);
    return names;
  }

  static Diagnostic unknown_choice(std::string_view kind, const std::string& name,
                                   const std::vector<std::string>& names) {
    constexpr std::size_t kMaxNames = 16;
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kMaxNames); ++i) {
      list += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", printable(names[i]));
    }
    if (names.size() > kMaxNames) list += ", ...";
    return diagnose(DiagnosticId::rig_choice_missing, {}, "there is no {} \"{}\", but {}", kind, printable(name), list);
  }

  void read_armature(std::uint32_t armature_number) {
    const JsonNode* const node = armature_nodes_[armature_number];
    armature_ = &model.armatures[armature_number];
    armature_number_ = armature_number;
    if (const double rate = number(node, "frameRate", frame_rate_); rate > 0) armature_->frames_per_second = rate;
    armature_->frames_per_second = std::min(armature_->frames_per_second, 1000.0);
    read_bones(node);
    read_iks(node);
    read_slots(node);
    read_skins(node, armature_number == chosen);
    if (find_field(node, "path") != nullptr) {
      warn_at(DiagnosticId::rig_part_ignored, *find_field(node, "path"), "moves bones along a path, which is ignored");
    }
    const JsonNode* const animations = field(node, "animation", Type::array);
    if (animations != nullptr) {
      for (const JsonNode& animation : JsonChildren(animations)) read_animation(animation);
    }
    if (armature_->animations.empty()) return;
    armature_->default_animation = 0;
    const JsonNode* const actions = field(node, "defaultActions", Type::array);
    if (actions == nullptr) return;
    for (const JsonNode& action : JsonChildren(actions)) {
      const std::uint32_t named = find_animation(armature_number, played_name(action));
      if (named != kNone) armature_->default_animation = named;
    }
  }

  [[nodiscard]] std::uint32_t find_animation(std::uint32_t armature, std::string_view name) const {
    const auto found = animations_[armature].find(name);
    return found == animations_[armature].end() ? kNone : found->second;
  }

  void need(std::uint32_t armature) {
    if (!is_needed_[armature]) needed_.push_back(armature);
    is_needed_[armature] = true;
  }

  std::string_view played_name(const JsonNode& action) {
    if (action.type == Type::string) return action.text();
    const std::string_view older = text(&action, "gotoAndPlay");
    return older.empty() ? text(&action, "name") : older;
  }

  void read_bones(const JsonNode* armature) {
    bones_.clear();
    stored_.clear();
    const JsonNode* const list = field(armature, "bone", Type::array);
    if (list == nullptr) return;
    std::vector<const JsonNode*> nodes;
    Names names;
    for (const JsonNode& node : JsonChildren(list)) {
      names.try_emplace(text(&node, "name"), static_cast<std::uint32_t>(nodes.size()));
      nodes.push_back(&node);
    }
    std::vector<std::uint32_t> parents(nodes.size(), kNone);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string_view parent = text(nodes[i], "parent");
      if (parent.empty()) continue;
      const auto found = names.find(parent);
      if (found != names.end()) {
        parents[i] = found->second;
      } else {
        warn_at(DiagnosticId::rig_part_ignored, *nodes[i],
                "has the parent \"{}\", which does not exist, so it is a root", printable(parent));
      }
    }
    // Parents come first. A walk up that meets itself has found a cycle.
    constexpr std::uint32_t kVisiting = kNone - 1;
    stored_.assign(nodes.size(), kNone);
    std::vector<std::uint32_t> walk;
    for (std::uint32_t start = 0; start < nodes.size(); ++start) {
      walk.clear();
      for (std::uint32_t bone = start; bone != kNone && stored_[bone] == kNone; bone = parents[bone]) {
        stored_[bone] = kVisiting;
        walk.push_back(bone);
        if (parents[bone] != kNone && stored_[parents[bone]] == kVisiting) {
          warn_at(DiagnosticId::rig_part_ignored, *nodes[bone], "is its own ancestor, so it is a root");
          parents[bone] = kNone;
        }
      }
      for (; !walk.empty(); walk.pop_back()) {
        const std::uint32_t bone = walk.back();
        stored_[bone] = static_cast<std::uint32_t>(armature_->bones.size());
        bones_.try_emplace(text(nodes[bone], "name"), stored_[bone]);
        armature_->bones.push_back(read_bone(*nodes[bone], parents[bone] == kNone ? kNone : stored_[parents[bone]]));
      }
    }
  }

  rig::Bone read_bone(const JsonNode& node, std::uint32_t parent) {
    rig::Bone bone;
    bone.name = text(&node, "name");
    bone.parent = parent;
    bone.setup = y_up(transform_of(&node));
    bone.length = number(&node, "length", 0);
    bone.inherits_translation = boolean(&node, "inheritTranslation", true);
    bone.inherits_rotation = boolean(&node, "inheritRotation", true);
    bone.inherits_scale = boolean(&node, "inheritScale", true);
    bone.inherits_reflection = boolean(&node, "inheritReflection", true);
    const JsonNode* const type = find_field(&node, "type");
    if (type != nullptr && (type->text() == "surface" || (type->type == Type::number && type->number == 1))) {
      warn_at(DiagnosticId::rig_part_ignored, node, "is a surface, which does not bend here");
    }
    return bone;
  }

  void read_iks(const JsonNode* armature) {
    constraints_.clear();
    std::vector<const JsonNode*> nodes;
    if (const JsonNode* const list = field(armature, "ik", Type::array)) {
      for (const JsonNode& node : JsonChildren(list)) {
        const auto bone = bones_.find(text(&node, "bone")), target = bones_.find(text(&node, "target"));
        if (bone == bones_.end() || target == bones_.end()) {
          warn_at(DiagnosticId::rig_part_ignored, node, "has a bone or target that does not exist");
          continue;
        }
        Ik ik;
        ik.name = text(&node, "name");
        ik.bone = bone->second;
        ik.target = target->second;
        const double chain = number(&node, "chain", 0);
        if (chain > 1) {
          warn_at(DiagnosticId::rig_part_ignored, node, "has a chain of {:g} bones, of which the last two are turned",
                  chain + 1);
        }
        ik.moves_parent = chain > 0 && armature_->bones[ik.bone].parent != kNone;
        ik.bends_left = boolean(&node, "bendPositive", true);
        ik.mix = number(&node, "weight", 1);
        constraints_.try_emplace(text(&node, "name"), static_cast<std::uint32_t>(armature_->iks.size()));
        armature_->iks.push_back(std::move(ik));
        nodes.push_back(&node);
      }
    }
    order_steps(nodes);
  }

  /// Orders bones and constraints: a constraint comes after its target and before the bone that it turns. Constraints
  /// whose targets depend on that bone are left out.
  void order_steps(std::span<const JsonNode* const> ik_nodes) {
    constexpr int kMaxTries = 64;
    std::vector<bool> is_left_out(ik_nodes.size());
    int tries = 0;
    while (!try_order_steps(is_left_out)) {
      if (++tries == kMaxTries) is_left_out.assign(ik_nodes.size(), true);
    }
    for (std::size_t i = 0; i < ik_nodes.size(); ++i) {
      if (!is_left_out[i]) continue;
      warn_at(DiagnosticId::rig_part_ignored, *ik_nodes[i], "has a target that depends on the bone, so it is ignored");
    }
  }

  /// Fails and adds to `is_left_out` if a bone depends on itself.
  bool try_order_steps(std::vector<bool>& is_left_out) {
    const std::vector<rig::Bone>& bones = armature_->bones;
    using Turned = std::pair<std::uint32_t, std::uint32_t>;  // the first bone that a constraint turns, constraint
    std::vector<Turned> turned;
    for (std::uint32_t i = 0; i < armature_->iks.size(); ++i) {
      const Ik& ik = armature_->iks[i];
      if (!is_left_out[i]) turned.emplace_back(ik.moves_parent ? bones[ik.bone].parent : ik.bone, i);
    }
    std::ranges::sort(turned);
    const auto constraints_of = [&](std::uint32_t bone) {
      return std::ranges::equal_range(turned, bone, {}, &Turned::first);
    };
    enum class State : std::uint8_t { waiting, open, done };
    std::vector<State> states(bones.size(), State::waiting);
    std::vector<std::uint32_t> stack;
    bool is_ordered = true;
    const auto need = [&](std::uint32_t bone) {
      if (states[bone] == State::waiting) stack.push_back(bone);
      if (states[bone] != State::open) return;
      // It waits for what needs it: the target of one of its constraints.
      for (const auto& [first, ik] : constraints_of(bone)) is_left_out[ik] = true;
      is_ordered = false;
    };
    armature_->steps.clear();
    for (std::uint32_t start = 0; start < bones.size() && is_ordered; ++start) {
      stack.push_back(start);
      while (!stack.empty()) {
        const std::uint32_t bone = stack.back();
        const std::uint32_t parent = bones[bone].parent;
        if (states[bone] == State::waiting && parent != kNone && states[parent] == State::waiting) {
          stack.push_back(parent);
          continue;
        }
        // From here on, it waits only for targets.
        if (states[bone] == State::waiting) {
          states[bone] = State::open;
          if (parent != kNone) need(parent);
          for (const auto& [first, ik] : constraints_of(bone)) need(armature_->iks[ik].target);
          continue;
        }
        stack.pop_back();
        if (std::exchange(states[bone], State::done) == State::done) continue;
        for (const auto& [first, ik] : constraints_of(bone)) armature_->steps.push_back({true, ik});
        armature_->steps.push_back({false, bone});
      }
    }
    return is_ordered;
  }

  void read_slots(const JsonNode* armature) {
    slots_.clear();
    slot_nodes_.clear();
    const JsonNode* const list = field(armature, "slot", Type::array);
    if (list == nullptr) return;
    for (const JsonNode& node : JsonChildren(list)) {
      Slot slot;
      slot.name = text(&node, "name");
      slot.attachment = display_index(&node, "displayIndex");
      if (const JsonNode* const color = field(&node, "color", Type::object)) slot.opacity = opacity_of(*color, node);
      const auto bone = bones_.find(text(&node, "parent"));
      if (bone != bones_.end()) {
        slot.bone = bone->second;
        slots_.try_emplace(text(&node, "name"), static_cast<std::uint32_t>(armature_->slots.size()));
      } else {
        warn_at(DiagnosticId::rig_part_ignored, node, "has the parent \"{}\", which does not exist, so it is ignored",
                printable(text(&node, "parent")));
      }
      const JsonNode* const blend = find_field(&node, "blendMode");
      const bool is_normal = blend == nullptr || blend->type == Type::null || blend->text() == "normal" ||
                             blend->text().empty() == (blend->type == Type::string) ||
                             (blend->type == Type::number && blend->number == 0);
      if (!is_normal) {
        warn_at(DiagnosticId::rig_blend_mode_ignored, node, "is drawn normally instead of with blend mode \"{}\"",
                blend->type == Type::string ? printable(blend->text()) : fmt::format("{:g}", blend->number));
      }
      armature_->slots.push_back(std::move(slot));
      slot_nodes_.push_back(&node);
    }
    shapes_.assign(armature_->slots.size(), {});
    slot_skins_.assign(armature_->slots.size(), {});
  }

  std::int32_t display_index(const JsonNode* object, std::string_view key) {
    return static_cast<std::int32_t>(std::floor(number(object, key, 0)));
  }

  /// Returns the opacity of a color, and warns about the rest of it.
  double opacity_of(const JsonNode& color, const JsonNode& place) {
    bool is_other = number(&color, "aO", 0) != 0;
    for (const char* const key : {"rM", "gM", "bM"}) is_other |= number(&color, key, 100) != 100;
    for (const char* const key : {"rO", "gO", "bO"}) is_other |= number(&color, key, 0) != 0;
    if (is_other) {
      warn_at(DiagnosticId::rig_color_ignored, place,
              "has the color multipliers {:g}%, {:g}%, {:g}% and the offsets {:g}, {:g}, {:g}, {:g} (red, green, blue, "
              "alpha)",
              number(&color, "rM", 100), number(&color, "gM", 100), number(&color, "bM", 100), number(&color, "rO", 0),
              number(&color, "gO", 0), number(&color, "bO", 0), number(&color, "aO", 0));
    }
    return std::clamp(std::round(number(&color, "aM", 100)) / 100, 0.0, 1.0);
  }

  void read_skins(const JsonNode* armature, bool is_chosen) {
    const JsonNode* const list = field(armature, "skin", Type::array);
    if (list == nullptr) return;
    const auto name_of = [&](const JsonNode& skin) {
      const std::string_view name = text(&skin, "name");
      return name.empty() ? std::string_view("default") : name;
    };
    const JsonNode* first = nullptr;
    const JsonNode* wanted = nullptr;
    meshes_.clear();
    for (const JsonNode& skin : JsonChildren(list)) {
      if (first == nullptr || (name_of(skin) == "default" && name_of(*first) != "default")) first = &skin;
      if (!options_.skin.empty() && name_of(skin) == options_.skin) wanted = &skin;
      find_meshes(skin);
    }
    if (is_chosen) {
      for (const JsonNode& skin : JsonChildren(list)) {
        if (&skin == first) skins.emplace(skins.begin(), name_of(skin));
        if (&skin != first) skins.emplace_back(name_of(skin));
      }
      if (wanted == nullptr && !options_.skin.empty() && !error_) {
        error_ = unknown_choice("skin", options_.skin, skins);
      }
    }
    if (first != nullptr) read_skin(*first);
    if (wanted != nullptr && wanted != first) read_skin(*wanted);
  }

  /// Notes the meshes of a skin, which others can share.
  void find_meshes(const JsonNode& skin) {
    const JsonNode* const list = field(&skin, "slot", Type::array);
    if (list == nullptr) return;
    for (const JsonNode& slot : JsonChildren(list)) {
      const JsonNode* const displays = field(&slot, "display", Type::array);
      if (displays == nullptr) continue;
      for (const JsonNode& display : JsonChildren(displays)) {
        if (find_field(&display, "vertices") != nullptr) meshes_.try_emplace(text(&display, "name"), &display);
      }
    }
  }

  void read_skin(const JsonNode& skin) {
    const JsonNode* const list = field(&skin, "slot", Type::array);
    if (list == nullptr) return;
    for (const JsonNode& node : JsonChildren(list)) {
      const auto found = slots_.find(text(&node, "name"));
      const JsonNode* const displays = field(&node, "display", Type::array);
      if (found == slots_.end() || displays == nullptr) continue;
      slot_number_ = found->second;
      std::vector<Attachment>& attachments = armature_->slots[slot_number_].attachments;
      attachments.clear();
      shapes_[slot_number_].clear();
      const std::string_view skin_name = text(&skin, "name");
      slot_skins_[slot_number_] = skin_name.empty() ? std::string_view("default") : skin_name;
      children_.erase({armature_number_, slot_number_});
      for (const JsonNode& display : JsonChildren(displays)) attachments.push_back(read_display(display));
    }
  }

  Attachment read_display(const JsonNode& node) {
    Attachment attachment;
    if (node.type == Type::null) return attachment;
    attachment.name = text(&node, "name");
    attachment.placement = matrix_of(y_up(transform_of(&node)));
    const JsonNode* const type = find_field(&node, "type");
    const auto is_type = [&](std::string_view name, double value) {
      if (type == nullptr || type->type == Type::null) return value == 0;
      return type->type == Type::number ? type->number == value : lower(type->text()) == name;
    };
    if (is_type("image", 0)) {
      attachment.kind = AttachmentKind::region;
      if (const JsonNode* const pivot = field(&node, "pivot", Type::object)) {
        attachment.pivot = {number(pivot, "x", 0), number(pivot, "y", 0)};
      }
      attachment.region = region_of(node);
    } else if (is_type("armature", 1)) {
      attachment.kind = AttachmentKind::armature;
      add_child(node);
    } else if (is_type("mesh", 2)) {
      attachment.kind = AttachmentKind::mesh;
      attachment.region = region_of(node);
      const JsonNode* source = &node;
      Shape shape{
          text(&node, "name"), static_cast<std::uint32_t>(armature_->slots[slot_number_].attachments.size()), {}};
      if (find_field(&node, "glueMeshes") != nullptr) {
        warn_at(DiagnosticId::rig_part_ignored, node, "is glued to other meshes, which is ignored");
      }
      if (const std::string_view shared = text(&node, "share"); !shared.empty()) {
        const auto found = meshes_.find(shared);
        if (found != meshes_.end()) source = found->second;
        if (boolean(&node, "inheritDeform", boolean(&node, "inheritFFD", true))) shape.name = shared;
      }
      if (source != &node && !take(source->size, node)) return attachment;
      if (!read_mesh(*source, attachment)) attachment.kind = AttachmentKind::nothing;
      const std::vector<double> slot_pose = numbers(source, "slotPose");
      if (slot_pose.size() >= 6) shape.to_armature = flipped({slot_pose[0], slot_pose[1], slot_pose[2], slot_pose[3]});
      shapes_[slot_number_].push_back(shape);
    } else if (!is_type("boundingbox", 3) && !is_type("path", 4)) {
      warn_at(DiagnosticId::rig_part_ignored, node, "is a display of an unknown type");
    }
    return attachment;
  }

  std::uint32_t region_of(const JsonNode& display) {
    const std::string_view path = text(&display, "path");
    const std::string_view name = path.empty() ? text(&display, "name") : path;
    const auto found = regions_.find(name);
    if (found != regions_.end()) return found->second;
    warn_at(DiagnosticId::rig_texture_missing, display, "shows the texture \"{}\", which is not in the atlas",
            printable(name));
    return kNone;
  }

  /// A display that shows an armature, which may not have been read yet.
  struct Child {
    std::uint32_t attachment = 0;
    std::uint32_t shown = 0;
    std::string_view animation;
  };

  void add_child(const JsonNode& node) {
    const std::string_view path = text(&node, "path");
    const std::string_view name = path.empty() ? text(&node, "name") : path;
    const auto found = armatures_.find(name);
    if (found == armatures_.end()) {
      warn_at(DiagnosticId::rig_part_ignored, node, "shows the armature \"{}\", which is not in the file",
              printable(name));
      return;
    }
    Child child{static_cast<std::uint32_t>(armature_->slots[slot_number_].attachments.size()), found->second, {}};
    const JsonNode* actions = find_field(&node, "actions");
    if (actions == nullptr) actions = find_field(slot_nodes_[slot_number_], "actions");
    if (actions != nullptr && actions->type == Type::array) {
      for (const JsonNode& action : JsonChildren(actions)) child.animation = played_name(action);
    } else if (actions != nullptr) {
      child.animation = actions->text();
    }
    // All displays of a slot can share the name of an animation.
    if (!take(child.animation.size() / 8, node)) return;
    need(child.shown);
    children_[{armature_number_, slot_number_}].push_back(child);
  }

  void link_children() {
    for (const auto& [place, children] : children_) {
      std::vector<Attachment>& attachments = model.armatures[place.first].slots[place.second].attachments;
      for (const Child& child : children) {
        attachments[child.attachment].armature = child.shown;
        attachments[child.attachment].animation = find_animation(child.shown, child.animation);
      }
    }
    for (Armature& armature : model.armatures) {
      for (Slot& slot : armature.slots) {
        for (Attachment& each : slot.attachments) {
          if (each.kind == AttachmentKind::armature && each.armature == kNone) each.kind = AttachmentKind::nothing;
        }
      }
    }
  }

  /// A mesh that a slot can show.
  struct Shape {
    std::string_view name;  ///< That deform keys use.
    std::uint32_t attachment = 0;
    Matrix to_armature;  ///< Turns the moves of its vertices.
  };

  /// Reads the shape of a mesh. Returns false if it cannot be used.
  bool read_mesh(const JsonNode& node, Attachment& mesh) {
    const std::vector<double> vertices = numbers(&node, "vertices"), uvs = numbers(&node, "uvs");
    const std::vector<double> triangles = numbers(&node, "triangles");
    const std::size_t count = vertices.size() / 2;
    const auto refuse = [&](std::string detail) {
      warn_at(DiagnosticId::rig_part_ignored, node, "{}, so it is not drawn", detail);
      return false;
    };
    if (count > 65535) return refuse(fmt::format("has {} vertices, but the maximum is 65535", count));
    if (uvs.size() < count * 2) return refuse(fmt::format("has {} vertices, but {} uvs", count, uvs.size() / 2));
    for (const double index : triangles) {
      if (!(index >= 0 && index < static_cast<double>(count))) {
        return refuse(fmt::format("has {} vertices, but a triangle with vertex {:g}", count, index));
      }
      mesh.indices.push_back(static_cast<std::uint16_t>(index));
    }
    mesh.indices.resize(mesh.indices.size() / 3 * 3);
    for (std::size_t i = 0; i < count; ++i) mesh.uvs.push_back({uvs[2 * i], uvs[2 * i + 1]});
    if (find_field(&node, "weights") != nullptr) return read_weights(node, vertices, mesh);
    for (std::size_t i = 0; i < count; ++i) mesh.positions.push_back({vertices[2 * i], -vertices[2 * i + 1]});
    return true;
  }

  bool read_weights(const JsonNode& node, const std::vector<double>& vertices, Attachment& mesh) {
    const auto refuse = [&](std::string_view detail) {
      warn_at(DiagnosticId::rig_part_ignored, node, "{}, so it is not drawn", detail);
      return false;
    };
    const std::vector<double> weights = numbers(&node, "weights"), poses = numbers(&node, "bonePose");
    std::vector<double> slot_pose = numbers(&node, "slotPose");
    if (slot_pose.size() < 6) slot_pose = {1, 0, 0, 1, 0, 0};
    const auto matrix_at = [](const double* values) {
      return Matrix{values[0], values[1], values[2], values[3], values[4], values[5]};
    };
    struct Bound {
      std::uint32_t bone = 0;
      Matrix to_bone;
    };
    std::unordered_map<std::uint32_t, Bound> bound;
    for (std::size_t i = 0; i + 6 < poses.size(); i += 7) {
      const Matrix pose = matrix_at(&poses[i + 1]);
      if (!(poses[i] >= 0 && poses[i] < static_cast<double>(stored_.size())))
        return refuse("is bound to a missing bone");
      if (!(std::abs(determinant(pose)) > 1e-12)) return refuse("is bound to a bone whose pose is flat");
      const auto raw = static_cast<std::uint32_t>(poses[i]);
      if (!bound.try_emplace(raw, Bound{stored_[raw], inverse(pose)}).second) continue;
      mesh.bindings.push_back({stored_[raw], flipped(pose)});
    }
    std::ranges::sort(mesh.bindings, {}, &Binding::bone);
    const Matrix to_armature = matrix_at(slot_pose.data());
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < mesh.uvs.size(); ++i) {
      const double count = next < weights.size() ? weights[next++] : -1;
      if (!(count >= 0 && count <= static_cast<double>(weights.size() - next) / 2)) {
        return refuse(fmt::format("has weights that end at vertex {} of {}", i, mesh.uvs.size()));
      }
      const Point place = to_armature * Point{vertices[std::size_t{2} * i], vertices[std::size_t{2} * i + 1]};
      for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k, next += 2) {
        const bool is_index = weights[next] >= 0 && weights[next] < static_cast<double>(stored_.size());
        const auto bone = is_index ? bound.find(static_cast<std::uint32_t>(weights[next])) : bound.end();
        if (bone == bound.end())
          return refuse(fmt::format("is weighted to bone {:g} without a bonePose", weights[next]));
        const Point position = bone->second.to_bone * place;
        mesh.influences.push_back({i, bone->second.bone, weights[next + 1], {position.x, -position.y}});
      }
    }
    return !mesh.influences.empty() || refuse("has no weights");
  }

  /// Reads the curve of a key that lasts `frames`.
  Curve read_curve(const JsonNode& key, double frames) {
    Curve curve{.kind = CurveKind::step};
    if (!(frames > 0)) return curve;
    if (const JsonNode* const points = find_field(&key, "curve"); points != nullptr && points->type == Type::array) {
      std::vector<double> values = numbers(&key, "curve");
      if (values.size() % 6 == 4 || (values.size() % 6 == 2 && values.size() >= 8)) {
        return {CurveKind::samples, 1, sample_curve(std::move(values), frames)};
      }
      curve.kind = CurveKind::linear;
      return curve;
    }
    constexpr double kNoTween = -2;
    const double easing = number(&key, "tweenEasing", kNoTween);
    if (easing == kNoTween) return curve;
    if (easing == 0) {
      curve.kind = CurveKind::linear;
      return curve;
    }
    curve.kind = easing < 0 ? CurveKind::quadratic_in : easing <= 1 ? CurveKind::quadratic_out : CurveKind::cosine;
    const double amount = easing < 0 ? -easing : easing <= 1 ? easing : easing - 1;
    curve.amount = static_cast<float>(std::round(amount * 100) / 100);
    return curve;
  }

  /// Calls `visit(key, start)` for the keys of a list that are reached, with their first frames.
  template <typename Visit>
  void visit_keys(const JsonNode& list, const Visit& visit) {
    double start = 0;
    for (const JsonNode& key : JsonChildren(&list)) {
      if (start > frames_) return;
      visit(key, start);
      // Keys of no duration still delay the next one.
      start += std::max(std::ceil(number(&key, "duration", 1)), 1.0);
    }
  }

  /// Reads a timeline with `read_values(key, start)`, which appends the values of a key.
  template <typename ReadValues>
  void read_timeline(const JsonNode& owner, const JsonNode& list, TimelineKind kind, std::uint32_t target,
                     std::uint32_t channels, const ReadValues& read_values) {
    if (list.size == 1 || channels == 0) return;
    Timeline timeline{.kind = kind, .target = target, .channels = channels};
    double last_start = 0;
    const double rate = armature_->frames_per_second;
    visit_keys(list, [&](const JsonNode& key, double start) {
      timeline.keys.push_back({start / rate, read_curve(key, number(&key, "duration", 1))});
      read_values(timeline.values, key, start);
      last_start = start;
      ++model.keys;
    });
    Key& last = timeline.keys.back();
    if (timeline.keys.size() > 1 && last_start < frames_) {
      // The last key leads back to the first one.
      const JsonNode* last_node = nullptr;
      visit_keys(list, [&](const JsonNode& key, double /*start*/) { last_node = &key; });
      last.curve = read_curve(*last_node, frames_ - last_start);
      timeline.keys.push_back({frames_ / rate, {}});
      const std::size_t first = timeline.values.size();
      for (std::size_t i = 0; i < channels; ++i) timeline.values.push_back(timeline.values[i]);
      if (kind == TimelineKind::rotate && find_field(&owner, "frame") != &list) {
        const double before = timeline.values[first - channels];
        timeline.values[first] = before - normalized(before - timeline.values[first]);
      }
      timeline.closes = true;
    }
    const double scale = std::round(number(&owner, "scale", 1) * 100);
    if (scale > 0) timeline.speed = 100 / scale;
    timeline.offset = std::round(number(&owner, "offset", 0) * 100) / 100;
    animation_->timelines.push_back(std::move(timeline));
  }

  /// Turns rotations of keys into continuous ones, y down.
  struct Turning {
    double clockwise = 0, rotation = 0;

    double next(double angle, double start, double next_clockwise) noexcept {
      if (start != 0 && clockwise == 0) {
        angle = rotation + normalized(angle - rotation);
      } else if (start != 0) {
        if (clockwise > 0 ? angle >= rotation : angle <= rotation) clockwise += clockwise > 0 ? -1 : 1;
        angle += 2 * kPi * clockwise;
      }
      clockwise = next_clockwise;
      rotation = angle;
      return angle;
    }
  };

  void read_animation(const JsonNode& node) {
    Animation& animation = armature_->animations.emplace_back();
    animation_ = &animation;
    std::string_view name = text(&node, "name");
    if (name.empty()) name = "default";
    animation.name = name;
    animations_[armature_number_].try_emplace(name, static_cast<std::uint32_t>(armature_->animations.size() - 1));
    const double duration = std::ceil(std::max(number(&node, "duration", 1), 0.0));
    frames_ = std::max(duration, 1.0);
    animation.duration = duration / armature_->frames_per_second;
    animation.plays = static_cast<std::uint32_t>(std::clamp(number(&node, "playTimes", 1), 0.0, 1e6));
    // Frame actions, in all the ways that versions write them.
    if (const JsonNode* const list = field(&node, "frame", Type::array)) {
      visit_keys(*list, [&](const JsonNode& key, double start) { read_actions(key, start, kNone); });
    }
    if (const JsonNode* const order = field(&node, "zOrder", Type::object)) {
      if (const JsonNode* const list = field(order, "frame", Type::array)) {
        read_timeline(*order, *list, TimelineKind::order, 0, static_cast<std::uint32_t>(armature_->slots.size()),
                      [&](std::vector<double>& values, const JsonNode& key, double) { read_order(values, key); });
      }
    }
    visit_named(node, "bone", bones_, [&](const JsonNode& each, std::uint32_t bone) { read_bone_keys(each, bone); });
    visit_named(node, "slot", slots_, [&](const JsonNode& each, std::uint32_t slot) { read_slot_keys(each, slot); });
    visit_named(node, "ik", constraints_, [&](const JsonNode& each, std::uint32_t ik) { read_ik_keys(each, ik); });
    if (const JsonNode* const list = field(&node, "ffd", Type::array)) {
      for (const JsonNode& each : JsonChildren(list)) read_deform(each);
    }
    for (const char* const key : {"surface", "animation"}) {
      const JsonNode* const list = field(&node, key, Type::array);
      if (list == nullptr || list->size == 1) continue;
      warn_at(DiagnosticId::rig_part_ignored, *list, "{} in animation \"{}\", which are ignored",
              key == std::string_view("surface") ? "has keys of surfaces" : "has blended animations",
              printable(animation.name));
    }
    std::ranges::stable_sort(animation.child_plays, {}, &ChildPlay::seconds);
    animation_ = nullptr;
  }

  template <typename Visit>
  void visit_named(const JsonNode& node, std::string_view key, const Names& names, const Visit& visit) {
    const JsonNode* const list = field(&node, key, Type::array);
    if (list == nullptr) return;
    for (const JsonNode& each : JsonChildren(list)) {
      const auto found = names.find(text(&each, "name"));
      if (found != names.end()) {
        visit(each, found->second);
      } else {
        warn_at(DiagnosticId::rig_part_ignored, each, "has keys, but does not exist in the armature");
      }
    }
  }

  /// Appends the slots back to front. A key names slots and by how many places they move, in order of the slots.
  void read_order(std::vector<double>& values, const JsonNode& key) {
    const std::size_t count = armature_->slots.size();
    if (!take(count, key)) {
      values.insert(values.end(), count, 0);
      return;
    }
    const std::vector<double> moves = numbers(&key, "zOrder");
    const std::size_t first = values.size();
    values.resize(first + count, -1);
    std::vector<bool> moved(count);
    bool is_valid = moves.size() % 2 == 0;
    for (std::size_t i = 0; i + 1 < moves.size() && is_valid; i += 2) {
      const double place = moves[i] + moves[i + 1];
      const bool exists = moves[i] >= 0 && moves[i] < static_cast<double>(count) && place >= 0 &&
                          place < static_cast<double>(count) && moves[i] == std::floor(moves[i]) &&
                          place == std::floor(place);
      is_valid =
          exists && !moved[static_cast<std::size_t>(moves[i])] && values[first + static_cast<std::size_t>(place)] < 0;
      if (!is_valid) break;
      moved[static_cast<std::size_t>(moves[i])] = true;
      values[first + static_cast<std::size_t>(place)] = moves[i];
    }
    if (!is_valid) {
      warn_at(DiagnosticId::rig_part_ignored, key,
              "moves slots to places that do not exist or twice, so it is ignored");
      std::fill(values.begin() + static_cast<std::ptrdiff_t>(first), values.end(), -1);
      moved.assign(count, false);
    }
    std::size_t rest = 0;
    for (std::size_t place = 0; place < count; ++place) {
      double& value = values[first + place];
      if (value >= 0) continue;
      while (moved[rest]) ++rest;
      value = static_cast<double>(rest++);
    }
  }

  void read_bone_keys(const JsonNode& node, std::uint32_t bone) {
    if (const JsonNode* const list = field(&node, "translateFrame", Type::array)) {
      read_timeline(node, *list, TimelineKind::translate, bone, 2,
                    [&](std::vector<double>& values, const JsonNode& key, double) {
                      values.insert(values.end(), {number(&key, "x", 0), -number(&key, "y", 0)});
                    });
    }
    Turning turning;
    if (const JsonNode* const list = field(&node, "rotateFrame", Type::array)) {
      read_timeline(node, *list, TimelineKind::rotate, bone, 2,
                    [&](std::vector<double>& values, const JsonNode& key, double start) {
                      const double angle =
                          turning.next(number(&key, "rotate", 0) * kDegree, start, number(&key, "clockwise", 0));
                      values.insert(values.end(), {-angle, -number(&key, "skew", 0) * kDegree});
                    });
    }
    if (const JsonNode* const list = field(&node, "scaleFrame", Type::array)) {
      read_timeline(node, *list, TimelineKind::scale, bone, 2,
                    [&](std::vector<double>& values, const JsonNode& key, double) {
                      values.insert(values.end(), {number(&key, "x", 1), number(&key, "y", 1)});
                    });
    }
    const JsonNode* const list = field(&node, "frame", Type::array);
    if (list == nullptr) return;
    // Older keys hold the whole transform.
    read_timeline(node, *list, TimelineKind::translate, bone, 2,
                  [&](std::vector<double>& values, const JsonNode& key, double start) {
                    const Transform transform = transform_of(&key);
                    values.insert(values.end(), {transform.x, -transform.y});
                    const auto slot = slots_.find(armature_->bones[bone].name);
                    read_actions(key, start, slot == slots_.end() ? kNone : slot->second);
                  });
    turning = {};
    read_timeline(node, *list, TimelineKind::rotate, bone, 2,
                  [&](std::vector<double>& values, const JsonNode& key, double start) {
                    const Transform transform = transform_of(&key);
                    const double angle = turning.next(transform.rotation, start, number(&key, "tweenRotate", 0));
                    values.insert(values.end(), {-angle, -transform.skew});
                  });
    read_timeline(node, *list, TimelineKind::scale, bone, 2,
                  [&](std::vector<double>& values, const JsonNode& key, double) {
                    const Transform transform = transform_of(&key);
                    values.insert(values.end(), {transform.scale_x, transform.scale_y});
                  });
  }

  void read_slot_keys(const JsonNode& node, std::uint32_t slot) {
    const JsonNode* const older = field(&node, "frame", Type::array);
    const JsonNode* display = field(&node, "displayFrame", Type::array);
    const JsonNode* color = field(&node, "colorFrame", Type::array);
    if (display == nullptr) display = older;
    if (color == nullptr) color = older;
    if (display != nullptr) {
      read_timeline(node, *display, TimelineKind::attachment, slot, 1,
                    [&](std::vector<double>& values, const JsonNode& key, double start) {
                      const bool is_new = find_field(&key, "value") != nullptr && display != older;
                      values.push_back(display_index(&key, is_new ? "value" : "displayIndex"));
                      read_actions(key, start, slot);
                    });
    }
    if (color == nullptr) return;
    read_timeline(node, *color, TimelineKind::opacity, slot, 1,
                  [&](std::vector<double>& values, const JsonNode& key, double) {
                    const JsonNode* value = find_field(&key, "value");
                    if (value == nullptr || value->type != Type::object) value = field(&key, "color", Type::object);
                    values.push_back(value == nullptr ? 1 : opacity_of(*value, key));
                  });
  }

  void read_ik_keys(const JsonNode& node, std::uint32_t ik) {
    const JsonNode* const list = field(&node, "frame", Type::array);
    if (list == nullptr) return;
    read_timeline(node, *list, TimelineKind::ik, ik, 2, [&](std::vector<double>& values, const JsonNode& key, double) {
      values.insert(values.end(), {std::round(number(&key, "weight", 1) * 100) / 100,
                                   boolean(&key, "bendPositive", true) ? 1.0 : 0.0});
    });
  }

  /// Reads what happens at a key: events, sounds, and child armatures that play another animation.
  void read_actions(const JsonNode& key, double start, std::uint32_t slot) {
    static constexpr std::pair<const char*, double> kLists[] = {
        {"event", 10}, {"sound", 11}, {"action", 0}, {"events", 10}, {"actions", 0}};
    for (const auto& [list_key, kind] : kLists) {
      const JsonNode* const list = find_field(&key, list_key);
      if (list == nullptr || list->type == Type::null) continue;
      if (list->type == Type::array) {
        for (const JsonNode& action : JsonChildren(list)) add_action(action, kind, start, slot);
      } else {
        add_action(*list, kind, start, slot);
      }
    }
  }

  void add_action(const JsonNode& action, double kind, double start, std::uint32_t slot) {
    const std::string_view name = played_name(action);
    const JsonNode* const type = find_field(&action, "type");
    if (find_field(&action, "gotoAndPlay") != nullptr) {
      kind = 0;
    } else if (type != nullptr && type->type == Type::string) {
      kind = type->text() == "sound" ? 11 : type->text() == "play" ? 0 : 10;
    } else if (type != nullptr) {
      kind = value_of(*type, kind);
    }
    if (const std::string_view named = text(&action, "slot"); !named.empty()) {
      const auto found = slots_.find(named);
      if (found != slots_.end()) slot = found->second;
    }
    const double seconds = start / armature_->frames_per_second;
    if (name.empty()) return;
    if (kind != 0) {
      animation_->events.push_back({seconds, std::string(name)});
      if (kind == 11)
        warn_at(DiagnosticId::rig_sound_ignored, action, "plays the sound \"{}\", which becomes a marker",
                printable(name));
    } else if (slot != kNone) {
      animation_->child_plays.push_back({seconds, slot, std::string(name)});
    } else {
      warn_at(DiagnosticId::rig_part_ignored, action, "plays animation \"{}\" during another one, which is ignored",
              printable(name));
    }
  }

  void read_deform(const JsonNode& node) {
    const JsonNode* const list = field(&node, "frame", Type::array);
    const auto slot = slots_.find(text(&node, "slot"));
    if (list == nullptr) return;
    if (slot == slots_.end()) {
      warn_at(DiagnosticId::rig_part_ignored, node, "has keys for a slot that does not exist in the armature");
      return;
    }
    const std::string_view skin = text(&node, "skin"), name = text(&node, "name");
    if (!skin.empty() && slot_skins_[slot->second] != skin) return;
    for (const Shape& shape : shapes_[slot->second]) {
      if (shape.name == name) read_deform_keys(node, *list, slot->second, shape);
    }
  }

  /// Reads the moves of vertices, as many as each key has of x and y in turn.
  void read_deform_keys(const JsonNode& node, const JsonNode& list, std::uint32_t slot, const Shape& shape) {
    const Attachment& mesh = armature_->slots[slot].attachments[shape.attachment];
    if (mesh.kind != AttachmentKind::mesh) return;
    const bool has_weights = !mesh.influences.empty();
    const std::size_t points = has_weights ? mesh.influences.size() : mesh.positions.size();
    std::uint64_t keys = 1;
    for (const JsonNode& key : JsonChildren(&list)) keys += key.size > 0 ? 1 : 0;
    if (2 * points * keys > values_left_) {
      warn_at(DiagnosticId::rig_deform_ignored, node, "has {} keys for {} vertices, more than a file of this size may",
              keys - 1, points);
      return;
    }
    values_left_ -= 2 * points * keys;
    std::vector<Matrix> to_bones;
    for (const Binding& binding : mesh.bindings) {
      Matrix linear = inverse(binding.world) * shape.to_armature;
      linear.tx = linear.ty = 0;
      to_bones.push_back(linear);
    }
    read_timeline(
        node, list, TimelineKind::deform, slot, static_cast<std::uint32_t>(2 * points),
        [&](std::vector<double>& values, const JsonNode& key, double) {
          const std::vector<double> moves = numbers(&key, "vertices");
          const double first = number(&key, "offset", 0);
          const auto move = [&](double index) {
            const double place = index - first;
            return place >= 0 && place < static_cast<double>(moves.size()) ? moves[static_cast<std::size_t>(place)] : 0;
          };
          for (std::size_t i = 0; i < points; ++i) {
            const std::uint32_t vertex = has_weights ? mesh.influences[i].vertex : static_cast<std::uint32_t>(i);
            Point offset{move(2.0 * vertex), -move(2.0 * vertex + 1)};
            if (has_weights) {
              const auto binding = std::ranges::lower_bound(mesh.bindings, mesh.influences[i].bone, {}, &Binding::bone);
              offset = to_bones[static_cast<std::size_t>(binding - mesh.bindings.begin())] * offset;
            }
            values.insert(values.end(), {offset.x, offset.y});
          }
        });
    if (list.size > 1) animation_->timelines.back().attachment = shape.attachment;
  }

  const ReaderOptions& options_;
  std::uint64_t max_values_, values_left_;
  std::uint64_t pixels_ = 0;
  Names regions_;
  double frame_rate_ = 24;
  std::vector<const JsonNode*> armature_nodes_;
  Names armatures_;
  std::vector<Names> animations_;      // of each armature that has been read
  std::vector<std::uint32_t> needed_;  // armatures to read
  std::vector<bool> is_needed_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Child>> children_;  // of an armature's slot

  // State of the current armature and animation.
  Armature* armature_ = nullptr;
  std::uint32_t armature_number_ = 0;
  std::uint32_t slot_number_ = 0;
  std::vector<std::uint32_t> stored_;  // bone of the model of each bone in the file
  Names bones_, slots_, constraints_;
  std::vector<const JsonNode*> slot_nodes_;
  std::vector<std::vector<Shape>> shapes_;    // of each slot
  std::vector<std::string_view> slot_skins_;  // that each slot's displays are from
  std::unordered_map<std::string_view, const JsonNode*> meshes_;
  Animation* animation_ = nullptr;
  double frames_ = 1;  // of the current animation
};

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A file as a tree. Does not move, because the tree refers to its text.
struct Document {
  std::string name{};   ///< Name by which a file next to the character was found.
  std::string found{};  ///< Its real name, which can differ in case.
  FileBytes file{};
  std::string copy{};
  std::optional<JsonTree> tree{};

  /// Reads the text, which is copied if no zero byte follows it.
  std::optional<Diagnostic> read(std::span<const std::byte> bytes, std::size_t readable) {
    auto result = JsonTree::read(json_text(bytes, readable, copy));
    if (!result) return std::move(result.error());
    tree = *std::move(result);
    return std::nullopt;
  }
};

std::string strip(std::string_view name, std::string_view ending) {
  return lower(name).ends_with(ending) ? std::string(name.substr(0, name.size() - ending.size())) : std::string();
}

/// Returns the name of a character without the ending of one of its files, or an empty text.
std::string base_of(std::string_view file) {
  std::string base = strip(file, "_ske.json");
  if (base.empty()) base = strip(file, "_tex.json");
  // hero_tex_0.json
  const std::string numbered = strip(file, ".json");
  const std::size_t digits = numbered.find_last_not_of("0123456789") + 1;
  if (base.empty() && digits < numbered.size()) base = strip(numbered.substr(0, digits), "_tex_");
  return base;
}

/// Reads the first of some JSON files next to the character that exists, or nothing.
Expected<std::unique_ptr<Document>, Diagnostic> read_beside(std::span<const std::string> names,
                                                            const ReaderOptions& options, Warnings& warnings,
                                                            bool only_exact = false) {
  Companion companion =
      read_companion(names, options.limits.max_file_bytes, options, warnings, kJsonPadding, only_exact);
  if (!companion.exists) return std::unique_ptr<Document>();
  auto document = std::make_unique<Document>();
  document->name = companion.name;
  document->found = companion.found;
  std::optional<Diagnostic> problem;
  if (companion.file) {
    document->file = *std::move(companion.file);
    problem = document->read(document->file.bytes(), document->file.storage.size());
  } else {
    problem = std::move(companion.file.error());
  }
  if (!problem) return document;
  problem->detail += fmt::format(", in \"{}\"", printable(companion.name));
  return Unexpected(*std::move(problem));
}

/// Returns the names that follow `name`.
std::span<const std::string> behind(std::span<const std::string> names, const std::string& name) {
  return names.subspan(static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()) + 1);
}

bool is_atlas(const JsonTree& tree) {
  return find_field(&tree.root(), "SubTexture") != nullptr && find_field(&tree.root(), "armature") == nullptr;
}

/// Versions write the transforms of bones and keys in different ways. Other programs write any or none.
std::optional<Diagnostic> check_version(const JsonTree& tree) {
  for (const char* const key : {"compatibleVersion", "version"}) {
    const JsonNode* const node = find_field(&tree.root(), key);
    if (node == nullptr || node->type == Type::null) continue;
    const std::string_view text = node->text();
    const bool is_known = node->type == Type::number ? node->number >= 4 && node->number < 6
                                                     : text.starts_with("4.") || text.starts_with("5.");
    if (is_known) return std::nullopt;
    if (key == std::string_view("version")) {
      return tree.diagnose(
          DiagnosticId::unsupported_version, *node,
          fmt::format("is {}, but versions 4.0 to 5.7 are supported",
                      node->type == Type::number ? fmt::format("{:g}", node->number) : "\"" + printable(text) + "\""));
    }
  }
  return std::nullopt;
}

}  // namespace
}  // namespace pchr::dragonbones

namespace pchr {

bool looks_like_dragonbones(const Source& source) {
  using namespace dragonbones;
  constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;
  std::string text(as_text(source.bytes.first(std::min(source.bytes.size(), kSniffedBytes))));
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  JsonReader reader(JsonText{text});
  enum class Verdict : std::uint8_t { unknown, yes, no } verdict = Verdict::unknown;
  // A truncated text fails here only if its keys do not come first.
  (void)reader.read_document([&] {
    if (reader.type() != Type::object) return false;
    return reader.read_object([&](std::string_view key) {
      const bool is_list = reader.type() == Type::array;
      if (is_list && (key == "armature" || key == "SubTexture" || key == "textureAtlas")) verdict = Verdict::yes;
      if (key == "images" || key == "bones" || key == "meshes" || key == "animations") verdict = Verdict::no;
      return verdict == Verdict::unknown && reader.skip();
    });
  });
  return verdict == Verdict::yes;
}

Expected<Imported, LoadError> read_dragonbones(const Source& source, const ReaderOptions& options) {
  using namespace dragonbones;
  Document opened;
  if (auto problem = opened.read(source.bytes, source.readable)) return Unexpected(std::move(*problem));
  std::string name(file_name_of(source.path));
  Warnings warnings;
  std::unique_ptr<Document> beside;
  if (is_atlas(*opened.tree)) {
    const JsonNode* const stored_name = find_field(&opened.tree->root(), "name");
    std::vector<std::string> candidates;
    if (const std::string base = base_of(name); !base.empty()) candidates = {base + "_ske.json", base + ".json"};
    if (stored_name != nullptr && !stored_name->text().empty()) {
      candidates.push_back(std::string(stored_name->text()) + "_ske.json");
    }
    candidates.emplace_back("skeleton.json");
    for (std::span<const std::string> left = candidates; !left.empty() && beside == nullptr;) {
      auto found = read_beside(left, options, warnings);
      if (!found) return Unexpected(std::move(found.error()));
      if (*found == nullptr) break;
      left = behind(left, (*found)->name);
      if (!is_atlas(*(*found)->tree)) beside = *std::move(found);
    }
    if (beside != nullptr) name = beside->name;
    if (beside == nullptr) {
      return fail(
          DiagnosticId::rig_skeleton_missing,
          fmt::format("the file is a texture atlas, and its folder has no \"{}\"", printable(candidates.front())));
    }
  }
  const JsonTree& tree = beside != nullptr ? *beside->tree : *opened.tree;
  if (auto problem = check_version(tree)) return Unexpected(std::move(*problem));
  // The atlases: in the skeleton, or in files next to it.
  std::vector<Atlas> atlases;
  std::vector<std::unique_ptr<Document>> documents;
  if (const JsonNode* const list = find_field(&tree.root(), "textureAtlas");
      list != nullptr && list->type == Type::array) {
    for (const JsonNode& atlas : JsonChildren(list)) {
      if (atlases.size() < kMaxPages) atlases.push_back({&tree, &atlas, {}});
    }
  }
  if (atlases.empty()) {
    const std::string ske_base = base_of(name);
    const std::string base = ske_base.empty() ? strip(name, ".json") : ske_base;
    const std::vector<std::string> candidates = {base + "_tex.json", base + "_tex_0.json", base + "_texture.json",
                                                 "texture.json"};
    for (std::span<const std::string> left = candidates; !left.empty() && atlases.empty();) {
      auto found = read_beside(left, options, warnings);
      if (!found) return Unexpected(std::move(found.error()));
      if (*found == nullptr) break;
      left = behind(left, (*found)->name);
      if (!is_atlas(*(*found)->tree)) continue;
      documents.push_back(*std::move(found));
      atlases.push_back({&*documents.back()->tree, &documents.back()->tree->root(), documents.back()->name});
    }
    // Further pages are numbered, and their names are spelled alike.
    const std::string found_base = documents.empty() ? std::string() : base_of(documents.front()->found);
    while (!atlases.empty() && atlases.size() < kMaxPages) {
      const std::string next = fmt::format("{}_tex_{}.json", found_base.empty() ? base : found_base, atlases.size());
      auto found = read_beside(std::span(&next, 1), options, warnings, true);
      if (!found) return Unexpected(std::move(found.error()));
      if (*found == nullptr || !is_atlas(*(*found)->tree)) break;
      documents.push_back(*std::move(found));
      atlases.push_back({&*documents.back()->tree, &documents.back()->tree->root(), documents.back()->name});
    }
  }
  if (atlases.empty()) {
    return fail(DiagnosticId::rig_atlas_missing,
                options.image_folder.empty()
                    ? std::string("a character loaded from memory has no folder to search for its texture atlas")
                    : fmt::format("the folder has neither \"{}_tex.json\" nor \"texture.json\"",
                                  printable(base_of(name).empty() ? strip(name, ".json") : base_of(name))));
  }
  Reader reader(tree, options, warnings, source.bytes.size());
  if (auto problem = reader.read(atlases)) return Unexpected(std::move(*problem));
  auto imported = import_rig(std::move(reader.model), reader.chosen, options, "DragonBones", std::move(warnings));
  if (!imported) return imported;
  imported->skins = std::move(reader.skins);
  return imported;
}

}  // namespace pchr
