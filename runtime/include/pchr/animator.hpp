// SPDX-License-Identifier: MIT
// Plays clips on one instance of a character: in sequence, crossfaded and in layers, with events. An animator is used
// by one thread at a time; any number of them share a character. Times are in seconds.
//
// Each layer blends its plays, oldest first, over the result of the layers below (the lowest layer, over the bind
// pose). As a play fades in, its weight grows from 0 to 1. At 1 it ends the plays before it, so one fade can start
// during another and motion stays continuous. Rotations keep turning in the direction that was shorter when the fade
// began. Visibility and draw order come from the side with the larger weight: each fade switches them once, halfway
// through.
//
//   pchr::Animator actor(hero);
//   actor.play(walk, {.fade_seconds = 0.2});
//   for (const pchr::AnimatorEvent& event : actor.advance(dt))
//     if (event.marker != nullptr) play_sound();
//   actor.pose(posed);
#pragma once

#include <pchr/clock.hpp>
#include <pchr/rig.hpp>

#include <array>

namespace PCHR_API pchr {

/// A named frame of a clip. Names can repeat: every footstep can be a "step".
struct Marker {
  ClipId clip{};
  std::uint32_t frame = 0;
  std::string name;
  bool operator==(const Marker&) const = default;
};

/// Markers sorted by clip, then by frame. Markers on the same frame keep the order they were given in.
class Markers {
 public:
  Markers() = default;
  /// Sorts the markers. They can come in any order.
  explicit Markers(std::vector<Marker> markers);

  [[nodiscard]] std::span<const Marker> all() const noexcept { return markers_; }  ///< Sorted.
  [[nodiscard]] std::span<const Marker> of_clip(ClipId clip) const noexcept;       ///< Sorted by frame.

 private:
  std::vector<Marker> markers_;
};

/// Id of one play of a clip, unique within its animator and never reused.
enum class PlayId : std::uint64_t { none = 0 };

/// Options for playing a clip.
struct PlayOptions {
  std::uint32_t layer = 0;                ///< Below kMaxLayers.
  double fade_seconds = 0;                ///< Crossfade time from whatever the layer shows now. 0 switches at once.
  double speed = 1;                       ///< Negative plays backwards.
  std::optional<double> start_seconds{};  ///< Clip time. Unset means the start, or the end in reverse.
  LoopMode loop = LoopMode::from_file;
};

/// Clips of a blend space, which play as one. Part of a StateGraph.
struct ClipBlend;

/// A clip that a layer is playing.
struct Play {
  /// What the play contributes.
  enum class Kind : std::uint8_t {
    clip,      ///< Plays a clip.
    fade_out,  ///< Shows the layers below.
    still      ///< Holds the pose of plays beyond kMaxPlays.
  };

  PlayId id = PlayId::none;
  Kind kind = Kind::clip;
  ClipId clip = ClipId::none;  ///< Only for kind `clip`.
  Clock clock;                 ///< Seek it, pause it or change its speed at any time.
  double fade_seconds = 0;     ///< Duration of its fade-in.
  double faded_seconds = 0;    ///< Progress of its fade-in, up to `fade_seconds`.
  std::int64_t loops = 0;      ///< Restarts so far; in reverse, they are taken back.

  // These are for a StateMachine.
  std::uint32_t state = UINT32_MAX;  ///< The state that plays it, an index, or UINT32_MAX.
  /// Null, or clips that show together. `clip` and `clock` are those of one of them, and the others follow it. The
  /// speed is that of the mean of their durations.
  std::shared_ptr<const ClipBlend> blend{};
  std::array<std::uint32_t, 3> blend_clips{};  ///< Indices of the clips that show.
  std::array<float, 3> blend_weights{};        ///< Their sum is 1. Those after the first can be 0.

