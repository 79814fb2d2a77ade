// SPDX-License-Identifier: MIT
#include "import/fit/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace pchr {
namespace {

constexpr std::size_t kInfluences = 4;
/// Bones are found for some of the frames and vertices, which are added to where that was not enough.
constexpr std::size_t kFirstFrames = 24, kMoreFrames = 4, kMaxFrames = 96;
constexpr std::size_t kFirstVertices = 256, kMoreVertices = 32, kMaxVertices = 512;
/// Part of the tolerance that those must reach, so that the others are within it.
constexpr double kMargin = 0.9;
constexpr unsigned kRounds = 12, kSweeps = 4, kFinalSweeps = 16, kMaxTries = 4;

template <std::size_t D>
using Vec = std::array<double, D>;
template <std::size_t D>
using Motion = std::array<double, D*(D + 1)>;

template <std::size_t D>
Vec<D> apply(const Motion<D>& motion, const double* point) noexcept {
  Vec<D> result;
  for (std::size_t row = 0; row < D; ++row) {
    const double* const m = &motion[row * (D + 1)];
    result[row] = m[D];
    for (std::size_t column = 0; column < D; ++column) result[row] += m[column] * point[column];
  }
  return result;
}

template <std::size_t D>
double distance2(const double* left, const double* right) noexcept {
  double sum = 0;
  for (std::size_t axis = 0; axis < D; ++axis) sum += (left[axis] - right[axis]) * (left[axis] - right[axis]);
  return sum;
}

/// Returns the rotation that turns points onto others, whose products are summed in `products`: Horn's quaternion, by
/// Jacobi's method.
std::array<double, 9> rotation_of(const std::array<double, 9>& products) noexcept {
  const auto& [xx, xy, xz, yx, yy, yz, zx, zy, zz] = products;
  std::array<std::array<double, 4>, 4> matrix{{{xx + yy + zz, yz - zy, zx - xz, xy - yx},
                                               {yz - zy, xx - yy - zz, xy + yx, zx + xz},
                                               {zx - xz, xy + yx, yy - xx - zz, yz + zy},
                                               {xy - yx, zx + xz, yz + zy, zz - xx - yy}}};
  std::array<std::array<double, 4>, 4> vectors{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  for (int sweep = 0; sweep < 12; ++sweep) {
    double rest = 0;
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t q = p + 1; q < 4; ++q) {
        const double off = matrix[p][q];
        if (off == 0) continue;
        rest += off * off;
        const double theta = (matrix[q][q] - matrix[p][p]) / (2 * off);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < 4; ++k) {
          const double kp = matrix[k][p], kq = matrix[k][q];
          matrix[k][p] = c * kp - s * kq;
          matrix[k][q] = s * kp + c * kq;
        }
        for (std::size_t k = 0; k < 4; ++k) {
          const double pk = matrix[p][k], qk = matrix[q][k];
          matrix[p][k] = c * pk - s * qk;
          matrix[q][k] = s * pk + c * qk;
          const double vp = vectors[k][p], vq = vectors[k][q];
          vectors[k][p] = c * vp - s * vq;
          vectors[k][q] = s * vp + c * vq;
        }
      }
    }
    if (rest < 1e-24 * (matrix[0][0] * matrix[0][0] + matrix[3][3] * matrix[3][3])) break;
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    if (matrix[i][i] > matrix[best][best]) best = i;
  }
  const double w = vectors[0][best], x = vectors[1][best], y = vectors[2][best], z = vectors[3][best];
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

/// Weighted sums over pairs of points, whose best transform is wanted.
template <std::size_t D>
struct Pairs {
  double weight = 0, square = 0;
  Vec<D> from{}, to{};
  std::array<double, D * D> products{};

  void add(double pair_weight, const double* point, const Vec<D>& target) noexcept {
    weight += pair_weight;
    for (std::size_t row = 0; row < D; ++row) {
      const double weighted = pair_weight * point[row];
      from[row] += weighted;
      to[row] += pair_weight * target[row];
      square += weighted * point[row];
      for (std::size_t column = 0; column < D; ++column) products[row * D + column] += weighted * target[column];
    }
  }

