// SPDX-License-Identifier: MIT
// Samples a keyframed skeleton into a character.
#include "import/rig/rig.hpp"

#include "character/build.hpp"
#include "character/fail.hpp"
#include "character/format.hpp"
#include "character/influences.hpp"
#include "import/fit/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace pchr::rig {
namespace {

constexpr std::size_t kMaxBones = 65535;
constexpr std::uint32_t kMaxDepth = 8;
/// Bones that can be placed per bone sample of the limits, which pay for constraints and their steps.
constexpr double kOperationsPerSample = 4;
/// Distance in pixels that a vertex may be moved by what samples cannot store.
constexpr double kTolerance = 0.001;

/// An armature that a slot of another instance shows, or the main one.
struct Instance {
  const Armature* armature = nullptr;
  std::uint32_t parent = kNone;            ///< Always an earlier instance.
  std::uint32_t slot = 0, attachment = 0;  ///< Where the parent shows it.
  std::uint32_t depth = 0;
  std::uint32_t first_bone = 0;
  std::string prefix{};                   ///< Start of the names of its bones and meshes.
  std::vector<std::uint32_t> children{};  ///< Instances, by their slots.

  Pose pose{};
  Matrix base{};  ///< From the space of the armature to world space.
  bool is_shown = false;
  double opacity = 1;
  double started = 0;                  ///< When it was shown, in the time of the clip.
  const Animation* playing = nullptr;  ///< Its animation.
  double seconds = 0;                  ///< Since that began.
};

/// A bone of an instance, the twin of one for a single mesh, or one that was fitted to the deform keys of a mesh.
struct FlatBone {
  std::string name;
  std::uint32_t parent = kNone;
  std::uint32_t source = kNone;  ///< The bone whose world transform a twin has.
  Matrix bind;                   ///< World transform in the bind pose.
  bool is_bound = false;         ///< A mesh has chosen the bind pose.
  double extent = 0;             ///< Largest distance of a vertex from the bone, in its space.
  std::vector<Matrix> fitted{};  ///< World transform of a fitted bone in each frame.
};

/// A mesh of the character.
struct Part {
  std::uint32_t instance = 0, slot = 0, attachment = 0;
  std::string name;
  std::uint32_t governor = kNone;  ///< The bone that carries its visibility, order and opacity.
  std::vector<Point> uvs;
  std::vector<Influence> influences;  ///< With numbers of flat bones.
  std::uint32_t deform = kNone;       ///< What happens to its vertices.
};

/// How the deform keys of a part move its vertices.
struct Deform {
  std::uint32_t part = 0;
  std::map<const Animation*, const Timeline*> timelines;
  std::vector<std::uint32_t> frames;  ///< That show the part.
  std::vector<double> places;         ///< World position of each vertex in each of those frames.
  std::vector<double> max_offset;     ///< Largest offset of each vertex.
  std::vector<double> weights;        ///< Sum of the weights of each vertex.
};

/// What a part's bone carries in one frame.
struct PartState {
  std::int32_t z_order = 0;
  float opacity = 1;
  bool is_visible = false;
};

/// A bone of the character in all frames; the bind pose is the first.
struct Track {
  std::string name;
  std::uint32_t parent = kNone;
  std::vector<float> x, y, rotation_degrees, scale_x, scale_y;

  void append(double new_x, double new_y, double rotation, double new_scale_x, double new_scale_y) {
    x.push_back(static_cast<float>(new_x));
    y.push_back(static_cast<float>(new_y));
    rotation_degrees.push_back(static_cast<float>(std::remainder(rotation, 2 * kPi) * 180 / kPi));
    scale_x.push_back(static_cast<float>(new_scale_x));
    scale_y.push_back(static_cast<float>(new_scale_y));
  }
  /// Returns the local transform as a reader of the samples computes it.
  [[nodiscard]] Matrix local(std::size_t frame) const noexcept {
    return matrix_of({x[frame], y[frame], rotation_degrees[frame] * kPi / 180, 0, scale_x[frame], scale_y[frame]});
  }
};

struct ClipPlan {
  const Animation* animation = nullptr;
  std::uint32_t plays = 1;  ///< That its frames show.
  std::uint32_t frame_count = 0;
};

/// Returns the length of a vector. Faster than std::hypot(), which does not overflow.
double length_of(double x, double y) noexcept { return std::sqrt(x * x + y * y); }

/// Returns how far two transforms move apart the points within `extent` of the origin.
double distance(const Matrix& left, const Matrix& right, double extent) noexcept {
  return length_of(left.tx - right.tx, left.ty - right.ty) +
         extent *
             std::max(length_of(left.a - right.a, left.b - right.b), length_of(left.c - right.c, left.d - right.d));
}

bool is_singular(const Matrix& matrix) noexcept {
  const double size = matrix.a * matrix.a + matrix.b * matrix.b + matrix.c * matrix.c + matrix.d * matrix.d;
  return !(size > 1e-12 && std::abs(determinant(matrix)) > 1e-7 * size);
}

/// Returns a transform like `matrix` for the bind pose of a bone, which must be invertible in single precision: axes
/// are at least a fiftieth of their length, and not almost parallel. Skeletons hide parts by scaling them to almost
/// nothing.
Matrix invertible(Matrix matrix) noexcept {
  constexpr double kMinLength = 0.02;
  const double x_length = std::hypot(matrix.a, matrix.b), y_length = std::hypot(matrix.c, matrix.d);
  const double x_scale = std::max(x_length, kMinLength), y_scale = std::max(y_length, kMinLength);
  const bool is_narrow = !(std::abs(determinant(matrix)) > kMinLength * x_length * y_length);
  if (x_length >= kMinLength && y_length >= kMinLength && !is_narrow) return matrix;
  const bool uses_y = x_length == 0 && y_length > 0;
  const double rotation = uses_y ? std::atan2(-matrix.c, matrix.d) : std::atan2(matrix.b, matrix.a);
  if (is_narrow) return matrix_of({matrix.tx, matrix.ty, rotation, 0, x_scale, y_scale});
  return {matrix.a * x_scale / x_length,
          matrix.b * x_scale / x_length,
          matrix.c * y_scale / y_length,
          matrix.d * y_scale / y_length,
          matrix.tx,
          matrix.ty};
}

/// Returns the transform without shear that is closest to `matrix`. Of the two that are equal, returns the one without
/// a mirrored x axis, or that continues `before`: a bone that is mirrored must not also turn around.
Transform without_shear(const Matrix& matrix, const std::optional<Transform>& before) noexcept {
  Transform result{.x = matrix.tx, .y = matrix.ty};
  const double x_length = length_of(matrix.a, matrix.b), y_length = length_of(matrix.c, matrix.d);
  if (x_length == 0 && y_length == 0) {
    result.rotation = before ? before->rotation : 0;
  } else {
    const bool is_mirrored = determinant(matrix) < 0;
    const bool uses_x = x_length >= y_length;
    result.rotation = uses_x ? std::atan2(matrix.b, matrix.a) : std::atan2(-matrix.c, matrix.d);
    if (!uses_x && is_mirrored) result.rotation += kPi;
    if (before && is_mirrored == (before->scale_x * before->scale_y < 0)) {
      if (before->scale_x < 0) result.rotation += kPi;
    } else if (before && std::cos(result.rotation - before->rotation) < 0) {
      result.rotation += kPi;
    }
  }
  const double cosine = std::cos(result.rotation), sine = std::sin(result.rotation);
  result.scale_x = matrix.a * cosine + matrix.b * sine;
  result.scale_y = matrix.d * cosine - matrix.c * sine;
  return result;
}

/// The linear part of a matrix as R(first) * S(scale_x, scale_y) * R(second), by singular values.
struct Turns {
  double first = 0, scale_x = 1, scale_y = 1, second = 0;
};

/// Returns the one of the four solutions that is the closest to `before`.
Turns turns_of(const Matrix& matrix, const Turns& before) noexcept {
  const double e = (matrix.a + matrix.d) / 2, f = (matrix.a - matrix.d) / 2;
  const double g = (matrix.b + matrix.c) / 2, h = (matrix.b - matrix.c) / 2;
  const double q = std::hypot(e, h), r = std::hypot(f, g);
  const double sum = q == 0 ? 0 : std::atan2(h, e), difference = r == 0 ? 0 : std::atan2(g, f);
  Turns turns{(sum + difference) / 2, q + r, q - r, (sum - difference) / 2};
  Turns best = turns;
  double best_change = 1e9;
  for (int quarter = 0; quarter < 4; ++quarter) {
    const double change = std::abs(std::remainder(turns.first - before.first, 2 * kPi)) +
                          std::abs(std::remainder(turns.second - before.second, 2 * kPi));
    if (change < best_change - 1e-9) {
      best_change = change;
      best = turns;
    }
    turns = {turns.first + kPi / 2, turns.scale_y, turns.scale_x, turns.second - kPi / 2};
  }
  return best;
}

class Builder {
 public:
  Builder(const Model& model, const ImportOptions& options, Warnings& warnings)
      : model_(model), options_(options), warnings_(warnings) {}

