#include "classes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace godot;

namespace {

const Method<void(bool)> set_process_internal{"Node", "set_process_internal", 2586408642};
const Method<bool()> is_inside_tree{"Node", "is_inside_tree", 36873697};
const Method<GDExtensionObjectPtr()> get_parent{"Node", "get_parent", 3160264692};
const Method<void()> update_configuration_warnings{"Node", "update_configuration_warnings", 3218959716};
const Method<Transform2D()> get_global_transform{"CanvasItem", "get_global_transform", 3814499831};
const Method<void(Transform2D)> set_transform{"Node2D", "set_transform", 2761652528};

constexpr double kDegrees = 180 / std::numbers::pi;

/// The world of a rig is the canvas with y up.
pchr_affine to_rig(const Transform2D& canvas) {
  return {canvas.x.x, -canvas.x.y, canvas.y.x, -canvas.y.y, canvas.origin.x, -canvas.origin.y};
}

Vector2 transformed(const pchr_affine& by, Vector2 point) {
  return {by.a * point.x + by.c * point.y + by.tx, by.b * point.x + by.d * point.y + by.ty};
}

std::string quoted(const std::string& name) { return '"' + name + '"'; }

std::string clip_name(const pchr_character* character, std::uint32_t index) {
  pchr_clip clip{};
  return pchr_get_clip(character, index, &clip) ? clip.name : "";
}

/// Returns the frame of the marker that an event is about. Markers of a clip can share a name, but not their text.
std::int64_t frame_of(const pchr_animator* animator, const pchr_event& event) {
  pchr_marker marker{};
  for (std::uint32_t i = 0; pchr_animator_get_marker(animator, i, &marker); ++i) {
    if (marker.clip == event.clip && marker.name == event.marker) return marker.frame;
  }
  return -1;
}

}  // namespace

/// Returns the index of a clip, or reports which clips there are.
std::uint32_t PchrSprite2D::find_clip(const char* function, const std::string& name) {
  refresh();
  const std::uint32_t index = pchr_find_clip(animator != nullptr ? character->character : nullptr, name.c_str());
  if (index == PCHR_NONE) report_unknown(function, "clip", name, &PchrCharacter::get_clips);
  return index;
}

/// Returns the index of a bone, or reports which bones there are.
std::uint32_t PchrSprite2D::find_bone(const char* function, const std::string& name) {
  refresh();
  const std::uint32_t index = pchr_find_bone(animator != nullptr ? character->character : nullptr, name.c_str());
  if (index == PCHR_NONE) report_unknown(function, "bone", name, &PchrCharacter::get_bones);
  return index;
}

void PchrSprite2D::report_unknown(const char* function, const char* kind, const std::string& name,
                                  PackedStringArray (PchrCharacter::*names)() const) {
  std::string problem = "the node has no character";
  if (animator != nullptr) {
    problem = std::string("the character has no ") + kind + " " + quoted(name) + ", only " +
              join((character.get()->*names)());
  }
  report_error(std::string("PchrSprite2D.") + function + "(): " + problem);
}

bool PchrSprite2D::is_layer(const char* function, std::int64_t layer, std::int64_t first) {
  refresh();
  if (layer >= first && layer < PCHR_MAX_LAYERS) return true;
  report_error(std::string("PchrSprite2D.") + function + "(): layer is " + std::to_string(layer) + ", but it must be " +
               std::to_string(first) + " to " + std::to_string(PCHR_MAX_LAYERS - 1));
  return false;
}

/// Gives a new or another animator everything that the node keeps.
void PchrSprite2D::configure() {
  pchr_animator_set_speed(animator, speed_scale);
  pchr_animator_set_sampling(animator, smooth ? PCHR_SMOOTH : PCHR_STEP);
  pchr_animator_set_markers(animator, nullptr, 0);
  pchr_animator_set_rig(animator, character->rig());
  if (!rig_enabled) pchr_animator_set_rig(animator, nullptr);
  pchr_animator_set_wind(animator, wind.x, -wind.y);
  if (has_rig()) {
    for (const Target& target : targets) apply_target(target.name, target.position, target.weight);
  }
  pchr_animator_set_root_motion(animator, pchr_find_bone(character->character, root_motion.c_str()),
                                (root_motion_axes & 1) != 0, (root_motion_axes & 2) != 0);
  apply_overrides();
  teleported = true;
}