  /// Returns the closest transform. `stiffness` is the square of a distance below which points do not turn or scale.
  [[nodiscard]] Motion<D> solve(double stiffness) const noexcept {
    std::array<double, D * D> centered = products;
    double variance = square;
    for (std::size_t row = 0; row < D; ++row) {
      variance -= from[row] * from[row] / weight;
      for (std::size_t column = 0; column < D; ++column) {
        centered[row * D + column] -= from[row] * to[column] / weight;
      }
    }
    const double stiff = stiffness * weight;
    std::array<double, D * D> linear{};
    if constexpr (D == 2) {
      const double size = std::max(variance, 0.0) + stiff;
      const double real = (centered[0] + centered[3] + stiff) / size, imaginary = (centered[1] - centered[2]) / size;
      linear = {real, -imaginary, imaginary, real};
    } else {
      for (std::size_t axis = 0; axis < D; ++axis) centered[axis * D + axis] += stiff;
      linear = rotation_of(centered);
      double trace = 0;
      for (std::size_t row = 0; row < D; ++row) {
        for (std::size_t column = 0; column < D; ++column) {
          trace += linear[column * D + row] * centered[row * D + column];
        }
      }
      const double scale = trace / (std::max(variance, 0.0) + D * stiff);
      for (double& value : linear) value *= scale;
    }
    Motion<D> motion;
    for (std::size_t row = 0; row < D; ++row) {
      motion[row * (D + 1) + D] = to[row] / weight;
      for (std::size_t column = 0; column < D; ++column) {
        motion[row * (D + 1) + column] = linear[row * D + column];
        motion[row * (D + 1) + D] -= linear[row * D + column] * from[column] / weight;
      }
    }
    return motion;
  }
};

/// The solution w of A * w = 1 for some rows and columns of a symmetric matrix A. They are added one by one, and each
/// makes the sum of w larger.
class Ones {
 public:
  Ones(const double* matrix, std::size_t stride) : matrix_(matrix), stride_(stride) {}

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] bool has(std::size_t row) const noexcept {
    return std::find(rows_, rows_ + count_, row) != rows_ + count_;
  }

  /// Returns the sum of w with one more row, or 0 if that row depends on the others.
  [[nodiscard]] double sum_with(std::size_t row) const noexcept {
    const Step step = next(row);
    return step.pivot > 0 ? sum_ + step.rest * step.rest / step.pivot : 0;
  }

  /// Adds a row that does not depend on the others.
  void add(std::size_t row) noexcept {
    const Step step = next(row);
    rows_[count_] = row;
    std::copy_n(step.lower, count_, lower_[count_]);
    inverse_[count_] = 1 / std::sqrt(step.pivot);
    half_[count_] = step.rest * inverse_[count_];
    sum_ += half_[count_] * half_[count_];
    ++count_;
  }

  /// Computes w. Returns false if a value is not positive: then fewer rows do as well.
  bool solve(double* solution) const noexcept {
    for (std::size_t row = count_; row > 0; --row) {
      double value = half_[row - 1];
      for (std::size_t k = row; k < count_; ++k) value -= lower_[k][row - 1] * solution[k];
      solution[row - 1] = value * inverse_[row - 1];
      if (!(solution[row - 1] > 0)) return false;
    }
    return true;
  }

 private:
  /// A row of the triangular factor of A, without its last value, and what it leaves of A and of the right side.
  struct Step {
    double lower[kInfluences], pivot, rest;
  };

  [[nodiscard]] Step next(std::size_t row) const noexcept {
    const double* const from = matrix_ + row * stride_;
    Step step{{}, from[row], 1};
    for (std::size_t k = 0; k < count_; ++k) {
      double value = from[rows_[k]];
      for (std::size_t j = 0; j < k; ++j) value -= lower_[k][j] * step.lower[j];
      step.lower[k] = value * inverse_[k];
      step.pivot -= step.lower[k] * step.lower[k];
      step.rest -= step.lower[k] * half_[k];
    }
    return step;
  }

  const double* matrix_;
  std::size_t stride_, count_ = 0;
  std::size_t rows_[kInfluences] = {};
  double lower_[kInfluences][kInfluences] = {}, inverse_[kInfluences] = {};
  double half_[kInfluences] = {};  // The right side, divided by the triangular factor.
  double sum_ = 0;
};

