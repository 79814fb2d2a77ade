// SPDX-License-Identifier: MIT
// Reads the skeleton of a Spine file: bones, slots, constraints, skins and animations. Written from the public
// description of the JSON format alone.
#include "import/diagnose.hpp"
#include "import/spine/spine.hpp"
#include "import/text_decoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace pchr::spine {
namespace {

using namespace rig;
using Type = JsonNode::Type;

constexpr double kDegree = kPi / 180;
/// Largest magnitude of a number, far beyond any character.
constexpr double kMaxNumber = 1e9;
constexpr std::size_t kMaxVertices = 65535;
/// Values of physics in the order of ConstraintValues, with those that files leave out.
constexpr std::pair<const char*, double> kPhysicsValues[] = {
    {"inertia", 0.5}, {"strength", 100}, {"damping", 0.85}, {"mass", 1}, {"wind", 0}, {"gravity", 0}, {"mix", 1}};

/// Between the name of a region and its place in a sequence.
constexpr char kIndexMark = '\0';

double region_width(const Region& region) noexcept { return region.turns % 2 == 0 ? region.width : region.height; }
double region_height(const Region& region) noexcept { return region.turns % 2 == 0 ? region.height : region.width; }
/// Returns the size of the image before transparent pixels were cut off.
Point full_size(const Region& region) noexcept {
  if (region.full_width > 0 && region.full_height > 0) return {region.full_width, region.full_height};
  return {region_width(region), region_height(region)};
}

/// What an attachment is found by. Skins and slots are numbers, because every attachment repeats their names.
struct AttachmentKey {
  std::uint32_t skin = 0, slot = 0;
  std::string_view name;
  bool operator==(const AttachmentKey&) const = default;
};
struct HashOfKey {
  std::size_t operator()(const AttachmentKey& key) const noexcept {
    const std::uint64_t place = std::uint64_t{key.skin} << 32 | key.slot;
    return std::hash<std::string_view>()(key.name) ^ std::hash<std::uint64_t>()(place * 0x9E3779B97F4A7C15);
  }
};

/// How the curves of a timeline are stored.
struct Curves {
  double unit = 1;           ///< Of their values.
  std::size_t channel = 0;   ///< The first that is read.
  bool is_progress = false;  ///< One curve from 0 to 1 for all channels.
  bool is_stepped = false;   ///< None.
};

class Reader : JsonFields {
 public:
  Reader(const JsonTree& tree, const Atlas& atlas, const std::string& skin, std::uint64_t file_bytes,
         Warnings& warnings)
      : JsonFields(tree, kMaxNumber, warnings),
        atlas_(atlas),
        skin_(skin),
        max_values_((1U << 20) + 4 * file_bytes),
        values_left_(max_values_) {}

  Expected<Skeleton, Diagnostic> read() {
    const JsonNode* const root = &tree_.root();
    const JsonNode* const header = field(root, "skeleton", Type::object);
    if (auto problem = check_version(header)) return Unexpected(*std::move(problem));
    armature_ = &result_.model.armatures.emplace_back();
    armature_->name = "skeleton";
    armature_->composes_matrices = true;
    armature_->frames_per_second = std::clamp(number(header, "fps", 30), 0.001, 1000.0);
    for (std::uint32_t i = 0; i < atlas_.regions.size(); ++i) {
      const std::string& name = atlas_.regions[i].name;
      regions_.try_emplace(name, i);
      if (atlas_.indices[i] >= 0) regions_.try_emplace(fmt::format("{}{}{}", name, kIndexMark, atlas_.indices[i]), i);
    }
    result_.model.regions = atlas_.regions;
    if (auto problem = choose_skins(root)) return Unexpected(*std::move(problem));
    read_bones(root);
    read_slots(root);
    read_constraints(root);
    for (const JsonNode* const skin : skins_) read_skin(*skin);
    limit_constraints(*root);
    if (error_) return Unexpected(*std::move(error_));
    for (Slot& slot : armature_->slots) {
      if (!is_active_[slot.bone]) slot.attachments.assign(slot.attachments.size(), {});
    }
    choose_setup_attachments(root);
    bind_meshes();
    read_events(root);
    if (const JsonNode* const animations = field(root, "animations", Type::object)) {
      for (const JsonNode& animation : JsonChildren(animations)) read_animation(animation);
    }
    if (!armature_->animations.empty()) armature_->default_animation = 0;
    if (error_) return Unexpected(*std::move(error_));
    return std::move(result_);
  }

 private:
  using Names = std::unordered_map<std::string_view, std::uint32_t>;

  /// Calls `visit` for the elements of a list or the fields of an object, if it exists.
  template <typename Visit>
  void visit_field(const JsonNode* object, std::string_view key, Type type, const Visit& visit) {
    const JsonNode* const list = field(object, key, type);
    if (list == nullptr) return;
    for (const JsonNode& each : JsonChildren(list)) visit(each);
  }

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

  std::optional<Diagnostic> check_version(const JsonNode* header) {
    const std::string_view version = text(header, "spine");
    if (error_) return error_;
    if (version.empty()) {
      return tree_.diagnose(DiagnosticId::missing_value, tree_.root(), "has no \"skeleton\" with a version \"spine\"");
    }
    for (const char* const known : {"3.8", "4.0", "4.1", "4.2", "4.3"}) {
      const std::string_view rest = version.substr(std::min<std::size_t>(version.size(), 3));
      if (version.starts_with(known) && (rest.empty() || rest[0] < '0' || rest[0] > '9')) {
        is_3_8_ = known[0] == '3';
        return std::nullopt;
      }
    }
    return tree_.diagnose(DiagnosticId::unsupported_version, *find_field(header, "spine"),
                          fmt::format("is \"{}\", but versions 3.8 to 4.3 are supported", printable(version)));
  }

  /// Finds the default skin and the chosen one.
  std::optional<Diagnostic> choose_skins(const JsonNode* root) {
    const JsonNode* first = nullptr;
    const JsonNode* wanted = nullptr;
    visit_field(root, "skins", Type::array, [&](const JsonNode& skin) {
      const std::string_view name = text(&skin, "name");
      if (first == nullptr || (name == "default" && text(first, "name") != "default")) first = &skin;
      if (!skin_.empty() && name == skin_) wanted = &skin;
    });
    if (first != nullptr) result_.skins.emplace_back(text(first, "name"));
    visit_field(root, "skins", Type::array, [&](const JsonNode& skin) {
      if (&skin != first) result_.skins.emplace_back(text(&skin, "name"));
      skin_numbers_.try_emplace(text(&skin, "name"), static_cast<std::uint32_t>(skin_numbers_.size()));
    });
    if (error_) return error_;
    if (!skin_.empty() && wanted == nullptr) {
      std::string list;
      constexpr std::size_t kMaxNames = 16;
      for (std::size_t i = 0; i < std::min(result_.skins.size(), kMaxNames); ++i) {
        list += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", printable(result_.skins[i]));
      }
      if (result_.skins.size() > kMaxNames) list += ", ...";
      return diagnose(DiagnosticId::rig_choice_missing, {}, "there is no skin \"{}\", but {}", printable(skin_),
                      list.empty() ? "no other" : list);
    }
    if (first != nullptr) skins_.push_back(first);
    // Without a default skin, a chosen one replaces the first.
    if (wanted != nullptr && wanted != first) {
      if (text(first, "name") != "default") skins_.clear();
      skins_.push_back(wanted);
    }
    for (const JsonNode* const skin : skins_) {
      visit_field(skin, "bones", Type::array, [&](const JsonNode& bone) { skin_bones_.insert(bone.text()); });
      for (const char* const kind : {"ik", "transform", "path", "physics", "constraints"}) {
        visit_field(skin, kind, Type::array, [&](const JsonNode& each) { skin_constraints_.insert(each.text()); });
      }
    }
    return std::nullopt;
  }