/// Plays from now on.
void PchrSprite2D::run() {
  playing = true;
  update_processing();
  redraw();
}

/// Lets time pass only while something can move.
void PchrSprite2D::update_processing() {
  const bool has_states = pchr_animator_state_layer_count(animator) != 0;
  bool moves = playing && (!finished || has_states || has_rig() || pchr_animator_play_count(animator, 0) > 1);
  for (std::uint32_t layer = 1; playing && !moves && layer < PCHR_MAX_LAYERS; ++layer) {
    moves = pchr_animator_play_count(animator, layer) > 0;
  }
  if (moves == processing) return;
  processing = moves;
  set_process_internal(object, moves);
}

/// Makes the clip that layer 0 shows on top the clip of the node.
void PchrSprite2D::adopt_queued() {
  pchr_play top{};
  if (pchr_animator_state_layer_count(animator) != 0) return;
  const std::uint32_t count = pchr_animator_play_count(animator, 0);
  if (count == 0 || !pchr_animator_play_at(animator, 0, count - 1, &top) || top.id == 0 || top.id == base_play) return;
  base_play = top.id;
  clip = clip_name(character->character, top.clip);
  finished = false;
}

void PchrSprite2D::advance(double seconds) {
  refresh();
  step(seconds);
  update_processing();
  redraw_moved();
  send();
}

void PchrSprite2D::step(double seconds) {
  std::uint32_t count = 0;
  const pchr_event* const first = pchr_animator_advance(animator, seconds, &count);
  const std::span events(first, count);
  if (!events.empty()) adopt_queued();
  for (const pchr_event& event : events) {
    // A play that was replaced between two steps did not show in this one.
    const bool was_replaced = std::ranges::any_of(events, [&](const pchr_event& other) {
      return other.kind == PCHR_EVENT_INTERRUPTED && other.play == event.play;
    });
    if (was_replaced) continue;
    const StringName name(clip_name(character->character, event.clip));
    if (event.kind == PCHR_EVENT_STARTED) {
      signals.push_back({"clip_started", {name}});
    } else if (event.kind == PCHR_EVENT_LOOPED) {
      signals.push_back({"clip_looped", {name}});
    } else if (event.kind == PCHR_EVENT_FINISHED) {
      if (event.play == base_play) finished = true;
      signals.push_back({"clip_finished", {name}});
    } else {
      signals.push_back({"marker", {StringName(event.marker), name, frame_of(animator, event)}});
    }
  }
  const pchr_state_event* const changes = pchr_animator_state_events(animator, &count);
  for (const pchr_state_event& event : std::span(changes, count)) {
    if (event.kind == PCHR_STATE_EVENT_NAMED) {
      signals.push_back({"state_event", {StringName(event.name)}, true});
    } else {
      const char* const signal = event.kind == PCHR_STATE_EVENT_ENTERED ? "state_entered" : "state_left";
      signals.push_back({signal, {event.layer, StringName(event.name)}, true});
    }
  }
}

void PchrSprite2D::send() {
  if (signals.empty()) return;
  const GDExtensionObjectPtr node = object, other = machine != nullptr ? machine->object : nullptr;
  const auto id_of = [](GDExtensionObjectPtr each) { return each != nullptr ? api.object_get_instance_id(each) : 0; };
  const GDObjectInstanceID id = id_of(node), other_id = id_of(other);
  for (Signal& signal : std::exchange(signals, {})) {
    // A receiver can have freed either.
    if (api.object_get_instance_from_id(signal.of_machine ? other_id : id) == nullptr) continue;
    emit_signal(signal.of_machine ? other : node, signal.name, std::move(signal.arguments));
  }
}