  std::optional<Diagnostic> build(std::uint32_t armature) {
    if (auto problem = flatten(armature)) return problem;
    if (auto problem = check_names()) return problem;
    pose_setup();
    make_parts();
    if (auto problem = check_names()) return problem;
    if (auto problem = plan_clips()) return problem;
    sample_frames();
    fit_deforms();
    if (auto problem = check_names()) return problem;
    if (auto problem = sample_bones()) return problem;
    data.images.clear();
    for (const Page& page : model_.pages) data.images.push_back(page.image);
    for (std::uint32_t part = 0; part < parts_.size(); ++part) make_mesh(parts_[part]);
    make_clips();
    return std::nullopt;
  }

  CharacterData data;
  std::vector<Marker> markers;

 private:
  using Names = std::unordered_map<std::string_view, std::uint32_t>;

  /// Work of posing an armature in a frame, in bones that could be placed in the same time.
  struct Cost {
    double pose = 0;                    ///< Bones, slots and constraints.
    double steps = 1;                   ///< Physics steps; each repeats this and the timelines.
    std::optional<double> timelines{};  ///< The largest of all animations.
  };

  /// Joins texts to a name, which many bones and meshes can share a part of. Returns nothing once all names together
  /// exceed their limit, which check_names() reports.
  std::string make_name(std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) name_bytes_ += text.size();
    std::string name;
    if (name_bytes_ > max_name_bytes_) return name;
    for (const std::string_view text : texts) name += text;
    return name;
  }

  [[nodiscard]] std::optional<Diagnostic> check_names() const {
    if (name_bytes_ <= max_name_bytes_) return std::nullopt;
    return diagnose(DiagnosticId::limit_exceeded, {},
                    "the names of bones and meshes, which repeat those of slots and armatures, need {} bytes or more, "
                    "but the limit is {} bytes",
                    name_bytes_, max_name_bytes_);
  }

  [[nodiscard]] double max_operations() const noexcept {
    return kOperationsPerSample * static_cast<double>(options_.limits.max_bone_samples);
  }

