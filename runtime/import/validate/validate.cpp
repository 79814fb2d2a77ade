// SPDX-License-Identifier: MIT
// Checks characters for likely mistakes.
#include <pchr/import/import.hpp>

#include "character/build.hpp"
#include "character/format.hpp"
#include "character/influences.hpp"
#include "character/path.hpp"

#include <pchr/pose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_set>

namespace pchr {
namespace {

/// First diagnostic of a kind in a mesh or clip, and the number of all.
struct Tally {
  std::uint64_t count = 0;
  std::string path;
  std::string detail;

  /// Counts one. Calls `path_to` and `describe` only for the first.
  template <class PathTo, class Describe>
  void add(const PathTo& path_to, const Describe& describe) {
    if (count++ > 0) return;
    path = path_to();
    detail = describe();
  }
};

/// Collects diagnostics about one character.
struct Lint {
  const Imported& imported;
  const ValidateOptions& options;
  const Character& character = imported.character;

  void add(DiagnosticId id, std::string path, std::string detail) {
    Kind& kind = kinds[id];
    if (kind.count++ >= std::max(options.max_of_a_kind, 1U)) return;
    kind.last_listed = diagnostics.size();
    diagnostics.push_back(diagnostic_at(id, character.data(), std::move(path), std::move(detail)));
  }

  /// Adds a tally unless it is empty. `unit` is a noun such as "such vertices in this mesh".
  void add(DiagnosticId id, const Tally& tally, std::string_view unit) {
    if (tally.count == 0) return;
    add(id, tally.path,
        tally.count == 1 ? tally.detail : fmt::format("{} (first of {} {})", tally.detail, tally.count, unit));
  }

  struct Kind {
    std::uint64_t count = 0;
    std::size_t last_listed = 0;
  };
  std::vector<Diagnostic> diagnostics{};
  std::map<DiagnosticId, Kind> kinds{};
};

// Pixels in every direction, so that neighboring meshes can touch.
constexpr float kMinOverlap = 1;
// Enough for every frame of a typical character.
constexpr std::uint64_t kMaxSkinned = std::uint64_t{1} << 25;
// The number of pairs grows with the square of the number of meshes.
constexpr std::uint64_t kMaxCompared = std::uint64_t{1} << 24;
constexpr std::size_t kMaxPairs = std::size_t{1} << 16;

struct SkinnedMesh {
  MeshId mesh{};
  std::size_t first_point = 0;
  Rect area;
};

using Corners = std::array<Vec2, 3>;

bool overlap(const Rect& a, const Rect& b) {
  return std::min(a.max.x, b.max.x) - std::max(a.min.x, b.min.x) > kMinOverlap &&
         std::min(a.max.y, b.max.y) - std::max(a.min.y, b.min.y) > kMinOverlap;
}

Rect box_of(std::span<const Vec2> points) {
  Rect box;
  for (const Vec2 point : points) {
    if (std::isfinite(point.x) && std::isfinite(point.y)) box.include(point);
  }
  return box;
}

/// Returns whether a line along a side of `a` separates the triangles.
bool separated_by_side_of(const Corners& a, const Corners& b) {
  for (std::size_t side = 0; side < 3; ++side) {
    const Vec2 along = a[(side + 1) % 3] - a[side];
    const float length = std::hypot(along.x, along.y);
    if (!(length > 0)) continue;
    const auto extent = [&](const Corners& triangle) {
      const auto across = [&](Vec2 point) { return (point.y * along.x - point.x * along.y) / length; };
      return std::minmax({across(triangle[0]), across(triangle[1]), across(triangle[2])});
    };
    const auto [low_a, high_a] = extent(a);
    const auto [low_b, high_b] = extent(b);
    if (!(std::min(high_a, high_b) - std::max(low_a, low_b) > kMinOverlap)) return true;
  }
  return false;
}

bool overlap(const Corners& a, const Corners& b) { return !separated_by_side_of(a, b) && !separated_by_side_of(b, a); }

/// Meshes that a mesh overlaps at the same draw order: the first one, its frame, and the number of meshes.
struct Overlaps {
  MeshId other{};
  std::int32_t order = 0;
  std::string moment;
  std::uint32_t count = 0;
};

class OverlapSearch {
 public:
  explicit OverlapSearch(const Character& character) : character_(character), overlaps_(character.meshes().size()) {}

