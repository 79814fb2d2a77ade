// SPDX-License-Identifier: MIT
// Loading, saving, and the parts of a character.
#include "module.hpp"

#include <pchr/import/save.hpp>

#include <algorithm>

namespace pchr::python {
namespace {

PyObject* load_error = nullptr;

py::object error_of(const Diagnostic& diagnostic, const std::string& file) {
  const py::object error = py::reinterpret_borrow<py::object>(load_error)(describe(diagnostic, file));
  error.attr("code") = code(diagnostic.id);
  error.attr("message") = describe(diagnostic);
  error.attr("path") = diagnostic.path;
  error.attr("hint") = hint(diagnostic.id);
  return error;
}

/// Calls a function of the program that reads files. An OSError means that there is no such file; any other exception
/// is kept, to be thrown when the library has returned.
Expected<std::vector<std::byte>, std::string> call_read_file(const py::function& read_file, const std::string& path,
                                                             std::optional<py::error_already_set>& raised) {
  const py::gil_scoped_acquire acquired;
  try {
    const py::object result = read_file(path);
    if (!py::isinstance<py::bytes>(result)) {
      PyErr_SetString(PyExc_TypeError, "read_file must return bytes");
      throw py::error_already_set();
    }
    const std::string_view bytes = py::reinterpret_borrow<py::bytes>(result);
    const auto* const first = reinterpret_cast<const std::byte*>(bytes.data());
    return std::vector<std::byte>(first, first + bytes.size());
  } catch (py::error_already_set& error) {
    std::string why = py::str(error.value());
    if (!error.matches(PyExc_OSError) && !raised) raised.emplace(error);
    return Unexpected(std::move(why));
  }
}

PuppetPointer load(const py::object& file, const std::optional<std::string>& bind_clip, std::uint32_t bind_frame,
                   const std::string& image_folder, bool allow_images_outside, bool follow_links,
                   const std::string& text_encoding, bool second_player, const std::vector<std::string>& animations,
                   const std::vector<std::string>& texture_folders, const std::optional<py::function>& read_file) {
  const Input input = input_of(file);
  ImportOptions options;
  if (bind_clip) options.bind_pose = ClipBindPose{*bind_clip, bind_frame};
  options.image_folder = image_folder;
  options.allow_images_outside = allow_images_outside;
  options.follow_links = follow_links;
  options.text_encoding = text_encoding;
  options.second_player = second_player;
  options.animations = animations;
  options.texture_folders = texture_folders;
  options.executor = thread_executor();
  std::optional<py::error_already_set> raised;
  const auto read = [&](const std::string& path) { return call_read_file(*read_file, path, raised); };
  if (read_file) options.read_file = read;

  auto imported = [&] {
    const std::span<const std::byte> bytes = input.bytes ? input.contents() : std::span<const std::byte>();
    const py::gil_scoped_release released;
    if (input.bytes) return import_character(bytes, options);
    return import_character(input.path, options);
  }();
  if (raised) throw std::move(*raised);
  if (imported && imported->rig_error) {
    const std::string rig = imported->rig_file;
    imported = Unexpected(*std::move(imported->rig_error));
    return std::make_shared<Puppet>(Puppet{value_of(std::move(imported), rig)});
  }
  return std::make_shared<Puppet>(Puppet{value_of(std::move(imported), input.name())});
}

/// Returns the parts of a character, which stay valid as long as any of them.
template <typename Id, typename T>
py::tuple tuple_of(py::handle owner, Table<Id, T> table) {
  py::tuple parts(table.size());
  for (std::size_t i = 0; i < table.size(); ++i)
    parts[i] = py::cast(table[Id{static_cast<std::uint32_t>(i)}], py::return_value_policy::reference_internal, owner);
  return parts;
}

py::dict save_files(const Puppet& puppet, const std::string& format, const std::string& stem, bool raw_pixels,
                    bool lossy, const std::optional<std::string>& json_dialect) {
  SaveOptions options;
  options.raw_pixels = raw_pixels;
  options.lossy = lossy;
  if (json_dialect) options.json_dialect = named<JsonDialect>(*json_dialect, {"v1", "pachario"}, "json_dialect");
  const auto wanted = named<Format>(format, {"v1", "json", "packed"}, "format");
  const Saved saved = value_of(save(puppet.imported, wanted, stem, options), stem);
  py::dict files;
  const auto add = [&](const SavedFile& file) {
    files[py::str(file.name)] = py::bytes(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  };
  add(saved.file);
  for (const SavedFile& image : saved.images) add(image);
  return files;
}

/// Adds a property: one row per frame, one column per bone.
template <typename T>
void add_samples(py::class_<Clip>& clips, const char* name, std::vector<T> BoneSamples::* values) {
  clips.def_property_readonly(name, [values](const py::object& self) {
    const Clip& clip = self.cast<const Clip&>();
    const std::vector<T>& samples = clip.samples.*values;
    const std::size_t bones = clip.frame_count == 0 ? 0 : clip.samples.x.size() / clip.frame_count;
    if (samples.empty()) {  // Opacities that are all 1.
      const py::array_t<T> ones(std::vector<std::size_t>{clip.frame_count, bones});
      ones.attr("fill")(1);
      return py::array(ones);
    }
    return view_of(samples.data(), {clip.frame_count, bones}, self);
  });
}

void add_parts(py::module_& module) {
  py::class_<Bone>(module, "Bone", "A bone of the skeleton.")
      .def_readonly("name", &Bone::name)
      .def_property_readonly("parent", [](const Bone& bone) { return number_of(bone.parent); });
  py::class_<Image>(module, "Image", "An atlas image.")
      .def_readonly("name", &Image::name)
      .def_readonly("width", &Image::width)
      .def_readonly("height", &Image::height)
      .def(
          "decode", [](const Image& image) { return array_of(value_of(decode(image), image.name)); },
          "Decodes the pixels: (height, width, 4) bytes, premultiplied by alpha.");
  py::class_<Mesh>(module, "Mesh", "A range of vertices and triangles drawn with one image.")
      .def_readonly("name", &Mesh::name)
      .def_property_readonly("image", [](const Mesh& mesh) { return index(mesh.image); })
      .def_readonly("first_vertex", &Mesh::first_vertex)
      .def_readonly("vertex_count", &Mesh::vertex_count)
      .def_readonly("first_index", &Mesh::first_index)
      .def_readonly("index_count", &Mesh::index_count);
  py::class_<Clip> clips(module, "Clip", "An animation, sampled once per frame.");
  clips.def_readonly("name", &Clip::name)
      .def_readonly("looping", &Clip::looping)
      .def_readonly("frames_per_second", &Clip::frames_per_second)
      .def_readonly("frame_count", &Clip::frame_count)
      .def_readonly("loop_start", &Clip::loop_start)
      .def_property_readonly("duration_seconds", &Clip::duration_seconds)
      .def(
          "frame_seconds", [](const Clip& clip, std::uint32_t frame) { return seconds_of_frame(clip, frame); },
          py::arg("frame"), "Returns the start time of a frame.");
  add_samples(clips, "x", &BoneSamples::x);
  add_samples(clips, "y", &BoneSamples::y);
  add_samples(clips, "rotation_degrees", &BoneSamples::rotation_degrees);
  add_samples(clips, "scale_x", &BoneSamples::scale_x);
  add_samples(clips, "scale_y", &BoneSamples::scale_y);
  add_samples(clips, "opacity", &BoneSamples::opacity);
  add_samples(clips, "visible", &BoneSamples::visible);
  add_samples(clips, "z_order", &BoneSamples::z_order);
}

}  // namespace

void raise(const Diagnostic& diagnostic, const std::string& file) {
  PyErr_SetObject(load_error, error_of(diagnostic, file).ptr());
  throw py::error_already_set();
}

Input input_of(const py::object& file) {
  if (py::isinstance<py::bytes>(file)) return {"", file.cast<py::bytes>()};
  return {py::module_::import("os").attr("fspath")(file).cast<std::string>()};
}

void require_same(const PuppetPointer& a, const PuppetPointer& b) {
  if (a != b) throw py::value_error("the two belong to different characters");
}

py::array array_of(Bitmap bitmap) {
  auto* const kept = new Bitmap(std::move(bitmap));
  const py::capsule owner(kept, [](void* pointer) { delete static_cast<Bitmap*>(pointer); });
  return view_of(kept->rgba.data(), {kept->height, kept->width, 4}, owner, true);
}

Bitmap bitmap_of(const Pixels& pixels) {
  if (pixels.ndim() != 3 || pixels.shape(2) != 4 || pixels.size() == 0)
    throw py::value_error("an image must be an array of bytes with the shape (height, width, 4)");
  return {static_cast<std::uint32_t>(pixels.shape(1)), static_cast<std::uint32_t>(pixels.shape(0)),
          std::vector<std::uint8_t>(pixels.data(), pixels.data() + pixels.size())};
}

Affine affine_of(const std::optional<Transform>& transform) {
  if (!transform) return kIdentity;
  if (transform->ndim() != 2 || transform->shape(0) != 3 || transform->shape(1) != 2)
    throw py::value_error("a transform must be an array of the shape (3, 2)");
  const float* const f = transform->data();
  return {f[0], f[1], f[2], f[3], f[4], f[5]};
}

py::array array_of(const Affine& transform) { return Transform(std::vector<py::ssize_t>{3, 2}, &transform[0].x); }

OptionalRect rect_of(const Rect& rect) {
  if (rect.empty()) return std::nullopt;
  return std::array{rect.min.x, rect.min.y, rect.max.x, rect.max.y};
}

void add_characters(py::module_& module) {
  load_error = PyErr_NewExceptionWithDoc("pchr.LoadError", "A file or image that cannot be read or written.",
                                         PyExc_ValueError, nullptr);
  module.add_object("LoadError", load_error);
  PYBIND11_NUMPY_DTYPE(Vertex, x, y, u, v, bones, weights);
  add_parts(module);

  py::class_<Diagnostic>(module, "Diagnostic", "A warning about a file.")
      .def_property_readonly("code", [](const Diagnostic& self) { return code(self.id); })
      .def_property_readonly("message", [](const Diagnostic& self) { return describe(self); })
      .def_readonly("path", &Diagnostic::path)
      .def_property_readonly("hint", [](const Diagnostic& self) { return hint(self.id); })
      .def("__str__", [](const Diagnostic& self) { return describe(self); });

  py::class_<Puppet, PuppetPointer>(module, "Character", "A loaded character. It never changes.")
      .def_property_readonly("format", [](const Puppet& self) { return self.imported.format; })
      .def_property_readonly("title", [](const Puppet& self) { return self.imported.title; })
      .def_property_readonly("author", [](const Puppet& self) { return self.imported.author; })
      .def_property_readonly("is_3d", [](const Puppet& self) { return self.character().is_3d(); })
      .def_property_readonly(
          "bones", [](const py::object& self) { return tuple_of(self, self.cast<Puppet&>().character().bones()); })
      .def_property_readonly(
          "clips", [](const py::object& self) { return tuple_of(self, self.cast<Puppet&>().character().clips()); })
      .def_property_readonly(
          "meshes", [](const py::object& self) { return tuple_of(self, self.cast<Puppet&>().character().meshes()); })
      .def_property_readonly(
          "images", [](const py::object& self) { return tuple_of(self, self.cast<Puppet&>().character().images()); })
      .def_property_readonly("vertices",
                             [](const py::object& self) {
                               const auto vertices = self.cast<Puppet&>().character().vertices();
                               return view_of(vertices.data(), {vertices.size()}, self);
                             })
      .def_property_readonly("indices",
                             [](const py::object& self) {
                               const auto indices = self.cast<Puppet&>().character().indices();
                               return view_of(indices.data(), {indices.size()}, self);
                             })
      .def_property_readonly(
          "inverse_bind",
          [](const py::object& self) { return view_of(self.cast<Puppet&>().character().inverse_bind(), self); })
      .def_property_readonly("governing_bones",
                             [](const py::object& self) {
                               const auto bones = self.cast<Puppet&>().character().governing_bones();
                               return view_of(reinterpret_cast<const std::uint32_t*>(bones.data()), {bones.size()},
                                              self);
                             })
      .def_property_readonly("warnings",
                             [](const Puppet& self) {
                               const auto warnings = self.character().warnings();
                               return std::vector<Diagnostic>(warnings.begin(), warnings.end());
                             })
      .def(
          "validate", [](const Puppet& self) { return validate(self.imported); }, "Finds likely mistakes.")
      .def(
          "find_bone",
          [](const Puppet& self, const std::string& name) { return number_of(self.character().find_bone(name)); },
          py::arg("name"), "Returns the first bone with that name, or None.")
      .def(
          "find_clip",
          [](const Puppet& self, const std::string& name) { return number_of(self.character().find_clip(name)); },
          py::arg("name"), "Returns the first clip with that name, or None.")
      .def(
          "find_mesh",
          [](const Puppet& self, const std::string& name) { return number_of(self.character().find_mesh(name)); },
          py::arg("name"), "Returns the first mesh with that name, or None.")
      .def(
          "bounds",
          [](const Puppet& self, const std::optional<Part>& clip) {
            const Character& character = self.character();
            return rect_of(
                clip ? compute_clip_bounds(character, id_of(character.clips(), *clip, "clip"), thread_executor())
                     : compute_character_bounds(character, thread_executor()));
          },
          py::arg("clip") = py::none(), "Computes the exact bounds of a clip, or of all clips.")
      .def("save", save_files, py::arg("format"), py::arg("stem"), py::kw_only(), py::arg("raw_pixels") = false,
           py::arg("lossy") = false, py::arg("json_dialect") = py::none(),
           "Returns the files of the character in a format: their names and contents.");

  module.def("load", load, py::arg("file"), py::kw_only(), py::arg("bind_clip") = py::none(), py::arg("bind_frame") = 0,
             py::arg("image_folder") = "", py::arg("allow_images_outside") = false, py::arg("follow_links") = false,
             py::arg("text_encoding") = "", py::arg("second_player") = false,
             py::arg("animations") = std::vector<std::string>(),
             py::arg("texture_folders") = std::vector<std::string>(), py::arg("read_file") = py::none(),
             "Loads a character of any format from a path, or from the bytes of a file.");
  module.def(
      "encode_png",
      [](const Pixels& pixels) {
        const std::vector<std::byte> file = encode_png(bitmap_of(pixels));
        return py::bytes(reinterpret_cast<const char*>(file.data()), file.size());
      },
      py::arg("pixels"), "Encodes pixels with straight alpha as a PNG file.");
  module.def(
      "placement",
      [](std::array<float, 2> position, float rotation_degrees, float scale, bool flip_x) {
        return array_of(placement({position[0], position[1]}, rotation_degrees, scale, flip_x));
      },
      py::arg("position"), py::arg("rotation_degrees") = 0.0F, py::arg("scale") = 1.0F, py::arg("flip_x") = false,
      "Returns the transform that mirrors, scales, rotates, then moves.");
}

}  // namespace pchr::python