  /// Lists the instances of all armatures, and their bones.
  std::optional<Diagnostic> flatten(std::uint32_t armature) {
    instances_.push_back({.armature = &model_.armatures[armature]});
    // A short file can show a large mesh many times.
    std::uint64_t displays = 0, vertices = 0, stored = 0, stored_names = 0;
    double pose_cost = 0;
    for (const Armature& each : model_.armatures) {
      Names& names = animations_[&each];
      for (std::uint32_t i = 0; i < each.animations.size(); ++i) names.try_emplace(each.animations[i].name, i);
      for (const Slot& slot : each.slots) {
        stored_names += slot.name.size();
        for (const Attachment& shown : slot.attachments) {
          stored += shown.uvs.size() + shown.influences.size();
          stored_names += shown.name.size();
        }
      }
      for (const Bone& bone : each.bones) stored_names += bone.name.size();
    }
    max_name_bytes_ = std::max(options_.limits.max_bone_samples / 4, 4 * stored_names);
    const std::uint64_t max_vertices = std::max(options_.limits.max_bone_samples / 16, 4 * stored);
    for (std::uint32_t number = 0; number < instances_.size(); ++number) {
      const Armature& shown = *instances_[number].armature;
      instances_[number].first_bone = static_cast<std::uint32_t>(bones_.size());
      const Instance instance = {.armature = &shown,
                                 .parent = instances_[number].parent,
                                 .slot = instances_[number].slot,
                                 .depth = instances_[number].depth,
                                 .first_bone = instances_[number].first_bone,
                                 .prefix = instances_[number].prefix};
      for (const Slot& slot : shown.slots) {
        displays += slot.attachments.size();
        for (const Attachment& each : slot.attachments) vertices += each.uvs.size() + each.influences.size();
      }
      const std::uint64_t count =
          std::max<std::uint64_t>({bones_.size() + shown.bones.size(), displays, instances_.size()});
      if (count > kMaxBones || vertices > max_vertices) {
        return diagnose(DiagnosticId::limit_exceeded, {},
                        "the armature and those that it shows have more than {} bones or displays, or {} vertices and "
                        "weights",
                        kMaxBones, max_vertices);
      }
      Cost& cost = costs_[&shown];
      if (cost.pose == 0) cost = {rig::pose_cost(shown, max_operations()), physics_steps(shown, 1 / rate())};
      pose_cost += cost.pose;
      if (pose_cost > max_operations()) {
        return diagnose(DiagnosticId::limit_exceeded, {},
                        "one pose of the armature and those that it shows needs more than the limit of {:.0f} "
                        "operations for bones and constraints",
                        max_operations());
      }
      for (const Bone& bone : shown.bones) {
        FlatBone& flat = bones_.emplace_back();
        flat.name = make_name({instance.prefix, bone.name});
        flat.parent = bone.parent != kNone ? instance.first_bone + bone.parent : parent_of(instance);
      }
      for (std::uint32_t slot = 0; slot < shown.slots.size(); ++slot) {
        const std::vector<Attachment>& attachments = shown.slots[slot].attachments;
        for (std::uint32_t i = 0; i < attachments.size(); ++i) {
          const Attachment& child = attachments[i];
          if (child.kind != AttachmentKind::armature) continue;
          if (shows_itself(number, child.armature) || instance.depth == kMaxDepth || instances_.size() == kMaxBones) {
            warn(warnings_, DiagnosticId::rig_part_ignored, {},
                 "slot \"{}\" shows the armature \"{}\" inside itself, or in more than {} others",
                 printable(shown.slots[slot].name), printable(model_.armatures[child.armature].name), kMaxDepth);
            continue;
          }
          instances_[number].children.push_back(static_cast<std::uint32_t>(instances_.size()));
          instances_.push_back({.armature = &model_.armatures[child.armature],
                                .parent = number,
                                .slot = slot,
                                .attachment = i,
                                .depth = instance.depth + 1,
                                .prefix = make_name({instance.prefix, shown.slots[slot].name, "/", child.name, "/"})});
        }
      }
    }
    return std::nullopt;
  }

  /// Returns the bone of the slot that shows an instance.
  [[nodiscard]] std::uint32_t parent_of(const Instance& instance) const noexcept {
    if (instance.parent == kNone) return kNone;
    const Instance& parent = instances_[instance.parent];
    return parent.first_bone + parent.armature->slots[instance.slot].bone;
  }

  [[nodiscard]] bool shows_itself(std::uint32_t instance, std::uint32_t armature) const noexcept {
    for (; instance != kNone; instance = instances_[instance].parent) {
      if (instances_[instance].armature == &model_.armatures[armature]) return true;
    }
    return false;
  }

  [[nodiscard]] static const Attachment& attachment_of(const Instance& parent, const Instance& child) noexcept {
    return parent.armature->slots[child.slot].attachments[child.attachment];
  }

  /// Poses all instances. `seconds` is the time since the animation of the main one began; `is_first` marks the first
  /// frame of a clip.
  void pose(const Animation* animation, double seconds, bool is_first) {
    for (std::uint32_t number = 0; number < instances_.size(); ++number) {
      Instance& instance = instances_[number];
      if (instance.parent == kNone) {
        instance.is_shown = true;
        instance.playing = animation;
        instance.seconds = seconds;
        evaluate(*instance.armature, animation, seconds, nullptr, instance.pose);
        continue;
      }
      const Instance& parent = instances_[instance.parent];
      const Attachment& attachment = attachment_of(parent, instance);
      const bool was_shown = !is_first && instance.is_shown;
      instance.is_shown =
          parent.is_shown && parent.pose.attachment[instance.slot] == static_cast<std::int32_t>(instance.attachment);
      instance.opacity = parent.opacity * parent.pose.opacity[instance.slot];
      instance.base =
          parent.base * parent.pose.world[parent.armature->slots[instance.slot].bone] * attachment.placement;
      if (!instance.is_shown || !was_shown) instance.started = seconds;
      const std::vector<Animation>& animations = instance.armature->animations;
      const std::uint32_t chosen =
          attachment.animation != kNone ? attachment.animation : instance.armature->default_animation;
      const Animation* playing = animation == nullptr || chosen == kNone ? nullptr : &animations[chosen];
      double started = instance.started;
      if (animation != nullptr && parent.parent == kNone) {
        const double play_start =
            animation->duration > 0 ? std::floor(seconds / animation->duration) * animation->duration : 0;
        for (const ChildPlay& play : animation->child_plays) {
          const double start = play_start + play.seconds;
          if (play.slot != instance.slot || start > seconds || start < started) continue;
          const auto named = animations_[instance.armature].find(play.animation);
          if (named == animations_[instance.armature].end()) continue;
          playing = &animations[named->second];
          started = start;
        }
      }
      instance.playing = playing;
      instance.seconds = seconds - started;
      evaluate(*instance.armature, playing, instance.seconds, &instance.base, instance.pose);
    }
  }

  void pose_setup() {
    pose(nullptr, 0, true);
    for (const Instance& instance : instances_) {
      for (std::size_t i = 0; i < instance.armature->bones.size(); ++i) {
        bones_[instance.first_bone + i].bind = invertible(instance.pose.world[i]);
      }
    }
    skeleton_size_ = bones_.size();
  }

  /// Returns texture coordinates of a point of a region, from 0 to 1.
  [[nodiscard]] Point page_uv(const Region& region, Point uv) const noexcept {
    const Page& page = model_.pages[region.page];
    // One turn after the other: the left edge becomes the top edge.
    for (std::uint32_t turn = 0; turn < region.turns; ++turn) uv = {1 - uv.y, uv.x};
    return {(region.x + uv.x * region.width) / page.width, (region.y + uv.y * region.height) / page.height};
  }

  /// Adds the vertices of a region.
  void add_quad(const Attachment& attachment, std::uint32_t bone, Part& part) const {
    const Region& region = model_.regions[attachment.region];
    const double scale = model_.pages[region.page].scale;
    const bool is_upright = region.turns % 2 == 0;
    const double width = is_upright ? region.width : region.height;
    const double height = is_upright ? region.height : region.width;
    const bool is_trimmed = region.full_width > 0 && region.full_height > 0;
    const double left = region.trim_left - attachment.pivot.x * (is_trimmed ? region.full_width : width);
    const double top = region.trim_top - attachment.pivot.y * (is_trimmed ? region.full_height : height);
    for (const double v : {0.0, 1.0}) {
      for (const double u : {0.0, 1.0}) {
        const Point corner = attachment.placement * Point{(left + u * width) * scale, -(top + v * height) * scale};
        part.influences.push_back({static_cast<std::uint32_t>(part.uvs.size()), bone, 1, corner});
        part.uvs.push_back(page_uv(region, {u, v}));
      }
    }
  }