/// Calls `visit(index)` for each index below `count`, on the threads of the executor.
template <typename Visit>
void for_each_index(const Executor& executor, std::size_t count, const Visit& visit) {
  if (executor.parallel_for == nullptr || executor.threads < 2 || count < 2) {
    for (std::size_t i = 0; i < count; ++i) visit(i);
    return;
  }
  struct Context {
    const Visit* visit;
    std::size_t count, parts;
  };
  Context context{&visit, count, std::min<std::size_t>(count, std::size_t{4} * executor.threads)};
  executor.parallel_for(
      executor.user, context.parts,
      [](void* given, std::size_t part) {
        const Context& all = *static_cast<const Context*>(given);
        for (std::size_t i = part * all.count / all.parts; i < (part + 1) * all.count / all.parts; ++i) (*all.visit)(i);
      },
      &context);
}

template <std::size_t D>
class Fitter {
 public:
  Fitter(const Deformation& deformation, double tolerance, const Executor& executor)
      : rest_(deformation.rest.data()),
        targets_(deformation.frames.data()),
        vertices_(deformation.rest.size() / D),
        frames_(deformation.frames.size() / deformation.rest.size()),
        fixed_(deformation.fixed.size() / (frames_ * D * (D + 1))),
        tolerance_(tolerance),
        executor_(executor) {
    motions_.resize(fixed_ * frames_);
    for (std::size_t i = 0; i < motions_.size(); ++i) {
      std::copy_n(&deformation.fixed[i * D * (D + 1)], D * (D + 1), motions_[i].begin());
    }
    influences_.assign(vertices_ * kInfluences, 0);
    weights_.assign(vertices_ * kInfluences, 0);
    Vec<D> min, max;
    std::copy_n(rest_, D, min.begin());
    max = min;
    for (std::size_t i = 0; i < vertices_ * D; ++i) {
      min[i % D] = std::min(min[i % D], rest_[i]);
      max[i % D] = std::max(max[i % D], rest_[i]);
    }
    stiffness_ = std::max(1e-6 * distance2<D>(min.data(), max.data()), 1e-12);
    all_frames_.resize(frames_);
    std::iota(all_frames_.begin(), all_frames_.end(), 0U);
    all_vertices_.resize(vertices_);
    std::iota(all_vertices_.begin(), all_vertices_.end(), 0U);
  }

  Fit run(std::uint32_t max_bones, FitWork& work) {
    const std::uint64_t steps = std::uint64_t{max_bones} + kMaxTries + 1, before = work.done++ * steps;
    const auto report = [&](std::uint64_t done) {
      if (work.progress) work.progress(before + std::min(done, steps), work.fits * steps);
    };
    report(0);
    Fit fit;
    fit.is_cut = choosing_cost() + spreading_cost(0) > work.operations;
    if (fit.is_cut) return fit;
    work.operations -= choosing_cost();
    choose_frames();
    choose_vertices();
    solve_weights(some_vertices_);
    for (unsigned tries = 0;;) {
      measure();
      const std::uint32_t worst = worst_vertex();
      const bool adds = errors_[worst] > kMargin * tolerance_ && added() < max_bones;
      // In the end, what was found is carried to all vertices.
      const std::uint64_t cost = improving_cost(adds ? 1 : 0);
      fit.is_cut = cost + spreading_cost(1) > work.operations;
      if (adds && !fit.is_cut) {
        add_bone(worst);
      } else {
        work.operations -= std::min(work.operations, spreading_cost(0));
        spread();
        const bool lacks = choose_more();
        fit.is_cut = fit.is_cut && (adds || lacks);
        if (!lacks || fit.is_cut || (added() == max_bones && tries++ == kMaxTries)) break;
      }
      for (unsigned round = 0; round < kRounds; ++round) improve();
      work.operations -= std::min(work.operations, cost);
      report(added() + tries);
    }
    finish(fit);
    return fit;
  }

 private:
  // Operations

  static constexpr std::uint64_t kPlacing = D * (D + 1);  ///< Operations that place a point by a transform.

