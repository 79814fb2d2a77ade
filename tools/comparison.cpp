// SPDX-License-Identifier: MIT
#include "comparison.hpp"

#include "options.hpp"
#include "platform/process.hpp"

#include <pchr/queries.hpp>

#include <glm/geometric.hpp>

#include <cmath>
#include <map>
#include <unordered_map>

namespace pchr::tools {
namespace {

template <class Part>
Counterparts match(std::span<const Part> a, std::span<const Part> b) {
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> named;  // Parts of `b`, last first.
  for (auto i = static_cast<std::uint32_t>(b.size()); i-- > 0;) named[b[i].name].push_back(i);
  Counterparts counterparts(a.size());
  std::vector<bool> taken(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto found = named.find(a[i].name);
    if (found == named.end() || found->second.empty()) continue;
    counterparts[i] = found->second.back();
    taken[found->second.back()] = true;
    found->second.pop_back();
  }
  for (std::uint32_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (!counterparts[i] && !taken[i]) counterparts[i] = i;
  }
  return counterparts;
}

class StructureComparison {
 public:
  StructureComparison(const Side& a, const Side& b, const Matches& matches, double tolerance)
      : a_(a),
        b_(b),
        from_(a.imported.character.data()),
        to_(b.imported.character.data()),
        matches_(matches),
        tolerance_(tolerance) {}

  std::vector<StructureDifference> run() {
    compare_fields();
    compare_chara();
    compare_artwork();
    compare_bind_poses();
    compare_parts("image", from_.images, to_.images, matches_.images, &StructureComparison::compare_images);
    compare_parts("bone", from_.bones, to_.bones, matches_.bones, &StructureComparison::compare_bones);
    compare_parts("mesh", from_.meshes, to_.meshes, matches_.meshes, &StructureComparison::compare_meshes);
    compare_parts("clip", from_.clips, to_.clips, matches_.clips, &StructureComparison::compare_clips);
    compare_parts("menu image", a_.imported.menu_images, b_.imported.menu_images, matches_.menu_images,
                  &StructureComparison::compare_menu_images);
    compare_markers();
    compare_rigs();
    compare_states(a_.sidecar.states, b_.sidecar.states);
    return std::move(out_);
  }

 private:
  void report(std::string change) { out_.push_back({kind_, name_, std::move(change), index_}); }

  template <class Value>
  void report_if_changed(fmt::format_string<const Value&, const Value&> words, const Value& before,
                         const Value& after) {
    if (before != after) report(fmt::format(words, before, after));
  }

  void begin_part(std::string kind, std::string name, std::optional<std::uint32_t> index = {}) {
    kind_ = std::move(kind);
    name_ = std::move(name);
    index_ = index;
  }
  void begin_field(std::string name) { begin_part("character", std::move(name)); }

  template <class Value>
  void compare_field(std::string name, const Value& before, const Value& after) {
    begin_field(std::move(name));
    if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
      report_if_changed("{}, then {}", before, after);
    } else if (before != after) {
      report("changed");
    }
  }

  template <class Value>
  bool compare_presence(std::string name, const std::optional<Value>& before, const std::optional<Value>& after) {
    begin_field(std::move(name));
    if (before.has_value() != after.has_value()) report(before ? "only in the first" : "only in the second");
    return before && after;
  }

  void compare_fields() {
    compare_field("title", quoted(a_.imported.title), quoted(b_.imported.title));
    compare_field("author", quoted(a_.imported.author), quoted(b_.imported.author));
    compare_field("frames per second", from_.frames_per_second, to_.frames_per_second);
    compare_field("flags", from_.reserved_flags, to_.reserved_flags);
    compare_field("pixel art", from_.pixel_art, to_.pixel_art);
    compare_field("is_3d", from_.is_3d, to_.is_3d);
  }

  void compare_chara() {
    if (!compare_presence("reactions", a_.imported.chara, b_.imported.chara)) return;
    report_if_changed("legacy {}, then {}", a_.imported.chara->legacy, b_.imported.chara->legacy);
    report_if_changed("waits {} cycles, then {}", a_.imported.chara->wait, b_.imported.chara->wait);
  }

