// SPDX-License-Identifier: MIT
#include "describe.hpp"

#include <pchr/queries.hpp>

#include "character/format.hpp"

#include <array>

namespace pchr::web {
namespace {

/// Writes JSON.
class Json {
 public:
  [[nodiscard]] std::string take() && { return std::move(text_); }

  void add(std::string_view text) {
    separate();
    text_ += '"';
    text_ += json_escaped(text);
    text_ += '"';
  }
  void add(bool value) { add_word(value ? "true" : "false"); }
  void add(std::integral auto value) { add_word(std::to_string(value)); }
  void add(std::floating_point auto value) { add_word(format_text("{}", value)); }
  /// Adds an id as a number, or -1 for `none`.
  void add(PartId auto id) { add(static_cast<std::int32_t>(index(id))); }
  void add(const Rect& rect) {
    if (rect.empty()) return add_word("null");
    add_list(std::array{rect.min.x, rect.min.y, rect.max.x, rect.max.y}, [&](float side) { add(side); });
  }

  template <typename Value>
  void member(std::string_view name, const Value& value) {
    add_name(name);
    add(value);
  }
  void null_member(std::string_view name) {
    add_name(name);
    add_word("null");
  }
  template <typename Add>
  void object_member(std::string_view name, const Add& add_members) {
    add_name(name);
    add_object(add_members);
  }
  template <typename Elements, typename Add>
  void list_member(std::string_view name, const Elements& elements, const Add& add_element) {
    add_name(name);
    add_list(elements, add_element);
  }

  template <typename Add>
  void add_object(const Add& add_members) {
    open('{');
    add_members();
    close('}');
  }
  template <typename Elements, typename Add>
  void add_list(const Elements& elements, const Add& add_element) {
    open('[');
    for (const auto& element : elements) add_element(element);
    close(']');
  }

 private:
  void separate() {
    if (!text_.empty() && text_.back() != '{' && text_.back() != '[' && text_.back() != ':') text_ += ',';
  }
  void open(char bracket) {
    separate();
    text_ += bracket;
  }
  void close(char bracket) { text_ += bracket; }
  void add_name(std::string_view name) {
    add(name);
    text_ += ':';
  }
  void add_word(std::string_view word) {
    separate();
    text_ += word;
  }

  std::string text_;
};

void add_diagnostic(Json& json, const Diagnostic& diagnostic) {
  json.member("id", code(diagnostic.id));
  json.member("severity", std::string_view(severity(diagnostic.id) == Severity::error ? "error" : "warning"));
  json.member("message", describe(diagnostic));
  json.member("hint", hint(diagnostic.id));
  json.member("path", diagnostic.path);
  if (diagnostic.byte_offset) {
    json.member("byte", *diagnostic.byte_offset);
  } else {
    json.null_member("byte");
  }
  json.member("line", diagnostic.line);
  json.member("column", diagnostic.column);
}

void add_missing(Json& json, std::span<const std::string> missing) {
  json.list_member("missing", missing, [&](const std::string& path) { json.add(path); });
}

void add_clip(Json& json, const Opened& opened, ClipId id) {
  const Clip& clip = opened.character.clips()[id];
  json.member("name", clip.name);
  json.member("fps", clip.frames_per_second);
  json.member("frames", clip.frame_count);
  json.member("seconds", clip.duration_seconds());
  json.member("loops", clip.looping);
  json.member("loopStart", clip.loop_start);
  if (!clip.frame_ends.empty()) {
    json.list_member("frameEnds", clip.frame_ends, [&](double end) { json.add(end); });
  }
  json.member("bounds", compute_clip_bounds(opened.character, id));
  json.list_member("markers", opened.markers.of_clip(id), [&](const Marker& marker) {
    json.add_object([&] {
      json.member("frame", marker.frame);
      json.member("name", marker.name);
    });
  });
}

}  // namespace

std::string describe_opened(const Opened& opened, std::size_t file_bytes, std::span<const std::string> missing) {
  const Character& character = opened.character;
  Json json;
  json.add_object([&] {
    json.member("format", opened.format);
    json.member("title", opened.title);
    json.member("author", opened.author);
    json.member("fileBytes", file_bytes);
    json.member("is3d", character.is_3d());
    json.member("pixelArt", character.data().pixel_art);
    json.member("bounds", compute_character_bounds(character));
    const BindPoseSource bind = character.bind_pose_source();
    json.member("bindClip", bind.clip);
    json.member("bindFrame", bind.frame);
    json.member("bindGuessed", character.bind_pose_guess().has_value());
    json.list_member("bones", character.bones(), [&](const Bone& bone) {
      json.add_object([&] {
        json.member("name", bone.name);
        json.member("parent", bone.parent);
      });
    });
    json.list_member("meshes", character.meshes(), [&](const Mesh& mesh) {
      json.add_object([&] {
        json.member("name", mesh.name);
        json.member("vertices", mesh.vertex_count);
        json.member("triangles", mesh.index_count / 3);
        json.member("image", mesh.image);
      });
    });
    json.list_member("images", character.images(), [&](const Image& image) {
      json.add_object([&] {
        json.member("name", image.name);
        json.member("width", image.width);
        json.member("height", image.height);
      });
    });
    json.list_member("clips", character.clips().ids(),
                     [&](ClipId clip) { json.add_object([&] { add_clip(json, opened, clip); }); });
    json.list_member("diagnostics", opened.diagnostics,
                     [&](const Diagnostic& diagnostic) { json.add_object([&] { add_diagnostic(json, diagnostic); }); });
    add_missing(json, missing);
  });
  return std::move(json).take();
}

std::string describe_error(const Diagnostic& error, std::span<const std::string> missing) {
  Json json;
  json.add_object([&] {
    json.object_member("error", [&] { add_diagnostic(json, error); });
    add_missing(json, missing);
  });
  return std::move(json).take();
}

std::string describe_error(std::string_view message) {
  Json json;
  json.add_object([&] { json.object_member("error", [&] { json.member("message", message); }); });
  return std::move(json).take();
}

}  // namespace pchr::web
