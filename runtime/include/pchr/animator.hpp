// SPDX-License-Identifier: MIT
// Plays clips on one instance of a character: one after the other, faded into each other, in layers, with events.
// An animator belongs to one thread at a time; any number of them share a character. Times are seconds.
//
// Each layer blends its plays, oldest first, over what the layers below show (the lowest over the bind pose). The
// weight of a play grows from 0 to 1 as it fades in; then it ends those before it, so a fade may begin within another
// and the motion stays continuous. Rotations keep the way round that is shorter when a fade begins. Visibility and draw
// order are those of the heavier side of a blend: each fade switches them once, in its middle.
//
//   pchr::Animator actor(hero);
//   actor.play(walk, {.fade_seconds = 0.2});
//   for (const pchr::AnimatorEvent& event : actor.advance(dt))
//     if (event.marker != nullptr) play_sound();
//   actor.pose(posed);
#pragma once

#include <pchr/clock.hpp>

namespace PCHR_API pchr {

/// A named frame. Names may repeat: every footstep can be a "step".
struct Marker {
  ClipId clip{};
  std::uint32_t frame = 0;
  std::string name;
  bool operator==(const Marker&) const = default;
};

/// Markers by clip, then by frame; those of one frame as they were given.
class Markers {
 public:
  Markers() = default;
  /// Sorts markers, which may come in any order.
  explicit Markers(std::vector<Marker> markers);

  [[nodiscard]] std::span<const Marker> all() const noexcept { return markers_; }  ///< Sorted.
  [[nodiscard]] std::span<const Marker> of_clip(ClipId clip) const noexcept;       ///< Sorted by frame.

 private:
  std::vector<Marker> markers_;
};

/// Names one play of a clip in one animator, for good. `none` names nothing.
enum class PlayId : std::uint64_t { none = 0 };

/// How a clip is played.
struct PlayOptions {
  std::uint32_t layer = 0;                ///< Below kMaxLayers.
  double fade_seconds = 0;                ///< From what the layer showed before to this; 0: at once.
  double speed = 1;                       ///< Negative plays backwards.
  std::optional<double> start_seconds{};  ///< Clip time. Left out: the start, or in reverse the end.
  LoopMode loop = LoopMode::from_file;
};

/// A clip that a layer plays.
struct Play {
  /// What a layer plays.
  enum class Kind : std::uint8_t {
    clip,
    fade_out,  ///< Shows what the layers below do.
    still      ///< Holds the pose of plays beyond kMaxPlays.
  };

  PlayId id = PlayId::none;
  Kind kind = Kind::clip;
  ClipId clip = ClipId::none;  ///< Of a play of kind `clip`.
  Clock clock;                 ///< Seek it, pause it, change its speed at any time.
  double fade_seconds = 0;
  double faded_seconds = 0;

  /// Returns the weight over what is below it, 0..1.
  [[nodiscard]] float weight() const noexcept { return weight_after(0); }
  /// Returns the weight once that much time has passed.
  [[nodiscard]] float weight_after(double seconds) const noexcept {
    const double faded = faded_seconds + seconds;
    return faded < fade_seconds ? static_cast<float>(faded / fade_seconds) : 1.0F;
  }
};

enum class LayerMode : std::uint8_t {
  override_below,  ///< Blends over what is below.
  additive         ///< Adds how its clips differ from the bind pose; see `blend_additive`.
};

/// How a layer is mixed with those below it.
struct LayerOptions {
  float weight = 1;  ///< Of the whole layer, 0..1.
  LayerMode mode = LayerMode::override_below;
  BoneMask mask{};  ///< Empty: all bones.
};

/// Something that happened in a step of time.
struct AnimatorEvent {
  /// What happened.
  enum class Kind : std::uint8_t {
    started,   ///< A play began.
    looped,    ///< It restarted, `count` times.
    finished,  ///< It plays once, and reached its end.
    marker     ///< It reached the start of `marker`'s frame (in reverse the end), `count` times.
  };
  Kind kind = Kind::started;
  std::uint32_t layer = 0;
  PlayId play = PlayId::none;
  ClipId clip = ClipId::none;
  const Marker* marker = nullptr;  ///< Lives as long as the animator's markers.
  std::uint64_t count = 1;         ///< More than 1 only where one step holds several.
  double seconds = 0;              ///< From the beginning of the step; of several, the first.
  float weight = 1;                ///< Of the play in its layer at that time, 0..1, fades over it included.
};

/// The movement of a bone that is taken out of the pose, to move the whole character by.
struct RootMotion {
  BoneId bone{};  ///< Usually a root: the movement is in the space of its parent.
  bool along_x = true;
  bool along_y = false;
};

/// Plays clips on one instance of a character.
class Animator {
 public:
  static constexpr std::uint32_t kMaxLayers = 64;
  static constexpr std::size_t kMaxPlays = 8;  ///< That fade over each other in a layer; older ones stand still.

  /// Plays nothing, which shows the bind pose.
  explicit Animator(Character character);

  [[nodiscard]] const Character& character() const noexcept { return character_; }  ///< The animated one.

