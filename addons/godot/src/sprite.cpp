#include "classes.hpp"

#include <algorithm>

using namespace godot;

namespace {

const Method<double()> get_process_delta_time{"Node", "get_process_delta_time", 1740695150};
const Method<bool()> is_editor_hint{"Engine", "is_editor_hint", 36873697};
const Method<void()> notify_property_list_changed{"Object", "notify_property_list_changed", 3218959716};
const Method<void(StringName, Variant)> set_meta{"Object", "set_meta", 3776071444};
const Method<Variant(StringName, Variant)> get_meta{"Object", "get_meta", 3990617847};
const Method<void(StringName)> remove_meta{"Object", "remove_meta", 3304788590};

constexpr std::uint32_t kOutdated = UINT32_MAX;

bool in_editor() { return is_editor_hint(singleton("Engine")); }

}  // namespace

PchrSprite2D::~PchrSprite2D() {
  if (!deleted) {  // The extension is loaded again. The engine only keeps what scenes save.
    set_meta(object, "_pchr_time", Variant(get_time()));
    set_meta(object, "_pchr_playing", Variant(playing));
  }
  for (PchrBoneAttachment2D* const attachment : attachments) attachment->sprite = nullptr;
  if (machine != nullptr) machine->sprite = nullptr;
  if (skin) skin->users.remove(this);
  if (character) character->users.remove(this);
  pchr_pose_free(pose);
  pchr_animator_free(animator);
}

/// Makes the animator and the pose fit the character, which can have been imported again.
void PchrSprite2D::refresh() {
  const std::uint32_t now = character ? character->version : 0;
  if (now == version) return;
  version = now;
  posed = false;
  for (PchrBoneAttachment2D* const attachment : attachments) attachment->find_bone();
  pchr_pose_free(pose);
  pose = nullptr;
  if (!character || character->character == nullptr) {
    pchr_animator_free(animator);
    animator = nullptr;
    base_play = 0;
    if (machine != nullptr) machine->attach();
    return;
  }
  pose = pchr_pose_create(character->character);
  const bool is_new = animator == nullptr;
  if (is_new)
    animator = pchr_animator_create(character->character);
  else
    pchr_animator_rebind(animator, character->character, nullptr);
  configure();
  if (is_new) start(0);
  if (machine != nullptr) machine->attach();
}

/// Plays `clip` in layer 0 from a time on, or from its end if `seconds` is negative.
void PchrSprite2D::start(double seconds, double fade_seconds) {
  base_play = 0;
  finished = false;
  if (animator == nullptr || pchr_animator_state_layer_count(animator) != 0) return;
  pchr_play_options options;
  pchr_play_options_init(&options, sizeof options);
  options.loop = static_cast<pchr_loop>(loop);
  options.fade_seconds = fade_seconds;
  options.start_seconds = seconds;
  const std::uint32_t index = pchr_find_clip(character->character, clip.c_str());
  pchr_clip played{};
  if (pchr_get_clip(character->character, index, &played)) {
    if (seconds < 0) options.start_seconds = played.duration_seconds;
    base_play = pchr_animator_play(animator, index, &options);
  } else {
    pchr_animator_stop(animator, 0, fade_seconds);
  }
  update_processing();
}

const pchr_pose* PchrSprite2D::current_pose() {
  refresh();
  if (animator == nullptr) return nullptr;
  if (posed) return pose;
  place_rig();
  if (!pchr_animator_pose(animator, pose)) return nullptr;
  posed = true;
  if (!pchr_animator_plays_alone(animator, &posed_clip, &posed_time)) posed_clip = PCHR_NONE;
  // A script can remove one that moves.
  for (std::size_t i = 0; i < attachments.size(); ++i) attachments[i]->follow();
  return pose;
}

void PchrSprite2D::set_character(const Ref<PchrCharacter>& value) {
  if (character) character->users.remove(this);
  character = value;
  if (character) character->users.add(this);
  version = kOutdated;
  pchr_animator_free(animator);
  animator = nullptr;
  base_play = 0;
  if (character && character->character != nullptr) {
    const auto has = [&](const std::string& name) {
      return pchr_find_clip(character->character, name.c_str()) != PCHR_NONE;
    };
    if (has(missing_clip)) {
      clip = std::exchange(missing_clip, {});
    } else if (!has(clip)) {
      if (missing_clip.empty()) missing_clip = clip;
      clip = character->first_clip();
    }
  }
  refresh();
  redraw();
  notify_property_list_changed(object);
}

void PchrSprite2D::set_clip(const String& name) {
  std::string value = name.utf8();
  if (value == clip) return;
  clip = std::move(value);
  missing_clip.clear();
  refresh();
  if (animator != nullptr && !clip.empty()) find_clip("set_clip", clip);
  start(0);
  redraw();
}

