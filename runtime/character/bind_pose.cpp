// SPDX-License-Identifier: MIT
// Finds the bind pose, which PCHR v1 does not store, and inverts it.
//
// Without a known name, the bind pose is guessed from the character itself. Vertices are authored in the bind pose, so
// neighboring parts touch there and edges have their right length. If frame f is drawn with candidate c as the bind
// pose, each part moves from where it is in c to where it is in f, around its joints as they are in c. If c is right,
// these joints lie where the parts overlap, and little is torn. The reverse, to draw c with f as the bind pose, moves
// the parts by the same angles, but around joints in the wrong places. So a candidate's score is the ratio of the two,
// over sampled frames. The stretch alone would favor poses halfway between all frames.
#include "character/bind_pose.hpp"

#include "character/fail.hpp"
#include "character/kernels.hpp"
#include "character/path.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>

namespace pchr {
namespace {

// Limits of the work, whatever the size of the character.
constexpr std::size_t kMaxClips = 64;
constexpr std::size_t kMaxCandidates = 24;
constexpr std::size_t kFrames = 24;
constexpr std::size_t kMeshes = 128;
constexpr std::size_t kTriangles = 96;
constexpr std::size_t kNeighbors = 96;
constexpr std::size_t kContacts = 4;
constexpr std::size_t kTrianglesOfMesh = 64;
constexpr std::size_t kPointsOfMesh = 24;
constexpr std::size_t kRounds = 4;

constexpr float kMaxSize = 1e15F;     // Squares of larger sizes are not finite.
constexpr double kNearTie = 1.05;     // Scores within this factor are no evidence.
constexpr double kHopeless = 2;       // Scores beyond this factor of the best are not refined.
constexpr double kMaxStretch = 0.25;  // Max for a pose that a character can have been made in.
constexpr double kNoise = 1e-4;       // Stretch that rounding can cause.

/// Keeps every n-th of any number of items: between `kCount` and twice as many.
template <typename T, std::size_t kCount>
class EvenSample {
 public:
  void add(const T& item) {
    if (seen_++ % stride_ != 0) return;
    if (items_.size() == 2 * kCount) {
      for (std::size_t i = 0; i < kCount; ++i) items_[i] = items_[2 * i];
      items_.resize(kCount);
      stride_ *= 2;
      if ((seen_ - 1) % stride_ != 0) return;
    }
    items_.push_back(item);
  }
  [[nodiscard]] const std::vector<T>& items() const noexcept { return items_; }