  void make_parts() {
    for (std::uint32_t number = 0; number < instances_.size(); ++number) {
      const Instance& instance = instances_[number];
      for (std::uint32_t slot = 0; slot < instance.armature->slots.size(); ++slot) {
        const Slot& shown = instance.armature->slots[slot];
        for (std::uint32_t i = 0; i < shown.attachments.size(); ++i) {
          const Attachment& attachment = shown.attachments[i];
          const bool is_drawn = attachment.kind == AttachmentKind::region || attachment.kind == AttachmentKind::mesh;
          if (!is_drawn || attachment.region == kNone) continue;
          Part& part = parts_.emplace_back(Part{number, slot, i, {}, kNone, {}, {}});
          const bool is_named = attachment.name != shown.name;
          part.name = make_name({instance.prefix, shown.name, is_named ? "/" : "", is_named ? attachment.name : ""});
          add_vertices(attachment, instance.first_bone, instance.first_bone + shown.bone, part);
          if (!attachment.influences.empty()) bind(attachment, instance, part);
        }
      }
    }
    find_deforms();
    for (Part& part : parts_) {
      if (part.deform == kNone) choose_governor(part);
    }
  }

  void measure_extents() {
    for (const Part& part : parts_) {
      for (const Influence& influence : part.influences) {
        FlatBone& bone = bones_[influence.bone];
        bone.extent = std::max(bone.extent, std::hypot(influence.position.x, influence.position.y));
      }
    }
    // One helper bone is enough for a bone and its twins.
    for (const FlatBone& bone : bones_) {
      if (bone.source != kNone) bones_[bone.source].extent = std::max(bones_[bone.source].extent, bone.extent);
    }
  }

  /// Lists the parts that have deform keys.
  void find_deforms() {
    using Place = std::pair<std::uint32_t, std::uint32_t>;
    std::map<const Armature*, std::map<Place, std::map<const Animation*, const Timeline*>>> all;
    for (const Armature& armature : model_.armatures) {
      for (const Animation& animation : armature.animations) {
        for (const Timeline& each : animation.timelines) {
          if (each.kind != TimelineKind::deform) continue;
          all[&armature][{each.target, each.attachment}].try_emplace(&animation, &each);
        }
      }
    }
    for (std::uint32_t number = 0; number < parts_.size() && !all.empty(); ++number) {
      Part& part = parts_[number];
      const auto& of_armature = all[instances_[part.instance].armature];
      const auto found = of_armature.find({part.slot, part.attachment});
      if (found == of_armature.end()) continue;
      part.deform = static_cast<std::uint32_t>(deforms_.size());
      deforms_.push_back({number, found->second, {}, {}, std::vector<double>(part.uvs.size()), {}});
      std::vector<double>& weights = deforms_.back().weights;
      weights.resize(part.uvs.size());
      for (const Influence& influence : part.influences) weights[influence.vertex] += influence.weight;
      std::ranges::replace(weights, 0.0, 1.0);
    }
  }

  void add_vertices(const Attachment& attachment, std::uint32_t first_bone, std::uint32_t slot_bone, Part& part) const {
    if (attachment.kind == AttachmentKind::region) return add_quad(attachment, slot_bone, part);
    const Region& region = model_.regions[attachment.region];
    for (const Point& uv : attachment.uvs) part.uvs.push_back(page_uv(region, uv));
    for (Influence influence : attachment.influences) {
      influence.bone += first_bone;
      part.influences.push_back(influence);
    }
    if (!attachment.influences.empty()) return;
    for (std::uint32_t i = 0; i < attachment.positions.size(); ++i) {
      part.influences.push_back({i, slot_bone, 1, attachment.placement * attachment.positions[i]});
    }
  }

  /// Returns a bone that moves like `bone`, for one part alone.
  std::uint32_t add_twin(std::uint32_t bone, const Part& part, const Matrix& bind_world) {
    const auto twin = static_cast<std::uint32_t>(bones_.size());
    bones_.push_back(
        {.name = make_name({part.name}), .parent = bone, .source = bone, .bind = bind_world, .is_bound = true});
    return twin;
  }

  /// A bone that a part uses.
  struct Use {
    std::uint32_t bone = 0;
    double weight = 0;  ///< Sum over its vertices.
    double extent = 0;
    std::uint32_t twin = kNone;  ///< To use in its place.
  };

  /// Returns the bones of a part in order.
  [[nodiscard]] static std::vector<Use> uses_of(const Part& part) {
    std::vector<Use> all;
    for (const auto& [vertex, bone, weight, position] : part.influences) {
      all.push_back({bone, weight, std::hypot(position.x, position.y)});
    }
    std::ranges::stable_sort(all, {}, &Use::bone);
    std::vector<Use> result;
    for (const Use& use : all) {
      if (result.empty() || result.back().bone != use.bone) {
        result.push_back(use);
        continue;
      }
      result.back().weight += use.weight;
      result.back().extent = std::max(result.back().extent, use.extent);
    }
    return result;
  }

  /// Replaces bones of a part by twins.
  static void replace_bones(Part& part, const std::vector<Use>& uses) {
    for (Influence& influence : part.influences) {
      const auto use = std::ranges::lower_bound(uses, influence.bone, {}, &Use::bone);
      if (use != uses.end() && use->bone == influence.bone && use->twin != kNone) influence.bone = use->twin;
    }
  }

  /// Makes the bind pose of a weighted part's bones that of the part. Bones with another one get a twin.
  void bind(const Attachment& attachment, const Instance& instance, Part& part) {
    std::vector<Use> uses = uses_of(part);
    for (Use& use : uses) {
      const std::uint32_t own = use.bone - instance.first_bone;
      const auto found = std::ranges::lower_bound(attachment.bindings, own, {}, &Binding::bone);
      const bool is_given = found != attachment.bindings.end() && found->bone == own;
      const Matrix wanted = is_given ? instance.base * found->world : invertible(instance.pose.world[own]);
      FlatBone& flat = bones_[use.bone];
      if (!std::exchange(flat.is_bound, true)) {
        flat.bind = wanted;
      } else if (distance(flat.bind, wanted, use.extent) > kTolerance) {
        use.twin = add_twin(use.bone, part, wanted);
      }
    }
    replace_bones(part, uses);
  }

