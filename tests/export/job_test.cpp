// SPDX-License-Identifier: MIT
// Jobs: parallel tasks with results in order, animations in all formats, and formats with two passes.
#include "export/job.hpp"

#include "support/catch.hpp"
#include "support/latch.hpp"
#include "support/scenes.hpp"

#include <pchr/queries.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace pchr::test::job_test {
using namespace pchr::exporting;

namespace {

ExportResult<void> nothing() { return {}; }

constexpr std::uint32_t kWidth = 37, kHeight = 23, kFrames = 9;

/// Makes premultiplied noise with moving, static and transparent parts; two frames are equal.
std::vector<Bitmap> noise(bool opaque) {
  std::mt19937 random(5);
  std::vector<Bitmap> frames(kFrames, {kWidth, kHeight, std::vector<std::uint8_t>(kWidth * kHeight * 4)});
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    if (frame == 4) {
      frames[frame] = frames[3];
      continue;
    }
    for (std::uint32_t pixel = 0; pixel < kWidth * kHeight; ++pixel) {
      const bool changes = pixel % kWidth > 5 + frame && pixel / kWidth > 4;
      std::uint8_t* rgba = &frames[frame].rgba[pixel * 4];
      rgba[3] = opaque ? 255 : changes ? static_cast<std::uint8_t>(random() % 256) : std::uint8_t{0};
      for (int i = 0; i < 3; ++i) {
        const unsigned value = changes ? static_cast<unsigned>(random()) : pixel;
        rgba[i] = static_cast<std::uint8_t>(value % (rgba[3] + 1U));
      }
    }
  }
  return frames;
}

AnimationInfo info_of(std::size_t frames) {
  AnimationInfo info{kWidth, kHeight, {}, 0};
  for (std::size_t i = 1; i <= frames; ++i) info.frame_ends.push_back(static_cast<double>(i) / 30);
  return info;
}

/// Returns the bytes written for each frame.
std::vector<Bytes> written(const std::vector<Bitmap>& frames, const EncoderOptions& settings, unsigned threads) {
  std::vector<Bytes> parts;
  Pipeline pipeline(threads);
  auto writer =
      AnimationWriter::create(pipeline, info_of(frames.size()), settings,
                              [&](std::uint32_t frame, std::span<const std::byte> bytes) -> ExportResult<void> {
                                CHECK(frame == parts.size());
                                parts.emplace_back(bytes.begin(), bytes.end());
                                return {};
                              });
  REQUIRE(writer);
  for (unsigned pass = 0; pass < (*writer)->passes(); ++pass) {
    for (const Bitmap& bitmap : frames) REQUIRE((*writer)->add(bitmap));
  }
  REQUIRE(pipeline.wait());
  CHECK(parts.size() == frames.size());
  return parts;
}

/// The arm's second clip.
struct Exporting {
  HeadlessContext context = HeadlessContext::create().value();
  Renderer renderer = Renderer::create(context.get_proc_address()).value();
  Character character = build(two_bone_arm());
  Model model = renderer.upload(character).value();

  [[nodiscard]] ExportedAnimation animation(FrameSize size) const {
    Framing framing;
    framing.size = size;
    const Camera camera = frame_camera(framing, size, compute_clip_bounds(character, ClipId{1}));
    ExportedAnimation made = make_animation(plan_animation(character, ClipId{1}, {}, 1).value(), size, camera);
    made.paths = {"arm.gif"};
    return made;
  }
  /// Returns the bytes of the GIFs in order. Never blocks, like the player.
  std::vector<std::byte> write(std::vector<ExportedAnimation> animations, ExportJobOptions options) {
    std::vector<std::byte> file;
    const auto append = [&](const std::string&, std::span<const std::byte> bytes, bool) -> ExportResult<void> {
      file.insert(file.end(), bytes.begin(), bytes.end());
      return {};
    };
    options.encoder.format = AnimationFormat::gif;
    options.write = append;
    auto job = ExportJob::create(renderer, model, std::move(animations), std::move(options));
    REQUIRE(job);
    auto stepped = job->step();
    for (; stepped && *stepped != ExportJob::Step::finished; stepped = job->step()) {
      if (*stepped == ExportJob::Step::wait) std::this_thread::yield();
    }
    REQUIRE(stepped);
    CHECK(job->done() == job->total());
    return file;
  }
};

}  // namespace