void PchrSprite2D::leave_states() {
  const std::uint32_t layers = pchr_animator_state_layer_count(animator);
  if (layers == 0) return;
  pchr_animator_set_states(animator, nullptr, nullptr);
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    pchr_animator_stop(animator, layer, 0);
    pchr_animator_set_layer(animator, layer, nullptr);
  }
  start(0);
  redraw();
}

void PchrSprite2D::crossfade(const String& name, double seconds) {
  refresh();
  const std::string value = name.utf8();
  if (find_clip("crossfade", value) == PCHR_NONE) return;
  change_clip(value, seconds);
}

void PchrSprite2D::queue(const String& name, double fade_seconds) {
  begin("queue", 0, name, fade_seconds, loop, 1, true);
}

void PchrSprite2D::play_layer(std::int64_t layer, const String& name, double fade_seconds, LoopMode mode,
                              double speed) {
  if (is_layer("play_layer", layer, 1)) begin("play_layer", layer, name, fade_seconds, mode, speed, false);
}

void PchrSprite2D::queue_layer(std::int64_t layer, const String& name, double fade_seconds, LoopMode mode,
                               double speed) {
  if (is_layer("queue_layer", layer, 1)) begin("queue_layer", layer, name, fade_seconds, mode, speed, true);
}

void PchrSprite2D::begin(const char* function, std::int64_t layer, const String& name, double fade_seconds,
                         std::int64_t mode, double speed, bool queued) {
  refresh();
  const auto number = static_cast<std::uint32_t>(layer);
  const std::string value = name.utf8();
  if (queued && value.empty() && layer > 0) {
    pchr_animator_queue_stop(animator, number, fade_seconds);
    return;
  }
  if (mode < PCHR_LOOP_FROM_FILE || mode > PCHR_LOOP_PING_PONG) {
    return report_error(std::string("PchrSprite2D.") + function + "(): loop is " + std::to_string(mode) +
                        ", but it must be 0 to 3");
  }
  const std::uint32_t index = find_clip(function, value);
  if (index == PCHR_NONE) return;
  pchr_play_options options;
  pchr_play_options_init(&options, sizeof options);
  options.layer = number;
  options.loop = static_cast<pchr_loop>(mode);
  options.fade_seconds = fade_seconds;
  options.speed = speed;
  (queued ? pchr_animator_queue : pchr_animator_play)(animator, index, &options);
  if (layer == 0) finished = false;  // The next step starts the queued clip.
  run();
}

void PchrSprite2D::stop_layer(std::int64_t layer, double fade_seconds) {
  if (!is_layer("stop_layer", layer, 1)) return;
  pchr_animator_stop(animator, static_cast<std::uint32_t>(layer), fade_seconds);
  redraw();
}

bool PchrSprite2D::read_mask(const Variant& given, std::vector<std::uint8_t>& mask) {
  const GDExtensionVariantType type = given.type();
  if (type == GDEXTENSION_VARIANT_TYPE_NIL) return true;
  mask.resize(pchr_bone_count(character->character));
  if (type == GDEXTENSION_VARIANT_TYPE_STRING || type == GDEXTENSION_VARIANT_TYPE_STRING_NAME) {
    const std::string name = given.to<String>().utf8();
    if (pchr_rig_mask(character->rig(), name.c_str(), mask.data())) return true;
    const std::uint32_t bone = pchr_find_bone(character->character, name.c_str());
    if (pchr_mask_subtree(character->character, bone, mask.data())) return true;
    report_error("PchrSprite2D.set_layer(): the character has no mask or bone " + quoted(name) + ", only the bones " +
                 join(character->get_bones()));
    return false;
  }
  if (type != GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY && type != GDEXTENSION_VARIANT_TYPE_ARRAY) {
    report_error("PchrSprite2D.set_layer(): mask must be the name of a mask or bone, an array of bones, or null");
    return false;
  }
  const auto names = given.to<PackedStringArray>();
  for (const String& each : names.elements()) {
    const std::uint32_t bone = find_bone("set_layer", each.utf8());
    if (bone == PCHR_NONE) return false;
    mask[bone] = 1;
  }
  return true;
}