  std::optional<Inherit> inherit_of(const JsonNode* object, std::string_view key) {
    const std::string_view name = text(object, key);
    static constexpr std::pair<const char*, Inherit> kModes[] = {
        {"", Inherit::all},
        {"normal", Inherit::all},
        {"onlyTranslation", Inherit::only_translation},
        {"noRotationOrReflection", Inherit::no_rotation_or_reflection},
        {"noScale", Inherit::no_scale},
        {"noScaleOrReflection", Inherit::no_scale_or_reflection}};
    for (const auto& [known, inherit] : kModes) {
      if (name == known) return inherit;
    }
    warn_at(DiagnosticId::rig_part_ignored, *object, "has the unknown transform mode \"{}\"", printable(name));
    return std::nullopt;
  }

  void read_bones(const JsonNode* root) {
    visit_field(root, "bones", Type::array, [&](const JsonNode& node) {
      rig::Bone bone;
      const std::string_view name = text(&node, "name"), parent = text(&node, "parent");
      const auto number_of_bone = static_cast<std::uint32_t>(armature_->bones.size());
      bone.name = name;
      if (const auto found = bones_.find(parent); found != bones_.end()) {
        bone.parent = found->second;
      } else if (!parent.empty()) {
        warn_at(DiagnosticId::rig_part_ignored, node,
                "has the parent \"{}\", which is no earlier bone, so it is a root", printable(parent));
      }
      bone.setup = {number(&node, "x", 0),      number(&node, "y", 0),     number(&node, "rotation", 0) * kDegree, 0,
                    number(&node, "scaleX", 1), number(&node, "scaleY", 1)};
      bone.shear_x = number(&node, "shearX", 0) * kDegree;
      bone.shear_y = number(&node, "shearY", 0) * kDegree;
      bone.length = number(&node, "length", 0);
      const char* const key = find_field(&node, "inherit") != nullptr ? "inherit" : "transform";
      bone.inherit = inherit_of(&node, key).value_or(Inherit::all);
      const bool is_of_skin = boolean(&node, "skin", false);
      is_active_.push_back((!is_of_skin || skin_bones_.contains(name)) &&
                           (bone.parent == kNone || is_active_[bone.parent]));
      bones_.try_emplace(name, number_of_bone);
      armature_->bones.push_back(std::move(bone));
    });
  }

  /// A color of a file. Only its opacity is applied.
  struct Color {
    double opacity = 1;
    bool is_white = true;
  };

  Color color_of(const JsonNode* object, std::string_view key) {
    const std::string_view hex = text(object, key);
    Color color;
    if (hex.empty()) return color;
    std::uint32_t value = 0;
    for (const char digit : hex) {
      const std::string_view digits = "0123456789abcdef";
      const std::size_t place = digits.find(static_cast<char>(digit >= 'A' && digit <= 'F' ? digit + 32 : digit));
      if (place == std::string_view::npos || (hex.size() != 6 && hex.size() != 8)) {
        fail(DiagnosticId::value_out_of_range, *find_field(object, key),
             fmt::format("is \"{}\", but must be a color such as \"ff8800ff\"", printable(hex)));
        return color;
      }
      value = value * 16 + static_cast<std::uint32_t>(place);
    }
    if (hex.size() == 8) {
      color.opacity = (value & 255) / 255.0;
      value >>= 8;
    }
    color.is_white = value == 0xFFFFFF;
    return color;
  }

  /// Returns the opacity of a color, and warns about the rest of it.
  double opacity_of(const JsonNode& object, std::string_view key) {
    const Color color = color_of(&object, key);
    if (!color.is_white) {
      warn_at(DiagnosticId::rig_color_ignored, object, "has the color \"{}\", but only its opacity is applied",
              printable(text(&object, key)));
    }
    return color.opacity;
  }

  void read_slots(const JsonNode* root) {
    visit_field(root, "slots", Type::array, [&](const JsonNode& node) {
      Slot slot;
      const std::string_view name = text(&node, "name"), bone = text(&node, "bone");
      slot.name = name;
      slot.attachment = -1;
      slot.opacity = opacity_of(node, "color");
      if (const auto found = bones_.find(bone); found != bones_.end()) {
        slot.bone = found->second;
      } else {
        fail(DiagnosticId::value_out_of_range, node,
             fmt::format("has the bone \"{}\", which does not exist", printable(bone)));
        is_active_.resize(std::max<std::size_t>(is_active_.size(), 1), false);
      }
      if (find_field(&node, "dark") != nullptr) {
        warn_at(DiagnosticId::rig_color_ignored, node, "has the dark color \"{}\", which is not drawn",
                printable(text(&node, "dark")));
      }
      if (const std::string_view blend = text(&node, "blend"); !blend.empty() && blend != "normal") {
        warn_at(DiagnosticId::rig_blend_mode_ignored, node, "is drawn normally instead of with blend mode \"{}\"",
                printable(blend));
      }
      slots_.try_emplace(name, static_cast<std::uint32_t>(armature_->slots.size()));
      armature_->slots.push_back(std::move(slot));
    });
    attachments_.resize(armature_->slots.size());
  }

  // Constraints

  void read_constraints(const JsonNode* root) {
    struct Ordered {
      double order = 0;
      const JsonNode* node = nullptr;
      std::string_view kind;
    };
    std::vector<Ordered> all;
    for (const char* const kind : {"ik", "transform", "path", "physics"}) {
      visit_field(root, kind, Type::array,
                  [&](const JsonNode& node) { all.push_back({number(&node, "order", 0), &node, kind}); });
    }
    std::ranges::stable_sort(all, {}, &Ordered::order);
    visit_field(root, "constraints", Type::array,
                [&](const JsonNode& node) { all.push_back({0, &node, text(&node, "type")}); });
    for (const Ordered& each : all) {
      const std::string_view name = text(each.node, "name");
      if (boolean(each.node, "skin", false) && !skin_constraints_.contains(name)) continue;
      read_constraint(*each.node, each.kind);
    }
  }