TEST_CASE("jobs run in parallel and finish in the order they were added", "[export]") {
  std::vector<int> finished;
  Latch both_run(2);
  {
    Pipeline pipeline(2);
    for (int i = 0; i < 100; ++i) {
      REQUIRE(pipeline.add([&, i]() -> ExportResult<Pipeline::Finish> {
        if (i < 2) both_run.arrive_and_wait();
        return [&, i] {
          finished.push_back(i);
          return nothing();
        };
      }));
    }
    REQUIRE(pipeline.wait());
    CHECK(finished.size() == 100);
    REQUIRE(pipeline.add([&]() -> ExportResult<Pipeline::Finish> { return [] { return nothing(); }; }));
    REQUIRE(pipeline.wait());
  }
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(finished == expected);
}

TEST_CASE("a finish function can add jobs, which finish in order before the pipeline is idle", "[export]") {
  for (const unsigned threads : {0U, 1U, 3U}) {
    std::vector<int> finished;
    Pipeline pipeline(threads);
    int next = 0;
    const std::function<void()> add_next = [&] {
      if (next == 50) return;
      pipeline.add([&, number = next++]() -> ExportResult<Pipeline::Finish> {
        return [&, number] {
          finished.push_back(number);
          add_next();
          return nothing();
        };
      });
    };
    REQUIRE(pipeline.add([&]() -> ExportResult<Pipeline::Finish> {
      return [&] {
        for (int i = 0; i < 10; ++i) add_next();
        return nothing();
      };
    }));
    REQUIRE(pipeline.wait());
    std::vector<int> expected(50);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(finished == expected);
  }
}

TEST_CASE("the first failure of a job or its finish function stops the pipeline", "[export]") {
  for (const bool in_finish : {false, true}) {
    Pipeline pipeline(2);
    std::atomic<int> finished = 0;
    bool accepted = true;
    int added = 0;
    for (; accepted && added < 100'000; ++added) {
      accepted = pipeline.add([&, i = added]() -> ExportResult<Pipeline::Finish> {
        if (i == 5 && !in_finish) return Unexpected(ExportError{ExportError::Kind::failed, "five"});
        return [&, i]() -> ExportResult<void> {
          if (i == 5 && in_finish) return Unexpected(ExportError{ExportError::Kind::failed, "five"});
          ++finished;
          return {};
        };
      });
    }
    CHECK_FALSE(accepted);
    const auto result = pipeline.wait();
    REQUIRE_FALSE(result);
    CHECK(result.error().message == "five");
    CHECK(finished <= 5);
    CHECK_FALSE(pipeline.add([]() -> ExportResult<Pipeline::Finish> { return [] { return nothing(); }; }));
  }
}

TEST_CASE("an exception in a job is its failure", "[export]") {
  Pipeline pipeline(1);
  pipeline.add([]() -> ExportResult<Pipeline::Finish> { throw std::runtime_error("no memory"); });
  const auto result = pipeline.wait();
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "no memory");
}

TEST_CASE("adding jobs blocks while too many are unfinished", "[export]") {
  std::atomic<int> alive = 0, most = 0;
  struct Counted {
    std::atomic<int>& alive;
    explicit Counted(std::atomic<int>& count) : alive(count) { ++alive; }
    ~Counted() { --alive; }
  };
  Pipeline pipeline(2);
  for (int i = 0; i < 1000; ++i) {
    pipeline.add([&, item = std::make_shared<Counted>(alive)]() -> ExportResult<Pipeline::Finish> {
      most = std::max(most.load(), alive.load());
      return [item] { return nothing(); };
    });
  }
  REQUIRE(pipeline.wait());
  // Two per thread, and the one waiting to be added.
  CHECK(most <= 5);
}

TEST_CASE("results can wait for an earlier job that takes longer", "[export]") {
  Latch go_on(1);
  std::vector<int> finished;
  Pipeline pipeline(2);
  const auto add = [&](int number) {
    return pipeline.add(
        [&, number]() -> ExportResult<Pipeline::Finish> {
          if (number == 0) go_on.wait();
          return [&, number] {
            finished.push_back(number);
            return nothing();
          };
        },
        10);
  };
  // Blocks forever if the first job has to finish.
  for (int i = 0; i < 14; ++i) REQUIRE(add(i));
  CHECK_FALSE(pipeline.has_room(10));
  go_on.count_down();
  REQUIRE(pipeline.wait());
  std::vector<int> expected(14);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(finished == expected);
}

TEST_CASE("has_room() and idle() predict blocking", "[export]") {
  Latch go_on(1);
  Pipeline pipeline(1);
  CHECK(pipeline.has_room());
  CHECK(pipeline.idle());
  const auto add = [&] {
    return pipeline.add([&]() -> ExportResult<Pipeline::Finish> {
      go_on.wait();
      return [] { return nothing(); };
    });
  };
  REQUIRE(add());
  CHECK(pipeline.has_room());
  REQUIRE(add());
  CHECK_FALSE(pipeline.has_room());
  CHECK_FALSE(pipeline.idle());
  go_on.count_down();
  REQUIRE(pipeline.wait());
  CHECK(pipeline.has_room());
  CHECK(pipeline.idle());
}