  /// Chooses the bone that will rule the part: the one with the largest sum of weights. If it rules another part, the
  /// part gets a twin of it, and of bones with the same sum, which would rule the part instead.
  void choose_governor(Part& part) {
    std::vector<Use> uses = uses_of(part);
    if (uses.empty()) return;
    double max_weight = 0;
    for (const Use& use : uses) max_weight = std::max(max_weight, use.weight);
    std::erase_if(uses, [&](const Use& use) { return use.weight < max_weight - 1e-4 * std::max(max_weight, 1.0); });
    governs_.resize(bones_.size(), 0);
    part.governor = uses.front().bone;
    if (uses.size() > 1 || governs_[part.governor] != 0) {
      for (Use& use : uses) {
        const std::uint32_t source = bones_[use.bone].source;
        use.twin = add_twin(source == kNone ? use.bone : source, part, bones_[use.bone].bind);
      }
      // The first twin has the lowest number and wins a tie.
      part.governor = uses.front().twin;
      replace_bones(part, uses);
      governs_.resize(bones_.size(), 0);
    }
    governs_[part.governor] = 1;
  }

  [[nodiscard]] double rate() const noexcept {
    return options_.frames_per_second > 0 ? options_.frames_per_second : instances_[0].armature->frames_per_second;
  }

  /// Returns the number of frames of an animation: a loop ends before its first frame, others with their last.
  [[nodiscard]] double frames_of(const Animation& animation, std::uint32_t plays) const noexcept {
    const double length = std::round(animation.duration * std::max(plays, 1U) * rate());
    return animation.plays == 0 ? std::max(length, 1.0) : length + 1;
  }

  std::optional<Diagnostic> plan_clips() {
    const std::uint64_t limit = options_.limits.max_bone_samples;
    // A short file must not need much memory.
    const std::uint64_t allowed =
        std::min(limit, std::max(limit / 16, model_.keys * std::max<std::uint64_t>(limit >> 18, 1)));
    std::size_t slots = 0;
    for (const Instance& instance : instances_) slots += instance.armature->slots.size() + 1;
    double samples = static_cast<double>(bones_.size() + parts_.size() + slots);
    double operations = 0, children_cost = 0;
    for (const Instance& instance : std::span(instances_).subspan(1)) {
      Cost& cost = costs_[instance.armature];
      if (!cost.timelines) {
        cost.timelines = 0;
        for (const Animation& animation : instance.armature->animations) {
          cost.timelines = std::max(*cost.timelines, rig::pose_cost(*instance.armature, animation));
        }
      }
      children_cost += cost.steps * (cost.pose + *cost.timelines);
    }
    const Armature& main = *instances_[0].armature;
    const Cost& main_cost = costs_[&main];
    std::size_t deformed = 0;
    for (const Deform& deform : deforms_) deformed += kMaxFittedBones + parts_[deform.part].uvs.size() / 8;
    for (const Animation& animation : instances_[0].armature->animations) {
      ClipPlan plan{&animation, std::max(animation.plays, 1U), 0};
      const auto per_frame = static_cast<double>(bones_.size() + parts_.size() + slots + animation.timelines.size() +
                                                 animation.child_plays.size() * (instances_.size() - 1) + deformed);
      // Children look for the animations that they begin by name.
      double plays_cost = 0, markers_size = 0;
      for (const ChildPlay& play : animation.child_plays)
        plays_cost += 1 + static_cast<double>(play.animation.size()) / 32;
      for (const Event& event : animation.events) markers_size += 4 + static_cast<double>(event.name.size()) / 16;
      const double work = main_cost.steps * (main_cost.pose + rig::pose_cost(main, animation)) + children_cost +
                          plays_cost * static_cast<double>(instances_.size() - 1);
      const double once = frames_of(animation, 1) * per_frame;
      const double all = frames_of(animation, plan.plays) * per_frame + plan.plays * markers_size;
      if (plan.plays > 1 && (samples + all > static_cast<double>(allowed) / 4 ||
                             operations + frames_of(animation, plan.plays) * work > max_operations() / 4)) {
        warn(warnings_, DiagnosticId::rig_repeats_ignored, {},
             "animation \"{}\" plays {} times, but the clip contains it once", printable(animation.name),
             animation.plays);
        plan.plays = 1;
      }
      samples += plan.plays > 1 ? all : once;
      if (samples > static_cast<double>(allowed)) {
        return diagnose(DiagnosticId::limit_exceeded, {},
                        "animations with {} bones and meshes need more than the limit of {} samples for a file with {} "
                        "keys",
                        bones_.size() + parts_.size(), allowed, model_.keys);
      }
      operations += frames_of(animation, plan.plays) * work;
      if (operations > max_operations()) {
        return diagnose(DiagnosticId::limit_exceeded, {},
                        "animation \"{}\" and those before it need {:.0f} operations, but the limit is {:.0f}: {:.0f} "
                        "for each of {:.0f} frames of the animation, for {} bones and {} constraints{}",
                        printable(animation.name), operations, max_operations(), work, frames_of(animation, plan.plays),
                        bones_.size(), main.constraints.size() + main.iks.size(),
                        main_cost.steps > 1 ? fmt::format(" in {} steps of physics", main_cost.steps) : "");
      }
      plan.frame_count = static_cast<std::uint32_t>(frames_of(animation, plan.plays));
      frames_ += plan.frame_count;
      plans_.push_back(plan);
    }
    return std::nullopt;
  }

  void add_frame(const Animation* animation, double seconds, bool is_first) {
    pose(animation, seconds, is_first);
    for (const Instance& instance : instances_) {
      world_.insert(world_.end(), instance.pose.world.begin(), instance.pose.world.end());
    }
    std::int32_t rank = 0;
    ranks_.assign(instances_.size(), {});
    rank_slots(0, rank);
    for (const Part& part : parts_) {
      const Instance& instance = instances_[part.instance];
      const Attachment& attachment = instance.armature->slots[part.slot].attachments[part.attachment];
      const double opacity = instance.opacity * instance.pose.opacity[part.slot] * attachment.opacity;
      states_.push_back(
          {ranks_[part.instance][part.slot], static_cast<float>(opacity),
           instance.is_shown && instance.pose.attachment[part.slot] == static_cast<std::int32_t>(part.attachment)});
      if (part.deform != kNone && states_.back().is_visible && animation != nullptr) add_deform(deforms_[part.deform]);
    }
  }