 private:
  std::vector<T> items_;
  std::size_t seen_ = 0, stride_ = 1;
};

/// A frame with all that it takes to draw it, or to draw others with it as the bind pose.
struct PosedFrame {
  BindPoseSource source;
  std::vector<Affine> world, inverse;
  std::vector<bool> drawn;  ///< Per bone: visible, and not collapsed.
};

PosedFrame pose_frame(const CharacterData& data, BindPoseSource source) {
  const std::size_t bones = data.bones.size();
  PosedFrame result{source, std::vector(bones, kIdentity), std::vector(bones, kIdentity), std::vector(bones, true)};
  if (source.clip == ClipId::none) return result;
  const PoseView view = data.clips[index(source.clip)].samples.frame(source.frame, bones);
  compose(data.bones, view, result.world);
  for (std::size_t bone = 0; bone < bones; ++bone) {
    const auto inverted = inverse(result.world[bone]);
    result.inverse[bone] = inverted.value_or(kIdentity);
    result.drawn[bone] = inverted && view.visible[bone] != 0;
  }
  return result;
}

/// Bounds of the meshes, and the bones that move them.
struct Extents {
  std::vector<Rect> of_mesh;
  Rect whole;
  std::vector<bool> used_bones;
};

Extents measure_extents(const CharacterData& data) {
  Extents result{std::vector<Rect>(data.meshes.size()), {}, std::vector<bool>(data.bones.size())};
  for (std::size_t i = 0; i < data.meshes.size(); ++i) {
    const Mesh& mesh = data.meshes[i];
    for (const Vertex& vertex : std::span(data.vertices).subspan(mesh.first_vertex, mesh.vertex_count)) {
      result.of_mesh[i].include(Vec2{vertex.x, vertex.y});
      for (int slot = 0; slot < 4; ++slot) {
        if (vertex.weights[slot] != 0) result.used_bones[vertex.bones[slot]] = true;
      }
    }
    result.whole.include(result.of_mesh[i]);
  }
  return result;
}

/// Returns whether both bind poses draw the same frames: within a quarter of a pixel of a character of 1024 pixels.
bool draw_alike(const PosedFrame& a, const PosedFrame& b, const Extents& extents) {
  const Vec2 size = extents.whole.size(), low = extents.whole.min, high = extents.whole.max;
  const float tolerance = std::max(size.x, size.y) / 4096;
  for (std::size_t bone = 0; bone < a.world.size(); ++bone) {
    if (!extents.used_bones[bone] || a.world[bone] == b.world[bone]) continue;
    const Affine move = concatenate(a.world[bone], b.inverse[bone]);
    for (const Vec2 corner : {low, high, Vec2{low.x, high.y}, Vec2{high.x, low.y}}) {
      const Vec2 moved = apply(move, corner) - corner;
      if (!(std::abs(moved.x) <= tolerance && std::abs(moved.y) <= tolerance)) return false;
    }
  }
  return true;
}

/// Returns one of each group of candidates that draw the same frames: a clip of one frame if there is one, else the
/// first, in the order of the clips. The identity is last.
std::vector<PosedFrame> find_candidates(const CharacterData& data, const Extents& extents) {
  EvenSample<ClipId, kMaxClips / 2> clips, still_clips;
  for (const ClipId clip : Table<ClipId, Clip>(data.clips).ids()) {
    const std::uint32_t frames = data.clips[index(clip)].frame_count;
    if (frames > 0) (frames == 1 ? still_clips : clips).add(clip);
  }
  std::vector<ClipId> tried = still_clips.items();
  tried.insert(tried.end(), clips.items().begin(), clips.items().end());
  tried.push_back(ClipId::none);
  std::vector<PosedFrame> candidates;
  for (const ClipId clip : tried) {
    PosedFrame posed = pose_frame(data, {clip, 0});
    const auto is_same = [&](const PosedFrame& other) { return draw_alike(posed, other, extents); };
    if (candidates.size() < kMaxCandidates && std::ranges::none_of(candidates, is_same)) {
      posed.drawn.assign(posed.drawn.size(), true);
      candidates.push_back(std::move(posed));
    }
  }
  return candidates;
}

/// Places of the character where a wrong bind pose shows.
struct Evidence {
  /// Vertices that must stay together although different bones move them.
  struct Neighbors {
    std::uint32_t meshes[2];
    float size;  ///< Size of the smaller mesh.
    std::uint32_t first_contact, contact_count;
  };
  std::vector<Vertex> vertices;  ///< Three per triangle, then two per contact.
  std::vector<std::uint32_t> mesh_of_triangle;
  std::vector<Neighbors> neighbors;
};

/// Appends a vertex with valid bones in all slots, as the kernels need them.
void append(std::vector<Vertex>& vertices, Vertex vertex) {
  for (int slot = 0; slot < 4; ++slot) {
    if (vertex.weights[slot] == 0) vertex.bones[slot] = 0;
  }
  vertices.push_back(vertex);
}

bool move_together(const Vertex& a, const Vertex& b) {
  for (int slot = 0; slot < 4; ++slot) {
    if (a.weights[slot] != b.weights[slot] || (a.weights[slot] != 0 && a.bones[slot] != b.bones[slot])) return false;
  }
  return std::ranges::count(a.weights, 0.0F) == 3;
}

struct Triangle {
  std::uint32_t mesh = 0;
  std::array<const Vertex*, 3> corners{};
};

Triangle triangle_of(const CharacterData& data, std::uint32_t mesh, std::uint32_t first_index) {
  Triangle result{mesh, {}};
  for (std::uint32_t corner = 0; corner < 3; ++corner) {
    const std::uint16_t vertex = data.indices[data.meshes[mesh].first_index + first_index + corner];
    result.corners[corner] = &data.vertices[data.meshes[mesh].first_vertex + vertex];
  }
  return result;
}

/// Collects edges whose vertices are moved by several bones.
void find_bending_triangles(const CharacterData& data, Evidence& evidence) {
  EvenSample<Triangle, kTriangles> bending;
  for (std::uint32_t mesh = 0; mesh < data.meshes.size(); ++mesh) {
    for (std::uint32_t i = 0; i < data.meshes[mesh].index_count; i += 3) {
      const Triangle triangle = triangle_of(data, mesh, i);
      const auto& [a, b, c] = triangle.corners;
      if (!move_together(*a, *b) || !move_together(*b, *c)) bending.add(triangle);
    }
  }
  for (const Triangle& triangle : bending.items()) {
    evidence.mesh_of_triangle.push_back(triangle.mesh);
    for (const Vertex* corner : triangle.corners) append(evidence.vertices, *corner);
  }
}

Vertex mean(const Vertex& a, const Vertex& b) {
  Vertex result = a;
  result.x = a.x * 0.5F + b.x * 0.5F;
  result.y = a.y * 0.5F + b.y * 0.5F;
  return result;
}

/// Returns the corner of a triangle that is nearest to a point inside it, or null.
const Vertex* find_corner_around(const Triangle& triangle, Vec2 point) {
  const auto& [a, b, c] = triangle.corners;
  const Vec2 u{b->x - a->x, b->y - a->y}, v{c->x - a->x, c->y - a->y}, p{point.x - a->x, point.y - a->y};
  const float area = u.x * v.y - u.y * v.x;
  const float along_u = (p.x * v.y - p.y * v.x) / area, along_v = (u.x * p.y - u.y * p.x) / area;
  const float rest = 1 - along_u - along_v;
  if (!(along_u >= 0 && along_v >= 0 && rest >= 0)) return nullptr;
  return rest >= along_u && rest >= along_v ? a : along_u >= along_v ? b : c;
}

struct Contact {
  Vertex a, b;
};

/// Points of a mesh to look for contacts at.
struct MeshSample {
  std::uint32_t mesh;
  Rect box;
  std::vector<Triangle> triangles;
  std::vector<Vertex> points;
};

MeshSample sample_mesh(const CharacterData& data, std::uint32_t mesh, const Rect& box) {
  EvenSample<Triangle, kTrianglesOfMesh / 2> triangles;
  EvenSample<Vertex, kPointsOfMesh> points;
  for (std::uint32_t i = 0; i < data.meshes[mesh].index_count; i += 3) triangles.add(triangle_of(data, mesh, i));
  for (const Triangle& triangle : triangles.items()) {
    const auto& [a, b, c] = triangle.corners;
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}}) {
      points.add(*from);
      points.add(mean(*from, mean(*from, *to)));
      points.add(mean(*from, *to));
      points.add(mean(*to, mean(*from, *to)));
    }
    points.add(mean(*a, mean(*b, *c)));
  }
  return {mesh, box, triangles.items(), points.items()};
}

