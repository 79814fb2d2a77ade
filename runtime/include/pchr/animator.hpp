// SPDX-License-Identifier: MIT
// Plays clips on one instance of a character: one after the other, faded into each other, in layers.
//
// An animator belongs to one thread at a time; any number of them share a character. Times are seconds.
//
// How clips mix: each layer starts from what the layers below show (the lowest from the bind pose), and its plays
// are blended over that, oldest first, each by its own weight, which grows from 0 to 1 as it fades in. A play that has
// faded in ends those before it. So a fade may begin in the middle of another, and the picture stays continuous.
// Rotations go the way round that is shorter when a fade begins, and stay on it. Of the two sides of every blend the
// heavier one decides which bones are visible and in which order they are drawn, so that each fade switches them once,
// in its middle, and never back.
#pragma once

#include <pchr/character.hpp>
#include <pchr/clock.hpp>
#include <pchr/marker.hpp>
#include <pchr/mix.hpp>
#include <pchr/pose.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace PCHR_API pchr {

/// Names one play of a clip in one animator, for good. `none` names nothing.
enum class PlayId : std::uint64_t { none = 0 };

/// How a clip is played.
struct PlayOptions {
  std::uint32_t layer = 0;                ///< Below kMostLayers.
  double fade_seconds = 0;                ///< From what the layer showed before to this; 0: at once.
  double speed = 1;                       ///< Negative plays backwards.
  std::optional<double> start_seconds{};  ///< Clip time. Left out: the start, or in reverse the end.
  LoopMode loop = LoopMode::from_file;
};

/// A clip that a layer plays.
struct Play {
  static constexpr std::uint32_t kNothing = 0xFFFFFFFF;  ///< Shows what the layers below do.
  static constexpr std::uint32_t kStill = 0xFFFFFFFE;    ///< A picture of older plays that were too many.

  PlayId id = PlayId::none;
  std::uint32_t clip = 0;
  Clock clock;  ///< Seek it, pause it, change its speed at any time.
  double fade_seconds = 0;
  double faded_seconds = 0;

  /// Whether it plays a clip, not kNothing or kStill.
  [[nodiscard]] bool is_clip() const noexcept { return clip < kStill; }
  /// Over what is below it, 0..1.
  [[nodiscard]] float weight() const noexcept { return weight_after(0); }
  /// What that will be when so much time has passed.
  [[nodiscard]] float weight_after(double seconds) const noexcept {
    const double faded = faded_seconds + seconds;
    return faded < fade_seconds ? static_cast<float>(faded / fade_seconds) : 1.0F;
  }
};

enum class LayerMode : std::uint8_t {
  override_below,  ///< Blends over what is below.
  additive         ///< Adds how its clips differ from the bind pose; see `add` in mix.hpp.
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
    looped,    ///< It began anew, `count` times.
    finished,  ///< It plays once, and came to its end.
    marker     ///< It came to `marker`'s frame, `count` times: to its beginning, or in reverse to its end.
  };
  Kind kind = Kind::started;
  std::uint32_t layer = 0;
  PlayId play = PlayId::none;
  std::uint32_t clip = 0;
  const Marker* marker = nullptr;  ///< Lives as long as the animator's markers.
  std::uint64_t count = 1;         ///< More than 1 only where one step holds several.
  double seconds = 0;              ///< From the beginning of the step; of several, the first.
  float weight = 1;                ///< Of the play in its layer then, 0..1, the fades over it counted in: a step of a
                                   ///< walk that has almost faded out need not be heard.
};

/// Which movement of a bone is taken out of the picture, to move the whole character by.
struct RootMotion {
  std::uint32_t bone = 0;  ///< One without a parent, as a rule: its movement is in its parent's space.
  bool along_x = true;
  bool along_y = false;
};

/// Plays clips on one instance of a character.
class Animator {
 public:
  static constexpr std::uint32_t kMostLayers = 64;
  static constexpr std::size_t kMostPlays = 8;  ///< That fade over each other in a layer; older ones stand still.

  /// Plays nothing, which shows the bind pose.
  explicit Animator(Character character);

  /// Whose clips it plays.
  [[nodiscard]] const Character& character() const noexcept { return character_; }