void PchrSprite2D::set_layer(std::int64_t layer, double weight, bool additive, const Variant& mask,
                             const String& reference) {
  if (!is_layer("set_layer", layer, 0)) return;
  if (animator == nullptr) return report_error("PchrSprite2D.set_layer(): the node has no character");
  pchr_layer_options options;
  pchr_layer_options_init(&options, sizeof options);
  options.weight = static_cast<float>(weight);
  options.mode = additive ? PCHR_LAYER_ADDITIVE : PCHR_LAYER_OVERRIDE;
  std::vector<std::uint8_t> bones;
  if (!read_mask(mask, bones)) return;
  if (!bones.empty()) options.mask = bones.data();
  const std::string clip_with_reference = reference.utf8();
  if (!clip_with_reference.empty()) {
    options.reference_clip = find_clip("set_layer", clip_with_reference);
    if (options.reference_clip == PCHR_NONE) return;
  }
  pchr_animator_set_layer(animator, static_cast<std::uint32_t>(layer), &options);
  redraw();
}

void PchrSprite2D::set_layer_weight(std::int64_t layer, double weight) {
  if (!is_layer("set_layer_weight", layer, 0)) return;
  pchr_animator_set_layer_weight(animator, static_cast<std::uint32_t>(layer), static_cast<float>(weight));
  redraw();
}

String PchrSprite2D::get_layer_clip(std::int64_t layer) {
  if (!is_layer("get_layer_clip", layer, 0)) return {};
  const auto number = static_cast<std::uint32_t>(layer);
  const std::uint32_t count = pchr_animator_play_count(animator, number);
  pchr_play top{};
  if (count == 0 || !pchr_animator_play_at(animator, number, count - 1, &top)) return {};
  return clip_name(character->character, top.clip);
}

bool PchrSprite2D::has_rig() { return rig_enabled && animator != nullptr && character->rig() != nullptr; }

void PchrSprite2D::place_rig() {
  if (!has_rig() || !is_inside_tree(object)) return;
  const pchr_affine global = to_rig(get_global_transform(object)), local = placement();
  const pchr_affine placed = pchr_concatenate(&global, &local);
  pchr_animator_set_placement(animator, &placed, teleported);
  teleported = false;
}

void PchrSprite2D::set_rig_enabled(bool value) {
  if (value == rig_enabled) return;
  rig_enabled = value;
  refresh();
  if (animator != nullptr) configure();
  update_processing();
  redraw();
}

void PchrSprite2D::set_wind(const Vector2& value) {
  wind = value;
  pchr_animator_set_wind(animator, wind.x, -wind.y);
}

bool PchrSprite2D::apply_target(const std::string& name, const Vector2& position, double weight) {
  const float point[] = {position.x, -position.y};
  return pchr_animator_set_target(animator, name.c_str(), point, static_cast<float>(weight));
}

void PchrSprite2D::set_target(const String& name, const Vector2& global_position, double weight) {
  refresh();
  const std::string value = name.utf8();
  if (has_rig() && !apply_target(value, global_position, weight)) {
    return report_error("PchrSprite2D.set_target(): the rig of the character has no aim or limb " + quoted(value));
  }
  const auto known = std::ranges::find(targets, value, &Target::name);
  (known == targets.end() ? targets.emplace_back() : *known) = {value, global_position, weight};
  redraw();
}

void PchrSprite2D::clear_target(const String& name) {
  const std::string value = name.utf8();
  std::erase_if(targets, [&](const Target& target) { return target.name == value; });
  pchr_animator_set_target(animator, value.c_str(), nullptr, 1);
  redraw();
}

void PchrSprite2D::reset_rig() {
  teleported = true;
  pchr_animator_reset_rig(animator);
  redraw();
}