/// Finds points of one mesh that lie on the other, or nearly.
void find_contacts(const MeshSample& of, const MeshSample& on, float reach, EvenSample<Contact, kContacts>& contacts) {
  for (const Vertex& point : of.points) {
    const Vec2 place{point.x, point.y};
    if (place.x < on.box.min.x - reach || place.x > on.box.max.x + reach || place.y < on.box.min.y - reach ||
        place.y > on.box.max.y + reach) {
      continue;
    }
    const Vertex* touched = nullptr;
    const Vertex* near = nullptr;
    float nearest = reach * reach;
    for (const Triangle& triangle : on.triangles) {
      if (const Vertex* corner = find_corner_around(triangle, place)) touched = corner;
      if (touched != nullptr) break;
      for (const Vertex* corner : triangle.corners) {
        const Vec2 apart{corner->x - place.x, corner->y - place.y};
        const float distance = apart.x * apart.x + apart.y * apart.y;
        if (distance < nearest) nearest = distance, near = corner;
      }
    }
    if (touched != nullptr) {
      Vertex moved_by_it = *touched;
      moved_by_it.x = place.x;
      moved_by_it.y = place.y;
      contacts.add({point, moved_by_it});
    } else if (near != nullptr) {
      contacts.add({point, *near});
    }
  }
}

