// SPDX-License-Identifier: MIT
// Poses, skins and draw streams.
#include "module.hpp"

#include <cmath>

namespace pchr::python {
namespace {

/// A stream whose arrays stay valid: while any array shows the triangles, changes go to a copy.
struct Stream {
  std::shared_ptr<DrawStream> triangles = std::make_shared<DrawStream>();

  DrawStream& changeable(bool keep) {
    if (triangles.use_count() > 1) {
      auto fresh = std::make_shared<DrawStream>();
      fresh->with_looks = triangles->with_looks;
      triangles = keep ? std::make_shared<DrawStream>(*triangles) : std::move(fresh);
    }
    return *triangles;
  }
  template <typename T>
  py::array view(const std::vector<T>& elements) const {
    auto* const kept = new std::shared_ptr<DrawStream>(triangles);
    const py::capsule owner(kept, [](void* pointer) { delete static_cast<std::shared_ptr<DrawStream>*>(pointer); });
    return view_of(elements.data(), {elements.size()}, owner);
  }
};

double finite(double seconds) {
  if (std::isfinite(seconds)) return seconds;
  throw py::value_error("seconds is not finite");
}

/// Adds a property with one value per bone, which can be changed in place or replaced.
template <typename T>
void add_values(py::class_<PuppetPose>& poses, const char* name, std::vector<T> BoneSamples::* values) {
  poses.def_property(
      name,
      [values](const py::object& self) {
        std::vector<T>& elements = self.cast<PuppetPose&>().buffers.pose.*values;
        return view_of(elements.data(), {elements.size()}, self, true);
      },
      [name](const py::object& self, const py::object& elements) {
        self.attr(name).attr("__setitem__")(py::ellipsis(), elements);
      });
}

py::array deformed(const PuppetPose& pose, const Part& part) {
  const Character& character = pose.puppet->character();
  const MeshId mesh = id_of(character.meshes(), part, "mesh");
  const std::size_t count = character.meshes()[mesh].vertex_count;
  const py::array_t<float> out(std::vector<std::size_t>{count, 2});
  static_assert(sizeof(Vec2) == 2 * sizeof(float));
  std::vector<Vec2> points(count);
  deform_mesh(character, pose.buffers, mesh, points);
  if (count > 0) std::copy_n(&points.front().x, 2 * count, const_cast<float*>(out.data()));
  return out;
}

void set_draw_list(PuppetPose& pose, const py::array_t<DrawItem, py::array::c_style | py::array::forcecast>& items) {
  if (items.ndim() != 1) throw py::value_error("a draw list must have one dimension");
  const Character& character = pose.puppet->character();
  for (py::ssize_t i = 0; i < items.size(); ++i)
    id_of(character.meshes(), static_cast<std::uint32_t>(items.data()[i].mesh), "mesh");
  pose.buffers.draw_list.assign(items.data(), items.data() + items.size());
}

std::optional<Hit> hit(const PuppetPose& pose, std::array<float, 2> point, const std::optional<Transform>& where,
                       const PuppetSkin* skin, std::uint8_t min_alpha) {
  Puppet& puppet = *pose.puppet;
  const Character& character = puppet.character();
  if (!puppet.masks) puppet.masks = value_of(alpha_masks(character, {}, thread_executor()), "");
  if (skin != nullptr) require_same(pose.puppet, skin->puppet);
  return hit_test(character, pose.buffers, {affine_of(where)}, skin == nullptr ? nullptr : &skin->data, *puppet.masks,
                  {point[0], point[1]}, {min_alpha});
}

void add_skins(py::module_& module) {
  py::class_<PuppetSkin, std::shared_ptr<PuppetSkin>>(module, "Skin", "Changes to the meshes of one character.")
      .def(py::init([](PuppetPointer puppet, std::string name) {
             return std::make_shared<PuppetSkin>(PuppetSkin{std::move(puppet), {std::move(name), {}, {}}});
           }),
           py::arg("character"), py::arg("name") = "")
      .def_property_readonly("character", [](const PuppetSkin& self) { return self.puppet; })
      .def_property_readonly("name", [](const PuppetSkin& self) { return self.data.name; })
      .def(
          "add_image",
          [](PuppetSkin& self, const Pixels& pixels) {
            Bitmap bitmap = bitmap_of(pixels);
            for (std::size_t i = 0; i < bitmap.rgba.size(); ++i) {
              const unsigned alpha = bitmap.rgba[i | 3];
              if (i % 4 != 3) bitmap.rgba[i] = static_cast<std::uint8_t>((bitmap.rgba[i] * alpha + 127) / 255);
            }
            ++self.version;
            return index(add_image(self.data, self.puppet->character(), std::move(bitmap)));
          },
          py::arg("pixels"), "Adds an image with straight alpha and returns its number for set().")
      .def(
          "set",
          [](PuppetSkin& self, const Part& part, bool visible, Color tint, std::optional<std::uint32_t> image,
             Rgb dark_tint, Rgb additive, const std::string& blend) {
            const Character& character = self.puppet->character();
            const MeshId mesh = id_of(character.meshes(), part, "mesh");
            const std::size_t images = character.images().size() + self.data.images.size();
            if (image && *image >= images)
              throw py::index_error("image " + std::to_string(*image) + " does not exist; there are " +
                                    std::to_string(images));
            part_of(self.data, mesh) = {.visible = visible,
                                        .tint = tint,
                                        .image = image ? ImageId{*image} : ImageId::none,
                                        .dark_tint = dark_tint,
                                        .additive = additive,
                                        .blend = blend_of(blend)};
            ++self.version;
          },
          py::arg("mesh"), py::kw_only(), py::arg("visible") = true, py::arg("tint") = Color{1, 1, 1, 1},
          py::arg("image") = py::none(), py::arg("dark_tint") = Rgb{}, py::arg("additive") = Rgb{},
          py::arg("blend") = "normal", "Sets what the skin does to a mesh.");
}

}  // namespace

void add_poses(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(DrawItem, mesh, opacity, tint, image, dark_tint, additive, blend);
  PYBIND11_NUMPY_DTYPE(StreamVertex, x, y, u, v, color);
  PYBIND11_NUMPY_DTYPE(StreamCommand, source, image, first_index, index_count, blend);
  PYBIND11_NUMPY_DTYPE(StreamLook, dark, additive);
  add_skins(module);

  py::class_<Hit>(module, "Hit", "A hit on a mesh.")
      .def_property_readonly("mesh", [](const Hit& self) { return index(self.mesh); })
      .def_property_readonly("bone", [](const Hit& self) { return index(self.bone); })
      .def_property_readonly("governing_bone", [](const Hit& self) { return index(self.governing_bone); })
      .def_readonly("triangle", &Hit::triangle)
      .def_readonly("barycentrics", &Hit::barycentrics)
      .def_property_readonly("uv", [](const Hit& self) { return std::array{self.uv.x, self.uv.y}; })
      .def_readonly("alpha", &Hit::alpha);

  py::class_<PuppetPose> poses(module, "Pose", "A posed character. Starts with the bind pose.");
  poses
      .def(py::init([](PuppetPointer puppet) {
             PuppetPose pose{std::move(puppet), {}};
             pose_bind(pose.puppet->character(), pose.buffers);
             return pose;
           }),
           py::arg("character"))
      .def_property_readonly("character", [](const PuppetPose& self) { return self.puppet; })
      .def(
          "bind", [](PuppetPose& self) { pose_bind(self.puppet->character(), self.buffers); }, "Shows the bind pose.")
      .def(
          "clip",
          [](PuppetPose& self, const Part& clip, double seconds, bool smooth) {
            const Character& character = self.puppet->character();
            pose_clip(character, id_of(character.clips(), clip, "clip"), finite(seconds), sampling_of(smooth),
                      self.buffers);
          },
          py::arg("clip"), py::arg("seconds"), py::arg("smooth") = false, "Shows a clip at a time.")
      .def(
          "update", [](PuppetPose& self) { update(self.puppet->character(), self.buffers); },
          "Recomputes transforms and the draw list after changes to bones.")
      .def_property_readonly(
          "world", [](const py::object& self) { return view_of(self.cast<PuppetPose&>().buffers.world, self); })
      .def_property_readonly(
          "palette", [](const py::object& self) { return view_of(self.cast<PuppetPose&>().buffers.palette, self); })
      .def_property(
          "draw_list",
          [](const PuppetPose& self) {
            const DrawList& list = self.buffers.draw_list;
            return py::array_t<DrawItem>(static_cast<py::ssize_t>(list.size()), list.data());
          },
          set_draw_list)
      .def("deform", deformed, py::arg("mesh"), "Computes the positions of a mesh's vertices: (count, 2) floats.")
      .def(
          "bounds", [](const PuppetPose& self) { return rect_of(bounds(self.puppet->character(), self.buffers)); },
          "Computes the bounds of the visible meshes.")
      .def(
          "rotation_towards",
          [](const PuppetPose& self, const Part& part, std::array<float, 2> target, std::array<float, 2> axis) {
            const Character& character = self.puppet->character();
            return rotation_towards(character.bones(), view(self.buffers.pose), id_of(character.bones(), part, "bone"),
                                    {target[0], target[1]}, {axis[0], axis[1]});
          },
          py::arg("bone"), py::arg("target"), py::arg("axis") = std::array{0.0F, 1.0F},
          "Returns the rotation_degrees that point an axis of a bone at a point.")
      .def("hit_test", hit, py::arg("point"), py::kw_only(), py::arg("placement") = py::none(),
           py::arg("skin") = py::none(), py::arg("min_alpha") = 128, "Finds the topmost mesh at a point.");
  add_values(poses, "x", &Pose::x);
  add_values(poses, "y", &Pose::y);
  add_values(poses, "rotation_degrees", &Pose::rotation_degrees);
  add_values(poses, "scale_x", &Pose::scale_x);
  add_values(poses, "scale_y", &Pose::scale_y);
  add_values(poses, "opacity", &Pose::opacity);
  add_values(poses, "visible", &Pose::visible);
  add_values(poses, "z_order", &Pose::z_order);

  py::class_<Stream>(module, "DrawStream", "Skinned triangles of any number of characters.")
      .def(py::init([](bool with_looks) {
             Stream stream;
             stream.triangles->with_looks = with_looks;
             return stream;
           }),
           py::arg("with_looks") = false)

      .def(
          "clear", [](Stream& self) { self.changeable(false).clear(); }, "Removes everything.")
      .def(
          "add",
          [](Stream& self, const PuppetPose& pose, const std::optional<Transform>& where, Color tint, Rgb dark_tint,
             Rgb additive, const std::string& blend, const PuppetSkin* skin, std::uint32_t source) {
            if (skin != nullptr) require_same(pose.puppet, skin->puppet);
            StreamOptions options{.appearance = appearance_of(where, tint, dark_tint, additive, blend)};
            options.skin = skin == nullptr ? nullptr : &skin->data;
            options.source = source;
            append_draw_stream(pose.puppet->character(), pose.buffers, options, self.changeable(true));
          },
          py::arg("pose"), py::kw_only(), py::arg("placement") = py::none(), py::arg("tint") = Color{1, 1, 1, 1},
          py::arg("dark_tint") = Rgb{}, py::arg("additive") = Rgb{}, py::arg("blend") = "normal",
          py::arg("skin") = py::none(), py::arg("source") = 0, "Appends a posed character on top.")
      .def_property_readonly("vertices", [](const Stream& self) { return self.view(self.triangles->vertices); })
      .def_property_readonly("indices", [](const Stream& self) { return self.view(self.triangles->indices); })
      .def_property_readonly("commands", [](const Stream& self) { return self.view(self.triangles->commands); })
      .def_property_readonly("looks", [](const Stream& self) { return self.view(self.triangles->looks); });
}

}  // namespace pchr::python
