// SPDX-License-Identifier: MIT
#include "import/fit/fit.hpp"
#include "support/catch.hpp"
#include "support/face.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace fit_test {
using namespace pchr;
using test::face;
using test::Sequence;

namespace {

/// Returns the largest distance of a vertex from its place, from the weights and transforms alone.
double max_error(const Sequence& sequence, const Fit& fit) {
  const std::size_t d = sequence.dimensions, size = d * (d + 1), frames = sequence.frame_count;
  double largest = 0;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    for (std::size_t i = 0; i < sequence.vertex_count(); ++i) {
      double square = 0;
      for (std::size_t row = 0; row < d; ++row) {
        double place = 0;
        for (std::size_t k = 4 * i; k < 4 * i + 4; ++k) {
          const std::uint32_t bone = fit.influences[k];
          const double* const m =
              bone == 0 ? &sequence.still[frame * size] : &fit.motions[((bone - 1) * frames + frame) * size];
          double moved = m[row * (d + 1) + d];
          for (std::size_t column = 0; column < d; ++column) {
            moved += m[row * (d + 1) + column] * sequence.rest[i * d + column];
          }
          place += static_cast<double>(fit.weights[k]) * moved;
        }
        const double off = place - sequence.frames[(frame * sequence.vertex_count() + i) * d + row];
        square += off * off;
      }
      largest = std::max(largest, std::sqrt(square));
    }
  }
  return largest;
}

void check_weights(const Fit& fit, std::size_t vertices) {
  REQUIRE(fit.weights.size() == 4 * vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    float sum = 0;
    for (std::size_t k = 4 * i; k < 4 * i + 4; ++k) {
      CHECK(fit.weights[k] >= 0);
      CHECK(fit.influences[k] <= fit.bones);
      sum += fit.weights[k];
    }
    CHECK(sum == Approx(1).margin(1e-5));
  }
}

}  // namespace

TEST_CASE("one bone is enough for a part that turns, moves and grows", "[fit]") {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    INFO(dimensions << " dimensions");
    Sequence flag{.dimensions = dimensions, .rest = {}, .frames = {}, .still = {}};
    for (int i = 0; i < 24; ++i) {
      flag.rest.insert(flag.rest.end(), {i % 6 * 10.0, i / 6 * 10.0});
      if (dimensions == 3) flag.rest.push_back(i % 5);
    }
    for (int frame = 0; frame < 40; ++frame) {
      const double angle = 0.1 * frame, scale = 1 + 0.02 * frame;
      std::vector<double> places = flag.rest;
      for (std::size_t i = 12 * dimensions; i < places.size(); i += dimensions) {
        const double x = places[i] - 30, y = places[i + 1];
        places[i] = 30 + scale * (std::cos(angle) * x - std::sin(angle) * y);
        places[i + 1] = scale * (std::sin(angle) * x + std::cos(angle) * y) + frame;
        if (dimensions == 3) places[i + 2] *= scale;
      }
      flag.add_frame(places);
    }
    const Fit fit = flag.fit(0.01);
    CHECK(fit.bones == 1);
    CHECK(fit.max_error < 0.01);
    CHECK(max_error(flag, fit) == Approx(fit.max_error).margin(1e-4));
    check_weights(fit, flag.vertex_count());
  }
}

TEST_CASE("few bones move a face of 200 vertices within half a pixel", "[fit]") {
  const Sequence sequence = face(300);
  const Fit fit = sequence.fit(0.5);
  CHECK(fit.bones <= 16);
  CHECK(fit.max_error <= 0.5);
  CHECK(fit.mean_error < 0.1);
  CHECK(max_error(sequence, fit) == Approx(fit.max_error).margin(1e-3));
  check_weights(fit, sequence.vertex_count());
  // A smaller tolerance takes more bones, a larger one fewer.
  CHECK(sequence.fit(2).bones < fit.bones);
  CHECK(sequence.fit(0.2).bones > fit.bones);
}

TEST_CASE("bones are the same on any number of threads", "[fit]") {
  const Sequence sequence = face(60);
  const Fit alone = sequence.fit(0.5);
  for (const unsigned threads : {2U, 3U, 8U}) {
    const Fit shared = sequence.fit(0.5, kMaxFittedBones, thread_executor(threads));
    CHECK(shared.motions == alone.motions);
    CHECK(shared.weights == alone.weights);
    CHECK(shared.influences == alone.influences);
  }
}