  /// Notes where the vertices of a part are in the current frame.
  void add_deform(Deform& deform) {
    const Part& part = parts_[deform.part];
    const Instance& instance = instances_[part.instance];
    const Attachment& attachment = instance.armature->slots[part.slot].attachments[part.attachment];
    const Matrix to_bone = attachment.influences.empty() ? attachment.placement : Matrix{};
    offsets_.clear();
    const auto timeline = deform.timelines.find(instance.playing);
    if (timeline != deform.timelines.end()) {
      evaluate_deform(*timeline->second, *instance.playing, instance.seconds, offsets_);
    }
    offsets_.resize(part.influences.size());
    const std::size_t start = deform.places.size(), frame = world_.size() / skeleton_size_ - 1;
    deform.frames.push_back(static_cast<std::uint32_t>(frame));
    deform.places.resize(start + 2 * part.uvs.size());
    for (std::size_t i = 0; i < part.influences.size(); ++i) {
      const auto& [vertex, bone, weight, position] = part.influences[i];
      const Point offset{to_bone.a * offsets_[i].x + to_bone.c * offsets_[i].y,
                         to_bone.b * offsets_[i].x + to_bone.d * offsets_[i].y};
      const Point place = world(bone, frame) * Point{position.x + offset.x, position.y + offset.y};
      deform.places[start + 2 * vertex] += weight / deform.weights[vertex] * place.x;
      deform.places[start + 2 * vertex + 1] += weight / deform.weights[vertex] * place.y;
      deform.max_offset[vertex] = std::max(deform.max_offset[vertex], std::hypot(offset.x, offset.y));
    }
  }

  /// Lets added bones move the vertices of parts that have deform keys.
  void fit_deforms() {
    FitWork work{.operations = max_fit_operations(options_.limits, model_.keys),
                 .fits = static_cast<std::uint32_t>(deforms_.size()),
                 .progress = options_.fitting};
    for (Deform& deform : deforms_) {
      Part& part = parts_[deform.part];
      fit_deform(deform, part, work);
      choose_governor(part);
      deform = {};
    }
    measure_extents();
  }

  void fit_deform(const Deform& deform, Part& part, FitWork& work) {
    std::vector<std::uint32_t> moved;
    for (std::uint32_t i = 0; i < part.uvs.size(); ++i) {
      if (deform.max_offset[i] > 0) moved.push_back(i);
    }
    std::vector<Use> uses = uses_of(part);
    if (moved.empty()) return;
    // Everything is fitted in the space of the bone that moves most of the mesh.
    const std::uint32_t anchor = std::ranges::max_element(uses, {}, &Use::weight)->bone;
    const Matrix bind = bones_[anchor].bind;
    std::vector<double> rest(2 * part.uvs.size()), moved_rest, places, fixed;
    for (const auto& [vertex, bone, weight, position] : part.influences) {
      const Point place = inverse(bind) * (bones_[bone].bind * position);
      rest[2 * vertex] += weight / deform.weights[vertex] * place.x;
      rest[2 * vertex + 1] += weight / deform.weights[vertex] * place.y;
    }
    for (const std::uint32_t i : moved) moved_rest.insert(moved_rest.end(), {rest[2 * i], rest[2 * i + 1]});
    std::vector<std::uint32_t> frames;
    double scale = 0;
    for (std::size_t shown = 0; shown < deform.frames.size(); ++shown) {
      const Matrix& outer = world(anchor, deform.frames[shown]);
      if (is_singular(outer)) continue;
      frames.push_back(deform.frames[shown]);
      scale = std::max({scale, std::hypot(outer.a, outer.b), std::hypot(outer.c, outer.d)});
      const Matrix to_anchor = inverse(outer);
      for (const std::uint32_t i : moved) {
        const double* const place = &deform.places[2 * (shown * part.uvs.size() + i)];
        const Point within = to_anchor * Point{place[0], place[1]};
        places.insert(places.end(), {within.x, within.y});
      }
    }
    if (frames.empty()) return;
    for (const Use& use : uses) {
      for (const std::uint32_t frame : frames) {
        const Matrix m = inverse(world(anchor, frame)) * world(use.bone, frame) * inverse(bones_[use.bone].bind) * bind;
        fixed.insert(fixed.end(), {m.a, m.c, m.tx, m.b, m.d, m.ty});
      }
    }
    const Fit fit = fit_bones({2, moved_rest, places, fixed}, options_.deform_tolerance / scale, kMaxFittedBones, work,
                              options_.executor);
    if (fit.influences.empty()) {
      warn(warnings_, DiagnosticId::fit_cut_short, {},
           "mesh \"{}\" keeps its shape: bones for its deform keys, which move {} in {}, would take more "
           "operations than are left to this file",
           printable(part.name), counted(moved.size(), "vertex", "vertices"), counted(frames.size(), "frame"));
      return;
    }
    const auto first = static_cast<std::uint32_t>(bones_.size());
    for (std::uint32_t bone = 0; bone < fit.bones; ++bone) {
      // It turns around the middle of its vertices.
      Point middle;
      double weights = 0;
      for (std::size_t k = 0; k < fit.weights.size(); ++k) {
        if (fit.weights[k] == 0 || fit.influences[k] != uses.size() + bone) continue;
        middle.x += fit.weights[k] * moved_rest[k / 4 * 2];
        middle.y += fit.weights[k] * moved_rest[k / 4 * 2 + 1];
        weights += fit.weights[k];
      }
      const Matrix to_middle{.tx = middle.x / weights, .ty = middle.y / weights};
      FlatBone& flat = bones_.emplace_back();
      flat.name = make_name({part.name, fmt::format("~deform{}", bone + 1)});
      flat.parent = anchor;
      flat.bind = bind * to_middle;
      flat.is_bound = true;
      std::vector<Matrix> fitted{flat.bind};
      std::size_t next = 0;
      for (std::uint32_t frame = 1; frame <= frames_; ++frame) {
        // While the part is hidden, the bone stays where it was.
        while (next + 1 < frames.size() && frames[next + 1] <= frame) ++next;
        const double* const m = &fit.motions[(bone * frames.size() + next) * 6];
        fitted.push_back(world(anchor, frame) * Matrix{m[0], m[3], m[1], m[4], m[2], m[5]} * to_middle);
      }
      bones_[first + bone].fitted = std::move(fitted);
    }
    std::vector<Influence> influences;
    std::size_t next = 0;
    for (std::uint32_t i = 0, place = 0; i < part.uvs.size(); ++i) {
      const bool moves = place < moved.size() && moved[place] == i;
      for (; next < part.influences.size() && part.influences[next].vertex == i; ++next) {
        if (!moves) influences.push_back(part.influences[next]);
      }
      for (std::size_t k = std::size_t{4} * place; moves && k < std::size_t{4} * place + 4; ++k) {
        if (fit.weights[k] == 0) continue;
        const std::uint32_t number = fit.influences[k];
        const std::uint32_t bone =
            number < uses.size() ? uses[number].bone : first + number - static_cast<std::uint32_t>(uses.size());
        influences.push_back(
            {i, bone, fit.weights[k], inverse(bones_[bone].bind) * (bind * Point{rest[2 * i], rest[2 * i + 1]})});
      }
      place += moves ? 1 : 0;
    }
    part.influences = std::move(influences);
    const double max_error = fit.max_error * scale, tolerance = options_.deform_tolerance;
    const DiagnosticId id = max_error <= tolerance ? DiagnosticId::rig_deform_fitted
                            : fit.is_cut           ? DiagnosticId::fit_cut_short
                                                   : DiagnosticId::rig_deform_inexact;
    warn(warnings_, id, {},
         "mesh \"{}\" got {} for deform keys that move vertices by up to {:.2f} px: the error is at most {:.2f} px, "
         "{:.2f} px on average{}",
         printable(part.name), counted(fit.bones, "bone"), std::ranges::max(deform.max_offset) * scale, max_error,
         fit.mean_error * scale,
         id == DiagnosticId::fit_cut_short ? "; more bones would take more operations than are left to this file" : "");
  }