  /// Begins a clip, which must exist, and clears the queue of its layer.
  PlayId play(ClipId clip, const PlayOptions& options = {});
  /// Begins a clip when the layer's last one ends, a looping one with its present loop; at once where nothing plays or
  /// what plays has no end (no frames, a rate of 0).
  PlayId queue(ClipId clip, const PlayOptions& options = {});
  /// Fades a layer out and clears its queue.
  void stop(std::uint32_t layer = 0, double fade_seconds = 0);

  /// Returns the plays of a layer, oldest first.
  [[nodiscard]] std::span<const Play> plays(std::uint32_t layer = 0) const noexcept;
  /// Returns a play while its layer shows it; null before it begins and after it has ended.
  [[nodiscard]] Play* find(PlayId play) noexcept;

  /// Sets how a layer is mixed. Layers are mixed in the order of their numbers, and made when first named.
  void set_layer(std::uint32_t layer, LayerOptions options);
  void set_layer_weight(std::uint32_t layer, float weight);  ///< Changes the weight alone.

  /// Sets the speed of plays, fades and queues. Negative plays backwards.
  void set_speed(double speed) noexcept { speed_ = speed; }
  [[nodiscard]] double speed() const noexcept { return speed_; }  ///< See set_speed().
  /// Sets how clips are sampled: `step` at first.
  void set_sampling(Sampling sampling) noexcept { sampling_ = sampling; }
  [[nodiscard]] Sampling sampling() const noexcept { return sampling_; }  ///< See set_sampling().

  /// Sets the source of marker events. Drops events that were not returned yet.
  void set_markers(std::shared_ptr<const Markers> markers) noexcept;

  /// Moves time by `seconds` times the speed, if finite, and returns what happened since the last call, in order.
  /// Backwards, clips run back while fades and queues go on. The span is valid until the next advance() or play().
  std::span<const AnimatorEvent> advance(double seconds);
  /// Returns the events of the last advance() and of play() since.
  [[nodiscard]] std::span<const AnimatorEvent> events() const noexcept { return events_; }

  /// Applied to the pose, one after the other.
  std::vector<BoneOverride> overrides;

  /// Holds a bone at its bind pose and gathers its movement in layer 0 instead. The step of a loop from its last frame
  /// to its first is as long as the one before it.
  void set_root_motion(std::optional<RootMotion> root) noexcept { root_ = root; }
  /// Returns how far the root moved since the last call, in the space of the bone's parent.
  [[nodiscard]] Vec2 take_root_motion() noexcept;

  /// Mixes the local transforms and applies the overrides.
  void sample(Pose& out);
  /// Does what sample() does, and update().
  void pose(PoseBuffers& out);

  /// A clip that shows alone: such an instance can be drawn baked, at almost no cost.
  struct Alone {
    ClipId clip{};
    ClipTime position;
  };
  /// Returns the clip that shows; nothing where clips, layers, overrides or root motion are mixed.
  [[nodiscard]] std::optional<Alone> plays_alone() const noexcept;

 private:
  struct Queued {
    PlayId id;
    ClipId clip;
    PlayOptions options;
  };
  struct Layer {
    LayerOptions options;
    std::vector<Play> plays;
    std::vector<Queued> queue;
    Pose still;  ///< What a play of kind `still` shows.
    /// Degrees by which each bone of the first play, the second and so on was last turned from what is below it. Beyond
    /// half a turn where both sides moved on so; NaN where nothing was mixed yet.
    std::vector<float> turns;
    std::vector<float> layer_turns;  ///< The same for the layer as a whole.
  };

  Layer& layer(std::uint32_t number);
  void begin(std::uint32_t number, const Queued& next, double since);
  void advance_layer(std::uint32_t number, double seconds, bool backwards);
  void advance_plays(std::uint32_t number, double seconds, double since, bool backwards, bool to_end);
  void forget_reported();
  void report(const AnimatorEvent& event);
  void add_play(std::uint32_t number, const Play& play);
  void drop_hidden(Layer& layer);
  void make_still(std::uint32_t number);
  void turn(const PoseView& to, float weight, std::span<float> turns, const Pose& pose);
  void mix_plays(Layer& layer, std::size_t count, Pose& pose);
  void mix_layer(Layer& layer, Pose& out);
  void mix_layers(std::size_t count, Pose& out);

  Character character_;
  std::vector<Layer> layers_;
  std::vector<AnimatorEvent> events_;
  std::size_t reported_ = 0;  ///< Events before this were returned.
  std::shared_ptr<const Markers> markers_;
  std::optional<RootMotion> root_;
  Vec2 root_moved_{0.0F};
  double speed_ = 1;
  Sampling sampling_ = Sampling::step;
  std::uint64_t last_id_ = 0;

  // While layers are mixed:
  Pose play_pose_, layer_pose_, below_, still_pose_;
  std::vector<float> turned_degrees_;
};

/// Advances many animators; their events() say what happened. Threads may each take a part of the span.
void advance_many(std::span<Animator> animators, double seconds);
/// Poses many animators, one into each of `out`. Threads may each take a part of the spans.
void pose_many(std::span<Animator> animators, std::span<PoseBuffers> out);

}  // namespace pchr
