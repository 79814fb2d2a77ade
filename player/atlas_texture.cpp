// SPDX-License-Identifier: MIT
#include "atlas_texture.hpp"

#include "mipmaps.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <optional>
#include <utility>

namespace pchr::player {
namespace {

constexpr std::size_t kChannels = 4;
/// What is sent between two pictures.
constexpr std::size_t kBytesAtOnce = std::size_t{4} << 20;

/// An image of an open file, by their numbers.
struct Shown {
  std::uint32_t file = 0;
  std::uint32_t image = 0;
  bool operator==(const Shown&) const = default;
};

std::optional<Shown> shown_by(const Session& session) {
  if (!atlas_is_shown(session)) return std::nullopt;
  // Another file was opened, and its image not chosen yet: the panel does that, which a tiny window does not show.
  if (session.atlas.file != session.files_opened) return std::nullopt;
  return Shown{session.files_opened, session.atlas.image};
}

std::expected<MipmappedBitmap, std::string> read(const Image& image) {
  auto bitmap = decode(image);
  if (!bitmap) return std::unexpected(describe(bitmap.error(), image.name));
  return with_mipmaps(*std::move(bitmap));
}

}  // namespace

struct AtlasTexture::Resources {
  GladGLContext gl{};
  GLuint texture = 0;
  std::optional<Shown> holds{};  ///< What `texture`, `levels` or `problem` are of, or what is being read.
  std::string problem{};
  bool sharp = false;  ///< As it is drawn.

  std::future<std::expected<MipmappedBitmap, std::string>> reading{};
  // Still to be sent:
  MipmappedBitmap levels{};
  std::size_t level = 0;
  std::uint32_t row = 0;

  ~Resources() { release(); }
  void release();
  void take(MipmappedBitmap bitmaps);
  void fail(std::string sentence) { problem = std::move(sentence); }
  bool send_some();
  void begin_drawing() const;
};

void AtlasTexture::Resources::release() {
  if (texture != 0) gl.DeleteTextures(1, &texture);
  texture = 0;
  levels = {};
  problem.clear();
  holds.reset();
}

/// Makes room for the levels, which are then to be sent.
void AtlasTexture::Resources::take(MipmappedBitmap bitmaps) {
  GLint largest = 0;
  gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const Bitmap& image = bitmaps.front();
  if (std::max(image.width, image.height) > static_cast<std::uint32_t>(largest)) {
    problem = "This image is larger than this graphics card takes.";
    return;
  }
  gl.GenTextures(1, &texture);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  for (std::size_t i = 0; i < bitmaps.size(); ++i) {
    gl.TexImage2D(GL_TEXTURE_2D, static_cast<GLint>(i), GL_RGBA8, static_cast<GLsizei>(bitmaps[i].width),
                  static_cast<GLsizei>(bitmaps[i].height), 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  }
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    gl.TexParameteri(GL_TEXTURE_2D, axis, GL_CLAMP_TO_EDGE);
  }
  levels = std::move(bitmaps);
  level = 0;
  row = 0;
}

/// Returns whether that was the last of it.
bool AtlasTexture::Resources::send_some() {
  gl.BindTexture(GL_TEXTURE_2D, texture);
  for (std::size_t budget = kBytesAtOnce; budget > 0 && level < levels.size();) {
    const Bitmap& bitmap = levels[level];
    const std::size_t row_bytes = std::size_t{bitmap.width} * kChannels;
    const std::size_t rows = std::clamp<std::size_t>(budget / row_bytes, 1, bitmap.height - row);
    gl.TexSubImage2D(GL_TEXTURE_2D, static_cast<GLint>(level), 0, static_cast<GLint>(row),
                     static_cast<GLsizei>(bitmap.width), static_cast<GLsizei>(rows), GL_RGBA, GL_UNSIGNED_BYTE,
                     bitmap.rgba.data() + row * row_bytes);
    row += static_cast<std::uint32_t>(rows);
    budget -= std::min(budget, rows * row_bytes);
    if (row < bitmap.height) continue;
    ++level;
    row = 0;
  }
  if (level < levels.size()) return false;
  levels = {};
  return true;
}

/// Dear ImGui blends straight alpha.
void AtlasTexture::Resources::begin_drawing() const {
  gl.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, sharp ? GL_NEAREST : GL_LINEAR);
}

std::expected<AtlasTexture, RenderError> AtlasTexture::create(GetProcAddress get_proc_address) {
  auto resources = std::make_unique<Resources>();
  if (gladLoadGLContext(&resources->gl, get_proc_address) == 0) {
    return std::unexpected(RenderError{"the OpenGL functions cannot be loaded"});
  }
  return AtlasTexture(std::move(resources));
}

AtlasTexture::AtlasTexture(std::unique_ptr<Resources> resources) noexcept : resources_(std::move(resources)) {}
AtlasTexture::AtlasTexture(AtlasTexture&&) noexcept = default;
AtlasTexture& AtlasTexture::operator=(AtlasTexture&&) noexcept = default;
AtlasTexture::~AtlasTexture() = default;

bool AtlasTexture::busy() const noexcept { return resources_->reading.valid() || !resources_->levels.empty(); }

bool AtlasTexture::update(const Session& session) {
  Resources& r = *resources_;
  const auto wanted = shown_by(session);
  if (r.reading.valid()) {
    if (r.reading.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    auto bitmaps = r.reading.get();
    if (wanted == r.holds) bitmaps ? r.take(*std::move(bitmaps)) : r.fail(std::move(bitmaps.error()));
    if (!r.problem.empty()) return true;
  }
  if (wanted != r.holds) {
    r.release();
    r.holds = wanted;
    if (!wanted) return false;
    r.reading = std::async(std::launch::async, [character = session.document->character(), image = wanted->image] {
      return read(character.images()[image]);
    });
  }
  return !r.levels.empty() && r.send_some();
}

bool AtlasTexture::ready(const Session& session) const noexcept {
  const Resources& r = *resources_;
  return r.texture != 0 && r.levels.empty() && r.holds == shown_by(session);
}

const std::string& AtlasTexture::problem() const noexcept { return resources_->problem; }

ImTextureID AtlasTexture::begin(ImDrawList& list, bool sharp) {
  resources_->sharp = sharp;
  list.AddCallback(
      [](const ImDrawList*, const ImDrawCmd* command) {
        static_cast<const Resources*>(command->UserCallbackData)->begin_drawing();
      },
      resources_.get());
  // NOLINTNEXTLINE(performance-no-int-to-ptr): that is how Dear ImGui's OpenGL backend takes a texture's number.
  return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(resources_->texture));
}

void AtlasTexture::end(ImDrawList& list) { list.AddCallback(ImDrawCallback_ResetRenderState, nullptr); }

}  // namespace pchr::player