/// Plays a clip. It goes on if it is the one that plays, because scripts say in each frame what should play.
void PchrSprite2D::change_clip(const std::string& name, double fade_seconds) {
  missing_clip.clear();
  if (name != clip || finished || get_time() <= 0) {
    clip = name;
    start(speed_scale < 0 ? -1 : 0, fade_seconds);
  } else if (playing) {
    return;
  }
  run();
}

void PchrSprite2D::play(const String& name) {
  refresh();
  const std::string value = name.utf8();
  if (animator != nullptr && find_clip("play", value.empty() ? clip : value) == PCHR_NONE) return;
  change_clip(value.empty() ? clip : value, 0);
}

void PchrSprite2D::stop() {
  set_playing(false);
  seek(0);
}

void PchrSprite2D::pause() { set_playing(false); }

void PchrSprite2D::seek(double seconds) {
  refresh();
  pchr_clip shown{};
  const std::uint32_t index = character ? pchr_find_clip(character->character, clip.c_str()) : PCHR_NONE;
  if (character && pchr_get_clip(character->character, index, &shown)) {
    seconds = std::clamp(seconds, 0.0, shown.duration_seconds);
  }
  // A play that has ended does not go on.
  if (finished || !pchr_animator_seek_play(animator, base_play, seconds)) start(std::max(seconds, 0.0));
  redraw();
}

void PchrSprite2D::set_playing(bool value) {
  if (value && finished) start(speed_scale < 0 ? -1 : 0);
  playing = value;
  update_processing();
}

void PchrSprite2D::set_speed_scale(double value) {
  speed_scale = value;
  pchr_animator_set_speed(animator, value);
}

void PchrSprite2D::set_loop(LoopMode mode) {
  const std::int64_t value = mode;
  if (value < PCHR_LOOP_FROM_FILE || value > PCHR_LOOP_PING_PONG) {
    return report_error("PchrSprite2D.loop is " + std::to_string(value) + ", but it must be 0 to 3");
  }
  if (value == loop) return;
  const double seconds = get_time();
  loop = value;
  start(seconds);
}

void PchrSprite2D::set_smooth(bool value) {
  smooth = value;
  pchr_animator_set_sampling(animator, smooth ? PCHR_SMOOTH : PCHR_STEP);
  redraw();
}

double PchrSprite2D::get_time() {
  refresh();
  pchr_play state{};
  return pchr_animator_get_play(animator, base_play, &state) ? state.seconds : 0;
}

std::int64_t PchrSprite2D::get_frame() {
  const double seconds = get_time();
  if (!character) return 0;
  const std::uint32_t index = pchr_find_clip(character->character, clip.c_str());
  pchr_clip shown{};
  pchr_clip_time time{};
  // A looping clip that plays once ends with its last frame.
  if (pchr_get_clip(character->character, index, &shown) && seconds >= shown.duration_seconds) {
    return std::max<std::int64_t>(shown.frame_count, 1) - 1;
  }
  pchr_find_frame(character->character, index, seconds, PCHR_STEP, &time);
  return time.frame;
}

void PchrSprite2D::set_frame(std::int64_t frame) {
  if (!character) return;
  const std::uint32_t index = pchr_find_clip(character->character, clip.c_str());
  pchr_clip shown{};
  pchr_get_clip(character->character, index, &shown);
  const std::int64_t last = std::max<std::int64_t>(shown.frame_count, 1) - 1;
  seek(pchr_frame_begin(character->character, index,
                        static_cast<std::uint32_t>(std::clamp<std::int64_t>(frame, 0, last))));
}

void PchrSprite2D::set_flip_h(bool value) {
  flip_h = value;
  redraw();
}

void PchrSprite2D::set_flip_v(bool value) {
  flip_v = value;
  redraw();
}

void PchrSprite2D::set_offset(const Vector2& value) {
  offset = value;
  redraw();
}

void PchrSprite2D::set_skin(const Ref<PchrSkin>& value) {
  if (skin) skin->users.remove(this);
  skin = value;
  if (skin) skin->users.add(this);
  redraw();
}

void PchrSprite2D::set_tint(const Color& value) {
  tint = value;
  redraw();
}

void PchrSprite2D::set_dark_tint(const Color& value) {
  dark_tint = value;
  redraw();
}

void PchrSprite2D::set_additive_color(const Color& value) {
  additive_color = value;
  redraw();
}

void PchrSprite2D::set_blend_mode(BlendMode mode) {
  const std::int64_t value = mode;
  if (value < PCHR_BLEND_NORMAL || value > PCHR_BLEND_SCREEN) {
    return report_error("PchrSprite2D.blend_mode is " + std::to_string(value) + ", but it must be 0 to 3");
  }
  blend_mode = value;
  redraw();
}

/// From the character, whose y points up, to the node.
pchr_affine PchrSprite2D::placement() const {
  return {flip_h ? -1.0F : 1.0F, 0, 0, flip_v ? 1.0F : -1.0F, offset.x, offset.y};
}