  /// Choosing frames and vertices.
  [[nodiscard]] std::uint64_t choosing_cost() const noexcept {
    const std::uint64_t frames = std::min(frames_, kFirstFrames), vertices = std::min(vertices_, kFirstVertices);
    return D * (frames * frames_ * vertices_ + vertices * frames * vertices_);
  }
  /// Solving the weights of so many vertices.
  [[nodiscard]] std::uint64_t solving_cost(std::uint64_t vertices, std::uint64_t bones) const noexcept {
    return vertices * (some_frames_.size() * (bones * kPlacing + bones * bones * D / 2) + bones * 100);
  }
  /// Moving bones.
  [[nodiscard]] std::uint64_t moving_cost(std::uint64_t frames, std::uint64_t sweeps,
                                          std::uint64_t bones) const noexcept {
    return frames * sweeps * (some_vertices_.size() * kInfluences * 4 * kPlacing + bones * (D == 2 ? 50 : 1000));
  }
  /// All rounds, with more bones.
  [[nodiscard]] std::uint64_t improving_cost(std::uint64_t more) const noexcept {
    const std::uint64_t bones = fixed_ + added() + more;
    return kRounds *
           (solving_cost(some_vertices_.size(), bones) + moving_cost(some_frames_.size(), kSweeps, added() + more) +
            some_vertices_.size() * some_frames_.size() * kInfluences * kPlacing);
  }
  /// spread(), choose_more() and finish(), with more bones.
  [[nodiscard]] std::uint64_t spreading_cost(std::uint64_t more) const noexcept {
    return solving_cost(vertices_, fixed_ + added() + more) + moving_cost(frames_, kFinalSweeps, added() + more) +
           3 * frames_ * vertices_ * kInfluences * kPlacing;
  }

  [[nodiscard]] std::size_t added() const noexcept { return motions_.size() / frames_ - fixed_; }
  [[nodiscard]] const double* rest(std::size_t vertex) const noexcept { return rest_ + vertex * D; }
  [[nodiscard]] const double* target(std::size_t frame, std::size_t vertex) const noexcept {
    return targets_ + (frame * vertices_ + vertex) * D;
  }

  /// Returns where a vertex is in a frame.
  [[nodiscard]] Vec<D> skinned(std::size_t frame, std::size_t vertex) const noexcept {
    Vec<D> sum{};
    for (std::size_t k = 0; k < kInfluences; ++k) {
      const double weight = weights_[vertex * kInfluences + k];
      if (weight == 0) break;
      const Vec<D> place = apply<D>(motions_[influences_[vertex * kInfluences + k] * frames_ + frame], rest(vertex));
      for (std::size_t axis = 0; axis < D; ++axis) sum[axis] += weight * place[axis];
    }
    return sum;
  }

  [[nodiscard]] double error2(std::size_t frame, std::size_t vertex) const noexcept {
    return distance2<D>(skinned(frame, vertex).data(), target(frame, vertex));
  }

  [[nodiscard]] std::uint32_t worst_vertex() const {
    return *std::ranges::max_element(some_vertices_, {}, [&](std::uint32_t vertex) { return errors_[vertex]; });
  }

  /// Returns up to `max` of `count` elements that differ most from each other, in order.
  template <typename Distance>
  std::vector<std::uint32_t> choose(std::size_t count, std::size_t max, const Distance& distance) const {
    std::vector<std::uint32_t> chosen;
    std::vector<double> distances(count, 1e300);
    std::size_t next = 0;
    while (chosen.size() < std::min(max, count)) {
      chosen.push_back(static_cast<std::uint32_t>(next));
      for_each_index(executor_, count,
                     [&](std::size_t i) { distances[i] = std::min(distances[i], distance(i, next)); });
      next = static_cast<std::size_t>(std::ranges::max_element(distances) - distances.begin());
      if (distances[next] == 0) break;
    }
    std::ranges::sort(chosen);
    return chosen;
  }

  void choose_frames() {
    some_frames_ = choose(frames_, kFirstFrames, [&](std::size_t left, std::size_t right) {
      double largest = 0;
      for (std::size_t i = 0; i < vertices_; ++i) {
        largest = std::max(largest, distance2<D>(target(left, i), target(right, i)));
      }
      return largest;
    });
  }

  void choose_vertices() {
    some_vertices_ = choose(vertices_, kFirstVertices, [&](std::size_t left, std::size_t right) {
      double largest = distance2<D>(rest(left), rest(right));
      for (const std::uint32_t frame : some_frames_) {
        largest = std::max(largest, distance2<D>(target(frame, left), target(frame, right)));
      }
      return largest;
    });
  }

