// SPDX-License-Identifier: MIT
// Animators, their plays and events.
#include "module.hpp"

#include <algorithm>

namespace pchr::python {
namespace {

struct PuppetAnimator {
  PuppetPointer puppet;
  Animator animator{puppet->character()};

  [[nodiscard]] ClipId clip(const Part& part) const { return id_of(puppet->character().clips(), part, "clip"); }
  [[nodiscard]] BoneId bone(const Part& part) const { return id_of(puppet->character().bones(), part, "bone"); }
  Play& play(std::uint64_t id) {
    if (Play* const play = animator.find(PlayId{id})) return *play;
    throw py::key_error("play " + std::to_string(id) + " is not showing");
  }
};

std::uint32_t checked_layer(std::uint32_t layer) {
  if (layer < Animator::kMaxLayers) return layer;
  throw py::index_error("layer is " + std::to_string(layer) + ", expected less than " +
                        std::to_string(Animator::kMaxLayers));
}

PlayOptions options_of(std::uint32_t layer, double fade_seconds, double speed, std::optional<double> start_seconds,
                       const std::string& loop) {
  return {checked_layer(layer), fade_seconds, speed, start_seconds,
          named<LoopMode>(loop, {"from_file", "once", "loop", "ping_pong"}, "loop")};
}

struct Event {
  std::string kind;
  std::uint32_t layer;
  std::uint64_t play;
  std::optional<std::uint32_t> clip;
  std::optional<std::string> marker;
  std::uint64_t count;
  double seconds;
  float weight;
};

const char* name_of(AnimatorEvent::Kind kind) {
  switch (kind) {
    case AnimatorEvent::Kind::started:
      return "started";
    case AnimatorEvent::Kind::looped:
      return "looped";
    case AnimatorEvent::Kind::finished:
      return "finished";
    case AnimatorEvent::Kind::marker:
      return "marker";
    case AnimatorEvent::Kind::interrupted:
      return "interrupted";
  }
  return "";
}

std::vector<Event> advance(PuppetAnimator& self, double seconds) {
  std::vector<Event> events;
  for (const AnimatorEvent& event : self.animator.advance(seconds)) {
    events.push_back({name_of(event.kind), event.layer, static_cast<std::uint64_t>(event.play), number_of(event.clip),
                      event.marker == nullptr ? std::nullopt : std::optional(event.marker->name), event.count,
                      event.seconds, event.weight});
  }
  return events;
}

void set_markers(PuppetAnimator& self, const py::object& source) {
  const Character& character = self.puppet->character();
  const bool is_path = py::isinstance<py::str>(source) || py::hasattr(source, "__fspath__");
  if (is_path) {
    const auto path = py::module_::import("os").attr("fspath")(source).cast<std::string>();
    return self.animator.set_markers(std::make_shared<Markers>(value_of(load_markers(path, character), path)));
  }
  std::vector<Marker> markers;
  for (const auto& [clip, frame, name] : source.cast<std::vector<std::tuple<Part, std::uint32_t, std::string>>>())
    markers.push_back({self.clip(clip), frame, name});
  self.animator.set_markers(std::make_shared<Markers>(std::move(markers)));
}

void load_sidecar(PuppetAnimator& self, const py::object& file) {
  const Character& character = self.puppet->character();
  const Input input = input_of(file);
  Sidecar sidecar =
      value_of(input.bytes ? load_rig(input.contents(), character) : load_rig(input.path, character), input.name());
  self.animator.set_markers(std::make_shared<Markers>(std::move(sidecar.markers)));
  self.animator.set_rig(std::make_shared<Rig>(std::move(sidecar.rig)));
}

void control_rig(PuppetAnimator& self, const std::string& name, std::optional<std::array<float, 2>> target,
                 float weight) {
  RigControl* const control = self.animator.rig_control(name);
  if (control == nullptr) throw py::key_error("the rig has no aim or limb named \"" + name + '"');
  *control = {target ? std::optional(Vec2{(*target)[0], (*target)[1]}) : std::nullopt, weight};
}

void set_layer(PuppetAnimator& self, std::uint32_t layer, float weight, const std::string& mode,
               const std::optional<std::vector<Part>>& bones, const std::optional<Part>& subtree,
               const std::optional<Part>& reference_clip, std::uint32_t reference_frame) {
  const Character& character = self.puppet->character();
  LayerOptions options;
  options.weight = weight;
  options.mode = named<LayerMode>(mode, {"override", "additive"}, "mode");
  if (reference_clip) options.reference_clip = self.clip(*reference_clip);
  options.reference_frame = reference_frame;
  if (bones && subtree) throw py::value_error("bones and subtree exclude each other");
  if (subtree) options.mask = mask_of_subtree(character, self.bone(*subtree));
  if (bones) {
    std::vector<BoneId> ids;
    for (const Part& bone : *bones) ids.push_back(self.bone(bone));
    options.mask = mask_of_bones(character, ids);
  }
  self.animator.set_layer(checked_layer(layer), std::move(options));
}

void override_bone(PuppetAnimator& self, const Part& part, std::optional<float> x, std::optional<float> y,
                   std::optional<float> rotation_degrees, std::optional<float> scale_x, std::optional<float> scale_y,
                   std::optional<bool> visible, std::optional<std::int32_t> z_order, float weight, bool relative) {
  BoneOverride wanted{self.bone(part), x, y, rotation_degrees, scale_x, scale_y, visible, z_order, weight, relative};
  auto& all = self.animator.overrides;
  const auto same = std::find_if(all.begin(), all.end(), [&](const BoneOverride& o) { return o.bone == wanted.bone; });
  if (same == all.end()) {
    all.push_back(wanted);
  } else {
    *same = wanted;
  }
}

}  // namespace

void add_animators(py::module_& module) {
  py::class_<Event>(module, "Event", "Something that happened in one step of time.")
      .def_readonly("kind", &Event::kind)
      .def_readonly("layer", &Event::layer)
      .def_readonly("play", &Event::play)
      .def_readonly("clip", &Event::clip)
      .def_readonly("marker", &Event::marker)
      .def_readonly("count", &Event::count)
      .def_readonly("seconds", &Event::seconds)
      .def_readonly("weight", &Event::weight);
  py::class_<Play>(module, "Play", "A clip that a layer is playing.")
      .def_property_readonly("id", [](const Play& self) { return static_cast<std::uint64_t>(self.id); })
      .def_property_readonly("clip", [](const Play& self) { return static_cast<std::uint32_t>(self.clip); })
      .def_property_readonly("seconds", [](const Play& self) { return self.clock.seconds(); })
      .def_property_readonly("speed", [](const Play& self) { return self.clock.speed(); })
      .def_property_readonly("weight", &Play::weight);

  const py::arg_v no_fade = py::arg("fade_seconds") = 0.0;
  py::class_<PuppetAnimator>(module, "Animator", "Plays clips on one instance of a character.")
      .def(py::init([](PuppetPointer puppet) { return PuppetAnimator{std::move(puppet)}; }), py::arg("character"))
      .def_property_readonly("character", [](const PuppetAnimator& self) { return self.puppet; })
      .def(
          "play",
          [](PuppetAnimator& self, const Part& clip, std::uint32_t layer, double fade_seconds, double speed,
             std::optional<double> start_seconds, const std::string& loop) {
            const PlayOptions options = options_of(layer, fade_seconds, speed, start_seconds, loop);
            return static_cast<std::uint64_t>(self.animator.play(self.clip(clip), options));
          },
          py::arg("clip"), py::kw_only(), py::arg("layer") = 0, no_fade, py::arg("speed") = 1.0,
          py::arg("start_seconds") = py::none(), py::arg("loop") = "from_file",
          "Starts a clip now and returns the id of this play.")
      .def(
          "queue",
          [](PuppetAnimator& self, const Part& clip, std::uint32_t layer, double fade_seconds, double speed,
             std::optional<double> start_seconds, const std::string& loop) {
            const PlayOptions options = options_of(layer, fade_seconds, speed, start_seconds, loop);
            return static_cast<std::uint64_t>(self.animator.queue(self.clip(clip), options));
          },
          py::arg("clip"), py::kw_only(), py::arg("layer") = 0, no_fade, py::arg("speed") = 1.0,
          py::arg("start_seconds") = py::none(), py::arg("loop") = "from_file",
          "Starts a clip when the layer's last play ends, and returns the id of that play.")
      .def(
          "stop",
          [](PuppetAnimator& self, std::uint32_t layer, double fade_seconds) {
            self.animator.stop(checked_layer(layer), fade_seconds);
          },
          py::arg("layer") = 0, no_fade, "Fades out a layer and clears its queue.")
      .def(
          "queue_stop",
          [](PuppetAnimator& self, std::uint32_t layer, double fade_seconds) {
            self.animator.queue_stop(checked_layer(layer), fade_seconds);
          },
          py::arg("layer") = 0, no_fade, "Fades out a layer when queue() would start a clip.")
      .def(
          "plays",
          [](const PuppetAnimator& self, std::uint32_t layer) {
            std::vector<Play> plays;
            for (const Play& play : self.animator.plays(checked_layer(layer)))
              if (play.kind == Play::Kind::clip) plays.push_back(play);
            return plays;
          },
          py::arg("layer") = 0, "Returns the plays of a layer, oldest first.")
      .def(
          "seek",
          [](PuppetAnimator& self, std::uint64_t play, double seconds) { self.play(play).clock.seek_seconds(seconds); },
          py::arg("play"), py::arg("seconds"), "Moves a play to a clip time.")
      .def(
          "set_play_speed",
          [](PuppetAnimator& self, std::uint64_t play, double speed) { self.play(play).clock.set_speed(speed); },
          py::arg("play"), py::arg("speed"), "Sets the speed of a play.")
      .def("set_layer", set_layer, py::arg("layer"), py::kw_only(), py::arg("weight") = 1.0F,
           py::arg("mode") = "override", py::arg("bones") = py::none(), py::arg("subtree") = py::none(),
           py::arg("reference_clip") = py::none(), py::arg("reference_frame") = 0,
           "Sets how a layer mixes with the layers below, and on which bones.")
      .def(
          "set_layer_weight",
          [](PuppetAnimator& self, std::uint32_t layer, float weight) {
            self.animator.set_layer_weight(checked_layer(layer), weight);
          },
          py::arg("layer"), py::arg("weight"), "Sets only the weight of a layer.")
      .def_property(
          "speed", [](const PuppetAnimator& self) { return self.animator.speed(); },
          [](PuppetAnimator& self, double speed) { self.animator.set_speed(speed); })
      .def_property(
          "smooth", [](const PuppetAnimator& self) { return self.animator.sampling() == Sampling::smooth; },
          [](PuppetAnimator& self, bool smooth) { self.animator.set_sampling(sampling_of(smooth)); })
      .def("set_markers", set_markers, py::arg("markers"),
           "Replaces the markers: a list of (clip, frame, name), or the path of a file.")
      .def("advance", advance, py::arg("seconds"), "Advances and returns everything that happened, in order.")
      .def("override", override_bone, py::arg("bone"), py::kw_only(), py::arg("x") = py::none(),
           py::arg("y") = py::none(), py::arg("rotation_degrees") = py::none(), py::arg("scale_x") = py::none(),
           py::arg("scale_y") = py::none(), py::arg("visible") = py::none(), py::arg("z_order") = py::none(),
           py::arg("weight") = 1.0F, py::arg("relative") = false, "Replaces values of a bone after clips are mixed.")
      .def(
          "clear_overrides", [](PuppetAnimator& self) { self.animator.overrides.clear(); }, "Removes all overrides.")
      .def("load_rig", load_sidecar, py::arg("file"),
           "Replaces markers and procedural layers with those of a file next to a character, or of its bytes.")
      .def("control_rig", control_rig, py::arg("name"), py::arg("target") = py::none(), py::arg("weight") = 1.0F,
           "Sets the target and the weight of an aim or a limb.")
      .def(
          "place_rig",
          [](PuppetAnimator& self, const Transform& where, bool teleport) {
            self.animator.set_rig_placement(affine_of(where), teleport);
          },
          py::arg("placement"), py::arg("teleport") = false,
          "Tells the procedural layers where the character is, which swings its springs.")
      .def(
          "set_root_motion",
          [](PuppetAnimator& self, const std::optional<Part>& bone, bool along_x, bool along_y) {
            self.animator.set_root_motion(bone ? std::optional(RootMotion{self.bone(*bone), along_x, along_y})
                                               : std::nullopt);
          },
          py::arg("bone"), py::arg("along_x") = true, py::arg("along_y") = false,
          "Takes a bone's movement out of the pose. None stops that.")
      .def(
          "take_root_motion",
          [](PuppetAnimator& self) {
            const Vec2 moved = self.animator.take_root_motion();
            return std::array{moved.x, moved.y};
          },
          "Returns that movement since the last call.")
      .def(
          "rebind",
          [](PuppetAnimator& self, PuppetPointer puppet) {
            const Rebound lost = self.animator.rebind(puppet->character());
            self.puppet = std::move(puppet);
            py::dict names;
            names["clips"] = lost.clips;
            names["bones"] = lost.bones;
            return names;
          },
          py::arg("character"), "Continues with another version of the character. Returns the names it lacks.")
      .def(
          "pose",
          [](PuppetAnimator& self, PuppetPose& out) {
            require_same(self.puppet, out.puppet);
            self.animator.pose(out.buffers);
          },
          py::arg("out"), "Poses the character as the animator shows it.");
}

}  // namespace pchr::python