  /// Returns the weight over the plays below, 0..1.
  [[nodiscard]] float weight() const noexcept { return weight_after(0); }
  /// Returns the weight after another `seconds`.
  [[nodiscard]] float weight_after(double seconds) const noexcept {
    const double faded = faded_seconds + seconds;
    return faded < fade_seconds ? static_cast<float>(faded / fade_seconds) : 1.0F;
  }
};

/// What a layer does to the layers below.
enum class LayerMode : std::uint8_t {
  override_below,  ///< Blends over the layers below.
  additive         ///< Adds the difference between its clips and the reference pose. See blend_additive().
};

/// Bones with a name for them, such as "upper body".
struct NamedMask {
  std::string name;
  std::vector<BoneId> bones;
  bool operator==(const NamedMask&) const = default;
};

/// Returns the first mask of `character` with that name, or nothing.
[[nodiscard]] std::optional<BoneMask> find_mask(std::span<const NamedMask> masks, const Character& character,
                                                std::string_view name);

/// How a layer mixes with the layers below.
struct LayerOptions {
  float weight = 1;  ///< Weight of the whole layer, 0..1.
  LayerMode mode = LayerMode::override_below;
  BoneMask mask{};  ///< Empty means all bones.
  /// The reference pose of an additive layer: a frame of this clip, or the bind pose if there is no such clip.
  ClipId reference_clip = ClipId::none;
  std::uint32_t reference_frame = 0;  ///< Past the end means the last frame.
};

/// An event from one step of time.
struct AnimatorEvent {
  /// The type of event.
  enum class Kind : std::uint8_t {
    started,   ///< A play began.
    looped,    ///< Restarted `count` times.
    finished,  ///< Played once and reached its end.
    marker,    ///< Reached the start of the marker's frame (in reverse, its end), `count` times.
    /// play() or stop() replaced it before its end, or rebind() dropped it. It can still be visible while the other
    /// fades in. A play that is replaced by its layer's queue is not interrupted, and one that is interrupted does not
    /// finish.
    interrupted
  };
  Kind kind = Kind::started;
  std::uint32_t layer = 0;
  PlayId play = PlayId::none;
  ClipId clip = ClipId::none;      ///< `none` if rebind() dropped it.
  const Marker* marker = nullptr;  ///< Valid as long as the span of events.
  std::uint64_t count = 1;         ///< Above 1 only if it happened several times in one step.
  double seconds = 0;              ///< Time since the start of the step, for the first of `count`.
  float weight = 1;                ///< Weight of the play in its layer at that time, 0..1, including fades over it.
};

/// Movement of one bone that is taken out of the pose, to move the whole character instead.
struct RootMotion {
  BoneId bone{};         ///< Usually a root. Movement is in the space of its parent.
  bool along_x = true;   ///< Takes out movement along x.
  bool along_y = false;  ///< Takes out movement along y.
};

/// The names that a new version of a character no longer has.
struct Rebound {
  std::vector<std::string> clips, bones, meshes, images;
};

/// Plays clips on one instance of a character.
class Animator {
 public:
  static constexpr std::uint32_t kMaxLayers = 64;  ///< Layers per animator.
  static constexpr std::size_t kMaxPlays = 8;      ///< Crossfading plays per layer. Older ones are frozen.

  /// Creates an animator that shows the bind pose.
  explicit Animator(Character character);

  [[nodiscard]] const Character& character() const noexcept { return character_; }  ///< The animated character.
  /// Continues with another version of the character, such as a reloaded file: plays, queues, masks, overrides, root
  /// motion and markers keep the clips and bones of the same names, at the same times. Bones that are new in a mask
  /// follow their parents. A ping-pong clip plays forward again. What has no counterpart ends, and its names are
  /// returned.
  Rebound rebind(Character character);