  /// Returns the overlaps of each mesh in the frames of all clips, or in evenly spaced frames of a huge character.
  const std::vector<Overlaps>& run() {
    std::uint64_t frames = 0;
    for (const Clip& clip : character_.clips()) frames += clip.frame_count;
    const std::uint64_t work =
        character_.vertices().size() + character_.bones().size() + character_.meshes().size() + 1;
    const std::uint64_t poses = std::max<std::uint64_t>(kMaxSkinned / work, 1);
    const std::uint64_t stride = frames / poses + 1;
    PoseBuffers posed;
    std::uint64_t next = 0;
    for (const ClipId id : character_.clips().ids()) {
      const Clip& clip = character_.clips()[id];
      for (; next < clip.frame_count && !exhausted(); next += stride) {
        const auto frame = static_cast<std::uint32_t>(next);
        pose_clip(character_, id, {frame, frame, 0}, posed);
        compare_pose(posed, [&] { return fmt::format("frame {} of clip \"{}\"", frame, printable(clip.name)); });
      }
      next -= std::min<std::uint64_t>(next, clip.frame_count);
    }
    if (frames == 0) {
      pose_bind(character_, posed);
      compare_pose(posed, [] { return std::string("the bind pose"); });
    }
    return overlaps_;
  }

 private:
  [[nodiscard]] bool exhausted() const noexcept { return compared_ >= kMaxCompared || seen_.size() >= kMaxPairs; }

  /// Compares the meshes of one pose. `moment` describes its clip and frame.
  template <class Moment>
  void compare_pose(const PoseBuffers& posed, const Moment& moment) {
    const DrawList& list = posed.draw_list;
    for (std::size_t begin = 0, end = 0; begin < list.size(); begin = end) {
      const std::int32_t order = order_of(posed, list[begin].mesh);
      while (end < list.size() && order_of(posed, list[end].mesh) == order) ++end;
      if (end - begin < 2) continue;
      meshes_.clear();
      points_.clear();
      for (std::size_t i = begin; i < end; ++i) add(posed, list[i].mesh);
      compare([&](MeshId mesh, MeshId other) {
        Overlaps& found = overlaps_[index(mesh)];
        if (found.count++ == 0) found = {other, order, moment(), 1};
      });
    }
  }

  [[nodiscard]] std::int32_t order_of(const PoseBuffers& posed, MeshId mesh) const {
    return posed.pose.z_order.empty() ? 0 : posed.pose.z_order[index(character_.governing_bone(mesh))];
  }

  void add(const PoseBuffers& posed, MeshId mesh) {
    const auto vertices = character_.vertices(character_.meshes()[mesh]);
    const std::size_t first = points_.size();
    points_.resize(first + vertices.size());
    const auto points = std::span(points_).subspan(first);
    deform(vertices, posed.palette, points);
    meshes_.push_back({mesh, first, box_of(points)});
  }

  /// Calls `report` for each new pair of overlapping meshes, first the one that is later in the file.
  template <class Report>
  void compare(const Report& report) {
    std::ranges::sort(meshes_, {}, [](const SkinnedMesh& mesh) { return mesh.area.min.x; });
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      const SkinnedMesh& a = meshes_[i];
      for (std::size_t j = i + 1; j < meshes_.size() && meshes_[j].area.min.x < a.area.max.x; ++j) {
        const SkinnedMesh& b = meshes_[j];
        if (exhausted()) return;
        ++compared_;
        const auto [earlier, later] = std::minmax(a.mesh, b.mesh);
        const std::uint64_t pair = std::uint64_t{index(earlier)} << 32 | index(later);
        if (!overlap(a.area, b.area) || seen_.contains(pair) || !triangles_overlap(a, b)) continue;
        seen_.insert(pair);
        report(later, earlier);
      }
    }
  }