  void read_constraint(const JsonNode& node, std::string_view kind) {
    Constraint constraint;
    const std::string_view name = text(&node, "name");
    constraint.name = name;
    if (kind == "physics") return read_physics(node, std::move(constraint));
    if (kind != "ik" && kind != "transform" && kind != "path") {
      warn_at(DiagnosticId::rig_part_ignored, node, "is a constraint of the unknown type \"{}\"", printable(kind));
      return;
    }
    bool is_complete = true;
    visit_field(&node, "bones", Type::array, [&](const JsonNode& each) {
      const auto found = bones_.find(each.text());
      is_complete &= found != bones_.end();
      if (found != bones_.end()) constraint.bones.push_back(found->second);
    });
    const bool is_path = kind == "path";
    std::string_view target = text(&node, "target");
    if (target.empty()) target = text(&node, is_path ? "slot" : "source");
    const Names& targets = is_path ? slots_ : bones_;
    const auto found = targets.find(target);
    if (!is_complete || constraint.bones.empty() || found == targets.end()) {
      warn_at(DiagnosticId::rig_part_ignored, node, "has a bone or target that does not exist");
      return;
    }
    constraint.target = found->second;
    if (!is_active_[is_path ? armature_->slots[constraint.target].bone : constraint.target]) return;
    if (kind == "ik") {
      if (!read_ik(node, constraint)) return;
    } else if (kind == "transform") {
      read_transform(node, constraint);
    } else {
      read_path(node, constraint);
    }
    add_constraint(std::move(constraint), name);
  }

  void add_constraint(Constraint constraint, std::string_view name) {
    Names& names = constraints_[static_cast<std::size_t>(constraint.kind)];
    names.try_emplace(name, static_cast<std::uint32_t>(armature_->constraints.size()));
    armature_->constraints.push_back(std::move(constraint));
  }

  void read_physics(const JsonNode& node, Constraint physics) {
    const auto bone = bones_.find(text(&node, "bone"));
    if (bone == bones_.end()) {
      warn_at(DiagnosticId::rig_part_ignored, node, "has a bone that does not exist");
      return;
    }
    if (!is_active_[bone->second]) return;
    warn_at(DiagnosticId::rig_physics_sampled, node, "moves the bone \"{}\", which starts at rest in each clip",
            printable(bone->first));
    physics.kind = ConstraintKind::physics;
    physics.bones = {bone->second};
    for (std::size_t i = 0; i < std::size(kPhysicsValues); ++i) {
      physics.values[i] = number(&node, kPhysicsValues[i].first, kPhysicsValues[i].second);
    }
    physics.x = number(&node, "x", 0);
    physics.y = number(&node, "y", 0);
    physics.rotation = number(&node, "rotate", 0);
    physics.scale_x = number(&node, "scaleX", 0);
    physics.shear_y = number(&node, "shearX", 0);
    add_constraint(std::move(physics), text(&node, "name"));
  }

  bool read_ik(const JsonNode& node, Constraint& ik) {
    const std::vector<std::uint32_t>& bones = ik.bones;
    if (bones.size() > 2 || (bones.size() == 2 && armature_->bones[bones[1]].parent != bones[0])) {
      warn_at(DiagnosticId::rig_part_ignored, node, "turns {} bones that are not a bone and its parent", bones.size());
      return false;
    }
    const bool inherits_all =
        std::ranges::all_of(bones, [&](std::uint32_t bone) { return armature_->bones[bone].inherit == Inherit::all; });
    if (bones.size() == 2 && !inherits_all) {
      warn_at(DiagnosticId::rig_part_ignored, node, "turns two bones, but not both inherit their whole transforms");
    }
    ik.kind = ConstraintKind::ik;
    ik.values = {number(&node, "mix", 1),
                 number(&node, "softness", 0),
                 bends_left(node),
                 flag(node, "compress"),
                 flag(node, "stretch"),
                 0,
                 0};
    ik.is_uniform = boolean(&node, "uniform", false) || text(&node, "scaleY") == "uniform";
    return true;
  }
  double bends_left(const JsonNode& node) { return boolean(&node, "bendPositive", true) ? 1 : 0; }
  double flag(const JsonNode& node, std::string_view key) { return boolean(&node, key, false) ? 1 : 0; }

  /// Reads the mixes of a transform constraint or of its key.
  ConstraintValues transform_mixes(const JsonNode& node) {
    if (is_3_8_) {
      const double translate = number(&node, "translateMix", 1), scale = number(&node, "scaleMix", 1);
      return {number(&node, "rotateMix", 1), translate, translate, scale, scale, number(&node, "shearMix", 1), 0};
    }
    const double x = number(&node, "mixX", 1), scale_x = number(&node, "mixScaleX", 1);
    return {number(&node, "mixRotate", 1), x, number(&node, "mixY", x), scale_x, number(&node, "mixScaleY", scale_x),
            number(&node, "mixShearY", 1), 0};
  }

  void read_transform(const JsonNode& node, Constraint& transform) {
    transform.kind = ConstraintKind::transform;
    transform.values = transform_mixes(node);
    transform.is_local = boolean(&node, "local", false) || boolean(&node, "localTarget", false);
    transform.is_relative = boolean(&node, "relative", false) || boolean(&node, "additive", false);
    transform.rotation = number(&node, "rotation", 0) * kDegree;
    transform.x = number(&node, "x", 0);
    transform.y = number(&node, "y", 0);
    transform.scale_x = number(&node, "scaleX", 0);
    transform.scale_y = number(&node, "scaleY", 0);
    transform.shear_y = number(&node, "shearY", 0) * kDegree;
    if (const JsonNode* const properties = field(&node, "properties", Type::object)) {
      read_properties(*properties, transform);
    }
  }

  /// Reads which properties a transform constraint of 4.3 copies: those that are mapped to themselves.
  void read_properties(const JsonNode& properties, Constraint& transform) {
    struct Property {
      std::string_view name;
      double Constraint::* offset;
      double unit = 1;
    };
    static constexpr Property kProperties[] = {{"rotate", &Constraint::rotation, kDegree},
                                               {"x", &Constraint::x},
                                               {"y", &Constraint::y},
                                               {"scaleX", &Constraint::scale_x},
                                               {"scaleY", &Constraint::scale_y},
                                               {"shearY", &Constraint::shear_y, kDegree}};
    ConstraintValues copied{};
    for (const JsonNode& from : JsonChildren(&properties)) {
      visit_field(&from, "to", Type::object, [&](const JsonNode& to) {
        const auto* const property = std::ranges::find(kProperties, to.key(), &Property::name);
        if (property == std::end(kProperties) || to.key() != from.key() || number(&to, "scale", 1) != 1) {
          warn_at(DiagnosticId::rig_part_ignored, to, "maps a property to another one or scales it");
          return;
        }
        copied[static_cast<std::size_t>(property - std::begin(kProperties))] = 1;
        transform.*property->offset += (number(&to, "offset", 0) - number(&from, "offset", 0)) * property->unit;
      });
    }
    for (std::size_t i = 0; i < copied.size(); ++i) transform.values[i] *= copied[i];
    copied_[static_cast<std::uint32_t>(armature_->constraints.size())] = copied;
  }

