// SPDX-License-Identifier: MIT
// When a Pomyu character plays which of its animations: the rules of the games it is made for.
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

/// The animations of a Pomyu character by their numbers in the file.
enum class CharaAnimation : std::uint8_t {
  neutral = 1,
  second,    ///< Idle in place of neutral, with a gauge of half and more.
  ojama,     ///< The rival disturbs the player.
  miss,      ///< The player's, as are fever, great and good.
  standing,  ///< Once, when the song begins.
  fever,     ///< Great with a full gauge.
  great,
  good,
  rival_bad,  ///< The rival's answer to the player's bad, as the next three to fever, great and good.
  rival_fever,
  rival_great,
  rival_good,
  unknown,    ///< No game is known to play it.
  dance,      ///< The rival disturbs all over the playing field.
  win,        ///< The song is over.
  lose,       ///< The song is over.
  fever_win,  ///< Won with a full gauge.
  attacked    ///< The player is disturbed.
};
inline constexpr std::uint32_t kCharaAnimations = 18;

/// Returns the name of the clip of an animation: 01_neutral to 18_attacked.
[[nodiscard]] std::string_view clip_name(CharaAnimation animation) noexcept;

/// The game whose rules apply.
enum class CharaProfile : std::uint8_t {
  feeling_pomu,  ///< The game that the format was made for.
  beatoraja      ///< One idle animation and one cycle of it; bad is rival_bad's neighbor, number 10, on either side.
};

enum class CharaSide : std::uint8_t { player, rival };

/// How the player met a note.
enum class Judgment : std::uint8_t { bad, good, great };

/// How the rival disturbs.
enum class Disturbance : std::uint8_t { none, ojama, dance };

enum class CharaPhase : std::uint8_t {
  idle,      ///< Whole cycles, until something happens.
  reaction,  ///< Once, then idle.
  held       ///< Repeats until told otherwise.
};

/// The rules and the side that a character plays by.
struct CharaRules {
  CharaProfile profile = CharaProfile::feeling_pomu;
  CharaSide side = CharaSide::player;
  bool legacy = false;     ///< Reacts at once instead of after the idle cycle.
  std::uint32_t wait = 1;  ///< Idle cycles before a reaction may follow; 0 counts as 1. beatoraja's is always 1.
};

/// Returns the rules of a game for a side, completed by the character's file.
[[nodiscard]] CharaRules rules_of(const CharaInfo& info, CharaProfile profile = CharaProfile::feeling_pomu,
                                  CharaSide side = CharaSide::player) noexcept;

/// Plays a character's clips as its game would: report what happens, advance, and show clip() at position().
///
/// An idle animation plays in whole cycles: neutral below half a gauge, second up to three quarters, both in turn
/// above. After `wait` cycles, the latest judgment since they began is answered once, and idling goes on. A legacy
/// character answers at once, but finishes an answer that plays. Disturbances and the end of the song interrupt
/// anything and stay. A missing animation is replaced: fever by great, fever_win by win, all others by neutral.
class CharaState {
 public:
  /// Begins to idle. Clips are found by their names.
  explicit CharaState(const Character& character, const CharaRules& rules = {});

  void begin_song();                      ///< Plays `standing` where the character has it, then idles.
  void set_gauge(double gauge) noexcept;  ///< 0 (empty) to 1 (full).
  void judge(Judgment judgment);          ///< The player met a note.
  void disturb(Disturbance disturbance);  ///< Begins a disturbance, or with `none` ends it.
  void end_song(bool cleared);            ///< Wins or loses, by the side.
  void play(CharaAnimation animation);    ///< Repeats it, whatever the rules say.

  /// Changes the rules. The animation goes on, and the judgment is forgotten.
  void set_rules(const CharaRules& rules) noexcept;
  /// Goes on at the same moment with another version of the character, such as a file that was read again.
  void set_character(const Character& character);

  /// Advances by at most an hour. Does nothing where `seconds` is negative or not finite.
  void advance(double seconds);
  /// Seeks within the animation; the frame is clamped to its last.
  void seek_frame(std::uint32_t frame) noexcept;

  /// Returns the animation that plays, after replacement. Absent where the character does not even have `neutral`.
  [[nodiscard]] std::optional<CharaAnimation> animation() const noexcept { return animation_; }
  /// Its clip, or `none`, and the place in it.
  /// @{
  [[nodiscard]] ClipId clip() const noexcept { return animation_ ? clip_of(*animation_) : ClipId::none; }
  [[nodiscard]] ClipTime position(Sampling sampling = Sampling::step) const noexcept {
    return animation_ ? clock_.position(sampling) : ClipTime{};
  }
  [[nodiscard]] double seconds() const noexcept { return animation_ ? clock_.seconds() : 0; }
  /// @}
  [[nodiscard]] CharaPhase phase() const noexcept { return phase_; }  ///< Idle, answering or held.
  /// Returns the animation that will answer the latest judgment, after replacement.
  [[nodiscard]] std::optional<CharaAnimation> pending() const noexcept;
  /// Returns the idle cycles since the last answer.
  [[nodiscard]] std::uint32_t idle_cycles() const noexcept { return cycles_; }
  [[nodiscard]] double gauge() const noexcept { return gauge_; }             ///< The last that was told.
  [[nodiscard]] const CharaRules& rules() const noexcept { return rules_; }  ///< As given.

  /// Returns the clip of an animation, `none` where the character does not have it.
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
  std::optional<CharaAnimation> pending_;  ///< The answer to the latest judgment.
  double gauge_ = 0;
  std::uint32_t cycles_ = 0;
  bool turn_ = false;  ///< Whether it is the turn of `second`.
};

}  // namespace pchr
