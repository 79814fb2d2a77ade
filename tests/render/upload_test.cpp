// SPDX-License-Identifier: MIT
// Valid and invalid uploads.
#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"

#include "render/gl_state.hpp"
#include "render/texture.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <limits>
#include <random>

namespace upload_test {
namespace {

using namespace pchr;
using namespace pchr::test;

std::string error_of(const Expected<Model, RenderError>& model) {
  REQUIRE_FALSE(model);
  return model.error().message;
}

const Gl* real_gl = nullptr;

void GLAD_API_PTR get_small_limits(GLenum name, GLint* value) {
  real_gl->GetIntegerv(name, value);
  if (name == GL_MAX_TEXTURE_SIZE) *value = 16;
  if (name == GL_MAX_TEXTURE_BUFFER_SIZE) *value = 4;
}

TEST_CASE("a model returns its character and its GPU memory", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  CharacterData data = sliding_quad();
  data.images[0] = plain_image(5, 2, {1, 2, 3, 4});
  const Character character = build(data);
  const Model model = require_value(renderer.upload(character));
  CHECK(&model.character().data() == &character.data());
  // Mipmaps of 5 x 2, 2 x 1 and 1 x 1 pixels.
  CHECK(model.gpu_bytes() == 4 * (10 + 2 + 1) + 4 * 40 + 6 * 2);
}

TEST_CASE("a character without images, meshes or bones uploads and draws nothing", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  const Character character = build({});
  const Model model = require_value(renderer.upload(character));
  CHECK(model.gpu_bytes() == 0);
  PoseBuffers posed;
  pose_bind(character, posed);
  renderer.draw(model, posed, {});
  CHECK(renderer.statistics().draw_calls == 0);
}

TEST_CASE("a broken image is an error that names it", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  CharacterData data = two_bone_arm();
  data.images[1].encoding = ImageEncoding::png;
  CHECK_THAT(error_of(renderer.upload(build(data))), contains("images[1]") && contains("badge"));
}

TEST_CASE("load limits also apply to decoding during an upload", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  Limits limits;
  limits.max_image_pixels = 15;
  CHECK_THAT(error_of(renderer.upload(build(sliding_quad()), limits)), contains("limit is 15 pixels"));
}

TEST_CASE("bitmaps that do not fit the character are an error", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  const Character character = build(sliding_quad());
  const auto upload = [&](const std::vector<Bitmap>& bitmaps) { return error_of(renderer.upload(character, bitmaps)); };
  CHECK_THAT(upload({}), contains("expected 1 bitmaps") && contains("got 0"));
  CHECK_THAT(upload({{1, 1, {0, 0, 0, 0}}, {1, 1, {0, 0, 0, 0}}}), contains("expected 1 bitmaps") && contains("got 2"));
  CHECK_THAT(upload({{2, 2, {0, 0, 0, 0}}}), contains("images[0] \"plain\"") && contains("4 bytes"));
  CHECK_THAT(upload({{0, 1, {}}}), contains("0 x 1 pixels"));
}

TEST_CASE("images and palettes beyond the context's limits are errors that name the limit", "[render]") {
  const Session session;
  real_gl = session.gl.get();
  const Hooks hooks(session.get_proc_address(), {{"glGetIntegerv", as_hook(get_small_limits)}});
  auto renderer = require_value(Renderer::create(hooked_get_proc_address));
  CharacterData wide = sliding_quad();
  wide.images[0] = plain_image(17, 1, {0, 0, 0, 0}, "wide");
  CHECK_THAT(error_of(renderer.upload(build(wide))), contains("\"wide\" has 17 x 1 pixels") && contains("16 x 16"));
  if (session.gl->is_es) return;  // One row of a palette texture holds more bones than this.
  CHECK_THAT(error_of(renderer.upload(build(two_bone_arm()), std::vector(2, Bitmap{1, 1, {0, 0, 0, 0}}))),
             contains("use 3 bones") && contains("hold 2"));
}

// Models that are uploaded in parts.

constexpr std::uint32_t kSide = 128;

Character kiri() {
  auto character = load_character(asset("kiri.pchr"));
  REQUIRE(character);
  return *character;
}

std::vector<Bitmap> decoded(const Character& character) {
  auto bitmaps = decode_images(character);
  REQUIRE(bitmaps);
  return std::move(*bitmaps);
}

Bitmap render(const Session& session, Renderer& renderer, const Model& model) {
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), kSide, kSide));
  const Camera camera = fit({{}, 1, {kSide, kSide}}, compute_character_bounds(model.character()));
  PoseBuffers posed;
  pose_clip(model.character(), ClipId{1}, {2, 2, 0}, posed);
  target.begin();
  renderer.draw(model, posed, camera);
  return target.finish();
}

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
  Session session;
  Hooks hooks{session.get_proc_address(),
              {{"glTexSubImage2D", as_hook(count_and_upload)},
               {"glTexImage2D", as_hook(only_define)},
               {"glGenerateMipmap", as_hook(count_and_generate)},
               {"glMapBufferRange", as_hook(count_and_map)},
               {"glBufferSubData", as_hook(count_and_copy)}}};

  CountingSession() {
    real_gl = session.gl.get();
    uploaded_bytes = largest_row_bytes = 0;
  }
  Renderer renderer() const { return require_value(Renderer::create(hooked_get_proc_address)); }
};