  void compare_artwork() {
    if (!compare_presence("artwork", a_.imported.artwork, b_.imported.artwork)) return;
    const Artwork &before = *a_.imported.artwork, &after = *b_.imported.artwork;
    Artwork rest = before;  // Ends up different from `after` only in fields that are not listed here.
    const auto compare = [&](const char* name, auto field) {
      compare_field(name, before.*field, after.*field);
      rest.*field = after.*field;
    };
    compare("artwork width", &Artwork::width);
    compare("artwork height", &Artwork::height);
    compare("artwork indexed", &Artwork::indexed);
    compare("artwork speed", &Artwork::speed);
    compare("artwork frame durations", &Artwork::frame_ms);
    compare("artwork layers", &Artwork::layers);
    compare("artwork tags", &Artwork::tags);
    compare("artwork tilesets", &Artwork::tilesets);
    compare("artwork palette", &Artwork::palette);
    compare("artwork slices", &Artwork::slices);
    compare_field("artwork", rest, after);
  }

  void compare_bind_poses() {
    begin_field("bind pose");
    const PoseView before = a_.imported.character.bind_pose(), after = b_.imported.character.bind_pose();
    compare_frames(1, [&](std::uint32_t) { return std::pair(before, after); });
  }

  // Compares everything about bones except their positions.
  template <class PosesAt>
  void compare_frames(std::uint32_t frames, const PosesAt& poses_at) {
    // Without bones there is nothing to compare, and a file can declare any number of frames at no cost.
    if (from_.bones.empty()) return;
    compare_values("visibility", frames, poses_at,
                   [](const PoseView& pose, std::size_t bone) { return std::int64_t{pose.visible[bone]}; });
    compare_values("draw order", frames, poses_at,
                   [](const PoseView& pose, std::size_t bone) { return std::int64_t{pose.z_order[bone]}; });
    compare_values("opacity", frames, poses_at, [](const PoseView& pose, std::size_t bone) {
      return pose.opacity.empty() ? 1.0F : pose.opacity[bone];
    });
  }

  template <class PosesAt, class ValueOf>
  void compare_values(std::string_view what, std::uint32_t frames, const PosesAt& poses_at, const ValueOf& value_of) {
    std::uint32_t differing = 0;
    std::string first;
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      const auto [before, after] = poses_at(frame);
      for (std::size_t bone = 0; bone < from_.bones.size(); ++bone) {
        const auto other = matches_.bones[bone];
        if (!other || value_of(before, bone) == value_of(after, *other)) continue;
        if (differing++ == 0) {
          first = fmt::format("at frame {} in bone {} {}, then {}", frame, reference(from_.bones, bone),
                              value_of(before, bone), value_of(after, *other));
        }
        break;
      }
    }
    if (differing > 0) report(fmt::format("{} differs in {} of {} frames, first {}", what, differing, frames, first));
  }

  void compare_images(const Image& before, const Image& after) {
    if (before.width != after.width || before.height != after.height) {
      return report(
          fmt::format("{} x {} pixels, then {} x {}", before.width, before.height, after.width, after.height));
    }
    if (before.encoding == after.encoding && before.bytes == after.bytes) return;
    const bool was_there = before.encoding != ImageEncoding::absent, is_there = after.encoding != ImageEncoding::absent;
    if (was_there != is_there) return report(was_there ? "pixels only in the first" : "pixels only in the second");
    if (a_.bitmaps.empty() || b_.bitmaps.empty()) return report("encoding or data changed; pixels were not compared");
    const auto in_a = static_cast<std::size_t>(&before - from_.images.data());
    const auto in_b = static_cast<std::size_t>(&after - to_.images.data());
    const std::vector<std::uint8_t>&pixels = a_.bitmaps[in_a].rgba, &others = b_.bitmaps[in_b].rgba;
    std::size_t differing = 0;
    for (std::size_t at = 0; at < pixels.size(); at += 4) {
      differing += std::equal(&pixels[at], &pixels[at] + 4, &others[at]) ? 0 : 1;
    }
    if (differing > 0) report(fmt::format("{} pixels differ", differing));
  }

  void compare_bones(const Bone& before, const Bone& after) {
    compare_references("parent", from_.bones, static_cast<std::int32_t>(before.parent), to_.bones,
                       static_cast<std::int32_t>(after.parent), matches_.bones);
  }