  bool triangles_overlap(const SkinnedMesh& a, const SkinnedMesh& b) {
    collect_triangles(a, b.area, triangles_a_);
    collect_triangles(b, a.area, triangles_b_);
    for (const Corners& triangle_a : triangles_a_) {
      for (const Corners& triangle_b : triangles_b_) {
        if (++compared_ >= kMaxCompared) return false;
        if (overlap(triangle_a, triangle_b)) return true;
      }
    }
    return false;
  }

  /// Collects the triangles of `mesh` that reach into `area`.
  void collect_triangles(const SkinnedMesh& mesh, const Rect& area, std::vector<Corners>& triangles) {
    triangles.clear();
    const auto indices = character_.indices(character_.meshes()[mesh.mesh]);
    compared_ += indices.size() / 3;
    for (std::size_t i = 0; i < indices.size(); i += 3) {
      const auto corner = [&](std::size_t number) { return points_[mesh.first_point + indices[i + number]]; };
      const Corners triangle{corner(0), corner(1), corner(2)};
      if (overlap(box_of(triangle), area)) triangles.push_back(triangle);
    }
  }

  const Character& character_;
  std::vector<Overlaps> overlaps_;  // per mesh
  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t compared_ = 0;
  // Scratch buffers for the meshes of one draw order in one pose.
  std::vector<SkinnedMesh> meshes_;
  std::vector<Vec2> points_;
  std::vector<Corners> triangles_a_, triangles_b_;
};

/// Finds overlapping meshes with the same draw order, for which the order in the file decides which is on top.
void lint_draw_order(Lint& lint) {
  const Character& character = lint.character;
  if (character.meshes().size() < 2) return;
  OverlapSearch search(character);
  const std::vector<Overlaps>& overlaps = search.run();
  for (const MeshId mesh : character.meshes().ids()) {
    const Overlaps& found = overlaps[index(mesh)];
    if (found.count == 0) continue;
    std::string detail =
        fmt::format("overlaps {} \"{}\" in {} at the same draw order, {}", path_of("meshes", found.other),
                    printable(character.meshes()[found.other].name), found.moment, found.order);
    if (found.count > 1) detail += fmt::format(" (first of {} such meshes)", found.count);
    lint.add(DiagnosticId::equal_draw_order, path_of("meshes", mesh), std::move(detail));
  }
}

void lint_images(Lint& lint) {
  const Character& character = lint.character;
  std::vector<bool> used(character.images().size());
  for (const Mesh& mesh : character.meshes()) used[index(mesh.image)] = true;
  for (const MenuImage& part : lint.imported.menu_images) used[index(part.image)] = true;
  if (const auto& artwork = lint.imported.artwork) {
    for (const ArtworkTileset& tileset : artwork->tilesets) {
      if (tileset.image) used[*tileset.image] = true;
    }
  }
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    if (used[i]) continue;
    const Image& image = character.images()[i];
    lint.add(DiagnosticId::unused_image, path_of("images", i),
             fmt::format("is {} x {} pixels, but no mesh uses it", image.width, image.height));
  }
}

/// Adds one diagnostic for all duplicate names of a section, at the first item whose name is taken.
template <class Item>
void lint_names(Lint& lint, std::string_view section, std::span<const Item> items) {
  struct Named {
    std::uint32_t first, count;
  };
  std::map<std::string_view, Named> names;
  Tally shared;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    Named& named = names.try_emplace(items[i].name, Named{i, 0}).first->second;
    if (++named.count != 2) continue;
    shared.add([&] { return path_of(section, i, "name"); },
               [&] { return fmt::format("is also the name of {}", path_of(section, named.first)); });
  }
  lint.add(DiagnosticId::duplicate_name, shared, "such names in this section");
}

struct MeshView {
  std::uint32_t number;
  const Mesh& mesh;
  std::span<const Vertex> vertices;
  std::span<const std::uint16_t> indices;