  /// Begins a clip now and forgets what its layer has queued. The clip must exist.
  PlayId play(std::uint32_t clip, const PlayOptions& options = {});
  /// Begins a clip when what the layer plays last comes to its end: a looping clip to the end of its present loop. It
  /// begins at once where nothing plays or what plays can have no end (no frames, a rate of 0).
  PlayId queue(std::uint32_t clip, const PlayOptions& options = {});
  /// Fades a layer out, and forgets what it has queued.
  void stop(std::uint32_t layer = 0, double fade_seconds = 0);

  /// The plays of a layer, oldest first; the last is what play() began last. Empty for a layer that plays nothing.
  [[nodiscard]] std::span<const Play> plays(std::uint32_t layer = 0) const noexcept;
  /// A play, while its layer shows it; null before it begins and after it has ended.
  [[nodiscard]] Play* find(PlayId play) noexcept;

  /// How a layer is mixed. Layers are mixed in the order of their numbers, and made when they are first named.
  void set_layer(std::uint32_t layer, LayerOptions options);
  /// The weight of a layer alone.
  void set_layer_weight(std::uint32_t layer, float weight);

  /// Of everything: plays, fades and queues. Negative plays backwards.
  void set_speed(double speed) noexcept { speed_ = speed; }
  [[nodiscard]] double speed() const noexcept { return speed_; }  ///< See set_speed().
  /// `step` at first.
  void set_sampling(Sampling sampling) noexcept { sampling_ = sampling; }
  [[nodiscard]] Sampling sampling() const noexcept { return sampling_; }  ///< See set_sampling().

  /// What marker events come from. Those that were not returned yet are forgotten.
  void set_markers(std::shared_ptr<const Markers> markers) noexcept;

  /// Goes on by `seconds` times the speed and says what happened, in order, however large the step is. Backwards,
  /// clips run back while fades and queues go on. What play() began since is in it. The span is valid until the next
  /// advance() or play(). Nothing happens for a value that is not finite.
  std::span<const AnimatorEvent> advance(double seconds);
  /// What the last advance() returned, and what play() began since.
  [[nodiscard]] std::span<const AnimatorEvent> events() const noexcept { return events_; }

  /// Applied to the pose, one after the other.
  std::vector<BoneOverride> overrides;

  /// Takes the movement of a bone out of the pose, where it then stays at its bind pose, and gathers it: clips that
  /// loop go on from where they ended, the step from their last frame to their first being as long as the one before
  /// it. Layer 0 alone moves the root.
  void set_root_motion(std::optional<RootMotion> root) noexcept { root_ = root; }
  /// How far the root moved since this was last called, in the space of the bone's parent; and starts from 0.
  [[nodiscard]] Vec2 take_root_motion() noexcept;

  /// The mixed local transforms, overrides applied.
  void sample(Pose& out);
  /// All that is needed to draw them.
  void pose(PosedCharacter& out);

  /// The one clip that shows, where nothing else takes part: such an instance can be drawn baked, at almost no cost.
  struct Alone {
    std::uint32_t clip = 0;
    FramePosition position;
  };
  /// That clip, or nothing where clips, layers, overrides or root motion are mixed.
  [[nodiscard]] std::optional<Alone> plays_alone() const noexcept;

 private:
  struct Queued {
    PlayId id;
    std::uint32_t clip;
    PlayOptions options;
  };
  struct Layer {
    LayerOptions options;
    std::vector<Play> plays;
    std::vector<Queued> queue;
    Pose still;  ///< What Play::kStill shows.
    /// How far each bone turns from what is below it, in degrees, as last mixed: bones of the first play, of the
    /// second, and so on. Beyond half a turn where what is mixed has moved on so; NaN where nothing was mixed yet.
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
  Array<float> turned_degrees_;
};

/// Advances many animators: `animators[i].events()` has what happened. Threads may each take a part of the span.
void advance_many(std::span<Animator> animators, double seconds);
/// Poses many animators. Both spans have the same length; threads may each take a part of them.
void pose_many(std::span<Animator> animators, std::span<PosedCharacter> out);

}  // namespace pchr