float diagonal(const Rect& box) {
  const Vec2 size = box.size();
  return std::sqrt(size.x * size.x + size.y * size.y);
}

void find_neighbors(const CharacterData& data, std::span<const BoneId> governing_bones, const Extents& extents,
                    Evidence& evidence) {
  EvenSample<std::uint32_t, kMeshes> meshes;
  for (std::uint32_t mesh = 0; mesh < data.meshes.size(); ++mesh) {
    if (data.meshes[mesh].index_count > 0) meshes.add(mesh);
  }
  struct Pair {
    std::size_t a, b;
    float size;
  };
  EvenSample<Pair, kNeighbors> pairs;
  std::vector<MeshSample> samples;
  for (const std::uint32_t mesh : meshes.items()) {
    samples.push_back(sample_mesh(data, mesh, extents.of_mesh[mesh]));
    const Rect& box = samples.back().box;
    for (std::size_t other = 0; other + 1 < samples.size(); ++other) {
      const Rect& other_box = samples[other].box;
      if (governing_bones[mesh] == governing_bones[samples[other].mesh]) continue;
      const float size = std::min(diagonal(box), diagonal(other_box)), reach = size / 16;
      if (!(size > 0 && size < kMaxSize)) continue;
      if (box.min.x - reach <= other_box.max.x && other_box.min.x - reach <= box.max.x &&
          box.min.y - reach <= other_box.max.y && other_box.min.y - reach <= box.max.y) {
        pairs.add({other, samples.size() - 1, size});
      }
    }
  }
  for (const Pair& pair : pairs.items()) {
    EvenSample<Contact, kContacts> contacts;
    find_contacts(samples[pair.a], samples[pair.b], pair.size / 16, contacts);
    find_contacts(samples[pair.b], samples[pair.a], pair.size / 16, contacts);
    if (contacts.items().empty()) continue;
    evidence.neighbors.push_back({{samples[pair.a].mesh, samples[pair.b].mesh},
                                  pair.size,
                                  static_cast<std::uint32_t>(evidence.vertices.size()),
                                  static_cast<std::uint32_t>(contacts.items().size())});
    for (const Contact& contact : contacts.items()) {
      append(evidence.vertices, contact.a);
      append(evidence.vertices, contact.b);
    }
  }
}

/// Sums over frames.
struct Tally {
  struct Gap {
    double sum = 0;
    std::uint32_t frames = 0;
    [[nodiscard]] double mean() const noexcept { return frames == 0 ? 0 : sum / frames; }
  };
  double edge_change = 0, edge_length = 0;
  std::vector<Gap> gaps;  ///< Per pair of neighbors, relative to its size.
};

/// Measures one drawn frame after another.
struct Measurement {
  const Evidence& evidence;
  std::span<const BoneId> governing_bones;
  std::vector<Affine> palette;
  std::vector<Vec2> drawn;