  void compare_meshes(const Mesh& before, const Mesh& after) {
    compare_references("image", from_.images, index(before.image), to_.images, index(after.image), matches_.images);
    if (before.vertex_count != after.vertex_count) {
      return report(fmt::format("{} vertices, then {}", before.vertex_count, after.vertex_count));
    }
    if (before.index_count != after.index_count) {
      return report(fmt::format("{} triangles, then {}", before.index_count / 3, after.index_count / 3));
    }
    const auto indices = a_.imported.character.indices(before), other_indices = b_.imported.character.indices(after);
    if (!std::ranges::equal(indices, other_indices)) report("triangles changed");
    const auto vertices = a_.imported.character.vertices(before),
               other_vertices = b_.imported.character.vertices(after);
    // A character without images has meshes that name one.
    const bool has_image = index(before.image) < from_.images.size();
    const double width = has_image ? from_.images[index(before.image)].width : 1,
                 height = has_image ? from_.images[index(before.image)].height : 1;
    double moved = 0, shifted = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const Vertex &one = vertices[i], &other = other_vertices[i];
      moved = std::max(moved, std::hypot(double{one.x} - other.x, double{one.y} - other.y));
      shifted = std::max(shifted, std::hypot((double{one.u} - other.u) * width, (double{one.v} - other.v) * height));
    }
    if (moved > tolerance_) report(fmt::format("vertices moved by up to {:.3f} px", moved));
    if (shifted > tolerance_) report(fmt::format("texture coordinates moved by up to {:.3f} px", shifted));
    const auto weigh = [&](const Vertex& one, const Vertex& other) { return have_same_weights(one, other); };
    if (!std::ranges::equal(vertices, other_vertices, weigh)) report("weights changed");
    if (!have_same_influences(before, after)) report("influences changed in vertices with more than four");
    if (from_.is_3d && to_.is_3d) {
      const auto depths = a_.imported.character.vertices_3d().subspan(before.first_vertex, before.vertex_count);
      const auto others = b_.imported.character.vertices_3d().subspan(after.first_vertex, after.vertex_count);
      if (!std::ranges::equal(depths, others)) report("depths or normals changed");
    }
  }

  // A weight that is off by as much moves a vertex by less than the tolerance.
  [[nodiscard]] bool have_same_weights(const Vertex& before, const Vertex& after) const {
    for (std::size_t slot = 0; slot < 4; ++slot) {
      if (std::abs(double{before.weights[slot]} - after.weights[slot]) > tolerance_ / kReachPixels) return false;
      if (before.weights[slot] != 0 && matches_.bones[before.bones[slot]] != after.bones[slot]) return false;
    }
    return true;
  }

  static std::span<const AuthoredInfluence> influences_of(const CharacterData& data, const Mesh& mesh) {
    const auto find = [&](std::uint32_t vertex) {
      return std::ranges::lower_bound(data.authored_influences, vertex, {}, &AuthoredInfluence::vertex);
    };
    return {find(mesh.first_vertex), find(mesh.first_vertex + mesh.vertex_count)};
  }

  [[nodiscard]] bool have_same_influences(const Mesh& before, const Mesh& after) const {
    return std::ranges::equal(influences_of(from_, before), influences_of(to_, after),
                              [&](const AuthoredInfluence& one, const AuthoredInfluence& other) {
                                return one.vertex - before.first_vertex == other.vertex - after.first_vertex &&
                                       matches_.bones[one.bone] == other.bone && one.weight == other.weight;
                              });
  }

  void compare_clips(const Clip& before, const Clip& after) {
    report_if_changed("{} frames, then {}", before.frame_count, after.frame_count);
    report_if_changed("{:.6g} frames per second, then {:.6g}", before.frames_per_second, after.frames_per_second);
    const double seconds = before.duration_seconds(), other_seconds = after.duration_seconds();
    if (seconds != other_seconds || before.frame_ends != after.frame_ends) {
      report(fmt::format("lasts {:.6g} s, then {:.6g} s{}", seconds, other_seconds,
                         seconds == other_seconds ? ", with different frame times" : ""));
    }
    if (before.looping != after.looping) report(before.looping ? "loops, then does not" : "does not loop, then does");
    report_if_changed("loops from frame {}, then from {}", before.loop_start, after.loop_start);
    report_if_changed("group {}, then {}", quoted(before.group), quoted(after.group));
    compare_frames(std::min(before.frame_count, after.frame_count), [&](std::uint32_t frame) {
      return std::pair(before.samples.frame(frame, from_.bones.size()), after.samples.frame(frame, to_.bones.size()));
    });
  }

  void compare_menu_images(const MenuImage& before, const MenuImage& after) {
    compare_references("image", from_.images, index(before.image), to_.images, index(after.image), matches_.images);
    const auto area = [](const MenuImage& image) {
      return fmt::format("{} x {} at {}, {}", image.width, image.height, image.x, image.y);
    };
    report_if_changed("{}, then {}", area(before), area(after));
  }

  void compare_markers() {
    // Clips are those of the second character.
    using Key = std::tuple<std::optional<std::uint32_t>, std::uint32_t, std::string_view>;
    using Keyed = std::multimap<Key, const Marker*>;
    Keyed before, after;
    for (const Marker& marker : a_.sidecar.markers.all()) {
      before.emplace(Key{matches_.clips[index(marker.clip)], marker.frame, marker.name}, &marker);
    }
    for (const Marker& marker : b_.sidecar.markers.all()) {
      after.emplace(Key{static_cast<std::uint32_t>(marker.clip), marker.frame, marker.name}, &marker);
    }
    const auto report_unmatched = [&](const Keyed& one, const Keyed& other, const auto& clips, std::string_view where) {
      std::vector<Keyed::value_type> rest;
      const auto key = &Keyed::value_type::first;
      std::ranges::set_difference(one, other, std::back_inserter(rest), {}, key, key);
      for (const auto& [ignored, marker] : rest) {
        begin_part("marker", marker->name);
        report(fmt::format("only in the {}, at frame {} of clip {}", where, marker->frame,
                           reference(clips, index(marker->clip))));
      }
    };
    report_unmatched(before, after, from_.clips, "first");
    report_unmatched(after, before, to_.clips, "second");
  }

  /// Compares masks and rigs as text, because their ids refer to different characters.
  void compare_rigs() {
    const auto differ = [&](const auto& part_of) {
      return save_rig(part_of(a_.sidecar), a_.imported.character) !=
             save_rig(part_of(b_.sidecar), b_.imported.character);
    };
    begin_field("masks");
    if (differ([](const Sidecar& all) { return Sidecar{.markers = {}, .rig = {}, .masks = all.masks}; }))
      report("differ");
    begin_field("rig");
    if (differ([](const Sidecar& all) { return Sidecar{.markers = {}, .rig = all.rig}; })) report("differs");
  }

  /// Reports the names of fields that differ.
  void report_fields(std::initializer_list<std::pair<std::string_view, bool>> differing) {
    std::string names;
    for (const auto& [name, differs] : differing) {
      if (differs) names.append(names.empty() ? "differs in " : ", ").append(name);
    }
    if (!names.empty()) report(std::move(names));
  }

  /// Compares parts with the same names. `compare` returns nothing, and reports what differs.
  template <class Part, class Compare>
  void compare_named(const std::string& kind, const std::string& place, const std::vector<Part>& before,
                     const std::vector<Part>& after, const Compare& compare) {
    std::vector<std::ptrdiff_t> places;
    for (const Part& part : before) {
      begin_part(kind, place + part.name);
      const auto other = std::ranges::find(after, part.name, &Part::name);
      if (other == after.end()) {
        report("only in the first");
        continue;
      }
      places.push_back(other - after.begin());
      compare(part, *other);
    }
    for (const Part& part : after) {
      begin_part(kind, place + part.name);
      if (std::ranges::find(before, part.name, &Part::name) == before.end()) report("only in the second");
    }
    if (std::ranges::is_sorted(places)) return;
    begin_field("states");
    report(fmt::format("the order of {}s differs", kind));
  }

  void compare_states(const States& first, const States& second) {
    compare_named("parameter", "", first.parameters, second.parameters,
                  [&](const StateParameter& a, const StateParameter& b) {
                    report_fields({{"type", a.kind != b.kind},
                                   {"min", a.min != b.min},
                                   {"max", a.max != b.max},
                                   {"value", a.value != b.value},
                                   {"key", a.key != b.key}});
                  });
    compare_named("state layer", "", first.layers, second.layers, [&](const StateLayer& a, const StateLayer& b) {
      report_fields({{"mask", a.mask != b.mask},
                     {"mode", a.mode != b.mode},
                     {"reference", a.reference_clip != b.reference_clip || a.reference_frame != b.reference_frame},
                     {"weight", a.weight != b.weight},
                     {"weightParameter", a.weight_parameter != b.weight_parameter},
                     {"first", a.first != b.first},
                     {"transitions", a.transitions != b.transitions}});
      compare_named("state", a.name + ": ", a.states, b.states, [&](const State& one, const State& other) {
        const bool other_kind = one.kind != other.kind;
        const bool other_clip = one.clip != other.clip;
        report_fields({{"what it plays", other_kind},
                       {"clip", !other_kind && one.kind == State::Kind::clip && other_clip},
                       {"blend", !other_kind && one.points != other.points},
                       {"parameters", !other_kind && (one.x != other.x || one.y != other.y)},
                       {"sequence", !other_kind && one.kind == State::Kind::sequence &&
                                        (other_clip || one.start != other.start || one.end != other.end)},
                       {"speed", one.speed != other.speed},
                       {"speedParameter", one.speed_parameter != other.speed_parameter},
                       {"loop", one.loop != other.loop},
                       {"enter", one.on_enter != other.on_enter},
                       {"leave", one.on_leave != other.on_leave}});
      });
    });
  }

  // An index outside `parts` means none.
  template <class Part>
  void compare_references(std::string_view what, const std::vector<Part>& parts, std::int64_t before,
                          const std::vector<Part>& other_parts, std::int64_t after, const Counterparts& counterparts) {
    const auto is_in = [](std::int64_t i, std::size_t size) { return i >= 0 && i < static_cast<std::int64_t>(size); };
    const bool had = is_in(before, parts.size()), has = is_in(after, other_parts.size());
    if (!had && !has) return;
    if (had && has && counterparts[static_cast<std::size_t>(before)] == after) return;
    report(fmt::format("{} {}, then {}", what, had ? reference(parts, static_cast<std::size_t>(before)) : "none",
                       has ? reference(other_parts, static_cast<std::size_t>(after)) : "none"));
  }

  template <class Part>
  void compare_parts(const std::string& kind, const std::vector<Part>& before, const std::vector<Part>& after,
                     const Counterparts& counterparts, void (StructureComparison::*compare)(const Part&, const Part&)) {
    std::vector<bool> matched(after.size());
    std::optional<std::uint32_t> last;
    bool in_order = true;
    for (std::uint32_t i = 0; i < before.size(); ++i) {
      begin_part(kind, before[i].name, i);
      const std::optional<std::uint32_t> other = counterparts[i];
      if (!other) {
        report("only in the first");
        continue;
      }
      matched[*other] = true;
      in_order = in_order && (!last || *last < *other);
      last = other;
      if (before[i].name != after[*other].name) report(fmt::format("renamed to {}", quoted(after[*other].name)));
      (this->*compare)(before[i], after[*other]);
    }
    for (std::uint32_t i = 0; i < after.size(); ++i) {
      begin_part(kind, after[i].name, i);
      if (!matched[i]) report("only in the second");
    }
    begin_field("order");
    if (!in_order) report(fmt::format("the {}{} are in a different order", kind, kind.ends_with("sh") ? "es" : "s"));
  }

  static std::string quoted(std::string_view name) { return fmt::format("\"{}\"", name); }

  template <class Part>
  static std::string reference(const std::vector<Part>& parts, std::size_t index) {
    return fmt::format("{} \"{}\"", index, parts[index].name);
  }

  const Side &a_, &b_;
  const CharacterData &from_, &to_;
  const Matches& matches_;
  double tolerance_;
  std::string kind_, name_;
  std::optional<std::uint32_t> index_;
  std::vector<StructureDifference> out_;
};

