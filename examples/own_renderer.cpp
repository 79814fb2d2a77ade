// SPDX-License-Identifier: MIT
// Draws a crowd with OpenGL calls of its own, from the data of pchr/gpu.hpp and the installed shaders. A renderer for
// Vulkan, Metal or Direct3D makes other calls in the same places. pchr::render provides only the context and the
// target.
//
//   own_renderer SHADERS FILE CLIP OUTPUT.png
#include <pchr/gpu.hpp>
#include <pchr/load.hpp>
#include <pchr/offscreen.hpp>

// The functions come from the library that CMake calls OpenGL::GL.
#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::uint32_t kWidth = 960, kHeight = 540;
constexpr GLint kImageUnit = 0, kPaletteUnit = 1;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Adds one shader: the lines that select its variant, then its source files.
void add_shader(GLuint program, GLenum stage, const std::string& variant, const std::string& source) {
  const GLuint shader = glCreateShader(stage);
  const std::array<const char*, 2> parts{variant.c_str(), source.c_str()};
  glShaderSource(shader, parts.size(), parts.data(), nullptr);
  glCompileShader(shader);
  glAttachShader(program, shader);
}

GLuint make_program(const std::string& shaders, bool one_influence) {
  const GLuint program = glCreateProgram();
  const std::string variant =
      std::string("#version 330 core\n#define SMOOTH 1\n#define LINEAR 0\n#define LOOKS 0\n#define HOOK 0\n") +
      "#define IS_3D 0\n#define IMAGES 1\n#define INFLUENCES " + (one_influence ? "1\n" : "4\n");
  add_shader(program, GL_VERTEX_SHADER, variant,
             text_of(shaders + "/look.vert") + text_of(shaders + "/character.vert"));
  add_shader(program, GL_FRAGMENT_SHADER, variant, text_of(shaders + "/character.frag"));
  glLinkProgram(program);
  GLint fine = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &fine);
  return fine == GL_TRUE ? program : 0;
}

/// Creates a buffer and leaves it bound.
template <typename T>
GLuint make_buffer(GLenum target, const std::vector<T>& elements) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(target, buffer);
  glBufferData(target, static_cast<GLsizeiptr>(elements.size() * sizeof(T)), elements.data(), GL_STATIC_DRAW);
  return buffer;
}

/// Describes GpuGeometry::vertices, which are in the bound buffer.
void describe_vertices() {
  constexpr GLsizei kStride = sizeof(pchr::Vertex);
  const auto at = [](std::size_t byte) { return reinterpret_cast<const void*>(byte); };
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, kStride, at(offsetof(pchr::Vertex, x)));
  glVertexAttribIPointer(1, 4, GL_UNSIGNED_SHORT, kStride, at(offsetof(pchr::Vertex, bones)));
  glVertexAttribPointer(2, 4, GL_FLOAT, GL_FALSE, kStride, at(offsetof(pchr::Vertex, weights)));
  for (const GLuint location : {0U, 1U, 2U}) glEnableVertexAttribArray(location);
}