  /// Draws the pose `to` with `bind` as the bind pose, and adds up what is stretched.
  void add(const PosedFrame& bind, const PosedFrame& to, const std::vector<bool>& shown, Tally& tally) {
    const std::vector<Vertex>& rest = evidence.vertices;
    build_palette(to.world, bind.inverse, palette);
    kernels().skin(rest.data(), rest.size(), palette.data(), palette.size(), drawn.data());
    const auto is_shown = [&](std::uint32_t mesh) { return shown[index(governing_bones[mesh])]; };
    const auto length = [](double x, double y) { return std::sqrt(x * x + y * y); };
    const auto rest_length = [&](std::size_t a, std::size_t b) {
      return length(double{rest[a].x} - double{rest[b].x}, double{rest[a].y} - double{rest[b].y});
    };
    const auto drawn_length = [&](std::size_t a, std::size_t b) {
      return length(double{drawn[a].x} - double{drawn[b].x}, double{drawn[a].y} - double{drawn[b].y});
    };
    // Also limits what is not finite.
    const auto limited = [](double change, double limit) { return change < limit ? change : limit; };
    for (std::size_t i = 0; i < evidence.mesh_of_triangle.size(); ++i) {
      if (!is_shown(evidence.mesh_of_triangle[i])) continue;
      for (const auto& [a, b] :
           {std::pair{3 * i, 3 * i + 1}, std::pair{3 * i + 1, 3 * i + 2}, std::pair{3 * i + 2, 3 * i}}) {
        const double before = rest_length(a, b);
        tally.edge_change += limited(std::abs(drawn_length(a, b) - before), before);
        tally.edge_length += before;
      }
    }
    tally.gaps.resize(evidence.neighbors.size());
    for (std::size_t i = 0; i < evidence.neighbors.size(); ++i) {
      const Evidence::Neighbors& pair = evidence.neighbors[i];
      if (!is_shown(pair.meshes[0]) || !is_shown(pair.meshes[1])) continue;
      // Parts turn around a joint, so they are torn only if they come apart at all their contacts.
      double gap = double{pair.size};
      for (std::size_t a = pair.first_contact; a < pair.first_contact + 2 * pair.contact_count; a += 2) {
        gap = limited(std::abs(drawn_length(a, a + 1) - rest_length(a, a + 1)), gap);
      }
      tally.gaps[i].sum += gap / double{pair.size};
      ++tally.gaps[i].frames;
    }
  }
};

struct Candidate {
  PosedFrame pose;
  Tally forward{}, backward{};
  double stretch = 0, score = 1;
  bool hopeless = false;
};

/// Updates stretches and scores.
void score_candidates(std::vector<Candidate>& candidates, std::size_t neighbor_count) {
  // Parts that no candidate keeps together, such as two legs or a thrown spear, say little.
  std::vector<double> weights(neighbor_count);
  for (std::size_t i = 0; i < neighbor_count; ++i) {
    double least = 1;
    for (const Candidate& candidate : candidates) {
      if (!candidate.hopeless) least = std::min(least, candidate.forward.gaps[i].mean());
    }
    weights[i] = 1 / ((0.02 + least) * (0.02 + least));
  }
  const auto stretch_of = [&](const Tally& tally) {
    double gaps = 0, weight = 0;
    for (std::size_t i = 0; i < neighbor_count; ++i) {
      gaps += weights[i] * tally.gaps[i].sum;
      weight += weights[i] * tally.gaps[i].frames;
    }
    return (tally.edge_length > 0 ? tally.edge_change / tally.edge_length : 0) + (weight > 0 ? gaps / weight : 0);
  };
  double best = 1e9;
  for (Candidate& candidate : candidates) {
    if (!candidate.hopeless) candidate.stretch = stretch_of(candidate.forward);
    if (!candidate.hopeless) candidate.score = (candidate.stretch + kNoise) / (stretch_of(candidate.backward) + kNoise);
    best = std::min(best, candidate.score);
  }
  for (Candidate& candidate : candidates) candidate.hopeless |= candidate.score > kHopeless * best;
}