  /// Reads the mixes of a path constraint or of its key.
  std::array<double, 3> path_mixes(const JsonNode& node) {
    const double x = number(&node, is_3_8_ ? "translateMix" : "mixX", 1);
    return {number(&node, is_3_8_ ? "rotateMix" : "mixRotate", 1), x, is_3_8_ ? x : number(&node, "mixY", x)};
  }

  void read_path(const JsonNode& node, Constraint& path) {
    path.kind = ConstraintKind::path;
    const auto [rotation_mix, x_mix, y_mix] = path_mixes(node);
    path.values = {number(&node, "position", 0), number(&node, "spacing", 0), rotation_mix, x_mix, y_mix, 0, 0};
    path.rotation = number(&node, "rotation", 0) * kDegree;
    const std::string_view position = text(&node, "positionMode"), spacing = text(&node, "spacingMode");
    const std::string_view rotation = text(&node, "rotateMode");
    path.position_unit = position == "fixed" ? PathUnit::pixels : PathUnit::percent;
    path.spacing_unit = spacing == "fixed"          ? PathUnit::pixels
                        : spacing == "percent"      ? PathUnit::percent
                        : spacing == "proportional" ? PathUnit::proportional
                                                    : PathUnit::bone_length;
    path.path_rotation = rotation == "chain"        ? PathRotation::chain
                         : rotation == "chainScale" ? PathRotation::chain_scale
                                                    : PathRotation::tangent;
  }

  // Attachments

  /// The attachments of a slot that show one attachment of the file: several for a sequence.
  struct Shown {
    std::uint32_t slot = 0, first = 0, count = 1;
  };

  void read_skin(const JsonNode& skin) {
    const std::uint32_t number_of_skin = skin_numbers_.at(text(&skin, "name"));
    visit_field(&skin, "attachments", Type::object, [&](const JsonNode& slot_node) {
      const auto slot = slots_.find(slot_node.key());
      if (slot == slots_.end() || slot_node.type != Type::object) {
        warn_at(DiagnosticId::rig_part_ignored, slot_node, "is no slot of the skeleton");
        return;
      }
      for (const JsonNode& node : JsonChildren(&slot_node)) read_attachment(node, number_of_skin, slot->second);
    });
  }

  void read_attachment(const JsonNode& node, std::uint32_t skin, std::uint32_t slot) {
    const std::string_view placeholder = node.key();
    std::string_view name = text(&node, "name");
    if (name.empty()) name = placeholder;
    std::string_view path = text(&node, "path");
    if (path.empty()) path = name;
    const std::string_view type = text(&node, "type");
    std::vector<Attachment>& attachments = armature_->slots[slot].attachments;
    Shown shown{slot, static_cast<std::uint32_t>(attachments.size()), 1};
    Attachment attachment;
    attachment.name = name;
    const JsonNode* mesh = &node;
    std::optional<AttachmentKey> linked;  // the mesh whose keys it has, too
    bool is_image = true;
    if (type.empty() || type == "region") {
      attachment.kind = AttachmentKind::region;
    } else if (type == "mesh") {
      attachment.kind = AttachmentKind::mesh;
    } else if (type == "linkedmesh") {
      attachment.kind = AttachmentKind::mesh;
      std::string_view parent_skin = text(&node, "skin");
      if (parent_skin.empty()) parent_skin = "default";
      if (const auto found = skin_numbers_.find(parent_skin); found != skin_numbers_.end()) {
        linked = {found->second, slot, text(&node, "parent")};
      }
      mesh = linked ? find_mesh(*linked) : nullptr;
      if (mesh == nullptr) {
        warn_at(DiagnosticId::rig_part_ignored, node, "is linked to the mesh \"{}\", which does not exist",
                printable(text(&node, "parent")));
        attachment.kind = AttachmentKind::nothing;
      }
      const bool is_older = find_field(&node, "deform") != nullptr;
      if (!boolean(&node, is_older ? "deform" : "timelines", true)) linked.reset();
    } else {
      is_image = false;
      read_other(node, type, slot, attachment);
    }
    is_image &= attachment.kind != AttachmentKind::nothing;
    if (is_image) attachment.opacity = opacity_of(node, "color");
    const JsonNode* const sequence = is_image ? field(&node, "sequence", Type::object) : nullptr;
    const double count = sequence == nullptr ? 1 : number(sequence, "count", 0);
    const auto images = static_cast<double>(atlas_.regions.size());
    if (sequence != nullptr && !(count >= 1 && count <= images)) {
      warn_at(DiagnosticId::rig_part_ignored, *sequence, "has {:g} images, but the atlas has {:g}", count, images);
      is_image = false;
    }
    std::uint32_t setup = 0;
    if (!is_image) {
      attachments.push_back(std::move(attachment));
    } else if (sequence == nullptr) {
      attachment.region = find_region(node, std::string(path));
      read_image(node, *mesh, attachment);
      attachments.push_back(std::move(attachment));
    } else {
      const auto first = static_cast<std::int64_t>(number(sequence, "start", 1));
      const auto digits = static_cast<int>(std::clamp(number(sequence, "digits", 0), 0.0, 32.0));
      shown.count = static_cast<std::uint32_t>(count);
      setup = static_cast<std::uint32_t>(std::clamp(number(sequence, "setup", 0), 0.0, count - 1));
      for (std::int64_t i = first; i < first + shown.count; ++i) {
        const std::string suffix = fmt::format("{:0{}}", i, digits);
        // A name can be long, and its images many.
        if (!take(1 + (name.size() + path.size()) / 8, node)) return;
        Attachment& image = attachments.emplace_back(attachment);
        image.name += suffix;
        image.region = find_region(node, std::string(path) + suffix, fmt::format("{}{}{}", path, kIndexMark, i));
        read_image(node, *mesh, image);
      }
    }
    shown_by_[{skin, slot, placeholder}].push_back(shown);
    if (linked && is_image) shown_by_[*linked].push_back(shown);
    attachments_[slot][placeholder] = shown.first + setup;
  }

  /// Returns the region that an attachment shows. A sequence can also be one region per index.
  std::uint32_t find_region(const JsonNode& node, const std::string& name, const std::string& indexed = {}) {
    if (const auto found = regions_.find(name); found != regions_.end()) return found->second;
    if (const auto found = regions_.find(indexed); found != regions_.end()) return found->second;
    warn_at(DiagnosticId::rig_texture_missing, node, "shows the texture \"{}\", which is not in the atlas",
            printable(name));
    return kNone;
  }

  /// Returns a mesh of any skin.
  const JsonNode* find_mesh(const AttachmentKey& key) {
    if (!std::exchange(knows_meshes_, true)) {
      visit_field(&tree_.root(), "skins", Type::array, [&](const JsonNode& skin) {
        const std::uint32_t number_of_skin = skin_numbers_.at(text(&skin, "name"));
        visit_field(&skin, "attachments", Type::object, [&](const JsonNode& slot) {
          const auto known = slots_.find(slot.key());
          if (known == slots_.end()) return;
          for (const JsonNode& each : JsonChildren(slot.type == Type::object ? &slot : nullptr)) {
            if (text(&each, "type") != "mesh") continue;
            meshes_.try_emplace({number_of_skin, known->second, each.key()}, &each);
          }
        });
      });
    }
    const auto found = meshes_.find(key);
    return found == meshes_.end() ? nullptr : found->second;
  }