constexpr std::array kPoints2D{Vec2{0, 0}, Vec2{kReachPixels, 0}, Vec2{0, kReachPixels}};
constexpr std::array kPoints3D{Vec3{0, 0, 0}, Vec3{kReachPixels, 0, 0}, Vec3{0, kReachPixels, 0},
                               Vec3{0, 0, kReachPixels}};

// Returns the largest distance between points moved by two transforms.
template <class Transform, class Points>
double distance(const Transform& a, const Transform& b, const Points& points) {
  double farthest = 0;
  for (const auto& point : points) {
    const double apart = glm::length(apply(a, point) - apply(b, point));
    // A point that is not finite is infinitely far away, unless the transforms are equal.
    if (std::isfinite(apart)) {
      farthest = std::max(farthest, apart);
    } else if (a != b) {
      farthest = std::numeric_limits<double>::infinity();
    }
  }
  return farthest;
}

// Draws evenly spaced frames and the frame in which the poses differ most.
ClipImage compare_clip(Stage& stage, const Input& a, const Input& b, ClipId clip, ClipId other,
                       std::uint32_t frame_of_max_pose_difference, const ComparisonOptions& options) {
  const std::uint32_t common = std::min(a.character.clips()[clip].frame_count, b.character.clips()[other].frame_count);
  const std::uint32_t count = std::min(common, options.frames);
  std::vector<std::uint32_t> frames{frame_of_max_pose_difference};
  for (std::uint64_t i = 0; i < count; ++i) frames.push_back(static_cast<std::uint32_t>(i * common / count));
  Rect bounds = compute_clip_bounds(a.character, clip, executor());
  bounds.include(compute_clip_bounds(b.character, other, executor()));
  const Camera camera = frame_camera(options.view, options.view.size, bounds);
  ClipImage worst{clip, other, 0, camera, {}, {}, {}};
  for (const std::uint32_t frame : frames) {
    if (interrupted()) fail(ExitCode::environment);
    Bitmap in_a = stage.draw({clip, {frame, frame, 0}, camera}, options.view.size, options.view, 0);
    Bitmap in_b = stage.draw({other, {frame, frame, 0}, camera}, options.view.size, options.view, 1);
    const ImageDifference difference = compare_images(in_a, in_b);
    if (!worst.first.rgba.empty() && difference.score <= worst.difference.score) continue;
    worst = {clip, other, frame, camera, difference, std::move(in_a), std::move(in_b)};
  }
  return worst;
}