TEST_CASE("without threads, jobs run on the thread that adds them", "[export]") {
  Pipeline pipeline(0);
  std::vector<int> finished;
  const auto here = std::this_thread::get_id();
  for (int i = 0; i < 5; ++i) {
    CHECK(pipeline.has_room());
    REQUIRE(pipeline.add([&, i]() -> ExportResult<Pipeline::Finish> {
      CHECK(std::this_thread::get_id() == here);
      return [&, i] {
        CHECK(std::this_thread::get_id() == here);
        finished.push_back(i);
        return nothing();
      };
    }));
    CHECK(pipeline.idle());
  }
  CHECK(finished == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(pipeline.wait());
  CHECK_FALSE(pipeline.add([]() -> ExportResult<Pipeline::Finish> { throw std::runtime_error("no memory"); }));
  CHECK(pipeline.wait().error().message == "no memory");
}

TEST_CASE("stopping drops jobs that have not started and does not wait for those that run", "[export]") {
  Latch running(1), go_on(1);
  std::atomic<int> ran = 0;
  Pipeline pipeline(1);
  const auto job = [&]() -> ExportResult<Pipeline::Finish> {
    if (ran++ == 0) running.count_down();
    go_on.wait();
    return [] { return nothing(); };
  };
  REQUIRE(pipeline.add(job));
  REQUIRE(pipeline.add(job));
  running.wait();
  pipeline.stop();
  CHECK_FALSE(pipeline.is_stopped());
  CHECK_FALSE(pipeline.add(job));
  CHECK(pipeline.wait().error().kind == ExportError::Kind::stopped);
  go_on.count_down();
  while (!pipeline.is_stopped()) std::this_thread::yield();
  CHECK(ran == 1);
}

TEST_CASE("any number of threads writes the same bytes", "[export]") {
  for (const bool opaque : {false, true}) {
    const std::vector<Bitmap> frames = noise(opaque);
    for (const EncoderOptions& settings :
         {EncoderOptions{AnimationFormat::png, {}, {}}, EncoderOptions{AnimationFormat::apng, {}, {}},
          EncoderOptions{AnimationFormat::gif, {}, {}},
          EncoderOptions{AnimationFormat::gif, {}, std::array<std::uint8_t, 3>{9, 99, 199}},
          EncoderOptions{AnimationFormat::webp, {}, {}}, EncoderOptions{AnimationFormat::webp, 50.0F, {}},
          EncoderOptions{AnimationFormat::rgba, {}, {}}, EncoderOptions{AnimationFormat::y4m, {}, {}}}) {
      INFO("format " << static_cast<int>(settings.format));
      const std::vector<Bytes> alone = written(frames, settings, 1);
      CHECK_FALSE(alone.back().empty());
      CHECK(written(frames, settings, 5) == alone);
      CHECK(written(frames, settings, 0) == alone);
      CHECK_FALSE(written({frames[0]}, settings, 2).front().empty());
    }
  }
}

TEST_CASE("PNG and RGBA store pixels with straight alpha", "[export]") {
  const std::vector<Bitmap> frames = noise(false);
  const std::vector<Bytes> png = written(frames, {AnimationFormat::png, {}, {}}, 2);
  const std::vector<Bytes> rgba = written(frames, {AnimationFormat::rgba, {}, {}}, 2);
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    Bitmap straight = frames[frame];
    unpremultiply(straight);
    CHECK(png[frame] == encode_png(straight, PngCompression::fast));
    const auto bytes = std::as_bytes(std::span(straight.rgba));
    CHECK(std::ranges::equal(rgba[frame], bytes));
  }
}

TEST_CASE("a WebP is written frame by frame where its start can be rewritten", "[export]") {
  for (const bool opaque : {false, true}) {
    const std::vector<Bitmap> frames = noise(opaque);
    const std::vector<Bytes> at_once = written(frames, {AnimationFormat::webp, {}, {}}, 2);
    Bytes file;
    Pipeline pipeline(2);
    auto writer = AnimationWriter::create(
        pipeline, info_of(frames.size()), {AnimationFormat::webp, {}, {}},
        [&](std::uint32_t, std::span<const std::byte> bytes) -> ExportResult<void> {
          CHECK_FALSE(bytes.empty());
          file.insert(file.end(), bytes.begin(), bytes.end());
          return {};
        },
        [&](std::span<const std::byte> start) -> ExportResult<void> {
          std::ranges::copy(start, file.begin());
          return {};
        });
    REQUIRE(writer);
    for (const Bitmap& bitmap : frames) REQUIRE((*writer)->add(bitmap));
    REQUIRE(pipeline.wait());
    CHECK(file == at_once.back());
    for (std::size_t frame = 0; frame + 1 < frames.size(); ++frame) CHECK(at_once[frame].empty());
  }
}