  /// Reads what an image shows in its region. `mesh` has the vertices.
  void read_image(const JsonNode& node, const JsonNode& mesh, Attachment& image) {
    if (image.kind == AttachmentKind::mesh) {
      if (!read_mesh(mesh, image)) image.kind = AttachmentKind::nothing;
      return;
    }
    if (image.region == kNone) return;
    const Point full = full_size(atlas_.regions[image.region]);
    const auto scale_of = [&](std::string_view key, std::string_view size_key, double size) {
      return number(&node, key, 1) * (size > 0 ? number(&node, size_key, size) / size : 1);
    };
    image.placement = matrix_of({number(&node, "x", 0), number(&node, "y", 0), number(&node, "rotation", 0) * kDegree,
                                 0, scale_of("scaleX", "width", full.x), scale_of("scaleY", "height", full.y)});
  }

  /// Reads the shape of a mesh. Returns false if it cannot be used.
  bool read_mesh(const JsonNode& node, Attachment& mesh) {
    const std::vector<double> uvs = numbers(&node, "uvs"), triangles = numbers(&node, "triangles");
    const std::size_t count = uvs.size() / 2;
    const auto refuse = [&](std::string detail) {
      warn_at(DiagnosticId::rig_part_ignored, node, "{}, so it is not drawn", detail);
      return false;
    };
    if (count > kMaxVertices) return refuse(fmt::format("has {} vertices, but the maximum is {}", count, kMaxVertices));
    for (const double index : triangles) {
      if (!(index >= 0 && index < static_cast<double>(count))) {
        return refuse(fmt::format("has {} vertices, but a triangle with vertex {:g}", count, index));
      }
      mesh.indices.push_back(static_cast<std::uint16_t>(index));
    }
    mesh.indices.resize(mesh.indices.size() / 3 * 3);
    if (!read_vertices(node, count, mesh)) return false;
    if (mesh.region == kNone) return true;
    // Texture coordinates are of the image before it was trimmed.
    const Region& region = atlas_.regions[mesh.region];
    const Point full = full_size(region);
    const double width = region_width(region), height = region_height(region);
    for (std::size_t i = 0; i < count; ++i) {
      mesh.uvs.push_back({width > 0 ? (uvs[2 * i] * full.x - region.trim_left) / width : 0,
                          height > 0 ? (uvs[2 * i + 1] * full.y - region.trim_top) / height : 0});
    }
    return true;
  }

  /// Reads vertices with or without weights. Returns false if they cannot be used.
  bool read_vertices(const JsonNode& node, std::size_t count, Attachment& shape) {
    const std::vector<double> values = numbers(&node, "vertices");
    const auto refuse = [&](std::string detail) {
      warn_at(DiagnosticId::rig_part_ignored, node, "{}, so it is ignored", detail);
      return false;
    };
    if (!take(values.size() + count, node) || count == 0) return false;
    if (values.size() == 2 * count) {
      for (std::size_t i = 0; i < count; ++i) shape.positions.push_back({values[2 * i], values[2 * i + 1]});
      return true;
    }
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const double bones = next < values.size() ? values[next++] : -1;
      if (!(bones >= 0 && bones * 4 <= static_cast<double>(values.size() - next))) {
        return refuse(fmt::format("has vertices that end at vertex {} of {}", i, count));
      }
      for (std::size_t k = 0; k < static_cast<std::size_t>(bones); ++k, next += 4) {
        if (!(values[next] >= 0 && values[next] < static_cast<double>(armature_->bones.size()))) {
          return refuse(
              fmt::format("is weighted to bone {:g}, but there are {}", values[next], armature_->bones.size()));
        }
        shape.influences.push_back(
            {i, static_cast<std::uint32_t>(values[next]), values[next + 3], {values[next + 1], values[next + 2]}});
      }
    }
    return !shape.influences.empty() || refuse("has no weights");
  }

  /// Reads an attachment without an image.
  void read_other(const JsonNode& node, std::string_view type, std::uint32_t slot, Attachment& other) {
    const std::string slot_name = printable(armature_->slots[slot].name);
    if (type == "path") {
      other.is_closed = boolean(&node, "closed", false);
      other.has_constant_speed = boolean(&node, "constantSpeed", true);
      other.lengths = numbers(&node, "lengths");
      if (!std::ranges::is_sorted(other.lengths)) other.lengths.clear();
      const double vertices = std::clamp(number(&node, "vertexCount", 0), 0.0, static_cast<double>(kMaxVertices));
      const std::size_t count = static_cast<std::size_t>(vertices) / 3 * 3;
      if (count < (other.is_closed ? 3U : 6U) || !read_vertices(node, count, other)) return;
      other.positions.resize(count);
      other.kind = AttachmentKind::path;
    } else if (type == "clipping") {
      const std::string_view end = text(&node, "end");
      warn_at(DiagnosticId::rig_clipping_ignored, node, "clips the slots from \"{}\" to \"{}\", which are drawn whole",
              slot_name, end.empty() ? "the last" : printable(end));
    } else if (type == "boundingbox" || type == "point") {
      warn_at(DiagnosticId::rig_helper_ignored, node, "is a {} of slot \"{}\"",
              type == "point" ? "point" : "bounding box", slot_name);
    } else {
      warn_at(DiagnosticId::rig_part_ignored, node, "is an attachment of the unknown type \"{}\"", printable(type));
    }
  }

  /// Refuses constraints that move bones too often in the setup pose alone.
  void limit_constraints(const JsonNode& root) {
    const double cost = pose_cost(*armature_, static_cast<double>(max_values_));
    if (cost <= static_cast<double>(max_values_)) return;
    fail(DiagnosticId::limit_exceeded, root,
         fmt::format("has {} constraints that need {:.0f} operations or more in one pose, but the limit for a file of "
                     "this size is {}",
                     armature_->constraints.size(), cost, max_values_));
  }

  void choose_setup_attachments(const JsonNode* root) {
    std::uint32_t slot = 0;
    visit_field(root, "slots", Type::array, [&](const JsonNode& node) {
      armature_->slots[slot].attachment = attachment_of(slot, node, "attachment");
      ++slot;
    });
  }

  /// Returns the attachment of a slot that a name stands for, or -1.
  std::int32_t attachment_of(std::uint32_t slot, const JsonNode& object, std::string_view key) {
    const auto found = attachments_[slot].find(text(&object, key));
    return found == attachments_[slot].end() ? -1 : static_cast<std::int32_t>(found->second);
  }

