// SPDX-License-Identifier: MIT
// Which palettes stay on the GPU, and where.
#include "session.hpp"

#include "render/palette_store.hpp"
#include "support/catch.hpp"

#include <random>

namespace palette_store_test {
using namespace pchr;

namespace {

std::vector<BoneTexels> bones(std::size_t count, float value) {
  return std::vector(count, BoneTexels{value, 0, 0, value, 0, 0, 1, 0});
}

/// Returns the first value of a texel in a 2D palette texture.
float texel_at(const Gl& gl, GLuint texture, std::uint32_t number) {
  GLuint framebuffer = 0;
  gl.GenFramebuffers(1, &framebuffer);
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  REQUIRE(gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
  std::array<float, 4> texel{};
  gl.ReadPixels(static_cast<GLint>(number % kPaletteWidth), static_cast<GLint>(number / kPaletteWidth), 1, 1, GL_RGBA,
                GL_FLOAT, texel.data());
  gl.DeleteFramebuffers(1, &framebuffer);
  return texel[0];
}

/// Returns what the GPU holds at a block's first bone.
float value_at(const test::Session& session, const PaletteStore& store, const PaletteStore::Block& block) {
  const Gl& gl = *session.gl;
  if (gl.is_es) return texel_at(gl, store.texture(block.page), 2 * block.first_bone);
  GLint buffer = 0;
  gl.BindTexture(GL_TEXTURE_BUFFER, store.texture(block.page));
  gl.GetIntegerv(GL_TEXTURE_BUFFER_DATA_STORE_BINDING, &buffer);
  if (buffer == 0) {
    gl.GetTexLevelParameteriv(GL_TEXTURE_BUFFER, 0, GL_TEXTURE_BUFFER_DATA_STORE_BINDING, &buffer);
  }
  gl.BindBuffer(GL_TEXTURE_BUFFER, static_cast<GLuint>(buffer));
  float value = 0;
  gl.GetBufferSubData(GL_TEXTURE_BUFFER, GLintptr{block.first_bone} * 32, sizeof(value), &value);
  return value;
}

}  // namespace

TEST_CASE("the least recently used palette is evicted first, and never one in use", "[render]") {
  const test::Session session;
  PaletteStore store(session.gl, std::uint64_t{3} * 100 * 32);
  PaletteStore::Handle handles[5];
  for (int i = 0; i < 3; ++i) {
    store.begin_use();
    handles[i] = store.store(bones(100, static_cast<float>(i))).value();
  }
  store.begin_use();
  CHECK(store.find(handles[0]) != nullptr);
  handles[3] = store.store(bones(100, 3)).value();
  CHECK(store.find(handles[1]) == nullptr);
  CHECK(store.find(handles[0]) != nullptr);
  CHECK(store.find(handles[2]) != nullptr);
  CHECK_FALSE(store.store(bones(100, 4)));
  store.begin_use();
  handles[4] = store.store(bones(250, 4)).value();
  CHECK(store.find(handles[0]) == nullptr);
  CHECK(store.find(handles[2]) == nullptr);
  CHECK(store.find(handles[3]) == nullptr);
  CHECK_FALSE(store.store(bones(301, 5)));
  CHECK(store.find(handles[4]) != nullptr);
}

TEST_CASE("palettes keep their values while others come and go and memory grows", "[render]") {
  const test::Session session;
  PaletteStore store(session.gl, std::uint64_t{64} << 20);
  std::mt19937 random(3);
  struct Kept {
    PaletteStore::Handle handle;
    float value;
  };
  std::vector<Kept> kept;
  for (int i = 0; i < 400; ++i) {
    store.begin_use();
    if (!kept.empty() && random() % 3 == 0) {
      const std::size_t gone = random() % kept.size();
      store.release(kept[gone].handle);
      CHECK(store.find(kept[gone].handle) == nullptr);
      kept[gone] = kept.back();
      kept.pop_back();
    }
    const auto value = static_cast<float>(i);
    kept.push_back({store.store(bones(1 + random() % 2000, value)).value(), value});
    const Kept& any = kept[random() % kept.size()];
    const PaletteStore::Block* block = store.find(any.handle);
    REQUIRE(block != nullptr);
    CHECK(value_at(session, store, *block) == any.value);
  }
  CHECK(store.gpu_bytes() > 8192 * 32);
  CHECK(store.gpu_bytes() <= std::uint64_t{64} << 20);
  for (const Kept& each : kept) store.release(each.handle);
}

}  // namespace palette_store_test