TEST_CASE("effort changes the size of a WebP", "[export]") {
  const std::vector<Bitmap> frames = noise(false);
  for (const std::optional<float> quality : {std::optional<float>(), std::optional<float>(50)}) {
    EncoderOptions fast{AnimationFormat::webp, quality, {}}, small = fast;
    fast.webp_effort = 0;
    small.webp_effort = 9;
    CHECK(written(frames, small, 2).back().size() < written(frames, fast, 2).back().size());
  }
}

TEST_CASE("a format with two passes has room for the second once all frames are scanned", "[export]") {
  const std::vector<Bitmap> frames = noise(false);
  Pipeline pipeline(2);
  Latch go_on(1);
  REQUIRE(pipeline.add([&]() -> ExportResult<Pipeline::Finish> {
    go_on.wait();
    return [] { return ExportResult<void>(); };
  }));
  const Sink sink = [](std::uint32_t, std::span<const std::byte>) { return ExportResult<void>(); };
  auto writer = AnimationWriter::create(pipeline, info_of(1), {AnimationFormat::gif, {}, {}}, sink);
  REQUIRE(writer);
  CHECK((*writer)->has_room());
  REQUIRE((*writer)->add(frames[0]));
  CHECK_FALSE((*writer)->has_room());
  go_on.count_down();
  REQUIRE(pipeline.wait());
  CHECK((*writer)->has_room());
  REQUIRE((*writer)->add(frames[0]));
  CHECK(pipeline.wait());
}

TEST_CASE("an animation that the format cannot store is rejected", "[export]") {
  Pipeline pipeline(1);
  const Sink sink = [](std::uint32_t, std::span<const std::byte>) { return ExportResult<void>(); };
  AnimationInfo wide = info_of(1);
  wide.width = 16384;
  CHECK_FALSE(AnimationWriter::create(pipeline, wide, {AnimationFormat::webp, {}, {}}, sink));
  CHECK(AnimationWriter::create(pipeline, wide, {AnimationFormat::gif, {}, {}}, sink));
  AnimationInfo uneven = info_of(2);
  uneven.frame_ends[1] = 5;
  CHECK_FALSE(AnimationWriter::create(pipeline, uneven, {AnimationFormat::y4m, {}, {}}, sink));
}

TEST_CASE("a failure of the sink stops the animation", "[export]") {
  const std::vector<Bitmap> frames = noise(true);
  Pipeline pipeline(2);
  auto writer =
      AnimationWriter::create(pipeline, info_of(kFrames), {AnimationFormat::png, {}, {}},
                              [](std::uint32_t frame, std::span<const std::byte>) -> ExportResult<void> {
                                if (frame == 2)
                                  return Unexpected(ExportError{ExportError::Kind::failed, "the disk is full"});
                                return {};
                              });
  REQUIRE(writer);
  for (const Bitmap& bitmap : frames) (*writer)->add(bitmap);
  const auto done = pipeline.wait();
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "the disk is full");
}

TEST_CASE("formats are identified by the extension, case-insensitively", "[export]") {
  CHECK(animation_format_of("a.b/walk.GIF") == AnimationFormat::gif);
  CHECK(animation_format_of("walk.webp") == AnimationFormat::webp);
  CHECK_FALSE(animation_format_of("gif"));
  CHECK_FALSE(animation_format_of("walk.bmp"));
}

TEST_CASE("frames of a GIF are drawn once if they fit in memory", "[export]") {
  Exporting arm;
  std::size_t drawn = 0;
  const auto count = [&](PoseBuffers&) { ++drawn; };
  const std::vector<ExportedAnimation> two{arm.animation({48, 40}), arm.animation({30, 50})};
  const std::vector<std::byte> kept = arm.write(two, {.adjust = count, .threads = 2});
  CHECK(drawn == two[0].frames.size() + two[1].frames.size());

  PoseBuffers posed;
  std::size_t asked = 0;
  const auto draw = [&](std::size_t animation, std::uint32_t frame) {
    ++asked;
    draw_frame(arm.renderer, arm.model, two[animation].frames[frame], posed);
  };
  CHECK(arm.write(two, {.draw = draw}) == kept);
  CHECK(asked == 2 * drawn);

  const ExportedAnimation large = arm.animation({1500, 1500});
  drawn = 0;
  CHECK_FALSE(arm.write({large}, {.adjust = count}).empty());
  CHECK(drawn == 2 * large.frames.size());
}

}  // namespace pchr::test::job_test