  void bind_meshes() {
    rig::Pose setup;
    evaluate(*armature_, nullptr, 0, nullptr, setup);
    for (Slot& slot : armature_->slots) {
      for (Attachment& mesh : slot.attachments) {
        if (mesh.kind != AttachmentKind::mesh || mesh.influences.empty() || mesh.region == kNone) continue;
        const double distance = find_bindings(setup.world, mesh);
        if (distance == 0) continue;
        warn(warnings_, DiagnosticId::rig_mesh_unbound, {},
             "the bones of the mesh \"{}\" in slot \"{}\" move its vertices to places up to {:.2f} px apart",
             printable(mesh.name), printable(slot.name), distance);
      }
    }
  }

  // Animations

  void read_events(const JsonNode* root) {
    visit_field(root, "events", Type::object, [&](const JsonNode& event) {
      const std::string_view audio = text(&event, "audio");
      if (audio.empty()) return;
      warn_at(DiagnosticId::rig_sound_ignored, event, "plays the sound \"{}\", and becomes a marker", printable(audio));
    });
  }

  void read_animation(const JsonNode& node) {
    Animation& animation = armature_->animations.emplace_back();
    animation_ = &animation;
    animation.name = node.key();
    animation.plays = 0;
    if (node.type != Type::object) fail(DiagnosticId::wrong_type, node, "must be an object");
    visit_named(node, "bones", &bones_, [&](const JsonNode& each, std::uint32_t bone) { read_bone_keys(each, bone); });
    visit_named(node, "slots", &slots_, [&](const JsonNode& each, std::uint32_t slot) { read_slot_keys(each, slot); });
    const auto constraints = [&](ConstraintKind kind) { return &constraints_[static_cast<std::size_t>(kind)]; };
    visit_named(node, "ik", constraints(ConstraintKind::ik),
                [&](const JsonNode& list, std::uint32_t ik) { read_ik_keys(list, ik); });
    visit_named(node, "transform", constraints(ConstraintKind::transform),
                [&](const JsonNode& list, std::uint32_t transform) {
                  read_timeline(list, {.kind = TimelineKind::constraint, .target = transform, .channels = 6},
                                [&](std::vector<double>& values, const JsonNode& key) {
                                  ConstraintValues mixes = transform_mixes(key);
                                  if (const auto copied = copied_.find(transform); copied != copied_.end()) {
                                    for (std::size_t i = 0; i < 6; ++i) mixes[i] *= copied->second[i];
                                  }
                                  values.insert(values.end(), mixes.begin(), mixes.begin() + 6);
                                });
                });
    visit_named(node, "physics", constraints(ConstraintKind::physics),
                [&](const JsonNode& each, std::uint32_t physics) { read_physics_keys(each, physics); });
    for (const char* const key : {"path", "paths"}) {
      visit_named(node, key, constraints(ConstraintKind::path),
                  [&](const JsonNode& each, std::uint32_t path) { read_path_keys(each, path); });
    }
    for (const char* const key : {"drawOrder", "draworder"}) {
      const JsonNode* const list = field(&node, key, Type::array);
      if (list == nullptr) continue;
      const auto count = static_cast<std::uint32_t>(armature_->slots.size());
      read_timeline(*list, {.kind = TimelineKind::order, .channels = count},
                    [&](std::vector<double>& values, const JsonNode& key_node) { read_order(values, key_node); },
                    {.is_stepped = true});
    }
    // Sequences choose among the images of the attachments that the timelines above show.
    for (const char* const key : {"attachments", "deform"}) {
      visit_field(&node, key, Type::object, [&](const JsonNode& skin) {
        const auto known_skin = skin_numbers_.find(skin.key());
        if (known_skin == skin_numbers_.end()) return;
        for (const JsonNode& slot : JsonChildren(skin.type == Type::object ? &skin : nullptr)) {
          const auto known_slot = slots_.find(slot.key());
          if (known_slot == slots_.end()) continue;
          for (const JsonNode& each : JsonChildren(slot.type == Type::object ? &slot : nullptr)) {
            read_attachment_keys(each, {known_skin->second, known_slot->second, each.key()});
          }
        }
      });
    }
    visit_field(&node, "events", Type::array, [&](const JsonNode& event) {
      const double seconds = std::max(number(&event, "time", 0), 0.0);
      animation.events.push_back({seconds, std::string(text(&event, "name"))});
      animation.duration = std::max(animation.duration, seconds);
    });
    animation_ = nullptr;
  }

  /// Visits fields that are named like bones, slots or constraints. Constraints of other skins are not known.
  template <typename Visit>
  void visit_named(const JsonNode& node, std::string_view key, const Names* names, const Visit& visit) {
    visit_field(&node, key, Type::object, [&](const JsonNode& each) {
      const auto found = names->find(each.key());
      if (found != names->end()) {
        visit(each, found->second);
      } else if (names == &bones_ || names == &slots_) {
        warn_at(DiagnosticId::rig_part_ignored, each, "has keys, but does not exist in the skeleton");
      }
    });
  }

  /// Reads a timeline with `read_values(values, key)`, which appends the values of a key.
  template <typename ReadValues>
  void read_timeline(const JsonNode& list, Timeline timeline, const ReadValues& read_values,
                     const Curves& curves = {}) {
    if (list.type != Type::array) return fail(DiagnosticId::wrong_type, list, "must be an array");
    if (timeline.channels == 0) return;
    key_nodes_.clear();
    double before = 0;
    for (const JsonNode& key : JsonChildren(&list)) {
      const double seconds = number(&key, "time", 0);
      if (key.type != Type::object) return fail(DiagnosticId::wrong_type, key, "must be an object");
      if (seconds < before) {
        return fail(DiagnosticId::value_out_of_range, key,
                    fmt::format("has the time {:g}, but the key before it {:g}", seconds, before));
      }
      before = seconds;
      timeline.keys.push_back({seconds, {}});
      read_values(timeline.values, key);
      if (error_) return;
      key_nodes_.push_back(&key);
      ++result_.model.keys;
    }
    if (timeline.keys.empty()) return;
    if (is_3_8_ && timeline.kind == TimelineKind::rotate) {
      // The shortest way from key to key.
      for (std::size_t i = 1; i < timeline.values.size(); ++i) {
        const double turn = timeline.values[i] - timeline.values[i - 1];
        timeline.values[i] -= std::floor(turn / (2 * kPi) + 0.5) * 2 * kPi;
      }
    }
    for (std::size_t i = 0; i + 1 < key_nodes_.size(); ++i) read_curve(*key_nodes_[i], i, curves, timeline);
    animation_->duration = std::max(animation_->duration, before);
    animation_->timelines.push_back(std::move(timeline));
  }