Rect2 PchrSprite2D::get_rect() {
  if (!character) return {};
  return placed(character->get_bounds(String(clip)));
}

void PchrSprite2D::notification(int what) {
  if (what == kDraw) {
    draw();
  } else if (what == kInternalProcess) {
    advance(get_process_delta_time(object));
  } else if (what == kReady && !autoplay.empty() && !in_editor()) {
    play(String(autoplay));
  } else if (what == kEnterTree || what == kVisibilityChanged) {
    teleported = true;
  } else if (what == kResetPhysicsInterpolation) {
    reset_rig();
  } else if (what == kExtensionReloaded) {
    processing = true;  // The engine still has what it was told before.
    seek(get_meta(object, "_pchr_time", Variant()).to<double>());
    set_playing(get_meta(object, "_pchr_playing", Variant()).to<bool>());
    for (const char* const name : {"_pchr_time", "_pchr_playing"}) remove_meta(object, name);
    forget_screen();
  } else if (what == kPreDelete) {
    deleted = true;
  }
}

bool PchrSprite2D::validate_property(const StringName& name, GDExtensionPropertyInfo& info) {
  const bool is_clip = name == StringName("clip"), is_bone = name == StringName("root_motion");
  // New nodes do not have the property, so that it has no default. Scenes would not save an empty clip if it were that.
  if (is_clip && !character && clip.empty()) info.usage = 0;
  if (!character || !(is_clip || is_bone || name == StringName("autoplay"))) return is_clip;
  offer(info, is_bone ? character->get_bones() : character->get_clips(), is_clip);
  return true;
}

void register_sprite() {
  using P = PchrSprite2D;
  Class<P> sprite("Node2D");
  sprite.constant("LoopMode", "LOOP_FROM_FILE", PCHR_LOOP_FROM_FILE)
      .constant("LoopMode", "LOOP_ONCE", PCHR_LOOP_ONCE)
      .constant("LoopMode", "LOOP_FOREVER", PCHR_LOOP_FOREVER)
      .constant("LoopMode", "LOOP_PING_PONG", PCHR_LOOP_PING_PONG)
      .constant("BlendMode", "BLEND_NORMAL", PCHR_BLEND_NORMAL)
      .constant("BlendMode", "BLEND_ADD", PCHR_BLEND_ADD)
      .constant("BlendMode", "BLEND_MULTIPLY", PCHR_BLEND_MULTIPLY)
      .constant("BlendMode", "BLEND_SCREEN", PCHR_BLEND_SCREEN)
      .property_of<&P::get_character, &P::set_character>("character", kResourceType, "PchrCharacter")
      .group("Animation")
      .property_of<&P::get_clip, &P::set_clip>("clip")
      .property_of<&P::get_autoplay, &P::set_autoplay>("autoplay")
      .property_of<&P::is_playing, &P::set_playing>("playing", kNoHint, "", kEditor)
      .property_of<&P::get_speed_scale, &P::set_speed_scale>("speed_scale", kRange, "-4,4,0.01,or_less,or_greater")
      .property_of<&P::get_loop, &P::set_loop>("loop", kEnum, "From File,Once,Forever,Ping-Pong")
      .property_of<&P::is_smooth, &P::set_smooth>("smooth")
      .property_of<&P::get_time, &P::seek>("time", kRange, "0,10,0.001,or_greater,suffix:s", kEditor)
      .property_of<&P::get_frame, &P::set_frame>("frame", kRange, "0,100,1,or_greater", kEditor)
      .group("Look")
      .property_of<&P::get_skin, &P::set_skin>("skin", kResourceType, "PchrSkin")
      .property_of<&P::get_tint, &P::set_tint>("tint")
      .property_of<&P::get_dark_tint, &P::set_dark_tint>("dark_tint", kColorNoAlpha)
      .property_of<&P::get_additive_color, &P::set_additive_color>("additive_color", kColorNoAlpha)
      .property_of<&P::get_blend_mode, &P::set_blend_mode>("blend_mode", kEnum, "Normal,Add,Multiply,Screen")
      .property_of<&P::get_offset, &P::set_offset>("offset", kNoHint, "suffix:px")
      .property_of<&P::is_flip_h, &P::set_flip_h>("flip_h")
      .property_of<&P::is_flip_v, &P::set_flip_v>("flip_v")
      .method<&P::play>("play", {"clip"}, {String()})
      .method<&P::stop>("stop")
      .method<&P::pause>("pause")
      .method<&P::seek>("seek", {"seconds"})
      .method<&P::get_rect>("get_rect");
  describe_animator(sprite);
}

void register_classes() {
  register_character();
  register_skin();
  register_sprite();
  register_attachment();
  register_machine();
  register_crowd();
}