/// Returns frames of all clips, evenly spaced within each, in rounds that are evenly spaced themselves.
std::vector<BindPoseSource> sample_frames(const CharacterData& data) {
  EvenSample<ClipId, kFrames / 2> clips;
  for (const ClipId clip : Table<ClipId, Clip>(data.clips).ids()) {
    if (data.clips[index(clip)].frame_count > 0) clips.add(clip);
  }
  const std::uint64_t of_each = std::max<std::uint64_t>(1, kFrames / clips.items().size());
  std::vector<BindPoseSource> frames;
  for (const ClipId clip : clips.items()) {
    const std::uint64_t count = data.clips[index(clip)].frame_count, taken = std::min(count, of_each);
    for (std::uint64_t i = 0; i < taken; ++i) {
      frames.push_back({clip, static_cast<std::uint32_t>((2 * i + 1) * count / (2 * taken))});
    }
  }
  return frames;
}

/// Guesses the bind pose. Returns nothing if all candidates draw the same frames; then the first one will do.
std::optional<BindPoseGuess> guess_bind_pose(const CharacterData& data, std::span<const BoneId> governing_bones,
                                             const Extents& extents, std::vector<PosedFrame> poses) {
  std::vector<Candidate> candidates;
  for (PosedFrame& pose : poses) candidates.push_back({std::move(pose)});

  Evidence evidence;
  find_bending_triangles(data, evidence);
  find_neighbors(data, governing_bones, extents, evidence);
  Measurement measurement{evidence, governing_bones, std::vector<Affine>(data.bones.size()),
                          std::vector<Vec2>(evidence.vertices.size())};
  const std::vector<BindPoseSource> frames = sample_frames(data);
  for (std::size_t round = 0; round < kRounds && !evidence.vertices.empty(); ++round) {
    for (std::size_t i = round; i < frames.size(); i += kRounds) {
      const PosedFrame frame = pose_frame(data, frames[i]);
      for (Candidate& candidate : candidates) {
        if (candidate.hopeless) continue;
        measurement.add(candidate.pose, frame, frame.drawn, candidate.forward);
        measurement.add(frame, candidate.pose, frame.drawn, candidate.backward);
      }
    }
    for (Candidate& candidate : candidates) {
      candidate.forward.gaps.resize(evidence.neighbors.size());
      candidate.backward.gaps.resize(evidence.neighbors.size());
    }
    score_candidates(candidates, evidence.neighbors.size());
  }

  // Near ties: the pose of a limb that nothing hangs on leaves no evidence. A clip of one frame was made to be a pose.
  const double best = std::ranges::min_element(candidates, {}, &Candidate::score)->score;
  const auto rank = [&](const Candidate& candidate) {
    const ClipId clip = candidate.pose.source.clip;
    const bool still = clip != ClipId::none && data.clips[index(clip)].frame_count == 1;
    return std::pair(!(still && candidate.score <= best * kNearTie), candidate.score);
  };
  const auto chosen = std::ranges::min_element(candidates, {}, rank);
  BindPoseGuess guess{.chosen = chosen->pose.source,
                      .runner_up = {},
                      .score = static_cast<float>(chosen->score),
                      .runner_up_score = {},
                      .stretch = static_cast<float>(chosen->stretch)};
  candidates.erase(chosen);
  const auto runner_up = std::ranges::min_element(candidates, {}, &Candidate::score);
  guess.runner_up = runner_up->pose.source;
  guess.runner_up_score = static_cast<float>(runner_up->score);
  return guess;
}

/// Returns the first clip whose name says that it holds the bind pose.
ClipId find_named_bind_pose(const CharacterData& data) {
  const auto found = std::ranges::find_if(
      data.clips, [](const Clip& clip) { return clip.frame_count > 0 && is_bind_name(clip.name); });
  return found == data.clips.end() ? ClipId::none : ClipId(found - data.clips.begin());
}

Expected<BindPoseSource, Diagnostic> find_bind_pose(const CharacterData& data, const ClipBindPose& wanted) {
  const auto clip = std::ranges::find(data.clips, wanted.clip, &Clip::name);
  if (clip == data.clips.end()) {
    return fail(DiagnosticId::unknown_bind_clip, format_text("the character has no clip named \"{}\"", wanted.clip));
  }
  if (wanted.frame >= clip->frame_count) {
    return fail(DiagnosticId::unknown_bind_clip,
                format_text("clip \"{}\" has no frame {}, only {} (from 0)", wanted.clip, wanted.frame,
                            counted(clip->frame_count, "frame")));
  }
  return BindPoseSource{ClipId(clip - data.clips.begin()), wanted.frame};
}