TEST_CASE("when bones do not suffice, the error that remains is told", "[fit]") {
  Sequence noise;
  std::uint32_t state = 1;
  const auto random = [&] { return (state = state * 1664525 + 1013904223) / 4294967296.0; };
  for (int i = 0; i < 80; ++i) noise.rest.insert(noise.rest.end(), {i % 10 * 5.0, i / 10 * 5.0});
  for (int frame = 0; frame < 20; ++frame) {
    std::vector<double> places = noise.rest;
    for (double& place : places) place += 10 * random();
    noise.add_frame(places);
  }
  const Fit fit = noise.fit(0.01, 8);
  CHECK(fit.bones <= 8);
  CHECK(fit.max_error > 0.01);
  CHECK(max_error(noise, fit) == Approx(fit.max_error).margin(1e-3));
}

TEST_CASE("vertices that stay, one vertex and one frame need no bone or one", "[fit]") {
  Sequence still{.rest = {0, 0, 5, 5}, .frames = {}, .still = {}};
  still.add_frame(still.rest);
  CHECK(still.fit(0.5).bones == 0);
  Sequence dot{.rest = {3, 4}, .frames = {}, .still = {}};
  for (const double place : {0.0, 7.0, -2.0}) dot.add_frame({3 + place, 4 - place});
  const Fit fit = dot.fit(0.5);
  CHECK(fit.bones == 1);
  CHECK(fit.max_error < 1e-6);
  // More vertices than are looked at while bones are searched.
  Sequence sheet;
  for (int i = 0; i < 3000; ++i) sheet.rest.insert(sheet.rest.end(), {i % 60 * 2.0, i / 60 * 2.0});
  for (int frame = 0; frame < 30; ++frame) {
    std::vector<double> places = sheet.rest;
    for (std::size_t i = 0; i < places.size(); i += 2) places[i + 1] += 8 * std::sin(0.3 * frame) * places[i] / 120;
    sheet.add_frame(places);
  }
  const Fit large = sheet.fit(0.5);
  CHECK(large.bones <= 3);
  CHECK(max_error(sheet, large) <= 0.5);
}

TEST_CASE("a fit that would take too long has fewer bones, or none", "[fit]") {
  const Sequence sequence = face(60);
  FitWork all{.operations = std::uint64_t{1} << 62, .fits = 2};
  std::vector<std::uint64_t> steps;
  const auto note = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(total == 2 * (kMaxFittedBones + 5));
    steps.push_back(done);
  };
  all.progress = note;
  const Fit whole = fit_bones(sequence.deformation(), 0.2, kMaxFittedBones, all);
  const std::uint64_t needed = (std::uint64_t{1} << 62) - all.operations;
  CHECK_FALSE(whole.is_cut);
  CHECK(steps.size() > whole.bones);
  CHECK(std::ranges::is_sorted(steps));
  CHECK(steps.back() <= kMaxFittedBones + 5);
  // The second of two fits goes on where the first ended.
  steps.clear();
  CHECK(fit_bones(sequence.deformation(), 0.2, kMaxFittedBones, all).motions == whole.motions);
  CHECK(steps.front() == kMaxFittedBones + 5);

  FitWork half{.operations = needed / 2};
  const Fit coarse = fit_bones(sequence.deformation(), 0.2, kMaxFittedBones, half);
  CHECK(coarse.is_cut);
  CHECK(coarse.bones > 0);
  CHECK(coarse.bones < whole.bones);
  CHECK(coarse.max_error > 0.2);
  CHECK(max_error(sequence, coarse) == Approx(coarse.max_error).margin(1e-3));
  check_weights(coarse, sequence.vertex_count());

  FitWork little{.operations = needed / 1000};
  const Fit none = fit_bones(sequence.deformation(), 0.2, kMaxFittedBones, little);
  CHECK(none.is_cut);
  CHECK(none.influences.empty());
  CHECK(little.operations == needed / 1000);
}

}  // namespace fit_test