  /// Returns a function that returns a path within the mesh.
  template <class... Steps>
  [[nodiscard]] auto at(Steps... steps) const {
    return [=, this] { return path_of("meshes", number, steps...); };
  }
};

bool has_weights(const Vertex& vertex) {
  return std::ranges::any_of(vertex.weights, [](float weight) { return weight != 0; });
}

void lint_weights(Lint& lint, const MeshView& mesh) {
  if (std::ranges::none_of(mesh.vertices, has_weights)) {
    lint.add(DiagnosticId::mesh_without_weights, path_of("meshes", mesh.number),
             fmt::format("has {}, but no weights", counted(mesh.vertices.size(), "vertex", "vertices")));
    return;
  }
  Tally sums, gaps;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const auto& weights = mesh.vertices[i].weights;
    const auto authored =
        authored_influences(lint.character.data(), mesh.mesh.first_vertex + static_cast<std::uint32_t>(i));
    double sum = double{weights[0]} + weights[1] + weights[2] + weights[3];
    if (!authored.empty()) sum = 0;
    for (const AuthoredInfluence& influence : authored) sum += double{influence.weight};
    // Negated, so that NaN fails.
    if (!(std::abs(sum - 1) <= double{lint.options.weight_tolerance})) {
      sums.add(mesh.at("vertices", i), [&] {
        return fmt::format("has weights that sum to {:.6g} instead of 1 within {:.6g}", sum,
                           lint.options.weight_tolerance);
      });
    }
    if (!authored.empty()) continue;
    for (std::uint32_t slot = 1; slot < 4; ++slot) {
      if (weights[slot] == 0 || weights[slot - 1] != 0) continue;
      gaps.add(mesh.at("vertices", i, "boneWeights", slot),
               [&] { return fmt::format("is {}, but the slot before it is 0", weights[slot]); });
      break;
    }
  }
  lint.add(DiagnosticId::weight_sum, sums, "such vertices in this mesh");
  lint.add(DiagnosticId::weight_gap, gaps, "such vertices in this mesh");
}

void lint_texture_coordinates(Lint& lint, const MeshView& mesh) {
  // Half a pixel outside is still the edge pixel.
  const Image& image = lint.character.images()[mesh.mesh.image];
  const float slack_u = 0.5F / static_cast<float>(image.width);
  const float slack_v = 0.5F / static_cast<float>(image.height);
  const auto outside = [](float value, float slack) { return value < -slack || value > 1 + slack; };
  Tally tally;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const float u = mesh.vertices[i].u, v = mesh.vertices[i].v;
    const bool u_outside = outside(u, slack_u);
    if (!u_outside && !outside(v, slack_v)) continue;
    tally.add(mesh.at("vertices", i, u_outside ? "u" : "v"),
              [&] { return fmt::format("is {}, but should be between 0 and 1", u_outside ? u : v); });
  }
  lint.add(DiagnosticId::texture_outside, tally, "such vertices in this mesh");
}

void lint_unused_vertices(Lint& lint, const MeshView& mesh) {
  std::vector<bool> used(mesh.vertices.size());
  for (const std::uint16_t index : mesh.indices) used[index] = true;
  Tally tally;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) tally.add(mesh.at("vertices", i), [] { return "belongs to no triangle"; });
  }
  lint.add(DiagnosticId::unused_vertex, tally, "such vertices in this mesh");
}

/// Returns whether all corners are on one line to within rounding error, relative to the longest side.
bool has_no_area(const Vertex& a, const Vertex& b, const Vertex& c) {
  const double abx = double{b.x} - a.x, aby = double{b.y} - a.y;
  const double acx = double{c.x} - a.x, acy = double{c.y} - a.y;
  const double longest = std::max({std::hypot(abx, aby), std::hypot(acx, acy), std::hypot(acx - abx, acy - aby)});
  return std::abs(abx * acy - aby * acx) <= 1e-6 * longest * longest;
}

/// Triangle identified by its sorted corners, which do not depend on its winding.
struct Triangle {
  std::uint64_t corners;
  std::uint32_t first_index;
  auto operator<=>(const Triangle&) const = default;
};

