// SPDX-License-Identifier: MIT
// State machines: which clips a character plays, and when it goes from one to the next. `States` is what an artist
// writes, in names only: the object `states` of hero.rig.json (docs/formats.md). A StateGraph is made from it for one
// character, never changes and is shared. A StateMachine is one instance: it has the values of the parameters and the
// current states, and drives an Animator, which does the mixing.
//
// Each layer is in one state at a time and plays in the animator's layer of the same index. While a layer is in a
// state, the first of its transitions in the order of the list that is possible is taken: it starts there or in any
// state, all of its conditions hold, and its time has come. That happens within a step at the exact time, so one long
// step gives what many short ones give (up to 100,000 transitions; then the rest of the step only plays). Times within
// 1e-9 seconds are the same time. Parameters change between steps only. A trigger stays set until a transition that has
// it as a condition is taken; all layers see it at that time.
//
//   const pchr::Sidecar sidecar = pchr::load_rig(pchr::rig_path("hero.pchr"), hero).value();
//   const auto graph = pchr::make_state_graph(sidecar.states, hero, sidecar.masks, sidecar.markers).value();
//   pchr::Animator actor(hero);
//   pchr::StateMachine machine(graph);
//   machine.set("speed", 1.5F);
//   machine.fire("jump");
//   for (const pchr::StateEvent& event : machine.advance(actor, dt))
//     if (event.name != nullptr && *event.name == "whoosh") play_sound();
//   actor.pose(posed);
#pragma once

#include <pchr/animator.hpp>