void PchrSprite2D::set_root_motion(const String& bone) {
  root_motion = bone.utf8();
  refresh();
  if (animator == nullptr) return;
  const std::uint32_t index = root_motion.empty() ? PCHR_NONE : find_bone("set_root_motion", root_motion);
  pchr_animator_set_root_motion(animator, index, (root_motion_axes & 1) != 0, (root_motion_axes & 2) != 0);
  redraw();
}

void PchrSprite2D::set_root_motion_axes(std::int64_t value) {
  root_motion_axes = value;
  set_root_motion(String(root_motion));
}

Vector2 PchrSprite2D::take_root_motion() {
  Vector2 moved;
  pchr_animator_take_root_motion(animator, &moved.x, &moved.y);
  if (current_pose() == nullptr) return {};
  const std::uint32_t bone = pchr_find_bone(character->character, root_motion.c_str());
  const std::uint32_t parent = pchr_bone_parent(character->character, bone);
  pchr_affine to_node = placement();
  if (parent != PCHR_NONE) to_node = pchr_concatenate(&to_node, &pchr_pose_world(pose)[parent]);
  to_node.tx = to_node.ty = 0;
  return transformed(to_node, moved);
}

void PchrSprite2D::apply_overrides() {
  std::vector<pchr_bone_override> all;
  for (Override& each : overrides) {
    each.values.bone = pchr_find_bone(character->character, each.bone.c_str());
    all.push_back(each.values);
  }
  pchr_animator_set_overrides(animator, all.data(), static_cast<std::uint32_t>(all.size()));
}

void PchrSprite2D::override_bone(const char* function, const String& bone, const pchr_bone_override& values) {
  const std::string name = bone.utf8();
  if (find_bone(function, name) == PCHR_NONE) return;
  const auto known = std::ranges::find_if(overrides, [&](const Override& each) {
    return each.bone == name && each.values.values == values.values && each.values.relative == values.relative;
  });
  Override& changed = known == overrides.end() ? overrides.emplace_back() : *known;
  changed = {name, values};
  changed.values.struct_size = sizeof values;
  apply_overrides();
  redraw();
}

void PchrSprite2D::set_bone_position(const String& bone, const Vector2& position, bool relative) {
  pchr_bone_override values{};
  values.values = PCHR_OVERRIDE_X | PCHR_OVERRIDE_Y;
  values.x = position.x;
  values.y = -position.y;
  values.relative = relative;
  override_bone("set_bone_position", bone, values);
}

void PchrSprite2D::set_bone_rotation(const String& bone, double radians, bool relative) {
  pchr_bone_override values{};
  values.values = PCHR_OVERRIDE_ROTATION;
  values.rotation_degrees = static_cast<float>(-radians * kDegrees);
  values.relative = relative;
  override_bone("set_bone_rotation", bone, values);
}

void PchrSprite2D::set_bone_scale(const String& bone, const Vector2& scale, bool relative) {
  pchr_bone_override values{};
  values.values = PCHR_OVERRIDE_SCALE_X | PCHR_OVERRIDE_SCALE_Y;
  values.scale_x = scale.x;
  values.scale_y = scale.y;
  values.relative = relative;
  override_bone("set_bone_scale", bone, values);
}

void PchrSprite2D::set_bone_visible(const String& bone, bool visible) {
  pchr_bone_override values{};
  values.values = PCHR_OVERRIDE_VISIBLE;
  values.visible = visible;
  override_bone("set_bone_visible", bone, values);
}

void PchrSprite2D::clear_bone(const String& bone) {
  const std::string name = bone.utf8();
  std::erase_if(overrides, [&](const Override& each) { return name.empty() || each.bone == name; });
  refresh();
  if (animator != nullptr) apply_overrides();
  redraw();
}

