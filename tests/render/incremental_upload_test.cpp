// SPDX-License-Identifier: MIT
// Models that are uploaded in parts.
#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <limits>

namespace incremental_upload_test {
using namespace pchr;

namespace {

constexpr std::uint32_t kSide = 128;

Character build(CharacterData data) {
  auto character = Character::build(std::move(data));
  REQUIRE(character);
  return *character;
}

Character kiri() {
  auto character = load_character(test::asset("kiri.pchr"));
  REQUIRE(character);
  return *character;
}

std::vector<Bitmap> decoded(const Character& character) {
  auto bitmaps = decode_images(character);
  REQUIRE(bitmaps);
  return std::move(*bitmaps);
}

Bitmap render(const test::Session& session, Renderer& renderer, const Model& model) {
  auto target = test::require_value(OffscreenTarget::create(session.get_proc_address(), kSide, kSide));
  const Camera camera = fit({{}, 1, {kSide, kSide}}, compute_character_bounds(model.character()));
  PoseBuffers posed;
  pose_clip(model.character(), ClipId{1}, {2, 2, 0}, posed);
  target.begin();
  renderer.draw(model, posed, camera);
  return target.finish();
}

const Gl* real_gl = nullptr;
std::uint64_t uploaded_bytes = 0;
std::uint64_t largest_row_bytes = 0;
std::uint64_t mipmaps_made = 0;

void GLAD_API_PTR count_and_upload(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                                   GLenum format, GLenum type, const void* pixels) {
  const auto row_bytes = std::uint64_t{4} * static_cast<std::uint64_t>(width);
  uploaded_bytes += row_bytes * static_cast<std::uint64_t>(height);
  largest_row_bytes = std::max(largest_row_bytes, row_bytes);
  real_gl->TexSubImage2D(target, level, x, y, width, height, format, type, pixels);
}

void GLAD_API_PTR count_and_generate(GLenum target) {
  ++mipmaps_made;
  real_gl->GenerateMipmap(target);
}

void* GLAD_API_PTR count_and_map(GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
  uploaded_bytes += static_cast<std::uint64_t>(length);
  return real_gl->MapBufferRange(target, offset, length, access);
}

void GLAD_API_PTR count_and_copy(GLenum target, GLintptr offset, GLsizeiptr size, const void* data) {
  uploaded_bytes += static_cast<std::uint64_t>(size);
  real_gl->BufferSubData(target, offset, size, data);
}

void GLAD_API_PTR only_define(GLenum target, GLint level, GLint format, GLsizei width, GLsizei height, GLint border,
                              GLenum pixel_format, GLenum type, const void* pixels) {
  REQUIRE(pixels == nullptr);
  real_gl->TexImage2D(target, level, format, width, height, border, pixel_format, type, pixels);
}

/// A context that counts what is uploaded.
struct CountingSession {
  test::Session session;
  test::Hooks hooks{session.get_proc_address(),
                    {{"glTexSubImage2D", test::as_hook(count_and_upload)},
                     {"glTexImage2D", test::as_hook(only_define)},
                     {"glGenerateMipmap", test::as_hook(count_and_generate)},
                     {"glMapBufferRange", test::as_hook(count_and_map)},
                     {"glBufferSubData", test::as_hook(count_and_copy)}}};