std::vector<ClipImage> compare_looks(Stage& stage, const Input& a, const Input& b, const Matches& matches,
                                     const std::vector<PoseDifference>& poses, const ComparisonOptions& options) {
  catch_interrupts();
  std::vector<ClipImage> images;
  for (const PoseDifference& pose : poses) {
    if (!pose.clip) continue;
    const ClipId clip = *pose.clip, other{*matches.clips[index(clip)]};
    if (a.character.clips()[clip].frame_count == 0 || b.character.clips()[other].frame_count == 0) continue;
    images.push_back(compare_clip(stage, a, b, clip, other, pose.frame, options));
  }
  return images;
}

}  // namespace

Matches match_parts(const Imported& first, const Imported& second) {
  const Character &a = first.character, &b = second.character;
  const std::span<const MenuImage> menu_images(first.menu_images), others(second.menu_images);
  return {match(a.images(), b.images()), match(a.bones(), b.bones()), match(a.meshes(), b.meshes()),
          match(a.clips(), b.clips()), match(menu_images, others)};
}

std::vector<StructureDifference> compare_structure(const Side& a, const Side& b, const Matches& matches,
                                                   double tolerance) {
  return StructureComparison(a, b, matches, tolerance).run();
}

std::vector<PoseDifference> compare_poses(const Character& a, const Character& b, const Matches& matches) {
  const bool in_3d = a.is_3d() && b.is_3d();
  PoseBuffers posed_a, posed_b;
  const auto compare_bones = [&](PoseDifference& most, std::uint32_t frame) {
    for (std::uint32_t bone = 0; bone < matches.bones.size(); ++bone) {
      const auto other = matches.bones[bone];
      if (!other) continue;
      const double apart = in_3d ? distance(posed_a.world_3d[bone], posed_b.world_3d[*other], kPoints3D)
                                 : distance(posed_a.world[bone], posed_b.world[*other], kPoints2D);
      if (apart > most.pixels) most = {most.clip, apart, frame, BoneId{bone}};
    }
  };
  std::vector<PoseDifference> differences(1);
  pose_bind(a, posed_a);
  pose_bind(b, posed_b);
  compare_bones(differences.back(), 0);
  for (const ClipId clip : a.clips().ids()) {
    const auto matched = matches.clips[index(clip)];
    if (!matched) continue;
    const ClipId other{*matched};
    PoseDifference& difference = differences.emplace_back(clip);
    // Without bones there is nothing to pose, and a file can declare any number of frames at no cost.
    const std::uint32_t frames =
        a.bones().empty() ? 0 : std::min(a.clips()[clip].frame_count, b.clips()[other].frame_count);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      pose_clip(a, clip, {frame, frame, 0}, posed_a);
      pose_clip(b, other, {frame, frame, 0}, posed_b);
      compare_bones(difference, frame);
    }
  }
  return differences;
}