namespace PCHR_API pchr {

/// A value that games set and states use.
struct StateParameter {
  /// The type of a parameter.
  enum class Kind : std::uint8_t {
    number,
    boolean,
    trigger  ///< fire() sets it, and the transition that it causes uses it up.
  };
  std::string name{};
  Kind kind = Kind::number;
  float value = 0;  ///< At the start. 0 or 1 for a boolean; 0 for a trigger.
  float min = 0;    ///< A number is kept within `min` and `max`.
  float max = 1;    ///< See `min`.
  /// The key of the keyboard for it in the player, or nothing: a letter from a to z, a digit, space, enter, shift,
  /// left, right, up or down.
  std::string key{};
  bool operator==(const StateParameter&) const = default;
};

/// A condition on one parameter.
struct StateCondition {
  /// How the parameter is tested.
  enum class Test : std::uint8_t {
    above,    ///< A number is greater than `value`.
    below,    ///< A number is less than `value`.
    is_true,  ///< A boolean is true, or a trigger is set.
    is_false  ///< A boolean is false.
  };
  std::string parameter{};
  Test test = Test::is_true;
  float value = 0;
  bool operator==(const StateCondition&) const = default;
};

/// A clip of a blend space.
struct BlendPoint {
  std::string clip{};
  Vec2 at{0.0F};  ///< Values of the parameters at which only this clip shows. With one parameter, y is 0.
  bool operator==(const BlendPoint&) const = default;
};

/// What a layer plays while it is in this state.
struct State {
  /// What a state plays.
  enum class Kind : std::uint8_t {
    empty,     ///< Nothing: the layers below show. One second counts as the duration of a clip.
    clip,      ///< `clip`.
    blend_1d,  ///< The two `points` around the value of `x`.
    blend_2d,  ///< The three `points` around the values of `x` and `y`, of their Delaunay triangulation.
    /// `start` once, then `clip` again and again. When a transition that is `at_end` is possible but for its time, its
    /// triggers are used up and `end` fades in over kSequenceFade; when that ends, the transition is taken. Without
    /// `end`, the parts end as other clips.
    sequence
  };
  std::string name{};
  Kind kind = Kind::empty;
  std::string clip{};          ///< The loop in the middle of a sequence, where it can be empty.
  std::string start{}, end{};  ///< Parts of a sequence. Can be empty.
  /// Clips of a blend space. They are at the same phase, so that feet stay in step. One duration is the mean of theirs.
  /// Outside of the points, the nearest place between them counts.
  std::vector<BlendPoint> points{};
  std::string x{}, y{};  ///< Parameters of a blend space.
  double speed = 1;      ///< At least 0.
  /// Multiplies `speed`. Below 0, the state plays in reverse and no transition waits for a later time.
  std::string speed_parameter{};
  /// `from_file` (a blend space does as its first clip), `once` or `loop`. A sequence ignores it.
  LoopMode loop = LoopMode::from_file;
  std::vector<std::string> on_enter{};  ///< Names of events.
  std::vector<std::string> on_leave{};
  bool operator==(const State&) const = default;
};

/// A way from one state of a layer to another.
struct StateTransition {
  std::string from{};  ///< Empty: from any other state than `to`.
  std::string to{};
  std::vector<StateCondition> conditions{};  ///< All of them must hold.
  /// The earliest time, in durations of the state's clip since it was entered: 0.5 is the middle, 1.5 the middle of the
  /// second loop. The end of a clip that plays once counts as any later time. The start of a sequence is one duration.
  double after = 0;
  bool at_end = false;        ///< Only at the end of the state's clip, or of each of its loops.
  double fade_seconds = 0;    ///< Crossfade.
  bool synchronized = false;  ///< The new state starts at the phase of the old one, unless that has ended.
  bool interruptible = true;  ///< Whether other transitions can be taken during the crossfade.
  bool operator==(const StateTransition&) const = default;
};

/// One of several machines of a character, with a layer of the animator.
struct StateLayer {
  std::string name{};
  std::string mask{};  ///< Name of a NamedMask. Empty means all bones.
  LayerMode mode = LayerMode::override_below;
  std::string reference_clip{};  ///< For an additive layer. Empty means the bind pose. See LayerOptions.
  std::uint32_t reference_frame = 0;
  float weight = 1;                ///< 0..1.
  std::string weight_parameter{};  ///< Multiplies `weight`; the result is kept within 0..1.
  std::string first{};             ///< The state at the start. Empty means states[0].
  std::vector<State> states{};
  std::vector<StateTransition> transitions{};
  bool operator==(const StateLayer&) const = default;
};

/// The machines of a character as written. Plain data with names, which can be incomplete while it is edited.
struct States {
  std::vector<StateParameter> parameters{};
  std::vector<StateLayer> layers{};
  bool operator==(const States&) const = default;
  /// Returns whether there is no machine.
  [[nodiscard]] bool empty() const noexcept { return layers.empty(); }
};

/// Time over which the `end` of a sequence fades in.
constexpr double kSequenceFade = 0.1;

/// Limits. Those of states and transitions are for each layer; Animator::kMaxLayers limits the layers.
/// @{
constexpr std::size_t kMaxStateParameters = 256, kMaxStates = 256, kMaxStateTransitions = 4096;
constexpr std::size_t kMaxStateConditions = 64;  ///< Conditions of a transition.
constexpr std::size_t kMaxStateEvents = 64;      ///< Events of a state, on entering and on leaving.
constexpr std::size_t kMaxBlendPoints = 64;      ///< Clips of a blend space.
/// @}

/// Returns what is wrong with `states` on `character`, in the order of the file, with places such as
/// "states.layers[0].transitions[2].to": names that do not exist or appear twice, values out of range, conditions that
/// cannot hold, points of a blend space at the same place or all on one line, limits, and cycles of transitions that
/// could all be taken without time passing. At most 256 errors. Empty if make_state_graph() succeeds.
[[nodiscard]] std::vector<Diagnostic> find_state_errors(const States& states, const Character& character,
                                                        std::span<const NamedMask> masks);

/// Machines that are ready to run on one character. Opaque; immutable; share it between threads and instances.
struct StateGraph;

/// Prepares machines for a character. Fails with the first of find_state_errors(). Clips of a blend space whose markers
/// have the same names in the same order are kept in step by them; others by the share of their duration.
[[nodiscard]] Expected<std::shared_ptr<const StateGraph>, Diagnostic> make_state_graph(
    const States& states, const Character& character, std::span<const NamedMask> masks = {},
    const Markers& markers = Markers());

/// Returns what a graph was made from.
[[nodiscard]] const States& states_of(const StateGraph& graph) noexcept;

/// What a machine did in a step. Events of the animator, such as markers, are in Animator::events().
struct StateEvent {
  /// The type of event.
  enum class Kind : std::uint8_t {
    left,     ///< A layer left `state`.
    entered,  ///< A layer entered `state`.
    named     ///< `name` is one of its `on_enter` or `on_leave`.
  };
  Kind kind = Kind::entered;
  std::uint32_t layer = 0;
  std::uint32_t state = 0;            ///< Index into StateLayer::states.
  const std::string* name = nullptr;  ///< Lives as long as the graph. Null unless `named`.
  double seconds = 0;                 ///< Time since the start of the step.
};

/// Where one layer of a machine is.
struct StateStatus {
  std::uint32_t state = 0;                ///< Index into StateLayer::states.
  std::uint32_t from = UINT32_MAX;        ///< The state that still fades out, or UINT32_MAX.
  std::uint32_t transition = UINT32_MAX;  ///< The transition that fades, an index, or UINT32_MAX.
  float progress = 1;                     ///< How much of the fade is over, 0..1.
  double phase = 0;                       ///< Durations of the state's clip since it was entered.
};

/// One instance of a character's machines. A small value: copy it together with its Animator to go back to that time
/// later. Each step that begins with the same values and states gives the same result. Allocates nothing once warm.
class StateMachine {
 public:
  /// Creates a machine whose layers enter their first states in the first advance().
  explicit StateMachine(std::shared_ptr<const StateGraph> graph);