Transform2D PchrSprite2D::bone_transform(std::uint32_t bone) const {
  const pchr_affine place = placement();
  const pchr_affine world = pchr_concatenate(&place, &pchr_pose_world(pose)[bone]);
  return {{world.a, world.b}, {-world.c, -world.d}, {world.tx, world.ty}};
}

Transform2D PchrSprite2D::get_bone_transform(const String& bone) {
  const std::uint32_t index = find_bone("get_bone_transform", bone.utf8());
  return index != PCHR_NONE && current_pose() != nullptr ? bone_transform(index) : Transform2D{};
}

Rect2 PchrSprite2D::get_bounds() {
  if (current_pose() == nullptr) return {};
  const pchr_rect bounds = pchr_pose_bounds(pose);
  if (bounds.min_x > bounds.max_x) return {};
  const Vector2 from = transformed(placement(), {bounds.min_x, bounds.min_y});
  const Vector2 to = transformed(placement(), {bounds.max_x, bounds.max_y});
  return {{std::min(from.x, to.x), std::min(from.y, to.y)}, {std::abs(to.x - from.x), std::abs(to.y - from.y)}};
}

String PchrSprite2D::hit_test(const Vector2& point) {
  if (current_pose() == nullptr) return {};
  pchr_appearance appearance;
  pchr_appearance_init(&appearance, sizeof appearance);
  appearance.placement = placement();
  pchr_hit_options options{};
  options.appearance = &appearance;
  if (skin) options.skin = skin->of(*character.get()).skin.get();
  pchr_hit hit{};
  pchr_mesh mesh{};
  if (!pchr_hit_test(pose, character->hit_images(), point.x, point.y, &options, &hit) ||
      !pchr_get_mesh(character->character, hit.mesh, &mesh)) {
    return {};
  }
  return mesh.name;
}

void describe_animator(Class<PchrSprite2D>& sprite) {
  using P = PchrSprite2D;
  sprite.method<&P::crossfade>("crossfade", {"clip", "seconds"}, {0.2})
      .method<&P::advance>("advance", {"seconds"})
      .method<&P::queue>("queue", {"clip", "fade_seconds"}, {0.0})
      .method<&P::play_layer>("play_layer", {"layer", "clip", "fade_seconds", "loop", "speed"}, {0.0, 0, 1.0})
      .method<&P::queue_layer>("queue_layer", {"layer", "clip", "fade_seconds", "loop", "speed"}, {0.0, 0, 1.0})
      .method<&P::stop_layer>("stop_layer", {"layer", "fade_seconds"}, {0.0})
      .method<&P::set_layer>("set_layer", {"layer", "weight", "additive", "mask", "reference_clip"},
                             {1.0, false, Variant(), String()})
      .method<&P::set_layer_weight>("set_layer_weight", {"layer", "weight"})
      .method<&P::get_layer_clip>("get_layer_clip", {"layer"})
      .group("Rig")
      .property_of<&P::is_rig_enabled, &P::set_rig_enabled>("rig_enabled")
      .property_of<&P::get_wind, &P::set_wind>("wind", kNoHint, "suffix:px/s")
      .property_of<&P::get_root_motion, &P::set_root_motion>("root_motion")
      .property_of<&P::get_root_motion_axes, &P::set_root_motion_axes>("root_motion_axes", kFlags, "X,Y")
      .method<&P::set_target>("set_target", {"name", "global_position", "weight"}, {1.0})
      .method<&P::clear_target>("clear_target", {"name"})
      .method<&P::reset_rig>("reset_rig")
      .method<&P::take_root_motion>("take_root_motion")
      .method<&P::set_bone_position>("set_bone_position", {"bone", "position", "relative"}, {false})
      .method<&P::set_bone_rotation>("set_bone_rotation", {"bone", "radians", "relative"}, {false})
      .method<&P::set_bone_scale>("set_bone_scale", {"bone", "scale", "relative"}, {false})
      .method<&P::set_bone_visible>("set_bone_visible", {"bone", "visible"})
      .method<&P::clear_bone>("clear_bone", {"bone"}, {String()})
      .method<&P::get_bone_transform>("get_bone_transform", {"bone"})
      .method<&P::get_bounds>("get_bounds")
      .method<&P::hit_test>("hit_test", {"point"})
      .method<&P::get_state_machine>("get_state_machine")
      .signal("clip_started", {property<StringName>("clip")})
      .signal("clip_looped", {property<StringName>("clip")})
      .signal("clip_finished", {property<StringName>("clip")})
      .signal("marker", {property<StringName>("name"), property<StringName>("clip"), property<std::int64_t>("frame")});
}