void add_comparison_options(CLI::App& command, ComparisonOptions& options) {
  add_option(command, "--tolerance", options.tolerance, "PX",
             "Max distance of poses and vertices that counts as equal, in world pixels (default: 0.001)",
             check_range(0, std::numeric_limits<double>::infinity()));
  add_option(command, "--threshold", options.threshold, "T", "Max score of images that counts as equal (default: 0.01)",
             check_range(0, 1));
  add_option(command, "--frames", options.frames, "N",
             "Frames of each clip to draw, besides the one with the largest pose difference (default: 16)",
             check_range(1, 1'000'000));
}

Comparison compare_characters(const Input& a, const Sidecar& sidecar_of_a, const Input& b, const Sidecar& sidecar_of_b,
                              Stage* stage, const ComparisonOptions& options) {
  const Matches matches = match_parts(a, b);
  Comparison found;
  found.structure =
      compare_structure({a, sidecar_of_a, a.bitmaps}, {b, sidecar_of_b, b.bitmaps}, matches, options.tolerance);
  found.poses = compare_poses(a.character, b.character, matches);
  if (stage != nullptr) found.images = compare_looks(*stage, a, b, matches, found.poses, options);
  found.same =
      found.structure.empty() &&
      std::ranges::none_of(found.poses, [&](const auto& each) { return each.pixels > options.tolerance; }) &&
      std::ranges::none_of(found.images, [&](const auto& each) { return each.difference.score > options.threshold; });
  return found;
}

