// SPDX-License-Identifier: MIT
#include "render/program.hpp"

#include "character/format.hpp"

#include <pchr_shaders.hpp>

#include <algorithm>
#include <cstring>

namespace pchr {
namespace {

/// A stored program is this header and the driver's bytes. Drivers check their bytes for what they would not run, but
/// not all of them for damage.
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

/// A linked program in the program cache. Does nothing without a cache, or if the driver offers no program binaries.
class ProgramBinary {
 public:
  ProgramBinary(const Gl& gl, std::initializer_list<ShaderSource> sources);

  /// Returns whether `program` is what was stored. Otherwise it can be linked from its shaders.
  [[nodiscard]] bool load(GLuint program) const;
  /// Must be called before `program` is linked.
  void before_linking(GLuint program) const;
  void store(GLuint program) const;

 private:
  const Gl& gl_;
  std::string identity_{};  ///< Equal only for the same program of the same driver. Empty if nothing is cached.
  std::string key_{};
};

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

/// What all programs of a renderer share.
struct Source {
  const Gl& gl;
  BlendSpace space;
  const std::string& fragment_main;
};

// `get_parameter` and `get_log` are the functions for shaders or for programs.
template <typename Parameter, typename Log>
Expected<void, RenderError> check(GLuint object, GLenum status, const char* what, Parameter get_parameter,
                                  Log get_log) {
  GLint fine = GL_FALSE, length = 0;
  get_parameter(object, status, &fine);
  if (fine == GL_TRUE) return {};
  get_parameter(object, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
  get_log(object, length, nullptr, log.data());
  return fail(format_text("the driver rejected {}: {}", what, log.c_str()));
}

std::string head(const Source& source, const ProgramKind& kind) {
  return format_text(
      "{}#define INFLUENCES {}\n#define SMOOTH {}\n#define LINEAR {}\n#define IS_3D {}\n"
      "#define LOOKS {}\n#define IMAGES {}\n#define HOOK {}\n",
      source.gl.is_es ? "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision mediump sampler2D;\n"
                      : "#version 330 core\n",
      kind.many_influences ? 4 : 1, kind.smooth ? 1 : 0, source.space == BlendSpace::linear ? 1 : 0, kind.is_3d ? 1 : 0,
      kind.looks != LookSupport::none ? 1 : 0, kind.looks == LookSupport::many_images ? kImageSlots : 1,
      source.fragment_main.empty() ? 0 : 1);
}

Expected<void, RenderError> build(const Source& source, ProgramKind kind, Program& program) {
  const Gl& gl = source.gl;
  const std::string defines = head(source, kind);
  const char* const vertex = kind.is_3d ? shaders::character_3d_vert : shaders::character_vert;
  ShaderSource fragment{GL_FRAGMENT_SHADER, "the shaders", {defines.c_str(), shaders::character_frag}};
  if (!source.fragment_main.empty()) {
    fragment.what = "fragment_main";
    // The log counts lines of the body, as those of string 1.
    fragment.parts.insert(fragment.parts.end(),
                          {"\nvec4 fragment_main(vec4 color) {\n#line 1 1\n", source.fragment_main.c_str(), "\n}\n"});
  }
  const auto linked = link_program(
      gl, {{GL_VERTEX_SHADER, "the shaders", {defines.c_str(), shaders::look_vert, vertex}}, std::move(fragment)});
  if (!linked) return Unexpected(linked.error());
  program.name = *linked;
  gl.UseProgram(program.name);
  std::array<GLint, kImageSlots> units{};
  for (std::size_t slot = 0; slot < units.size(); ++slot) units[slot] = static_cast<GLint>(unit_of(slot));
  const bool many = kind.looks == LookSupport::many_images;
  gl.Uniform1iv(gl.GetUniformLocation(program.name, "images"), many ? static_cast<GLsizei>(kImageSlots) : 1,
                units.data());
  gl.Uniform1i(gl.GetUniformLocation(program.name, "palette"), kPaletteUnit);
  program.bones_per_row = gl.GetUniformLocation(program.name, "bones_per_row");
  program.world_to_clip = gl.GetUniformLocation(program.name, "world_to_clip");
  program.world_to_view = gl.GetUniformLocation(program.name, "world_to_view");
  program.min_alpha = gl.GetUniformLocation(program.name, "min_alpha");
  program.effect_values = gl.GetUniformLocation(program.name, "effect_values");
  return {};
}

}  // namespace

Expected<GLuint, RenderError> link_program(const Gl& gl, std::initializer_list<ShaderSource> sources) {
  const GLuint program = gl.CreateProgram();
  const ProgramBinary binary(gl, sources);
  if (binary.load(program)) return program;
  const auto link = [&]() -> Expected<void, RenderError> {
    for (const auto& [stage, what, parts] : sources) {
      const GLuint shader = gl.CreateShader(stage);
      gl.ShaderSource(shader, static_cast<GLsizei>(parts.size()), parts.data(), nullptr);
      gl.CompileShader(shader);
      gl.AttachShader(program, shader);
      auto compiled = check(shader, GL_COMPILE_STATUS, what, gl.GetShaderiv, gl.GetShaderInfoLog);
      gl.DeleteShader(shader);
      if (!compiled) return compiled;
    }
    binary.before_linking(program);
    gl.LinkProgram(program);
    return check(program, GL_LINK_STATUS, "the shaders", gl.GetProgramiv, gl.GetProgramInfoLog);
  };
  auto linked = link();
  if (linked) {
    binary.store(program);
    return program;
  }
  gl.DeleteProgram(program);
  return Unexpected(std::move(linked.error()));
}

Programs::~Programs() {
  for (const Program& program : programs_) gl_->DeleteProgram(program.name);
}

Expected<const Program*, RenderError> Programs::get(ProgramKind kind) {
  Program& program = programs_[kind.number()];
  if (program.name != 0) return &program;
  if (auto done = build({*gl_, space_, fragment_main_}, kind, program); !done) {
    return Unexpected(std::move(done.error()));
  }
  return &program;
}

Expected<void, RenderError> Programs::compile_all() {
  for (std::size_t number = 0; number < programs_.size(); ++number) {
    const ProgramKind kind{(number & 1U) != 0, (number & 2U) != 0, (number & 4U) != 0,
                           static_cast<LookSupport>(number / 8)};
    if (kind.number() != number) continue;
    if (has_hook() && kind.looks == LookSupport::none) continue;
    if (auto done = get(kind); !done) return Unexpected(std::move(done.error()));
  }
  return {};
}

}  // namespace pchr