std::vector<GLuint> make_textures(const std::vector<pchr::Bitmap>& images) {
  std::vector<GLuint> textures(images.size());
  glGenTextures(static_cast<GLsizei>(textures.size()), textures.data());
  for (std::size_t i = 0; i < images.size(); ++i) {
    glBindTexture(GL_TEXTURE_2D, textures[i]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(images[i].width),
                 static_cast<GLsizei>(images[i].height), 0, GL_RGBA, GL_UNSIGNED_BYTE, images[i].rgba.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glGenerateMipmap(GL_TEXTURE_2D);
  }
  return textures;
}

/// Draws 40 characters, each with its own phase. Returns how many have a row in the palettes.
int draw_crowd(const pchr::Clip& clip, const pchr::GpuGeometry& geometry, const pchr::BakedPalettes& palettes,
               const std::vector<GLuint>& textures) {
  int drawn = 0;
  for (int i = 0; i < 40; ++i) {
    const pchr::ClipTime now = pchr::clip_time(clip, i * 0.137, pchr::Sampling::smooth);
    const auto row = pchr::find_row(palettes, now);
    if (!row) continue;  // It would be posed; see write_palette_row().
    const pchr::Affine placement =
        pchr::placement({static_cast<float>(i % 10) * 90 - 405, 200 - static_cast<float>(i / 10) * 130}, 0, 0.2F);
    // A larger crowd would have these in a buffer, and one call for neighbors with the same draw order.
    glVertexAttrib4fv(3, &placement[0].x);
    glVertexAttrib2fv(4, &placement[2].x);
    glVertexAttrib4f(5, 1, 1, 1, 1);
    glVertexAttribI1ui(6, pchr::pack_row(geometry.layout, *row));
    for (const pchr::IndexRange& range : geometry.draw_orders[row->draw_order].ranges) {
      glBindTexture(GL_TEXTURE_2D, textures[pchr::index(range.image)]);
      glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(range.index_count), GL_UNSIGNED_INT,
                     reinterpret_cast<const void*>(range.first_index * sizeof(std::uint32_t)));
    }
    ++drawn;
  }
  return drawn;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "Usage: %s SHADERS FILE CLIP OUTPUT.png\n", argv[0]);
    return 2;
  }
  const auto hero = pchr::load(argv[2]);
  if (!hero) {
    std::fprintf(stderr, "%s\n", pchr::describe(hero.error(), argv[2]).c_str());
    return 1;
  }
  const auto images = pchr::decode_images(*hero);
  const pchr::ClipId clip = hero->find_clip(argv[3]);
  const pchr::GpuGeometry geometry = pchr::make_gpu_geometry(*hero);
  const auto palettes = pchr::bake_palettes(*hero, geometry, clip, pchr::Sampling::smooth);
  if (!images || clip == pchr::ClipId::none || !palettes) {
    std::fprintf(stderr, "%s: no clip \"%s\" that can be baked, or an invalid image\n", argv[2], argv[3]);
    return 1;
  }
  const auto context = pchr::HeadlessContext::create();
  auto target = context ? pchr::OffscreenTarget::create(context->get_proc_address(), kWidth, kHeight)
                        : pchr::Unexpected(context.error());
  if (!target) {
    std::fprintf(stderr, "no OpenGL: %s\n", target.error().message.c_str());
    return 3;
  }

  const GLuint program = make_program(argv[1], geometry.one_influence);
  if (program == 0) {
    std::fprintf(stderr, "%s: no shaders that compile\n", argv[1]);
    return 1;
  }
  GLuint vertex_array = 0, palette_texture = 0;
  glGenVertexArrays(1, &vertex_array);
  glBindVertexArray(vertex_array);
  make_buffer(GL_ARRAY_BUFFER, geometry.vertices);
  describe_vertices();
  make_buffer(GL_ELEMENT_ARRAY_BUFFER, geometry.indices);
  const GLuint palette_buffer = make_buffer(GL_TEXTURE_BUFFER, palettes->texels);
  glGenTextures(1, &palette_texture);
  glActiveTexture(GL_TEXTURE0 + kPaletteUnit);
  glBindTexture(GL_TEXTURE_BUFFER, palette_texture);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, palette_buffer);
  glActiveTexture(GL_TEXTURE0 + kImageUnit);
  const std::vector<GLuint> textures = make_textures(*images);

  target->begin({0.93F, 0.95F, 0.97F, 1});
  glUseProgram(program);
  glUniform1i(glGetUniformLocation(program, "images"), kImageUnit);
  glUniform1i(glGetUniformLocation(program, "palette"), kPaletteUnit);
  glUniform1i(glGetUniformLocation(program, "bones_per_row"), static_cast<GLint>(geometry.layout.row_bones()));
  const pchr::Affine view = pchr::world_to_clip({{}, 1, {kWidth, kHeight}});
  glUniformMatrix3x2fv(glGetUniformLocation(program, "world_to_clip"), 1, GL_FALSE, &view[0].x);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  const int drawn = draw_crowd(hero->clips()[clip], geometry, *palettes, textures);
  pchr::Bitmap frame = target->finish();
  pchr::unpremultiply(frame);
  const std::vector<std::byte> png = pchr::encode_png(frame);
  std::ofstream(argv[4], std::ios::binary)
      .write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
  std::printf("%d characters, %zu palette rows, OpenGL error %u\n", drawn, palettes->bounds.size(), glGetError());
  return 0;
}