PchrBoneAttachment2D::~PchrBoneAttachment2D() {
  if (sprite != nullptr) std::erase(sprite->attachments, this);
}

void PchrBoneAttachment2D::notification(int what) {
  if (what != kParented && what != kUnparented && what != kExtensionReloaded) return;
  if (sprite != nullptr) std::erase(sprite->attachments, this);
  sprite = what == kUnparented ? nullptr : instance_of<PchrSprite2D>(get_parent(object));
  if (sprite != nullptr) sprite->attachments.push_back(this);
  change();
}

void PchrBoneAttachment2D::change() {
  find_bone();
  if (sprite != nullptr && sprite->current_pose() != nullptr) follow();
  update_configuration_warnings(object);
}

void PchrBoneAttachment2D::find_bone() {
  const bool exists = sprite != nullptr && sprite->character;
  index = pchr_find_bone(exists ? sprite->character->character : nullptr, bone.c_str());
}

void PchrBoneAttachment2D::follow() {
  if (index == PCHR_NONE) return;
  Transform2D at = sprite->bone_transform(index);
  if (!follow_rotation || !follow_scale) {
    const float mirror = at.x.x * at.y.y - at.x.y * at.y.x < 0 ? -1.0F : 1.0F;
    const float length = std::hypot(at.x.x, at.x.y);
    const float angle = follow_rotation ? std::atan2(mirror * at.x.y, mirror * at.x.x) : 0;
    const Vector2 scale{mirror * (follow_scale ? length : 1), follow_scale ? std::hypot(at.y.x, at.y.y) : 1};
    at.x = {scale.x * std::cos(angle), scale.x * std::sin(angle)};
    at.y = {-scale.y * std::sin(angle), scale.y * std::cos(angle)};
  }
  set_transform(object, at);
}

void PchrBoneAttachment2D::set_bone(const String& name) {
  bone = name.utf8();
  change();
}

void PchrBoneAttachment2D::set_follow_rotation(bool value) {
  follow_rotation = value;
  change();
}

void PchrBoneAttachment2D::set_follow_scale(bool value) {
  follow_scale = value;
  change();
}

PackedStringArray PchrBoneAttachment2D::configuration_warnings() {
  std::string warning;
  if (sprite == nullptr)
    warning = "The parent is not a PchrSprite2D, so there is no bone to follow.";
  else if (!sprite->character)
    warning = "The PchrSprite2D has no character, so there is no bone to follow.";
  else if (index == PCHR_NONE)
    warning = "The character has no bone " + quoted(bone) + ". Choose one in the inspector.";
  PackedStringArray warnings;
  if (warning.empty()) return warnings;
  warnings.resize(1);
  warnings.elements()[0] = String(warning);
  return warnings;
}

bool PchrBoneAttachment2D::validate_property(const StringName& name, GDExtensionPropertyInfo& info) {
  if (sprite == nullptr || !sprite->character || !(name == StringName("bone"))) return false;
  offer(info, sprite->character->get_bones(), true);
  return true;
}

void register_attachment() {
  using P = PchrBoneAttachment2D;
  Class<P>("Node2D")
      .property_of<&P::get_bone, &P::set_bone>("bone")
      .property_of<&P::is_follow_rotation, &P::set_follow_rotation>("follow_rotation")
      .property_of<&P::is_follow_scale, &P::set_follow_scale>("follow_scale")
      .overrides<&P::configuration_warnings>("_get_configuration_warnings");
}