/// Finds the bind pose of a character without a stored one.
void choose_bind_pose(Character::Contents& contents) {
  const CharacterData& data = contents.data;
  const ClipId named = find_named_bind_pose(data);
  contents.bind_source = {named, 0};
  if (named != ClipId::none || data.clips.empty()) return;
  if (data.is_3d) {
    const auto first = std::ranges::find_if(data.clips, [](const Clip& clip) { return clip.frame_count > 0; });
    if (first != data.clips.end()) contents.bind_source.clip = ClipId(first - data.clips.begin());
    return;
  }
  const Extents extents = measure_extents(data);
  std::vector<PosedFrame> candidates = find_candidates(data, extents);
  contents.bind_source = candidates.front().source;
  if (candidates.size() == 1) return;
  contents.bind_guess = guess_bind_pose(data, contents.governing_bones, extents, std::move(candidates));
  contents.bind_source = contents.bind_guess->chosen;
}

void warn_about_guess(const Character::Contents& contents, Warnings& warnings) {
  const BindPoseGuess& guess = *contents.bind_guess;
  const auto pose = [&](const BindPoseSource& source) {
    if (source.clip == ClipId::none) return std::string("the identity");
    return format_text("frame {} of clip \"{}\"", source.frame,
                       printable(contents.data.clips[index(source.clip)].name));
  };
  if (double{guess.runner_up_score} <= double{guess.score} * kNearTie) {
    warnings.add(fail(DiagnosticId::uncertain_bind_pose,
                      format_text("{} was guessed as the bind pose with a score of {:.3f}, but {} has {:.3f} (lower is "
                                  "better)",
                                  pose(guess.chosen), guess.score, pose(guess.runner_up), guess.runner_up_score))
                     .error());
  }
  if (double{guess.stretch} > kMaxStretch) {
    warnings.add(fail(DiagnosticId::stretching_bind_pose,
                      format_text("{} was guessed as the bind pose, but stretches edges and moves neighboring parts "
                                  "apart by {:.1f}% of their size on average",
                                  pose(guess.chosen), guess.stretch * 100))
                     .error());
  }
}

PoseView bind_view(const Character::Contents& contents, std::uint32_t frame) {
  return contents.data.clips[index(contents.bind_source.clip)].samples.frame(frame, contents.data.bones.size());
}

void copy_pose(const PoseView& from, BoneSamples& to) {
  to.x.assign(from.x.begin(), from.x.end());
  to.y.assign(from.y.begin(), from.y.end());
  to.rotation_degrees.assign(from.rotation_degrees.begin(), from.rotation_degrees.end());
  to.scale_x.assign(from.scale_x.begin(), from.scale_x.end());
  to.scale_y.assign(from.scale_y.begin(), from.scale_y.end());
  if (!from.opacity.empty()) to.opacity.assign(from.opacity.begin(), from.opacity.end());
  to.visible.assign(from.visible.begin(), from.visible.end());
  to.z_order.assign(from.z_order.begin(), from.z_order.end());
  to.samples_3d.assign(from.samples_3d.begin(), from.samples_3d.end());
}