  void read_curve(const JsonNode& key, std::size_t index, const Curves& curves, Timeline& timeline) {
    Curve& curve = timeline.keys[index].curve;
    const JsonNode* const stored = find_field(&key, "curve");
    if (curves.is_stepped || (stored != nullptr && stored->text() == "stepped")) curve.kind = CurveKind::step;
    if (curve.kind == CurveKind::step || stored == nullptr) return;
    curve.handles = static_cast<std::uint32_t>(timeline.handles.size());
    if (stored->type == Type::number) {
      const double start = timeline.keys[index].seconds, length = timeline.keys[index + 1].seconds - start;
      curve.kind = CurveKind::bezier;
      timeline.handles.push_back({start + value_of(*stored) * length, number(&key, "c2", 0)});
      timeline.handles.push_back({start + number(&key, "c3", 1) * length, number(&key, "c4", 1)});
      return;
    }
    if (stored->type != Type::array) return;
    const std::size_t channels = curves.is_progress ? 1 : timeline.channels;
    const std::size_t needed = 4 * (curves.channel + channels), count = stored->size - 1;
    if (count < needed) {
      warn_at(DiagnosticId::rig_part_ignored, *stored,
              "has {} numbers instead of {}, so the key leads to the next in a line", count, needed);
      return;
    }
    curve.kind = curves.is_progress ? CurveKind::bezier : CurveKind::bezier_values;
    const JsonNode* number_node = stored + 1 + 4 * curves.channel;
    for (std::size_t i = 0; i < 2 * channels; ++i, number_node += 2) {
      timeline.handles.push_back({value_of(number_node[0]), value_of(number_node[1]) * curves.unit});
    }
  }

  void read_bone_keys(const JsonNode& node, std::uint32_t bone) {
    struct Kind {
      const char* name;
      TimelineKind kind;
      std::uint32_t first, channels;
      double missing, unit;
    };
    static constexpr Kind kKinds[] = {
        {"rotate", TimelineKind::rotate, 0, 1, 0, kDegree},  {"translate", TimelineKind::translate, 0, 2, 0, 1},
        {"translatex", TimelineKind::translate, 0, 1, 0, 1}, {"translatey", TimelineKind::translate, 1, 1, 0, 1},
        {"scale", TimelineKind::scale, 0, 2, 1, 1},          {"scalex", TimelineKind::scale, 0, 1, 1, 1},
        {"scaley", TimelineKind::scale, 1, 1, 1, 1},         {"shear", TimelineKind::shear, 0, 2, 0, kDegree},
        {"shearx", TimelineKind::shear, 0, 1, 0, kDegree},   {"sheary", TimelineKind::shear, 1, 1, 0, kDegree}};
    if (node.type != Type::object) return fail(DiagnosticId::wrong_type, node, "must be an object");
    for (const JsonNode& list : JsonChildren(&node)) {
      if (list.key() == "inherit") {
        read_timeline(list, {.kind = TimelineKind::inherit, .target = bone, .channels = 1},
                      [&](std::vector<double>& values, const JsonNode& key) {
                        values.push_back(static_cast<double>(inherit_of(&key, "inherit").value_or(Inherit::all)));
                      },
                      {.is_stepped = true});
        continue;
      }
      const auto* const kind = std::ranges::find_if(kKinds, [&](const Kind& each) { return list.key() == each.name; });
      if (kind == std::end(kKinds)) {
        warn_at(DiagnosticId::rig_part_ignored, list, "is a timeline of an unknown kind");
        continue;
      }
      const bool is_angle = is_3_8_ && kind->kind == TimelineKind::rotate;
      const std::string_view x = kind->channels == 2 ? "x" : is_angle ? "angle" : "value";
      read_timeline(list, {.kind = kind->kind, .target = bone, .first = kind->first, .channels = kind->channels},
                    [&](std::vector<double>& values, const JsonNode& key) {
                      values.push_back(number(&key, x, kind->missing) * kind->unit);
                      if (kind->channels == 2) values.push_back(number(&key, "y", kind->missing) * kind->unit);
                    },
                    {.unit = kind->unit});
    }
  }

  void read_slot_keys(const JsonNode& node, std::uint32_t slot) {
    if (node.type != Type::object) return fail(DiagnosticId::wrong_type, node, "must be an object");
    for (const JsonNode& list : JsonChildren(&node)) {
      const std::string_view kind = list.key();
      if (kind == "attachment") {
        read_timeline(list, {.kind = TimelineKind::attachment, .target = slot, .channels = 1},
                      [&](std::vector<double>& values, const JsonNode& key) {
                        values.push_back(attachment_of(slot, key, "name"));
                      },
                      {.is_stepped = true});
      } else if (kind == "color" || kind == "rgba" || kind == "twoColor" || kind == "rgba2" || kind == "alpha") {
        const bool is_dark = kind == "twoColor" || kind == "rgba2";
        bool is_white = true;
        const auto read_value = [&](std::vector<double>& values, const JsonNode& key) {
          if (kind == "alpha") return values.push_back(number(&key, "value", 1));
          const Color color = color_of(&key, is_dark ? "light" : "color");
          is_white &= color.is_white;
          values.push_back(color.opacity);
        };
        read_timeline(list, {.kind = TimelineKind::opacity, .target = slot, .channels = 1}, read_value,
                      {.channel = kind == "alpha" ? 0U : 3U});
        if (!is_white || is_dark) warn_color(list);
      } else if (kind == "rgb" || kind == "rgb2") {
        warn_color(list);
      } else {
        warn_at(DiagnosticId::rig_part_ignored, list, "is a timeline of an unknown kind");
      }
    }
  }

  void warn_color(const JsonNode& list) {
    warn_at(DiagnosticId::rig_color_ignored, list,
            "colors the slot in animation \"{}\", but only the opacity is applied", printable(animation_->name));
  }

  void read_ik_keys(const JsonNode& list, std::uint32_t ik) {
    read_timeline(list, {.kind = TimelineKind::constraint, .target = ik},
                  [&](std::vector<double>& values, const JsonNode& key) {
                    values.insert(values.end(), {number(&key, "mix", 1), number(&key, "softness", 0)});
                  });
    read_timeline(list, {.kind = TimelineKind::constraint, .target = ik, .first = 2, .channels = 3},
                  [&](std::vector<double>& values, const JsonNode& key) {
                    values.insert(values.end(), {bends_left(key), flag(key, "compress"), flag(key, "stretch")});
                  },
                  {.is_stepped = true});
  }

  void read_physics_keys(const JsonNode& node, std::uint32_t physics) {
    if (node.type != Type::object) return fail(DiagnosticId::wrong_type, node, "must be an object");
    for (const JsonNode& list : JsonChildren(&node)) {
      for (std::uint32_t i = 0; i < std::size(kPhysicsValues); ++i) {
        const double missing = kPhysicsValues[i].second;
        if (list.key() != kPhysicsValues[i].first) continue;
        read_timeline(list, {.kind = TimelineKind::constraint, .target = physics, .first = i, .channels = 1},
                      [&](std::vector<double>& values, const JsonNode& key) {
                        values.push_back(number(&key, "value", missing));
                      });
      }
    }
  }

  void read_path_keys(const JsonNode& node, std::uint32_t path) {
    if (node.type != Type::object) return fail(DiagnosticId::wrong_type, node, "must be an object");
    for (const JsonNode& list : JsonChildren(&node)) {
      const std::string_view kind = list.key();
      const bool is_mix = kind == "mix";
      if (!is_mix && kind != "position" && kind != "spacing") {
        warn_at(DiagnosticId::rig_part_ignored, list, "is a timeline of an unknown kind");
        continue;
      }
      const std::uint32_t first = is_mix ? 2 : kind == "spacing" ? 1 : 0;
      read_timeline(list,
                    {.kind = TimelineKind::constraint, .target = path, .first = first, .channels = is_mix ? 3U : 1U},
                    [&](std::vector<double>& values, const JsonNode& key) {
                      if (!is_mix) return values.push_back(number(&key, is_3_8_ ? kind : "value", 0));
                      const auto mixes = path_mixes(key);
                      values.insert(values.end(), mixes.begin(), mixes.end());
                    });
    }
  }

