// SPDX-License-Identifier: MIT
// A stored program is a header and the driver's bytes. Drivers check their bytes for what they would not run, but not
// all of them for damage.
#include "render/program_binary.hpp"

#include "character/format.hpp"

#include <algorithm>
#include <cstring>

namespace pchr {
namespace {

struct BinaryHeader {
  std::array<char, 8> magic{'p', 'c', 'h', 'r', 'p', 'r', 'o', 'g'};
  std::uint32_t version = 1;
  GLenum format = 0;
  std::uint64_t bytes = 0;     ///< After this header.
  std::uint64_t checksum = 0;  ///< Covers the identity and everything else.
};
static_assert(std::has_unique_object_representations_v<BinaryHeader>);

// FNV-1a.
constexpr std::uint64_t kHashOfNothing = 14695981039346656037ULL;
std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t hash) {
  for (const std::byte byte : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 1099511628211ULL;
  return hash;
}

std::uint64_t checksum_of(const std::string& identity, BinaryHeader header, std::span<const std::byte> binary) {
  header.checksum = 0;
  std::uint64_t hash = hash_of(std::as_bytes(std::span(identity)), kHashOfNothing);
  hash = hash_of(std::as_bytes(std::span(&header, 1)), hash);
  return hash_of(binary, hash);
}

bool offers_binaries(const Gl& gl) {
  return gl.GetProgramBinary != nullptr && gl.ProgramBinary != nullptr && gl.ProgramParameteri != nullptr &&
         get_integer(gl, GL_NUM_PROGRAM_BINARY_FORMATS) > 0;
}

bool knows_format(const Gl& gl, GLenum format) {
  std::vector<GLint> formats(static_cast<std::size_t>(get_integer(gl, GL_NUM_PROGRAM_BINARY_FORMATS)));
  gl.GetIntegerv(GL_PROGRAM_BINARY_FORMATS, formats.data());
  return std::ranges::find(formats, static_cast<GLint>(format)) != formats.end();
}

}  // namespace

ProgramBinary::ProgramBinary(const Gl& gl, std::initializer_list<ShaderSource> sources) : gl_(gl) {
  const ProgramCache& cache = gl.program_cache;
  if ((!cache.load && !cache.store) || !offers_binaries(gl)) return;
  const auto add = [this](const char* text) { identity_.append(text != nullptr ? text : "").push_back('\0'); };
  for (const GLenum name : {GL_VENDOR, GL_RENDERER, GL_VERSION, GL_SHADING_LANGUAGE_VERSION}) {
    add(reinterpret_cast<const char*>(gl.GetString(name)));
  }
  for (const ShaderSource& source : sources) {
    for (const char* part : source.parts) add(part);
    add("");
  }
  key_ = format_text("{:016x}", hash_of(std::as_bytes(std::span(identity_)), kHashOfNothing));
}

bool ProgramBinary::load(GLuint program) const {
  if (identity_.empty() || !gl_.program_cache.load) return false;
  const std::vector<std::byte> stored = gl_.program_cache.load(key_);
  BinaryHeader header;
  if (stored.size() <= sizeof(header)) return false;
  std::memcpy(&header, stored.data(), sizeof(header));
  const auto binary = std::span(stored).subspan(sizeof(header));
  if (header.magic != BinaryHeader().magic || header.version != BinaryHeader().version ||
      header.bytes != binary.size() || header.checksum != checksum_of(identity_, header, binary) ||
      !knows_format(gl_, header.format)) {
    return false;
  }
  gl_.ProgramBinary(program, header.format, binary.data(), static_cast<GLsizei>(binary.size()));
  GLint linked = GL_FALSE;
  gl_.GetProgramiv(program, GL_LINK_STATUS, &linked);
  return linked == GL_TRUE;
}

void ProgramBinary::before_linking(GLuint program) const {
  if (!identity_.empty()) gl_.ProgramParameteri(program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
}

void ProgramBinary::store(GLuint program) const {
  if (identity_.empty() || !gl_.program_cache.store) return;
  GLint room = 0;
  gl_.GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &room);
  if (room <= 0) return;
  BinaryHeader header;
  std::vector<std::byte> stored(sizeof(header) + static_cast<std::size_t>(room));
  GLsizei bytes = 0;
  gl_.GetProgramBinary(program, room, &bytes, &header.format, stored.data() + sizeof(header));
  if (bytes <= 0 || bytes > room) return;
  header.bytes = static_cast<std::uint64_t>(bytes);
  stored.resize(sizeof(header) + static_cast<std::size_t>(bytes));
  header.checksum = checksum_of(identity_, header, std::span(stored).subspan(sizeof(header)));
  std::memcpy(stored.data(), &header, sizeof(header));
  gl_.program_cache.store(key_, stored);
}

}  // namespace pchr