  /// Starts a clip and clears its layer's queue. The clip must exist, also for queue(): ClipId::none, which find_clip()
  /// returns for a misspelled name, fails an assertion in debug builds. In release builds, nothing happens for a clip
  /// or a layer that does not exist, and `none` is returned.
  PlayId play(ClipId clip, const PlayOptions& options = {});
  /// Starts a clip when the layer's last play ends, or at the end of the current loop if that play loops. Starts at
  /// once if nothing is playing or the last play never ends (no frames, or a rate of 0).
  PlayId queue(ClipId clip, const PlayOptions& options = {});
  /// Fades out a layer and clears its queue.
  void stop(std::uint32_t layer = 0, double fade_seconds = 0);
  /// Fades out a layer when queue() would start a clip. Clips that are queued later start over the fade.
  void queue_stop(std::uint32_t layer = 0, double fade_seconds = 0);

  /// Returns the plays of a layer, oldest first.
  [[nodiscard]] std::span<const Play> plays(std::uint32_t layer = 0) const noexcept;
  /// Returns a play while its layer shows it, or null before it starts and after it ends.
  [[nodiscard]] Play* find(PlayId play) noexcept;

  /// Sets how a layer mixes. Layers mix in order of index and are created on first use. A mask needs one value per
  /// bone.
  void set_layer(std::uint32_t layer, LayerOptions options);
  void set_layer_weight(std::uint32_t layer, float weight);  ///< Changes only the weight.
  /// Returns how a layer mixes.
  [[nodiscard]] const LayerOptions& layer_options(std::uint32_t layer) const noexcept;

  /// Sets the speed of plays, fades and queues. Negative plays backwards.
  void set_speed(double speed) noexcept { speed_ = speed; }
  [[nodiscard]] double speed() const noexcept { return speed_; }  ///< See set_speed().
  /// Sets how clips are sampled. The default is `step`.
  void set_sampling(Sampling sampling) noexcept { sampling_ = sampling; }
  [[nodiscard]] Sampling sampling() const noexcept { return sampling_; }  ///< See set_sampling().

  /// Sets the source of marker events. Drops marker events that were not returned yet.
  void set_markers(std::shared_ptr<const Markers> markers) noexcept;
  [[nodiscard]] std::span<const Marker> markers() const noexcept;  ///< Sorted.

  /// Advances by `seconds` times the speed, if finite. Returns everything that happened since the last call, in order.
  /// Going backwards, clips play in reverse while fades and queues still progress. The span is valid until the next
  /// advance(), whatever is called in between; what that starts is reported by the next advance().
  std::span<const AnimatorEvent> advance(double seconds);
  /// Returns the events of the last advance() again.
  [[nodiscard]] std::span<const AnimatorEvent> events() const noexcept { return events_; }

  /// Applied to the mixed pose in order.
  std::vector<BoneOverride> overrides;

  /// Holds a bone at its bind pose and accumulates its movement in layer 0 instead. When a loop wraps from its last
  /// frame to its first, the bone moves as far as in the step before.
  void set_root_motion(std::optional<RootMotion> root) noexcept { root_ = root; }
  /// Returns the movement since the last call, in the space of the bone's parent.
  [[nodiscard]] Vec2 take_root_motion() noexcept;

  /// Sets the procedural layers, applied after the overrides. An equally structured rig continues where the last one
  /// was, so that values can be tuned while it runs. Null removes them.
  void set_rig(std::shared_ptr<const Rig> rig);
  [[nodiscard]] const std::shared_ptr<const Rig>& rig() const noexcept { return rig_; }  ///< See set_rig().
  /// Returns the state of the procedural layers. Set the `reset` of its instance to put springs at rest.
  [[nodiscard]] RigState& rig_state() noexcept { return rig_state_; }
  /// Returns the control of the first aim or limb with that name, or null. Valid until set_rig() or rebind().
  [[nodiscard]] RigControl* rig_control(std::string_view name) noexcept;
  /// Sets where the instance is drawn: moving it swings its springs, planted feet stay in place, and targets are in the
  /// space it maps to. With `teleport`, springs and feet come along.
  void set_rig_placement(const Affine& placement, bool teleport = false) noexcept;