  [[nodiscard]] const StateGraph& graph() const noexcept { return *graph_; }  ///< What it runs.
  /// Continues with another graph, such as that of a reloaded character or of edited states: values of parameters and
  /// current states of the same names are kept, at the same times; so are those with a new name at their place of a
  /// list that is as long as before. Drops events. Call it after Animator::rebind().
  void rebind(Animator& animator, std::shared_ptr<const StateGraph> graph);

  /// Returns the index of a parameter, or nothing.
  [[nodiscard]] std::optional<std::uint32_t> find_parameter(std::string_view name) const noexcept;
  /// Sets a number (kept within its range; not finite has no effect) or a boolean (not 0 is true), or sets or clears a
  /// trigger. Takes effect in the next advance(). Returns false if there is no such parameter.
  /// @{
  bool set(std::uint32_t parameter, float value) noexcept;
  bool set(std::string_view parameter, float value) noexcept;
  /// @}
  bool fire(std::string_view trigger) noexcept;                  ///< Sets a trigger. Returns false if there is none.
  [[nodiscard]] std::span<const float> values() const noexcept;  ///< One per parameter.

  /// Advances the animator and the machines by `seconds` times the speed of the animator. The span is valid until the
  /// next call. Going backwards, states play in reverse and no transition is taken. Layers of the animator beyond those
  /// of the machine are free for other uses.
  std::span<const StateEvent> advance(Animator& animator, double seconds);
  /// Returns the events of the last advance() again.
  [[nodiscard]] std::span<const StateEvent> events() const noexcept;

  /// Returns where a layer is.
  [[nodiscard]] StateStatus status(const Animator& animator, std::uint32_t layer = 0) const noexcept;
  /// Enters a state at once, whatever the transitions. The next advance() has the events. Returns false if there is no
  /// such state.
  bool enter(Animator& animator, std::uint32_t layer, std::uint32_t state, double fade_seconds = 0);

  /// Returns values and states for a saved game: a text of a few hundred bytes, in names.
  [[nodiscard]] std::string save(const Animator& animator) const;
  /// Continues from a saved text, without events and without fades that were under way. Names that are no longer there
  /// are skipped. Does nothing and returns false if the text is not of save().
  [[nodiscard]] bool restore(Animator& animator, std::string_view saved);

 private:
  struct Layer {
    std::uint32_t state = 0;
    std::uint32_t from = UINT32_MAX, transition = UINT32_MAX;  ///< What fades.
    std::uint32_t ending = UINT32_MAX;                         ///< The transition at the end of a sequence's `end`.
    PlayId play = PlayId::none;
    double seconds = 0;  ///< Phase of a state without a duration.
    double base = 0;     ///< What to add to the durations that the play is at.
    double fade_seconds = 0, faded_seconds = 0;
    std::uint8_t part = 1;     ///< Part of a sequence: 0 is `start`, 2 is `end`.
    std::uint8_t instant = 0;  ///< Transitions at this point in time.
    bool counts = false;       ///< Whether the state has no duration.
    bool waits = false;        ///< Whether something can happen without a change of parameters.
    // What happens next, and when.
    double due = 0;
    std::uint32_t next = 0;
  };
  struct Progress;
  struct Saved;

  void attach(Animator& animator);
  void apply_values(Animator& animator);
  void apply_values(std::uint32_t layer, Play& play) const;
  double speed_of(std::uint32_t layer, std::uint32_t state) const;
  void find_waiting();
  bool holds(std::uint32_t layer, std::uint32_t transition) const;
  Progress progress(const Animator& animator, std::uint32_t layer) const;
  void find_next(const Animator& animator, std::uint32_t layer);
  void pass_time(Animator& animator, double seconds, double since, bool backwards, std::uint64_t to_end);
  void step(Animator& animator, double seconds);
  void take_next(Animator& animator, std::uint32_t layer, double since);
  void use_triggers(std::uint32_t layer, std::uint32_t transition);
  void go_to(Animator& animator, std::uint32_t layer, std::uint32_t state, double fade_seconds, bool synchronized,
             double since);
  void play_part(Animator& animator, std::uint32_t layer, std::uint8_t part, double fade_seconds, double share,
                 double since);
  std::vector<Saved> saved(const Animator& animator) const;
  bool resume(Animator& animator, const Saved& saved);
  void report(std::uint32_t layer, StateEvent::Kind kind, double since);

  std::shared_ptr<const StateGraph> graph_;
  std::vector<float> values_;
  std::vector<Layer> layers_;
  std::vector<StateEvent> events_;   ///< Events of the last advance().
  std::vector<StateEvent> pending_;  ///< For the next one.
  bool attached_ = false;
  bool changed_ = true;  ///< Whether values are to be applied.
  bool waits_ = false;   ///< Whether a layer does.
};

}  // namespace pchr