/// Inverts the bind pose. A bone that cannot be inverted there uses the first of the bind clip's first `frame_count`
/// frames in which it can be inverted, or else the identity, with a warning.
template <typename Transform>
void invert_bind_pose(const Character::Contents& contents, std::uint32_t frame_count,
                      std::vector<Transform>& inverse_bind, Warnings& warnings) {
  const std::vector<Bone>& bones = contents.data.bones;
  std::vector<Transform> world(bones.size());
  std::vector<std::optional<std::uint32_t>> used_frame(bones.size());
  std::vector<std::uint32_t> open(bones.size());
  std::iota(open.begin(), open.end(), 0U);
  const auto invert = [&](const PoseView& pose, std::optional<std::uint32_t> frame) {
    compose(bones, pose, world);
    std::erase_if(open, [&](std::uint32_t bone) {
      const auto inverted = inverse(world[bone]);
      if (!inverted) return false;
      inverse_bind[bone] = *inverted;
      used_frame[bone] = frame;
      return true;
    });
  };
  invert(contents.bind_pose.frame(0, bones.size()), {});
  const std::vector<std::uint32_t> collapsed = open;
  for (std::uint32_t frame = 0; frame < frame_count && !open.empty(); ++frame) {
    invert(bind_view(contents, frame), frame);
  }
  for (const std::uint32_t bone : collapsed) {
    warnings.add(DiagnosticId::bind_not_invertible, [&] {
      const std::string substitute = used_frame[bone] ? format_text("frame {} of the bind clip", *used_frame[bone])
                                                      : std::string("the identity transform");
      return diagnostic_at(DiagnosticId::bind_not_invertible, contents.data, path_of("bones", bone),
                           format_text("cannot be inverted in the bind pose; {} is used instead", substitute));
    });
  }
}

}  // namespace

bool is_bind_name(std::string_view name) {
  constexpr std::string_view kNames[] = {"bind", "bind_pose", "bindpose", "rest", "rest_pose", "setup"};
  const auto lower = [](char letter) { return std::tolower(static_cast<unsigned char>(letter)); };
  return std::ranges::any_of(kNames, [&](auto known) { return std::ranges::equal(name, known, {}, lower); });
}

Check derive_bind_pose(Character::Contents& contents, const BindPose& bind, Warnings& warnings) {
  const CharacterData& data = contents.data;
  const std::size_t bone_count = data.bones.size();
  const bool is_stored = std::holds_alternative<AutomaticBindPose>(bind) && !data.bind_pose.x.empty();
  if (const auto* wanted = std::get_if<ClipBindPose>(&bind)) {
    const auto source = find_bind_pose(data, *wanted);
    if (!source) return source.error();
    contents.bind_source = *source;
  } else if (std::holds_alternative<AutomaticBindPose>(bind) && !is_stored) {
    choose_bind_pose(contents);
  }
  if (contents.bind_guess) warn_about_guess(contents, warnings);

  contents.bind_pose.resize(bone_count);
  if (data.is_3d) {
    contents.bind_pose.samples_3d.resize(bone_count);
    contents.inverse_bind_3d.assign(bone_count, kIdentity3);
  }
  contents.inverse_bind.assign(bone_count, kIdentity);
  const ClipId clip = contents.bind_source.clip;
  if (clip != ClipId::none) {
    copy_pose(bind_view(contents, contents.bind_source.frame), contents.bind_pose);
  } else if (is_stored) {
    copy_pose(data.bind_pose.frame(0, bone_count), contents.bind_pose);
  } else {
    return {};
  }
  const std::uint32_t frame_count = clip != ClipId::none && !data.is_3d ? data.clips[index(clip)].frame_count : 0;
  data.is_3d ? invert_bind_pose(contents, 0, contents.inverse_bind_3d, warnings)
             : invert_bind_pose(contents, frame_count, contents.inverse_bind, warnings);
  return {};
}

bool is_bind_pose_unnamed(const Character& character) {
  const CharacterData& data = character.data();
  const BindPoseSource source = character.bind_pose_source();
  if (data.is_3d) return false;
  if (source.clip == ClipId::none && !data.bind_pose.x.empty()) return true;
  if (data.clips.empty()) return false;
  if (const ClipId named = find_named_bind_pose(data); named != ClipId::none) return source != BindPoseSource{named, 0};
  const Extents extents = measure_extents(data);
  const std::vector<PosedFrame> candidates = find_candidates(data, extents);
  return candidates.size() > 1 || !draw_alike(pose_frame(data, source), candidates.front(), extents);
}

}  // namespace pchr