  /// Mixes all layers into local transforms, applies the overrides, then the procedural layers, which advance by the
  /// time since the last call.
  void sample(Pose& out);
  /// Calls sample(), then update().
  void pose(PoseBuffers& out);

  /// A clip that plays with nothing mixed in. Such an instance can be drawn baked, at almost no cost.
  struct Alone {
    ClipId clip{};
    ClipTime position;
  };
  /// Returns the only clip that shows, or nothing if clips, layers, overrides, root motion or a rig are mixed in.
  [[nodiscard]] std::optional<Alone> plays_alone() const noexcept;

 private:
  friend class StateMachine;
  struct Queued {
    PlayId id;
    ClipId clip;  ///< `none` fades out the layer.
    PlayOptions options;
  };
  struct Layer {
    LayerOptions options;
    std::vector<Play> plays;
    std::vector<Queued> queue;
    Pose still;  ///< Pose of the play of kind `still`.
    /// Last rotation in degrees of each bone relative to what is below, for the first play, then the second and so on.
    /// Exceeds half a turn if both sides kept rotating. NaN before anything was mixed.
    std::vector<float> rotation_deltas;
    std::vector<float> layer_rotation_deltas;  ///< The same for the whole layer.
  };

  Layer* layer(std::uint32_t number);
  bool can_play(ClipId clip) const;
  void begin(std::uint32_t number, const Queued& next, double since);
  void start(std::uint32_t number, const Play& play, double since);
  void fade_out(std::uint32_t number, double fade_seconds);
  void report_interrupted(std::uint32_t number, double since = 0);
  void pass_time(double seconds, double since, bool backwards, std::uint64_t to_end = 0);
  std::span<const AnimatorEvent> finish_step(double seconds);
  void advance_layer(std::uint32_t number, double seconds, double since, bool backwards, bool to_end);
  void advance_plays(std::uint32_t number, double seconds, double since, bool backwards, bool to_end);
  void report(const AnimatorEvent& event);
  void plant_feet(bool backwards);
  void add_play(std::uint32_t number, const Play& play);
  void drop_hidden(Layer& layer);
  void make_still(std::uint32_t number);
  void mix_plays(Layer& layer, std::size_t count, Pose& pose);
  void mix_layer(Layer& layer, Pose& out);
  void mix_layers(std::size_t count, Pose& out);

  Character character_;
  std::vector<Layer> layers_;
  std::vector<AnimatorEvent> events_;      ///< Events of the last advance().
  std::vector<AnimatorEvent> unreported_;  ///< Events for the next one.
  std::shared_ptr<const Markers> markers_;
  std::shared_ptr<const Markers> event_markers_;  ///< Markers that `events_` names, once they are replaced.
  std::optional<RootMotion> root_;
  Vec2 root_moved_{0.0F};
  std::shared_ptr<const Rig> rig_;
  RigState rig_state_;
  std::vector<PlayId> foot_plays_;  ///< The play that planted each foot.
  double rig_seconds_ = 0;          ///< Time since the rig was applied.
  double speed_ = 1;
  Sampling sampling_ = Sampling::step;
  std::uint64_t last_id_ = 0;

  // Scratch memory for mixing layers.
  Pose play_pose_, layer_pose_, below_, still_pose_;
};

/// Changes `skin` to fit another version of its character: parts keep the meshes and images of the same names. Returns
/// the names that are missing; their parts are dropped, or keep the image of their mesh.
Rebound rebind_skin(SkinData& skin, const Character& from, const Character& to);

/// Advances many animators. Afterwards, read their events(). To use several threads, give each a part of the span.
void advance_many(std::span<Animator> animators, double seconds);
/// Poses many animators, each into its element of `out`. To use several threads, give each a part of both spans.
void pose_many(std::span<Animator> animators, std::span<PoseBuffers> out);

}  // namespace pchr
