// SPDX-License-Identifier: MIT
// Images of posed characters, drawn without a display.
#include "module.hpp"

#include <pchr/offscreen.hpp>

#include <algorithm>
#include <thread>

namespace pchr::python {
namespace {

template <typename T>
T or_raise(Expected<T, RenderError> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

/// Removes the first of too many elements.
template <typename T>
T& add_bounded(std::vector<T>& elements, T element) {
  constexpr std::size_t kMaxKept = 8;
  if (elements.size() == kMaxKept) elements.erase(elements.begin());
  elements.push_back(std::move(element));
  return elements.back();
}

struct UploadedSkin {
  std::shared_ptr<const PuppetSkin> source;
  std::uint64_t version;
  Skin skin;
};
struct UploadedModel {
  PuppetPointer puppet;
  Model model;
  std::vector<UploadedSkin> skins;
};

/// OpenGL on one thread, shared by its canvases.
struct Graphics {
  HeadlessContext context = or_raise(HeadlessContext::create());
  Renderer renderer = or_raise(Renderer::create(context.get_proc_address(), {.executor = thread_executor()}));
  std::vector<UploadedModel> models{};
  const void* drawing = nullptr;  ///< The canvas between clear() and finish().

  UploadedModel& uploaded(const PuppetPointer& puppet) {
    for (UploadedModel& model : models)
      if (model.puppet == puppet) return model;
    return add_bounded(models, {puppet, or_raise(renderer.upload(puppet->character())), {}});
  }
  const Skin& uploaded(UploadedModel& model, const std::shared_ptr<PuppetSkin>& skin) {
    std::erase_if(model.skins, [&](const UploadedSkin& u) { return u.source == skin && u.version != skin->version; });
    for (const UploadedSkin& uploaded : model.skins)
      if (uploaded.source == skin) return uploaded.skin;
    return add_bounded(model.skins, {skin, skin->version, or_raise(renderer.upload_skin(model.model, skin->data))})
        .skin;
  }
};

std::shared_ptr<Graphics> graphics_of_this_thread() {
  thread_local std::weak_ptr<Graphics> shared;
  std::shared_ptr<Graphics> graphics = shared.lock();
  if (!graphics) shared = graphics = std::make_shared<Graphics>();
  return graphics;
}

class Canvas {
 public:
  Canvas(std::uint32_t width, std::uint32_t height, std::uint32_t samples)
      : target_(or_raise(OffscreenTarget::create(graphics_->context.get_proc_address(), width, height, samples))) {
    camera_.viewport = {width, height};
  }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  ~Canvas() {
    if (graphics_->drawing == this) {
      static_cast<void>(target_.finish());
      graphics_->drawing = nullptr;
    }
  }

  void look(std::array<float, 2> center, float zoom, bool flip_y) {
    if (!(zoom > 0)) throw py::value_error("zoom is " + std::to_string(zoom) + ", expected more than 0");
    camera_ = {{center[0], center[1]}, zoom, camera_.viewport, flip_y};
  }
  void fit(std::array<float, 4> bounds, float margin) {
    camera_ = pchr::fit(camera_, {{bounds[0], bounds[1]}, {bounds[2], bounds[3]}}, margin);
  }
  void clear(Color color) {
    if (graphics_->drawing == this) static_cast<void>(finish(true));
    require(graphics_->drawing == nullptr, "another canvas is being drawn; call its finish() first");
    for (std::size_t i = 0; i < 3; ++i) color[i] *= color[3];
    require_thread();
    target_.begin(color);
    graphics_->drawing = this;
  }
  void draw(const PuppetPose& pose, const std::optional<Transform>& where, Color tint, Rgb dark_tint, Rgb additive,
            const std::string& blend, const std::shared_ptr<PuppetSkin>& skin) {
    require_drawing();
    if (skin) require_same(pose.puppet, skin->puppet);
    UploadedModel& uploaded = graphics_->uploaded(pose.puppet);
    DrawOptions options{.appearance = appearance_of(where, tint, dark_tint, additive, blend)};
    if (skin) options.skin = &graphics_->uploaded(uploaded, skin);
    graphics_->renderer.draw(uploaded.model, pose.buffers, camera_, options);
  }
  py::array finish(bool premultiplied) {
    require_drawing();
    Bitmap image = target_.finish();
    graphics_->drawing = nullptr;
    if (!premultiplied) unpremultiply(image);
    return array_of(std::move(image));
  }

 private:
  static void require(bool condition, const char* why) {
    if (!condition) throw std::runtime_error(why);
  }
  void require_thread() const {
    require(std::this_thread::get_id() == thread_, "a canvas belongs to the thread that created it");
  }
  void require_drawing() const {
    require_thread();
    require(graphics_->drawing == this, "call clear() first");
  }

  std::shared_ptr<Graphics> graphics_ = graphics_of_this_thread();
  OffscreenTarget target_;
  Camera camera_;
  std::thread::id thread_ = std::this_thread::get_id();
};

}  // namespace

void add_canvas(py::module_& module) {
  py::class_<Canvas>(module, "Canvas", "An image that characters are drawn into, without a display.")
      .def(py::init<std::uint32_t, std::uint32_t, std::uint32_t>(), py::arg("width"), py::arg("height"),
           py::arg("samples") = 4)
      .def("look", &Canvas::look, py::arg("center") = std::array{0.0F, 0.0F}, py::arg("zoom") = 1.0F,
           py::arg("flip_y") = false, "Sets the world point in the center and the pixels per world pixel.")
      .def("fit", &Canvas::fit, py::arg("bounds"), py::arg("margin") = 0.05F, "Shows all of a rectangle.")
      .def("clear", &Canvas::clear, py::arg("color") = Color{0, 0, 0, 0}, "Starts an image.")
      .def("draw", &Canvas::draw, py::arg("pose"), py::kw_only(), py::arg("placement") = py::none(),
           py::arg("tint") = Color{1, 1, 1, 1}, py::arg("dark_tint") = Rgb{}, py::arg("additive") = Rgb{},
           py::arg("blend") = "normal", py::arg("skin") = py::none(), "Draws a posed character on top.")
      .def("finish", &Canvas::finish, py::arg("premultiplied") = false,
           "Returns the image: (height, width, 4) bytes with straight alpha, top row first.");
}

}  // namespace pchr::python

PYBIND11_MODULE(_pchr, module) {
  // Types should print as members of the package.
  const pybind11::object name = module.attr("__name__");
  module.attr("__name__") = "pchr";
  pchr::python::add_characters(module);
  pchr::python::add_poses(module);
  pchr::python::add_animators(module);
  pchr::python::add_canvas(module);
  module.attr("__name__") = name;
}