void append_comparison(JsonWriter& json, const Comparison& comparison, const Character& first) {
  const auto name_of = [&](ClipId clip) -> std::string_view { return first.clips()[clip].name; };
  json.fields("same", comparison.same);
  json.list("structure", comparison.structure, [&](const StructureDifference& each) {
    json.object("kind", each.kind, "name", each.name, "index", each.index, "change", each.change);
  });
  json.list("poses", comparison.poses, [&](const PoseDifference& each) {
    const std::string_view bone = each.bone ? std::string_view(first.bones()[*each.bone].name) : "";
    const std::optional clip = each.clip ? std::optional(name_of(*each.clip)) : std::nullopt;
    json.object("clip", clip, "index", each.clip, "pixels", each.pixels, "frame", each.frame, "bone", bone, "boneIndex",
                each.bone);
  });
  json.list("images", comparison.images, [&](const ClipImage& each) {
    const ImageDifference& difference = each.difference;
    json.object("clip", name_of(each.clip), "index", each.clip, "score", difference.score, "frame", each.frame, "x",
                difference.x, "y", difference.y, "differingPixels", difference.pixels, "maxDifference",
                difference.max_channel);
  });
}

void append_comparison(JsonWriter& json, bool same) {
  constexpr std::array<int, 0> kNone{};
  json.fields("same", same, "structure", kNone, "poses", kNone, "images", kNone);
}

std::vector<std::string> describe_comparison(const Comparison& comparison, const Character& first,
                                             const ComparisonOptions& options) {
  const auto clip_named = [&](ClipId clip) {
    return fmt::format("clip {} {}", index(clip), shown(first.clips()[clip].name));
  };
  std::vector<std::string> lines;
  for (const StructureDifference& each : comparison.structure) {
    const std::string index = each.index ? fmt::format("{} ", *each.index) : "";
    lines.push_back(fmt::format("{} {}{}: {}", each.kind, index, shown(each.name), printable(each.change)));
  }
  for (const PoseDifference& each : comparison.poses) {
    if (each.pixels <= options.tolerance) continue;
    lines.push_back(fmt::format("pose in {}: up to {:.3f} px apart, at frame {} in bone {} {}",
                                each.clip ? clip_named(*each.clip) : "the bind pose", each.pixels, each.frame,
                                index(*each.bone), shown(first.bones()[*each.bone].name)));
  }
  for (const ClipImage& each : comparison.images) {
    if (each.difference.score <= options.threshold) continue;
    lines.push_back(fmt::format("image of {}: score {:.4f} at frame {}; {} pixels differ, by up to {} of 255",
                                clip_named(each.clip), each.difference.score, each.frame, each.difference.pixels,
                                each.difference.max_channel));
  }
  return lines;
}

}  // namespace pchr::tools