void lint_triangles(Lint& lint, const MeshView& mesh) {
  Tally degenerate;
  std::vector<Triangle> triangles;
  triangles.reserve(mesh.indices.size() / 3);
  for (std::uint32_t i = 0; i < mesh.indices.size(); i += 3) {
    const std::uint16_t a = mesh.indices[i], b = mesh.indices[i + 1], c = mesh.indices[i + 2];
    if (has_no_area(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c])) {
      degenerate.add(mesh.at("indices", i), [&] {
        const bool repeated = a == b || b == c || c == a;
        return fmt::format("starts a triangle without area: vertices {}, {} and {} {}", a, b, c,
                           repeated ? "are not distinct" : "lie on one line in the bind pose");
      });
    } else {
      const auto [low, high] = std::minmax({a, b, c});
      const std::uint64_t middle = std::uint64_t{a} + b + c - low - high;
      triangles.push_back({std::uint64_t{low} << 32 | middle << 16 | high, i});
    }
  }
  lint.add(DiagnosticId::degenerate_triangle, degenerate, "such triangles in this mesh");

  std::ranges::sort(triangles);
  std::uint64_t repeats = 0;
  Triangle earliest{}, original{};
  for (std::size_t i = 1, run = 0; i < triangles.size(); ++i) {
    if (triangles[i].corners != triangles[run].corners) {
      run = i;
    } else if (repeats++ == 0 || triangles[i].first_index < earliest.first_index) {
      earliest = triangles[i];
      original = triangles[run];
    }
  }
  Tally duplicate;
  if (repeats > 0) {
    duplicate.add(mesh.at("indices", earliest.first_index), [&] {
      return fmt::format("starts a triangle of vertices {}, {} and {}, like indices[{}]",
                         mesh.indices[earliest.first_index], mesh.indices[earliest.first_index + 1],
                         mesh.indices[earliest.first_index + 2], original.first_index);
    });
    duplicate.count = repeats;
  }
  lint.add(DiagnosticId::duplicate_triangle, duplicate, "such triangles in this mesh");
}

void lint_meshes(Lint& lint) {
  const Character& character = lint.character;
  for (std::uint32_t number = 0; number < character.meshes().size(); ++number) {
    const Mesh& mesh = character.meshes()[number];
    const MeshView view{number, mesh, character.vertices(mesh), character.indices(mesh)};
    if (view.indices.empty()) {
      lint.add(DiagnosticId::mesh_without_triangles, path_of("meshes", number),
               fmt::format("has {}, but no triangles", counted(view.vertices.size(), "vertex", "vertices")));
      continue;
    }
    lint_weights(lint, view);
    lint_unused_vertices(lint, view);
    // Images of 3D characters repeat, and their triangles can be edge-on from the front.
    if (character.is_3d()) continue;
    lint_texture_coordinates(lint, view);
    lint_triangles(lint, view);
  }
}

// Invisible differences: a hundredth of a pixel or degree, or a scale that moves a point at 1000 pixels by as much.
constexpr double kPixels = 1e-2, kDegrees = 1e-2, kScale = 1e-5, kOpacity = 1e-3;

bool near(std::span<const float> a, std::span<const float> b, double tolerance) {
  return std::ranges::equal(a, b, [&](float left, float right) { return std::abs(double{left} - right) <= tolerance; });
}

bool near_angles(std::span<const float> a, std::span<const float> b) {
  return std::ranges::equal(
      a, b, [](float left, float right) { return std::abs(std::remainder(double{left} - right, 360.0)) <= kDegrees; });
}

bool near(std::span<const BoneSample3D> a, std::span<const BoneSample3D> b) {
  return std::ranges::equal(a, b, [](const BoneSample3D& left, const BoneSample3D& right) {
    const Quat &from = left.rotation, &to = right.rotation;
    const double cosine = double{from.x} * to.x + double{from.y} * to.y + double{from.z} * to.z + double{from.w} * to.w;
    return std::abs(double{left.z} - right.z) <= kPixels && std::abs(double{left.scale_z} - right.scale_z) <= kScale &&
           1 - std::abs(cosine) <= 1e-8;
  });
}