TEST_CASE("a model uploaded in parts draws the same bits, whatever the parts", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  for (const Character& character : {build(two_bone_arm()), kiri()}) {
    const Bitmap expected = render(session, renderer, require_value(renderer.upload(character)));
    CHECK(expected.rgba != std::vector<std::uint8_t>(expected.rgba.size(), 0));
    for (const std::uint64_t budget : {1'000, 10'007, 1'000'000, 100'000'000}) {
      Upload upload = require_value(renderer.begin_upload(character, decoded(character)));
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
    Upload upload = require_value(renderer.begin_upload(character, decoded(character)));
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
  Upload at_once = require_value(renderer.begin_upload(character, decoded(character)));
  CHECK(uploaded_bytes == 0);
  CHECK(at_once.step(std::numeric_limits<std::uint64_t>::max()));
  CHECK(at_once.step(1));
  Upload timed = require_value(renderer.begin_upload(character, decoded(character)));
  const std::uint64_t all = timed.bytes_left();
  CHECK_FALSE(timed.step_for(0));
  CHECK(timed.bytes_left() < all);
  int steps = 1;
  while (!timed.step_for(0)) ++steps;
  CHECK(steps > 3);
  Upload generous = require_value(renderer.begin_upload(character, decoded(character)));
  CHECK(generous.step_for(3600));
}

TEST_CASE("finishing an upload early uploads the rest", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  const Character character = build(two_bone_arm());
  const Bitmap expected = render(session, renderer, require_value(renderer.upload(character)));
  Upload upload = require_value(renderer.begin_upload(character, decoded(character)));
  CHECK_FALSE(upload.step(100));
  const Model model = std::move(upload).finish();
  CHECK(render(session, renderer, model).rgba == expected.rgba);
  CHECK(model.gpu_bytes() == require_value(renderer.upload(character)).gpu_bytes());
}

TEST_CASE("an abandoned upload leaves nothing on the context", "[render]") {
  const Session session;
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
    std::optional<Upload> upload = require_value(renderer.begin_upload(character, decoded(character)));
    upload->step(budget);
    CHECK(names() > before);
    upload.reset();
    CHECK(names() == before);
  }
}

TEST_CASE("an upload outlives its renderer", "[render]") {
  const Session session;
  const Character character = build(two_bone_arm());
  std::optional<Renderer> first = session.renderer();
  Upload upload = require_value(first->begin_upload(character, decoded(character)));
  upload.step(100);
  const Bitmap expected = render(session, *first, require_value(first->upload(character)));
  first.reset();
  auto second = session.renderer();
  CHECK(render(session, second, std::move(upload).finish()).rgba == expected.rgba);
}

TEST_CASE("an invalid upload fails before the first part", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  const auto upload = renderer.begin_upload(build(sliding_quad()), {});
  REQUIRE_FALSE(upload);
  CHECK_THAT(upload.error().message, contains("got 0"));
}

TEST_CASE("an empty character is uploaded at once", "[render]") {
  const Session session;
  auto renderer = session.renderer();
  Upload upload = require_value(renderer.begin_upload(build({}), {}));
  CHECK(upload.bytes_left() == 0);
  CHECK(upload.step(0));
  CHECK(std::move(upload).finish().gpu_bytes() == 0);
}

// Mipmaps that are made on the CPU.

Bitmap random_bitmap(std::uint32_t width, std::uint32_t height) {
  std::mt19937 random(width * 8191 + height);
  Bitmap bitmap{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
  for (std::uint8_t& byte : bitmap.rgba) byte = static_cast<std::uint8_t>(random());
  return bitmap;
}

/// A texture with the bitmap as level 0.
struct Texture {
  const Gl& gl;
  GLuint name = 0;

  Texture(const Gl& functions, const Bitmap& bitmap) : gl(functions) {
    gl.GenTextures(1, &name);
    gl.BindTexture(GL_TEXTURE_2D, name);
    define_texture(gl, bitmap, BlendSpace::gamma);
    write_rows(gl, bitmap, 0, bitmap.height, BlendSpace::gamma);
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  ~Texture() { gl.DeleteTextures(1, &name); }

  [[nodiscard]] Bitmap read(GLint level, const Bitmap& image) const {
    const std::uint32_t width = std::max(image.width >> level, 1U), height = std::max(image.height >> level, 1U);
    Bitmap bitmap{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
    GLuint framebuffer = 0;
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, level);
    REQUIRE(gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    gl.ReadPixels(0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height), GL_RGBA, GL_UNSIGNED_BYTE,
                  bitmap.rgba.data());
    gl.DeleteFramebuffers(1, &framebuffer);
    return bitmap;
  }
};

void write_all(const Gl& gl, const Bitmap& bitmap, std::uint32_t max_rows) {
  for (MipmapWriter mipmaps(bitmap); !mipmaps.done();) mipmaps.write(gl, std::min(mipmaps.rows_left(), max_rows));
}

TEST_CASE("mipmaps made on the CPU have the bits of the software renderer's", "[render]") {
  const Session session;
  const Gl& gl = *session.gl;
  if (!gl.is_llvmpipe) return;  // Mipmaps of other drivers can differ.
  // 257 x 513: positions between texels that are exactly between two steps of a weight.
  const auto [width, height] = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{1, 1}, {2, 2}, {1, 9}, {8, 1}, {3, 5}, {64, 64}, {7, 16}, {16, 7}, {171, 85}, {257, 513}, {684, 340}}));
  const Bitmap bitmap = random_bitmap(width, height);
  const Texture texture(gl, bitmap), written(gl, bitmap);
  gl.BindTexture(GL_TEXTURE_2D, texture.name);
  gl.GenerateMipmap(GL_TEXTURE_2D);
  gl.BindTexture(GL_TEXTURE_2D, written.name);
  write_all(gl, bitmap, bitmap.height);
  for (GLint level = 0; (std::max(width, height) >> level) > 0; ++level) {
    CAPTURE(width, height, level);
    CHECK(written.read(level, bitmap).rgba == texture.read(level, bitmap).rgba);
  }
}

TEST_CASE("mipmaps are the same whatever the parts, and counted", "[render]") {
  const Session session;
  const Gl& gl = *session.gl;
  if (!gl.is_llvmpipe) return;  // Textures of other drivers have no memory for mipmaps that they do not make.
  const Bitmap bitmap = random_bitmap(52, 37);
  const Texture whole(gl, bitmap);
  write_all(gl, bitmap, bitmap.height);
  const Texture parts(gl, bitmap);
  MipmapWriter mipmaps(bitmap);
  CHECK(mipmaps.rows_left() == 18);
  CHECK(mipmaps.row_bytes() == 26 * 4);
  while (!mipmaps.done()) mipmaps.write(gl, 1);
  CHECK(mipmaps.bytes_done() + bitmap.rgba.size() == bytes_with_mipmaps(bitmap));
  for (GLint level = 0; level < 6; ++level) CHECK(parts.read(level, bitmap).rgba == whole.read(level, bitmap).rgba);
}

}  // namespace
}  // namespace upload_test