  /// Numbers slots from back to front. A child armature lies between the slots of its parent.
  void rank_slots(std::uint32_t number, std::int32_t& rank) {
    const Instance& instance = instances_[number];
    ranks_[number].resize(instance.armature->slots.size());
    for (const std::uint32_t slot : instance.pose.order) {
      ranks_[number][slot] = rank++;
      const auto children = std::ranges::equal_range(instance.children, slot, {},
                                                     [&](std::uint32_t child) { return instances_[child].slot; });
      for (const std::uint32_t child : children) rank_slots(child, rank);
    }
  }

  void sample_frames() {
    world_.reserve((frames_ + 1) * skeleton_size_);
    states_.reserve((frames_ + 1) * parts_.size());
    add_frame(nullptr, 0, true);
    for (const ClipPlan& plan : plans_) {
      for (std::uint32_t frame = 0; frame < plan.frame_count; ++frame) {
        double seconds = frame / rate();
        if (plan.plays == 1 && plan.animation->plays > 0) seconds = std::min(seconds, plan.animation->duration);
        // Without its repeats, the clip ends as its last play does.
        const double skipped =
            plan.animation->plays > plan.plays ? (plan.animation->plays - plan.plays) * plan.animation->duration : 0;
        add_frame(plan.animation, seconds + skipped, frame == 0);
      }
    }
    for (std::size_t bone = 0; bone < skeleton_size_; ++bone) world_[bone] = bones_[bone].bind;
  }

  [[nodiscard]] const Matrix& world(std::uint32_t bone, std::size_t frame) const noexcept {
    const FlatBone& flat = bones_[bone];
    if (!flat.fitted.empty()) return flat.fitted[frame];
    if (flat.source == kNone) return world_[frame * skeleton_size_ + bone];
    return frame == 0 ? flat.bind : world(flat.source, frame);
  }

  std::optional<Diagnostic> sample_bones() {
    sampled_.resize(bones_.size());
    output_.assign(bones_.size(), kNone);
    invertible_.assign(bones_.size(), kNone);
    for (std::uint32_t bone = 0; bone < bones_.size(); ++bone) {
      // A parent that is flat in some frame cannot place a child that is not.
      const std::uint32_t parent = bones_[bone].parent;
      if (!fit(bone, parent)) (void)fit(bone, invertible_[parent]);
      if (tracks_.size() > kMaxBones) {
        return diagnose(DiagnosticId::limit_exceeded, {}, "the character needs more than {} bones", kMaxBones);
      }
    }
    return std::nullopt;
  }

  /// Makes the samples of a bone, and of a helper bone if it shears in a frame. Fails if its parent cannot place it.
  bool fit(std::uint32_t number, std::uint32_t parent) {
    const FlatBone& bone = bones_[number];
    const std::vector<Matrix>* const parent_world = parent == kNone ? nullptr : &sampled_[parent];
    Track track{bone.name, parent == kNone ? kNone : output_[parent], {}, {}, {}, {}, {}};
    std::vector<Matrix> locals;
    Matrix local;
    std::optional<Transform> before;
    std::size_t next_clip = 0, clip_start = 1;
    bool shears = false;
    for (std::size_t frame = 0; frame <= frames_; ++frame) {
      const Matrix& wanted = world(number, frame);
      const Matrix outer = parent_world == nullptr ? Matrix{} : (*parent_world)[frame];
      if (!is_singular(outer)) {
        local = inverse(outer) * wanted;
      } else if (distance(outer * local, wanted, bone.extent) > kTolerance) {
        return false;
      }
      locals.push_back(local);
      if (frame == clip_start) {
        before.reset();
        clip_start += plans_[next_clip++].frame_count;
      }
      const Transform fitted = without_shear(local, before);
      before = fitted;
      track.append(fitted.x, fitted.y, fitted.rotation, fitted.scale_x, fitted.scale_y);
      shears |= distance(outer * matrix_of(fitted), wanted, bone.extent) > kTolerance;
    }
    if (shears) {
      Track helper{bone.name + "~shear", track.parent, {}, {}, {}, {}, {}};
      track = {bone.name, static_cast<std::uint32_t>(tracks_.size()), {}, {}, {}, {}, {}};
      Turns turns;
      for (const Matrix& each : locals) {
        turns = turns_of(each, turns);
        helper.append(each.tx, each.ty, turns.first, turns.scale_x, turns.scale_y);
        track.append(0, 0, turns.second, 1, 1);
      }
      tracks_.push_back(std::move(helper));
    }
    std::vector<Matrix>& sampled = sampled_[number];
    bool is_flat = false;
    for (std::size_t frame = 0; frame <= frames_; ++frame) {
      const Matrix outer = parent_world == nullptr ? Matrix{} : (*parent_world)[frame];
      sampled.push_back(outer * (shears ? tracks_.back().local(frame) : Matrix{}) * track.local(frame));
      is_flat |= is_singular(sampled.back());
    }
    invertible_[number] = !is_flat ? number : parent == kNone ? kNone : invertible_[parent];
    output_[number] = static_cast<std::uint32_t>(tracks_.size());
    tracks_.push_back(std::move(track));
    return true;
  }

