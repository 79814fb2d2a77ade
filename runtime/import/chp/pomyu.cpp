// SPDX-License-Identifier: MIT
// The state machine of Pomyu characters.
#include <pchr/import/pomyu.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pchr {
namespace {

constexpr std::string_view kClipNames[] = {
    "01_neutral", "02_second", "03_ojama",     "04_miss",        "05_standing",    "06_fever",
    "07_great",   "08_good",   "09_rival_bad", "10_rival_fever", "11_rival_great", "12_rival_good",
    "13_unknown", "14_dance",  "15_win",       "16_lose",        "17_fever_win",   "18_attacked"};
static_assert(std::size(kClipNames) == kCharaAnimations);

constexpr double kMaxStep = 3600.0;

CharaAnimation replacement(CharaAnimation animation) {
  if (animation == CharaAnimation::fever) return CharaAnimation::great;
  return animation == CharaAnimation::fever_win ? CharaAnimation::win : CharaAnimation::neutral;
}

CharaAnimation reaction_to(Judgment judgment, bool full, const CharaRules& rules) {
  const bool rival = rules.side == CharaSide::rival && rules.profile == CharaProfile::feeling_pomu;
  if (judgment == Judgment::bad) {
    // beatoraja plays number 10 for bad, unlike the format's own table.
    if (rules.profile == CharaProfile::beatoraja) return CharaAnimation::rival_fever;
    return rival ? CharaAnimation::rival_bad : CharaAnimation::miss;
  }
  if (judgment == Judgment::good) return rival ? CharaAnimation::rival_good : CharaAnimation::good;
  if (full) return rival ? CharaAnimation::rival_fever : CharaAnimation::fever;
  return rival ? CharaAnimation::rival_great : CharaAnimation::great;
}

}  // namespace

std::string_view clip_name(CharaAnimation animation) noexcept {
  return kClipNames[static_cast<std::size_t>(animation) - 1];
}

CharaRules rules_of(const CharaInfo& info, CharaProfile profile, CharaSide side) noexcept {
  return {profile, side, info.legacy, info.wait};
}

CharaState::CharaState(const Character& character, const CharaRules& rules) : character_(character), rules_(rules) {
  find_clips();
  start_idle();
}

void CharaState::find_clips() {
  clips_.fill(ClipId::none);
  for (std::uint32_t i = 0; i < kCharaAnimations; ++i) {
    const ClipId clip = character_.find_clip(kClipNames[i]);
    if (clip != ClipId::none && character_.clips()[clip].duration_seconds() > 0) clips_[i] = clip;
  }
}

void CharaState::set_rules(const CharaRules& rules) noexcept {
  rules_ = rules;
  pending_.reset();
}

void CharaState::set_character(const Character& character) {
  const auto before = animation_;
  const double seconds = clock_.seconds();
  character_ = character;
  find_clips();
  if (!before) return start_idle();
  start(*before, phase_);
  if (animation_ == before) clock_.seek_seconds(seconds);
}

void CharaState::seek_frame(std::uint32_t frame) noexcept {
  if (animation_) clock_.seek_frame(frame);
}

std::optional<CharaAnimation> CharaState::pending() const noexcept {
  return pending_ ? std::optional(available(*pending_)) : std::nullopt;
}

CharaAnimation CharaState::available(CharaAnimation animation) const noexcept {
  while (clip_of(animation) == ClipId::none && animation != CharaAnimation::neutral) animation = replacement(animation);
  return animation;
}

void CharaState::start(CharaAnimation animation, CharaPhase phase) {
  phase_ = phase;
  animation = available(animation);
  animation_.reset();
  if (clip_of(animation) == ClipId::none) return;
  animation_ = animation;
  clock_ = Clock(character_.clips()[clip_of(animation)], phase == CharaPhase::held ? LoopMode::loop : LoopMode::once);
}

void CharaState::start_idle() {
  const bool is_second =
      rules_.profile != CharaProfile::beatoraja && gauge_ >= 0.5 && (gauge_ <= 0.75 || second_is_next_);
  start(is_second ? CharaAnimation::second : CharaAnimation::neutral, CharaPhase::idle);
  second_is_next_ = gauge_ > 0.75 && !second_is_next_;
}

void CharaState::begin_song() {
  pending_.reset();
  cycles_ = 0;
  const bool stands = rules_.profile == CharaProfile::feeling_pomu && clip_of(CharaAnimation::standing) != ClipId::none;
  stands ? start(CharaAnimation::standing, CharaPhase::reaction) : start_idle();
}

void CharaState::set_gauge(double gauge) noexcept {
  if (!std::isnan(gauge)) gauge_ = std::clamp(gauge, 0.0, 1.0);
}

void CharaState::judge(Judgment judgment) {
  if (phase_ == CharaPhase::held) return;
  pending_ = reaction_to(judgment, gauge_ >= 1.0, rules_);
  if (rules_.legacy && phase_ == CharaPhase::idle) follow();
}

void CharaState::disturb(Disturbance disturbance) {
  pending_.reset();
  cycles_ = 0;
  if (disturbance == Disturbance::none) return start_idle();
  const bool dances = disturbance == Disturbance::dance;
  start(rules_.side == CharaSide::player ? CharaAnimation::attacked
        : dances                         ? CharaAnimation::dance
                                         : CharaAnimation::ojama,
        CharaPhase::held);
}

void CharaState::end_song(bool cleared) {
  pending_.reset();
  const bool wins = cleared == (rules_.side == CharaSide::player);
  const bool full = gauge_ >= 1.0 && rules_.side == CharaSide::player;
  start(!wins ? CharaAnimation::lose : full ? CharaAnimation::fever_win : CharaAnimation::win, CharaPhase::held);
}

void CharaState::play(CharaAnimation animation) {
  pending_.reset();
  start(animation, CharaPhase::held);
}

void CharaState::follow() {
  if (!pending_) return start_idle();
  cycles_ = 0;
  start(*std::exchange(pending_, std::nullopt), CharaPhase::reaction);
}

void CharaState::advance(double seconds) {
  if (!std::isfinite(seconds)) return;
  seconds = std::min(seconds, kMaxStep);
  while (animation_ && seconds > 0) {
    const double remaining = clock_.seconds_to_end();
    if (phase_ == CharaPhase::held || remaining > seconds) {
      clock_.advance(seconds);
      return;
    }
    seconds -= remaining;
    if (phase_ == CharaPhase::reaction) {
      if (!rules_.legacy) {
        // Ignore judgments made during the reaction.
        pending_.reset();
        cycles_ = 0;
      }
      follow();
    } else {
      const std::uint32_t wait = rules_.profile == CharaProfile::beatoraja ? 1 : std::max(rules_.wait, 1U);
      ++cycles_;
      cycles_ >= wait ? follow() : start_idle();
    }
  }
}

}  // namespace pchr
