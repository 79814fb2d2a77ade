// SPDX-License-Identifier: MIT
// When a Pomyu character plays which of its animations: the rules of the games it is made for.
//
//   const auto konpei = pchr::import_character("konpei.chp");
//   pchr::CharaState state(konpei->character, pchr::rules_of(konpei->chara.value()));
//   state.judge(pchr::Judgement::great);
//   state.advance(dt);
//   pchr::pose_clip(konpei->character, state.clip(), state.position(), posed);
#pragma once

#include <pchr/character.hpp>
#include <pchr/clock.hpp>
#include <pchr/import/import.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace PCHR_API pchr {

/// The animations of a Pomyu character by their numbers in the file.
enum class CharaAnimation : std::uint8_t {
  neutral = 1,
  second,       ///< Idle in place of neutral, with a gauge of half and more.
  ojama,        ///< Of the rival's, who disturbs the player.
  miss,         ///< The player's.
  standing,     ///< Once, when the song begins.
  fever,        ///< Great with a full gauge.
  great,        ///< The player's, as are fever and good.
  good,         ///< See great.
  rival_bad,    ///< What the rival makes of the player's bad, and so on.
  rival_fever,  ///< See rival_bad.
  rival_great,  ///< See rival_bad.
  rival_good,   ///< See rival_bad.
  unknown,      ///< No game is known to play it.
  dance,        ///< Of the rival's, all over the playing field.
  win,          ///< When the song is over.
  lose,         ///< See win.
  fever_win,    ///< Won with a full gauge.
  attacked      ///< Of the player's, who is disturbed.
};
inline constexpr std::uint32_t kCharaAnimations = 18;

/// The name of the clip that an animation becomes: 01_neutral to 18_attacked.
[[nodiscard]] std::string_view clip_name(CharaAnimation animation) noexcept;

/// Whose rules.
enum class CharaProfile : std::uint8_t {
  feeling_pomu,  ///< The game that the format was made for.
  beatoraja      ///< One idle animation and one cycle of it; bad is rival_bad's neighbor, number 10, on either side.
};

enum class CharaSide : std::uint8_t { player, rival };

/// How the player met a note.
enum class Judgement : std::uint8_t { bad, good, great };

/// How the rival disturbs.
enum class Disturbance : std::uint8_t { none, ojama, dance };

/// What a character is about.
enum class CharaPhase : std::uint8_t {
  idle,      ///< Whole cycles, until something happens.
  reaction,  ///< Once, and then it idles.
  held       ///< Again and again, until it is told otherwise.
};

/// By whose rules and in which part a character plays.
struct CharaRules {
  CharaProfile profile = CharaProfile::feeling_pomu;
  CharaSide side = CharaSide::player;
  bool legacy = false;     ///< Reacts at once, and not after the idle cycle.
  std::uint32_t wait = 1;  ///< Idle cycles before a reaction may follow; 0 counts as 1. beatoraja's is always 1.
};

/// The rules of a game for a side, with what the character's file says of itself.
[[nodiscard]] CharaRules rules_of(const CharaInfo& info, CharaProfile profile = CharaProfile::feeling_pomu,
                                  CharaSide side = CharaSide::player) noexcept;

/// Plays a character's clips as its game would. Tell it what happens, let time pass, and show clip() at position().
///
/// An idle animation plays in whole cycles: neutral below half a gauge, second up to three quarters, both in turn
/// above. After the cycles to wait for, the latest judgement since they began is answered once, and idling goes on. A
/// legacy character answers at once, but lets an answer that plays come to its end. Disturbances and the song's end
/// interrupt anything and stay. An animation that the character does not have is replaced: second by neutral, fever by
/// great, fever_win by win, all others by neutral.
class CharaState {
 public:
  /// Begins to idle. The character's clips are found by their names.
  explicit CharaState(const Character& character, const CharaRules& rules = {});

  void begin_song();                      ///< Stands once where it can, then idles.
  void set_gauge(double gauge) noexcept;  ///< 0 (empty) to 1 (full).
  void judge(Judgement judgement);        ///< The player met a note.
  void disturb(Disturbance disturbance);  ///< Begins, or with `none` ends.
  void end_song(bool cleared);            ///< Wins or loses, by the side.
  void play(CharaAnimation animation);    ///< Plays it again and again, whatever the rules say.

  /// Goes on by other rules: what plays stays, and what was judged is forgotten.
  void set_rules(const CharaRules& rules) noexcept;
  /// Goes on with another state of the character, such as a file that was read again: as it was, at the same moment.
  void set_character(const Character& character);

  /// Lets time pass; an hour at most. Does nothing for a value that is negative or not finite.
  void advance(double seconds);
  /// Moves within what plays; the frame is clamped to its last.
  void seek_frame(std::uint32_t frame) noexcept;

  /// What plays: of a missing animation the replacement. Absent where the character does not even have `neutral`.
  [[nodiscard]] std::optional<CharaAnimation> animation() const noexcept;
  /// Its clip, `none` without an animation, and where that is.
  /// @{
  [[nodiscard]] ClipId clip() const noexcept;
  [[nodiscard]] ClipTime position(Sampling sampling = Sampling::step) const noexcept;
  [[nodiscard]] double seconds() const noexcept;
  /// @}
  /// What it does.
  [[nodiscard]] CharaPhase phase() const noexcept { return phase_; }
  /// What answers the latest judgement when it is time to: of a missing animation the replacement.
  [[nodiscard]] std::optional<CharaAnimation> pending() const noexcept;
  /// Idle cycles that have ended since the last answer.
  [[nodiscard]] std::uint32_t idle_cycles() const noexcept { return cycles_; }
  /// What was told last.
  /// @{
  [[nodiscard]] double gauge() const noexcept { return gauge_; }
  [[nodiscard]] const CharaRules& rules() const noexcept { return rules_; }
  /// @}

  /// Returns the clip of an animation, `none` where the character does not have it.
  [[nodiscard]] ClipId clip_of(CharaAnimation animation) const noexcept;

 private:
  void find_clips();
  [[nodiscard]] CharaAnimation available(CharaAnimation animation) const noexcept;
  void start(CharaAnimation animation, CharaPhase phase);
  void start_idle();
  void follow();
  [[nodiscard]] CharaAnimation idle_animation() const noexcept;

  Character character_;
  CharaRules rules_;
  std::array<ClipId, kCharaAnimations> clips_{};  ///< Animation n at n - 1.
  Clock clock_;
  CharaPhase phase_ = CharaPhase::idle;
  std::optional<CharaAnimation> animation_;
  std::optional<CharaAnimation> pending_;  ///< The answer to the latest judgement.
  double gauge_ = 0;
  std::uint32_t cycles_ = 0;  ///< Of idling, since the last reaction.
  bool turn_ = false;         ///< Of both idle animations, the second one's.
};

}  // namespace pchr