bool look_alike(const PoseView& a, const PoseView& b) {
  return near(a.x, b.x, kPixels) && near(a.y, b.y, kPixels) && near_angles(a.rotation_degrees, b.rotation_degrees) &&
         near(a.scale_x, b.scale_x, kScale) && near(a.scale_y, b.scale_y, kScale) &&
         near(a.opacity, b.opacity, kOpacity) && std::ranges::equal(a.visible, b.visible) &&
         std::ranges::equal(a.z_order, b.z_order) && near(a.samples_3d, b.samples_3d);
}

void lint_motion(Lint& lint, std::uint32_t number) {
  const Clip& clip = lint.character.clips()[number];
  const auto frame = [&](std::uint32_t i) { return clip.samples.frame(i, lint.character.bones().size()); };
  if (clip.frame_count < 2) return;
  const std::uint32_t last = clip.frame_count - 1;
  std::uint32_t moved = 1;
  while (moved <= last && look_alike(frame(0), frame(moved))) ++moved;
  if (moved > last) {
    lint.add(DiagnosticId::still_clip, path_of("animations", number),
             fmt::format("does not move: all {} frames are the same", clip.frame_count));
    return;
  }
  // A pause that continues across the seam is intended. One frame held in the middle of a motion is not.
  if (clip.looping && moved == 1 && look_alike(frame(0), frame(last)) && !look_alike(frame(last - 1), frame(last))) {
    lint.add(DiagnosticId::doubled_seam, path_of("animations", number, "frames", last),
             "is the same as frame 0, which follows it in the loop");
  }
}

bool is_finite(const Affine& transform) {
  const auto finite = [](Vec2 column) { return std::isfinite(column.x) && std::isfinite(column.y); };
  return finite(transform[0]) && finite(transform[1]) && finite(transform[2]);
}

void lint_overflow(Lint& lint, std::uint32_t number) {
  const Character& character = lint.character;
  const Clip& clip = character.clips()[number];
  const std::size_t bone_count = character.bones().size();
  std::vector<Affine> transforms(bone_count);
  Tally tally;
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    compose(character.bones(), clip.samples.frame(frame, bone_count), transforms);
    build_palette(transforms, character.inverse_bind(), transforms);
    const auto bad = std::ranges::find_if_not(transforms, is_finite);
    if (bad == transforms.end()) continue;
    const auto bone = static_cast<std::uint32_t>(bad - transforms.begin());
    tally.add(
        [&] { return path_of("animations", number, "frames", frame, bone); },
        [&] { return fmt::format("overflows the transform of bone \"{}\"", printable(character.bones()[bone].name)); });
  }
  lint.add(DiagnosticId::pose_overflow, tally, "such frames in this clip");
}

}  // namespace

std::vector<Diagnostic> validate(const Imported& imported, const ValidateOptions& options) {
  Lint lint{imported, options};
  lint_images(lint);
  lint_names(lint, "images", imported.character.images());
  lint_names(lint, "bones", imported.character.bones());
  lint_names(lint, "meshes", imported.character.meshes());
  lint_names(lint, "animations", imported.character.clips());
  lint_meshes(lint);
  if (!imported.character.bones().empty()) {
    for (std::uint32_t clip = 0; clip < imported.character.clips().size(); ++clip) {
      lint_motion(lint, clip);
      lint_overflow(lint, clip);
    }
  }
  // In 3D, depth decides what is on top.
  if (!imported.character.is_3d()) lint_draw_order(lint);
  for (const auto& [id, kind] : lint.kinds) {
    const std::uint64_t listed = std::max(options.max_of_a_kind, 1U);
    if (kind.count > listed) {
      lint.diagnostics[kind.last_listed].detail += fmt::format(", and {} more like this", kind.count - listed);
    }
  }
  return std::move(lint.diagnostics);
}

}  // namespace pchr