  /// Adds the elements with the largest errors. Returns whether there were any beyond the tolerance.
  bool add_worst(std::vector<std::uint32_t>& some, std::size_t more, std::size_t max,
                 const std::vector<double>& errors) const {
    std::vector<std::uint32_t> order(errors.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t left, std::uint32_t right) {
      return errors[left] != errors[right] ? errors[left] > errors[right] : left < right;
    });
    const std::size_t before = some.size();
    for (const std::uint32_t each : order) {
      if (errors[each] <= tolerance_ * tolerance_ || some.size() == std::min(before + more, max)) break;
      const auto place = std::ranges::lower_bound(some, each);
      if (place == some.end() || *place != each) some.insert(place, each);
    }
    return some.size() > before;
  }

  /// Adds frames and vertices beyond the tolerance. Returns false if there are none, or enough.
  bool choose_more() {
    std::vector<double> of_frames(frames_), of_vertices(vertices_);
    for_each_index(executor_, frames_, [&](std::size_t frame) {
      for (std::size_t i = 0; i < vertices_; ++i) of_frames[frame] = std::max(of_frames[frame], error2(frame, i));
    });
    for_each_index(executor_, vertices_, [&](std::size_t i) {
      for (std::size_t frame = 0; frame < frames_; ++frame) {
        of_vertices[i] = std::max(of_vertices[i], error2(frame, i));
      }
    });
    const bool frames = add_worst(some_frames_, kMoreFrames, kMaxFrames, of_frames);
    const bool vertices = add_worst(some_vertices_, kMoreVertices, kMaxVertices, of_vertices);
    return frames || vertices;
  }

  /// Sets the largest error of each chosen vertex.
  void measure() {
    errors_.assign(vertices_, 0);
    for_each_index(executor_, some_vertices_.size(), [&](std::size_t index) {
      const std::uint32_t i = some_vertices_[index];
      for (const std::uint32_t frame : some_frames_) errors_[i] = std::max(errors_[i], error2(frame, i));
      errors_[i] = std::sqrt(errors_[i]);
    });
  }

  /// Adds a bone that follows the vertex with the largest error, and others as far as they err in the same way.
  void add_bone(std::size_t worst) {
    const std::size_t bone = motions_.size() / frames_;
    std::vector<Vec<D>> missing(some_frames_.size());
    double size = 0;
    for (std::size_t k = 0; k < some_frames_.size(); ++k) {
      missing[k] = skinned(some_frames_[k], worst);
      for (std::size_t axis = 0; axis < D; ++axis) {
        missing[k][axis] = target(some_frames_[k], worst)[axis] - missing[k][axis];
        size += missing[k][axis] * missing[k][axis];
      }
    }
    std::vector<double> follows(vertices_);
    for_each_index(executor_, some_vertices_.size(), [&](std::size_t index) {
      const std::uint32_t i = some_vertices_[index];
      double product = 0;
      for (std::size_t k = 0; k < some_frames_.size(); ++k) {
        const Vec<D> place = skinned(some_frames_[k], i);
        for (std::size_t axis = 0; axis < D; ++axis) {
          product += (target(some_frames_[k], i)[axis] - place[axis]) * missing[k][axis];
        }
      }
      follows[i] = std::clamp(product / size, 0.0, 1.0);
      follows[i] *= follows[i];
    });
    motions_.resize(motions_.size() + frames_);
    for_each_index(executor_, frames_, [&](std::size_t frame) {
      Pairs<D> pairs;
      for (const std::uint32_t i : some_vertices_) {
        if (follows[i] < 1e-3) continue;
        Vec<D> place;
        std::copy_n(target(frame, i), D, place.begin());
        pairs.add(follows[i], rest(i), place);
      }
      motions_[bone * frames_ + frame] = pairs.solve(stiffness_);
    });
    solve_weights(some_vertices_);
  }

  void improve() {
    measure();
    move_bones(some_frames_, kSweeps);
    solve_weights(some_vertices_);
  }

  /// Carries what was found for some frames and vertices to all.
  void spread() {
    solve_weights(all_vertices_);
    move_bones(all_frames_, kFinalSweeps);
  }

  /// Moves each added bone to where it serves its vertices best while the others stay.
  void move_bones(const std::vector<std::uint32_t>& frames, unsigned sweeps) {
    struct Use {
      std::uint32_t vertex;
      double weight;
    };
    std::vector<std::vector<Use>> uses(motions_.size() / frames_);
    for (const std::uint32_t i : some_vertices_) {
      for (std::size_t k = 0; k < kInfluences; ++k) {
        const double weight = weights_[i * kInfluences + k];
        if (weight > 0) uses[influences_[i * kInfluences + k]].push_back({i, weight});
      }
    }
    for_each_index(executor_, frames.size(), [&](std::size_t index) {
      const std::size_t frame = frames[index];
      std::vector<Vec<D>> places(vertices_);
      for (const std::uint32_t i : some_vertices_) places[i] = skinned(frame, i);
      for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
        for (std::size_t bone = fixed_; bone < uses.size(); ++bone) {
          if (uses[bone].empty()) continue;
          Motion<D>& motion = motions_[bone * frames_ + frame];
          Pairs<D> pairs;
          for (const Use& use : uses[bone]) {
            Vec<D> wanted = apply<D>(motion, rest(use.vertex));
            for (std::size_t axis = 0; axis < D; ++axis) {
              wanted[axis] += (target(frame, use.vertex)[axis] - places[use.vertex][axis]) / use.weight;
            }
            // The largest error counts, not the sum of squares.
            const double urgency = 0.1 + std::min(errors_[use.vertex] / tolerance_, 4.0);
            pairs.add(urgency * use.weight * use.weight, rest(use.vertex), wanted);
          }
          const Motion<D> moved = pairs.solve(stiffness_);
          for (const Use& use : uses[bone]) {
            const Vec<D> before = apply<D>(motion, rest(use.vertex)), after = apply<D>(moved, rest(use.vertex));
            for (std::size_t axis = 0; axis < D; ++axis) {
              places[use.vertex][axis] += use.weight * (after[axis] - before[axis]);
            }
          }
          motion = moved;
        }
      }
    });
  }

  void solve_weights(const std::vector<std::uint32_t>& vertices) {
    for_each_index(executor_, vertices.size(), [&](std::size_t index) { solve_vertex(vertices[index]); });
  }

  /// Chooses the bones and weights of a vertex. With the errors of each bone in all frames as the rows of a matrix, the
  /// best weights w, which add up to 1, solve (E * E^T) * w = 1 but for their size, and the error is 1 / sum(w).
  void solve_vertex(std::size_t vertex) {
    const std::size_t bones = motions_.size() / frames_;
    // Bones that move alike share a vertex evenly.
    const double ridge = 1e-9 * stiffness_ + 1e-6 * tolerance_ * tolerance_ * static_cast<double>(some_frames_.size());
    std::vector<double> errors(bones * D), products(bones * bones);
    for (std::size_t bone = 0; bone < bones; ++bone) products[bone * bones + bone] = ridge;
    for (const std::uint32_t frame : some_frames_) {
      for (std::size_t bone = 0; bone < bones; ++bone) {
        const Vec<D> place = apply<D>(motions_[bone * frames_ + frame], rest(vertex));
        for (std::size_t axis = 0; axis < D; ++axis)
          errors[axis * bones + bone] = place[axis] - target(frame, vertex)[axis];
      }
      for (std::size_t axis = 0; axis < D; ++axis) {
        const double* const all = &errors[axis * bones];
        for (std::size_t row = 0; row < bones; ++row) {
          double* const sums = &products[row * bones];
          const double error = all[row];
          for (std::size_t column = 0; column <= row; ++column) sums[column] += error * all[column];
        }
      }
    }
    for (std::size_t row = 0; row < bones; ++row) {
      for (std::size_t column = 0; column < row; ++column)
        products[column * bones + row] = products[row * bones + column];
    }
    const double enough = 0.0025 * tolerance_ * tolerance_ * static_cast<double>(some_frames_.size());
    std::size_t best[kInfluences] = {};
    double best_values[kInfluences] = {}, values[kInfluences] = {};
    double best_sum = 0;
    std::size_t count = 0;
    /// Finds the bone that serves best next to others. Those keep their places, it gets `place`.
    const auto improve_at = [&](std::size_t place, const Ones& others) {
      for (std::size_t bone = 0; bone < bones; ++bone) {
        if (others.has(bone) || !(others.sum_with(bone) > best_sum * (1 + 1e-6))) continue;
        Ones tried = others;
        tried.add(bone);
        if (!tried.solve(values)) continue;
        best[place] = bone;
        count = tried.count();
        std::rotate(values + place, values + count - 1, values + count);
        std::copy_n(values, count, best_values);
        best_sum = std::accumulate(values, values + count, 0.0);
      }
    };
    Ones chosen(products.data(), bones);
    while (count < kInfluences && (count == 0 || 1 / best_sum > enough)) {
      improve_at(count, chosen);
      if (count == chosen.count()) break;
      chosen.add(best[count - 1]);
    }
    // A bone that was the best one alone can be in the way of better ones.
    for (std::size_t place = 0; place < count && 1 / best_sum > enough; ++place) {
      Ones others(products.data(), bones);
      for (std::size_t k = 0; k < count; ++k) {
        if (k != place) others.add(best[k]);
      }
      improve_at(place, others);
    }
    // Numbers that are not finite leave nothing to choose.
    if (count == 0) {
      count = 1;
      best_values[0] = best_sum = 1;
    }
    for (std::size_t k = 0; k < kInfluences; ++k) {
      influences_[vertex * kInfluences + k] = k < count ? static_cast<std::uint32_t>(best[k]) : 0;
      weights_[vertex * kInfluences + k] = k < count ? best_values[k] / best_sum : 0;
    }
  }

  void finish(Fit& fit) {
    // Bones that nothing follows any more are left out.
    std::vector<std::uint32_t> numbers(motions_.size() / frames_, 0);
    for (std::size_t i = 0; i < influences_.size(); ++i) {
      if (weights_[i] > 0) numbers[influences_[i]] = 1;
    }
    for (std::size_t bone = 0; bone < numbers.size(); ++bone) {
      if (bone < fixed_) {
        numbers[bone] = static_cast<std::uint32_t>(bone);
      } else if (numbers[bone] != 0) {
        numbers[bone] = static_cast<std::uint32_t>(fixed_) + fit.bones++;
        for (std::size_t frame = 0; frame < frames_; ++frame) {
          const Motion<D>& motion = motions_[bone * frames_ + frame];
          fit.motions.insert(fit.motions.end(), motion.begin(), motion.end());
        }
      }
    }
    for (std::size_t i = 0; i < influences_.size(); ++i) {
      fit.influences.push_back(weights_[i] > 0 ? numbers[influences_[i]] : 0);
      fit.weights.push_back(static_cast<float>(weights_[i]));
    }
    std::vector<double> largest(frames_), sums(frames_);
    for_each_index(executor_, frames_, [&](std::size_t frame) {
      for (std::size_t i = 0; i < vertices_; ++i) {
        const double error = std::sqrt(error2(frame, i));
        largest[frame] = std::max(largest[frame], error);
        sums[frame] += error;
      }
    });
    fit.max_error = *std::ranges::max_element(largest);
    fit.mean_error = std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(frames_ * vertices_);
  }

  const double* const rest_;
  const double* const targets_;
  const std::size_t vertices_, frames_, fixed_;
  const double tolerance_;
  const Executor& executor_;
  double stiffness_ = 0;
  std::vector<std::uint32_t> all_frames_, some_frames_, all_vertices_, some_vertices_;
  std::vector<Motion<D>> motions_;  // of each bone in each frame; the fixed ones first
  std::vector<std::uint32_t> influences_;
  std::vector<double> weights_, errors_;
};

}  // namespace

std::uint64_t max_fit_operations(const Limits& limits, std::uint64_t keys) noexcept {
  const std::uint64_t limit = limits.max_bone_samples;
  return std::min(limit, std::max(limit / 16, keys * std::max<std::uint64_t>(limit >> 18, 1))) << 12;
}

Fit fit_bones(const Deformation& deformation, double tolerance, std::uint32_t max_bones, FitWork& work,
              const Executor& executor) {
  return deformation.dimensions == 2 ? Fitter<2>(deformation, tolerance, executor).run(max_bones, work)
                                     : Fitter<3>(deformation, tolerance, executor).run(max_bones, work);
}

}  // namespace pchr
