// SPDX-License-Identifier: MIT
// Game rules of Pomyu characters: which animation plays when.
//
//   const auto konpei = pchr::import_character("konpei.chp");
//   pchr::CharaState state(konpei->character, pchr::rules_of(konpei->chara.value()));
//   state.judge(pchr::Judgment::great);
//   state.advance(dt);
//   pchr::pose_clip(konpei->character, state.clip(), state.position(), posed);
#pragma once

#include <pchr/clock.hpp>
#include <pchr/import/import.hpp>

#include <array>
#include <string_view>

namespace PCHR_API pchr {

/// Animations of a Pomyu character, by their numbers in the file.
enum class CharaAnimation : std::uint8_t {
  neutral = 1,
  second,    ///< Idle, replaces or alternates with neutral while the gauge is at least half full.
  ojama,     ///< The rival disturbs the player.
  miss,      ///< Reaction of the player, like fever, great and good.
  standing,  ///< Plays once when the song begins.
  fever,     ///< Great, with a full gauge.
  great,
  good,
  rival_bad,  ///< Reaction of the rival, like the next three.
  rival_fever,
  rival_great,
  rival_good,
  unknown,    ///< Not played by any known game.
  dance,      ///< The rival disturbs the player across the whole playing field.
  win,        ///< The song is over and won.
  lose,       ///< The song is over and lost.
  fever_win,  ///< Won with a full gauge.
  attacked    ///< The player is disturbed.
};
/// Number of animations.
inline constexpr std::uint32_t kCharaAnimations = 18;

/// Returns the clip name of an animation: 01_neutral to 18_attacked.
[[nodiscard]] std::string_view clip_name(CharaAnimation animation) noexcept;

/// Game whose rules apply.
enum class CharaProfile : std::uint8_t {
  feeling_pomu,  ///< Game that the format was made for.
  beatoraja      ///< Only neutral when idle, for one cycle; both sides play number 10 (rival_fever) for bad.
};

/// Side of a character.
enum class CharaSide : std::uint8_t { player, rival };

/// How well the player hit a note.
enum class Judgment : std::uint8_t { bad, good, great };

/// How the rival disturbs the player.
enum class Disturbance : std::uint8_t { none, ojama, dance };

/// Playback phase of a character.
enum class CharaPhase : std::uint8_t {
  idle,      ///< Plays complete cycles until something happens.
  reaction,  ///< Plays once, then idles.
  held       ///< Repeats until another event.
};

/// Rules and side of a character.
struct CharaRules {
  CharaProfile profile = CharaProfile::feeling_pomu;
  CharaSide side = CharaSide::player;
  bool legacy = false;     ///< Reacts immediately instead of after the idle cycle.
  std::uint32_t wait = 1;  ///< Idle cycles before a reaction can start; 0 counts as 1. Always 1 for beatoraja.
};

/// Combines a game and a side with the parameters in the character's file.
[[nodiscard]] CharaRules rules_of(const CharaInfo& info, CharaProfile profile = CharaProfile::feeling_pomu,
                                  CharaSide side = CharaSide::player) noexcept;

/// Plays a character's clips like its game does: report events, advance, and show clip() at position().
///
/// Idle animations play in complete cycles: neutral below half a gauge, second up to three quarters, and both
/// alternating above. After `wait` cycles the character reacts once to the latest judgment since the idle phase began,
/// then idles again. A legacy character reacts immediately, but finishes a running reaction first. Disturbances and the
/// end of the song interrupt everything and stay. Replaces missing animations: fever by great, fever_win by win, all
/// others by neutral.
class CharaState {
 public:
  /// Starts idle. Finds the clips by their names.
  explicit CharaState(const Character& character, const CharaRules& rules = {});

  void begin_song();                      ///< Plays `standing` if the character has it, then idles.
  void set_gauge(double gauge) noexcept;  ///< 0 (empty) to 1 (full).
  void judge(Judgment judgment);          ///< Reports how the player hit a note.
  void disturb(Disturbance disturbance);  ///< Starts a disturbance, or ends it with `none`.
  void end_song(bool cleared);            ///< Plays the win or lose animation, depending on the side.
  void play(CharaAnimation animation);    ///< Repeats an animation, ignoring the rules.

  /// Changes the rules. The animation continues; the pending judgment is dropped.
  void set_rules(const CharaRules& rules) noexcept;
  /// Continues at the same time with another version of the character, such as a reloaded file.
  void set_character(const Character& character);

  /// Advances by at most an hour. Does nothing if `seconds` is negative or not finite.
  void advance(double seconds);
  /// Seeks to a frame of the animation, clamped to the last.
  void seek_frame(std::uint32_t frame) noexcept;

  /// Returns the current animation, after replacement. Nothing if even `neutral` is missing.
  [[nodiscard]] std::optional<CharaAnimation> animation() const noexcept { return animation_; }
  /// Returns its clip (or `none`) and the position within it.
  /// @{
  [[nodiscard]] ClipId clip() const noexcept { return animation_ ? clip_of(*animation_) : ClipId::none; }
  [[nodiscard]] ClipTime position(Sampling sampling = Sampling::step) const noexcept {
    return animation_ ? clock_.position(sampling) : ClipTime{};
  }
  [[nodiscard]] double seconds() const noexcept { return animation_ ? clock_.seconds() : 0; }
  /// @}
  [[nodiscard]] CharaPhase phase() const noexcept { return phase_; }  ///< Current phase.
  /// Returns the pending reaction to the latest judgment, after replacement.
  [[nodiscard]] std::optional<CharaAnimation> pending() const noexcept;
  /// Returns the number of idle cycles since the last reaction.
  [[nodiscard]] std::uint32_t idle_cycles() const noexcept { return cycles_; }
  [[nodiscard]] double gauge() const noexcept { return gauge_; }             ///< As set by set_gauge().
  [[nodiscard]] const CharaRules& rules() const noexcept { return rules_; }  ///< Current rules.

  /// Returns the clip of an animation, or `none` if the character does not have it.
  [[nodiscard]] ClipId clip_of(CharaAnimation animation) const noexcept {
    return clips_[static_cast<std::size_t>(animation) - 1];
  }

 private:
  void find_clips();
  [[nodiscard]] CharaAnimation available(CharaAnimation animation) const noexcept;
  void start(CharaAnimation animation, CharaPhase phase);
  void start_idle();
  void follow();

  Character character_;
  CharaRules rules_;
  std::array<ClipId, kCharaAnimations> clips_{};  ///< Animation n at n - 1.
  Clock clock_;
  CharaPhase phase_ = CharaPhase::idle;
  std::optional<CharaAnimation> animation_;
  std::optional<CharaAnimation> pending_;  ///< Reaction to the latest judgment.
  double gauge_ = 0;
  std::uint32_t cycles_ = 0;
  bool second_is_next_ = false;  ///< Whether `second` is next when both idle animations alternate.
};

}  // namespace pchr