  CountingSession() {
    real_gl = session.gl.get();
    uploaded_bytes = largest_row_bytes = 0;
  }
  Renderer renderer() const { return test::require_value(Renderer::create(test::hooked_get_proc_address)); }
};

}  // namespace

TEST_CASE("a model uploaded in parts draws the same bits, whatever the parts", "[render]") {
  const test::Session session;
  auto renderer = session.renderer();
  for (const Character& character : {build(test::two_bone_arm()), kiri()}) {
    const Bitmap expected = render(session, renderer, test::require_value(renderer.upload(character)));
    CHECK(expected.rgba != std::vector<std::uint8_t>(expected.rgba.size(), 0));
    for (const std::uint64_t budget : {1'000, 10'007, 1'000'000, 100'000'000}) {
      Upload upload = test::require_value(renderer.begin_upload(character, decoded(character)));
      while (!upload.step(budget)) continue;
      CHECK(upload.bytes_left() == 0);
      CHECK(render(session, renderer, std::move(upload).finish()).rgba == expected.rgba);
    }
  }
}

TEST_CASE("a step uploads no more than its budget, except for a single row or vertex", "[render]") {
  const CountingSession counting;
  auto renderer = counting.renderer();
  const Character character = kiri();
  for (const std::uint64_t budget : {0, 1, 5'000, 65'536, 1'000'000}) {
    Upload upload = test::require_value(renderer.begin_upload(character, decoded(character)));
    const std::uint64_t all = upload.bytes_left();
    CHECK(all > 1'000'000);
    std::uint64_t left = all, sum = 0, mipmaps_in_all = 0;
    for (bool done = false; !done;) {
      uploaded_bytes = 0;
      mipmaps_made = 0;
      done = upload.step(budget);
      if (uploaded_bytes > std::max({budget, largest_row_bytes, std::uint64_t{sizeof(Vertex)}}))
        FAIL(uploaded_bytes << " bytes in a step");
      if (!done && uploaded_bytes == 0 && mipmaps_made == 0) FAIL("a step without progress");
      mipmaps_in_all += mipmaps_made;
      sum += uploaded_bytes;
      left -= uploaded_bytes;
      REQUIRE(upload.bytes_left() == left);
    }
    CHECK(sum == all);
    CHECK(mipmaps_in_all == (counting.session.gl->is_llvmpipe ? 0 : character.images().size()));
    if (budget > largest_row_bytes) CHECK(largest_row_bytes > 0);
  }
}

TEST_CASE("a step with an unlimited budget uploads everything, and one without time still makes progress", "[render]") {
  const CountingSession counting;
  auto renderer = counting.renderer();
  const Character character = kiri();
  Upload at_once = test::require_value(renderer.begin_upload(character, decoded(character)));
  CHECK(uploaded_bytes == 0);
  CHECK(at_once.step(std::numeric_limits<std::uint64_t>::max()));
  CHECK(at_once.step(1));
  Upload timed = test::require_value(renderer.begin_upload(character, decoded(character)));
  const std::uint64_t all = timed.bytes_left();
  CHECK_FALSE(timed.step_for(0));
  CHECK(timed.bytes_left() < all);
  int steps = 1;
  while (!timed.step_for(0)) ++steps;
  CHECK(steps > 3);
  Upload generous = test::require_value(renderer.begin_upload(character, decoded(character)));
  CHECK(generous.step_for(3600));
}

TEST_CASE("finishing an upload early uploads the rest", "[render]") {
  const test::Session session;
  auto renderer = session.renderer();
  const Character character = build(test::two_bone_arm());
  const Bitmap expected = render(session, renderer, test::require_value(renderer.upload(character)));
  Upload upload = test::require_value(renderer.begin_upload(character, decoded(character)));
  CHECK_FALSE(upload.step(100));
  const Model model = std::move(upload).finish();
  CHECK(render(session, renderer, model).rgba == expected.rgba);
  CHECK(model.gpu_bytes() == test::require_value(renderer.upload(character)).gpu_bytes());
}

TEST_CASE("an abandoned upload leaves nothing on the context", "[render]") {
  const test::Session session;
  const Gl& gl = *session.gl;
  const auto names = [&] {
    int count = 0;
    for (GLuint name = 1; name < 256; ++name) {
      count += gl.IsBuffer(name) + gl.IsTexture(name) + gl.IsVertexArray(name);
    }
    return count;
  };
  const Character character = kiri();
  auto renderer = session.renderer();
  const int before = names();
  for (const std::uint64_t budget : {0, 1'000, 100'000, 100'000'000}) {
    std::optional<Upload> upload = test::require_value(renderer.begin_upload(character, decoded(character)));
    upload->step(budget);
    CHECK(names() > before);
    upload.reset();
    CHECK(names() == before);
  }
}

TEST_CASE("an upload outlives its renderer", "[render]") {
  const test::Session session;
  const Character character = build(test::two_bone_arm());
  std::optional<Renderer> first = session.renderer();
  Upload upload = test::require_value(first->begin_upload(character, decoded(character)));
  upload.step(100);
  const Bitmap expected = render(session, *first, test::require_value(first->upload(character)));
  first.reset();
  auto second = session.renderer();
  CHECK(render(session, second, std::move(upload).finish()).rgba == expected.rgba);
}

TEST_CASE("an invalid upload fails before the first part", "[render]") {
  const test::Session session;
  auto renderer = session.renderer();
  const auto upload = renderer.begin_upload(build(test::sliding_quad()), {});
  REQUIRE_FALSE(upload);
  CHECK_THAT(upload.error().message, test::contains("got 0"));
}

TEST_CASE("an empty character is uploaded at once", "[render]") {
  const test::Session session;
  auto renderer = session.renderer();
  Upload upload = test::require_value(renderer.begin_upload(build({}), {}));
  CHECK(upload.bytes_left() == 0);
  CHECK(upload.step(0));
  CHECK(std::move(upload).finish().gpu_bytes() == 0);
}

}  // namespace incremental_upload_test