  /// Appends the slots back to front. A key names slots and by how many places they move.
  void read_order(std::vector<double>& values, const JsonNode& key) {
    const std::size_t count = armature_->slots.size();
    if (!take(count, key)) return;
    const std::size_t start = values.size();
    values.resize(start + count, -1);
    std::vector<bool> moved(count);
    bool is_valid = true;
    visit_field(&key, "offsets", Type::array, [&](const JsonNode& each) {
      const auto slot = slots_.find(text(&each, "slot"));
      const double offset = number(&each, "offset", 0);
      const double place = slot == slots_.end() ? -1 : slot->second + offset;
      is_valid &= place >= 0 && place < static_cast<double>(count) && place == std::floor(place);
      if (!is_valid) return;
      double& value = values[start + static_cast<std::size_t>(place)];
      is_valid = value < 0 && !moved[slot->second];
      value = slot->second;
      moved[slot->second] = true;
    });
    if (!is_valid) {
      warn_at(DiagnosticId::rig_part_ignored, key,
              "moves slots to places that do not exist or twice, so it is ignored");
      std::fill(values.begin() + static_cast<std::ptrdiff_t>(start), values.end(), -1);
      moved.assign(count, false);
    }
    std::size_t rest = 0;
    for (std::size_t place = start; place < start + count; ++place) {
      if (values[place] >= 0) continue;
      while (moved[rest]) ++rest;
      values[place] = static_cast<double>(rest++);
    }
  }

  /// Reads the keys of an attachment, for all attachments that show it. Those of other skins are not known.
  void read_attachment_keys(const JsonNode& node, const AttachmentKey& key) {
    const auto shown = shown_by_.find(key);
    if (shown == shown_by_.end()) return;
    const bool is_older = node.type == Type::array;
    const JsonNode* const deform = is_older ? &node : field(&node, "deform", Type::array);
    const JsonNode* const sequence = is_older ? nullptr : field(&node, "sequence", Type::array);
    for (const Shown& each : shown->second) {
      for (std::uint32_t i = 0; i < each.count && deform != nullptr; ++i)
        read_deform(*deform, each.slot, each.first + i);
      if (sequence == nullptr) continue;
      double delay = 0;
      read_timeline(*sequence,
                    {.kind = TimelineKind::sequence,
                     .target = each.slot,
                     .attachment = each.first,
                     .count = each.count,
                     .channels = 3},
                    [&](std::vector<double>& values, const JsonNode& key_node) {
                      // With the size of a key.
                      if (!take(9, key_node)) return;
                      delay = number(&key_node, "delay", delay);
                      const double index = std::clamp(number(&key_node, "index", 0), 0.0, kMaxNumber);
                      values.insert(values.end(), {sequence_mode(key_node), index, delay});
                    },
                    {.is_stepped = true});
    }
  }

  double sequence_mode(const JsonNode& key) {
    static constexpr std::string_view kModes[] = {"hold",        "once",        "loop",           "pingpong",
                                                  "onceReverse", "loopReverse", "pingpongReverse"};
    const std::string_view name = text(&key, "mode");
    const auto* const found = std::ranges::find(kModes, name);
    return found == std::end(kModes) ? 0 : static_cast<double>(found - std::begin(kModes));
  }

  void read_deform(const JsonNode& list, std::uint32_t slot, std::uint32_t attachment) {
    const Attachment& shape = armature_->slots[slot].attachments[attachment];
    const std::size_t points = shape.influences.empty() ? shape.positions.size() : shape.influences.size();
    const std::size_t channels = 2 * points;
    if (shape.kind != AttachmentKind::mesh && shape.kind != AttachmentKind::path) return;
    read_timeline(list,
                  {.kind = TimelineKind::deform,
                   .target = slot,
                   .attachment = attachment,
                   .channels = static_cast<std::uint32_t>(channels)},
                  [&](std::vector<double>& values, const JsonNode& key) {
                    const std::vector<double> moves = numbers(&key, "vertices");
                    const double offset = number(&key, "offset", 0);
                    if (!take(channels + 6, key)) return;
                    const std::size_t start = values.size();
                    values.resize(start + channels);
                    if (!(offset >= 0 && offset + static_cast<double>(moves.size()) <= static_cast<double>(channels))) {
                      return fail(DiagnosticId::value_out_of_range, key,
                                  fmt::format("moves the coordinates from {:g} to {:g}, but there are {}", offset,
                                              offset + static_cast<double>(moves.size()), channels));
                    }
                    std::ranges::copy(
                        moves, values.begin() + static_cast<std::ptrdiff_t>(start + static_cast<std::size_t>(offset)));
                  },
                  {.is_progress = true});
    if (animation_->timelines.empty()) return;
    Timeline& timeline = animation_->timelines.back();
    if (timeline.kind != TimelineKind::deform || timeline.keys.front().seconds == 0) return;
    // The setup pose lasts until the first key.
    timeline.keys.insert(timeline.keys.begin(), {0, {.kind = CurveKind::step}});
    timeline.values.insert(timeline.values.begin(), channels, 0);
  }

  const Atlas& atlas_;
  const std::string& skin_;
  std::uint64_t max_values_, values_left_;
  Skeleton result_;
  Armature* armature_ = nullptr;
  bool is_3_8_ = false;
  std::unordered_map<std::string, std::uint32_t> regions_;
  std::vector<const JsonNode*> skins_;  // the default one, then the chosen one
  std::unordered_set<std::string_view> skin_bones_, skin_constraints_;
  Names bones_, slots_;
  std::array<Names, 4> constraints_;                            // of each kind
  std::unordered_map<std::uint32_t, ConstraintValues> copied_;  // 0 or 1 for each mix of transform constraints of 4.3
  std::vector<bool> is_active_;                                 // of each bone
  std::vector<Names> attachments_;                              // of each slot, by the names that keys use
  Names skin_numbers_;
  std::unordered_map<AttachmentKey, std::vector<Shown>, HashOfKey> shown_by_;
  std::unordered_map<AttachmentKey, const JsonNode*, HashOfKey> meshes_;  // of all skins
  bool knows_meshes_ = false;
  Animation* animation_ = nullptr;
  std::vector<const JsonNode*> key_nodes_;  // of the timeline that is read
};

}  // namespace

Expected<Skeleton, Diagnostic> read_skeleton(const JsonTree& tree, const Atlas& atlas, const std::string& skin,
                                             std::uint64_t file_bytes, Warnings& warnings) {
  return Reader(tree, atlas, skin, file_bytes, warnings).read();
}

}  // namespace pchr::spine