  void make_mesh(const Part& part) {
    const Attachment& attachment = instances_[part.instance].armature->slots[part.slot].attachments[part.attachment];
    const bool is_quad = attachment.kind == AttachmentKind::region;
    static constexpr std::uint16_t kQuad[] = {0, 2, 1, 1, 2, 3};
    const std::span<const std::uint16_t> indices = is_quad ? std::span<const std::uint16_t>(kQuad) : attachment.indices;
    const auto first_vertex = static_cast<std::uint32_t>(data.vertices.size());
    data.meshes.push_back({part.name, ImageId{model_.regions[attachment.region].page}, first_vertex,
                           static_cast<std::uint32_t>(part.uvs.size()), static_cast<std::uint32_t>(data.indices.size()),
                           static_cast<std::uint32_t>(indices.size())});
    data.indices.insert(data.indices.end(), indices.begin(), indices.end());
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < part.uvs.size(); ++i) {
      Vertex& vertex = data.vertices.emplace_back();
      vertex.u = static_cast<float>(part.uvs[i].x);
      vertex.v = static_cast<float>(part.uvs[i].y);
      const std::size_t first = next;
      Point sum;
      double weights = 0;
      for (; next < part.influences.size() && part.influences[next].vertex == i; ++next) {
        const Influence& influence = part.influences[next];
        const Point place = sampled_[influence.bone][0] * influence.position;
        sum.x += place.x * influence.weight;
        sum.y += place.y * influence.weight;
        weights += influence.weight;
        if (next - first >= 4) continue;
        vertex.bones[next - first] = static_cast<std::uint16_t>(output_[influence.bone]);
        vertex.weights[next - first] = static_cast<float>(influence.weight);
      }
      if (weights != 0) {
        vertex.x = static_cast<float>(sum.x / weights);
        vertex.y = static_cast<float>(sum.y / weights);
      }
      if (next - first <= 4) continue;
      const std::size_t authored = data.authored_influences.size();
      for (std::size_t k = first; k < next; ++k) {
        data.authored_influences.push_back({first_vertex + i,
                                            static_cast<std::uint16_t>(output_[part.influences[k].bone]),
                                            static_cast<float>(part.influences[k].weight)});
      }
      keep_four(std::span(data.authored_influences).subspan(authored), vertex);
    }
  }

  /// Copies the samples of some frames.
  void copy_samples(std::size_t first_frame, std::size_t count, BoneSamples& samples) const {
    const std::size_t bones = tracks_.size();
    samples.resize(count * bones);
    for (std::size_t bone = 0; bone < bones; ++bone) {
      const Track& track = tracks_[bone];
      for (std::size_t frame = 0; frame < count; ++frame) {
        const std::size_t to = frame * bones + bone, from = first_frame + frame;
        samples.x[to] = track.x[from];
        samples.y[to] = track.y[from];
        samples.rotation_degrees[to] = track.rotation_degrees[from];
        samples.scale_x[to] = track.scale_x[from];
        samples.scale_y[to] = track.scale_y[from];
      }
    }
    bool fades = false;
    for (std::size_t frame = 0; frame < count; ++frame) {
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        if (parts_[part].governor == kNone) continue;
        const PartState& state = states_[(first_frame + frame) * parts_.size() + part];
        const std::size_t to = frame * bones + output_[parts_[part].governor];
        samples.visible[to] = state.is_visible ? 1 : 0;
        samples.z_order[to] = state.z_order;
        samples.opacity[to] = state.opacity;
        fades |= state.opacity != 1;
      }
    }
    if (!fades) samples.opacity = {};
  }

  void make_clips() {
    for (Track& track : tracks_) data.bones.push_back({track.name, BoneId{track.parent}});
    copy_samples(0, 1, data.bind_pose);
    data.frames_per_second = static_cast<std::uint32_t>(std::clamp(std::round(rate()), 1.0, 65535.0));
    std::size_t first_frame = 1;
    for (const ClipPlan& plan : plans_) {
      const auto number = static_cast<std::uint32_t>(data.clips.size());
      Clip& clip = data.clips.emplace_back();
      clip.name = plan.animation->name;
      clip.looping = plan.animation->plays == 0;
      clip.frames_per_second = rate();
      clip.frame_count = plan.frame_count;
      copy_samples(first_frame, plan.frame_count, clip.samples);
      first_frame += plan.frame_count;
      for (std::uint32_t play = 0; play < plan.plays; ++play) {
        for (const Event& event : plan.animation->events) {
          const double frame = std::round((event.seconds + play * plan.animation->duration) * rate());
          const auto last = static_cast<double>(plan.frame_count - 1);
          markers.push_back({ClipId{number}, static_cast<std::uint32_t>(std::min(frame, last)), event.name});
        }
      }
    }
  }

  const Model& model_;
  const ImportOptions& options_;
  Warnings& warnings_;
  std::unordered_map<const Armature*, Names> animations_;
  std::unordered_map<const Armature*, Cost> costs_;
  std::uint64_t name_bytes_ = 0, max_name_bytes_ = 0;  // of bones and meshes
  std::vector<Instance> instances_;
  std::vector<FlatBone> bones_;
  std::size_t skeleton_size_ = 0;  // bones without twins
  std::vector<Part> parts_;
  std::vector<std::uint8_t> governs_;  // whether each bone rules a part
  std::vector<Deform> deforms_;
  std::vector<Point> offsets_;  // of the vertices of the current part and frame
  std::vector<ClipPlan> plans_;
  std::size_t frames_ = 0;  // of all clips
  std::vector<Matrix> world_;
  std::vector<PartState> states_;
  std::vector<std::vector<std::int32_t>> ranks_;  // of the slots of each instance, in the current frame
  std::vector<std::vector<Matrix>> sampled_;      // world transforms as sampled, of each bone in each frame
  std::vector<std::uint32_t> output_;             // bone of the character of each flat bone
  std::vector<std::uint32_t> invertible_;         // each bone, or its closest ancestor, that is never flat
  std::vector<Track> tracks_;
};

}  // namespace

Expected<Imported, LoadError> import_rig(Model model, std::uint32_t armature, const ImportOptions& options,
                                         const char* format, Warnings warnings) {
  Builder builder(model, options, warnings);
  if (auto problem = builder.build(armature)) return Unexpected(std::move(*problem));
  auto character = CharacterBuilder::build(std::move(builder.data), {}, {}, std::move(warnings));
  if (!character) return Unexpected(std::move(character.error()));
  Imported imported{.character = *std::move(character), .format = format};
  for (const Armature& each : model.armatures) imported.armatures.push_back(each.name);
  imported.armature = armature;
  imported.markers = Markers(std::move(builder.markers));
  return imported;
}

}  // namespace pchr::rig
