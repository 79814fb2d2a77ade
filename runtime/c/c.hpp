// SPDX-License-Identifier: MIT
// What the parts of the C interface share: handles, structs that grow, and conversions.
#pragma once

#include <pchr.h>

#include <pchr/animator.hpp>
#include <pchr/executor.hpp>
#include <pchr/queries.hpp>
#include <pchr/states.hpp>
#ifdef PCHR_WITH_IMPORT
#include <pchr/import/import.hpp>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pchr::c {

#ifdef PCHR_WITH_IMPORT
using Loaded = Imported;
using LoadingOptions = ImportOptions;
#else
using LoadingOptions = LoadOptions;
struct Loaded {
  Character character;
  std::string format{"PCHR v1"}, title{}, author{};
  Markers markers{};
};
#endif

/// The names of a Rebound for C.
class MissingNames {
 public:
  void assign(Rebound&& missing);
  [[nodiscard]] pchr_rebound for_c() const noexcept;

 private:
  Rebound missing_;
  std::vector<const char*> names_;
};

}  // namespace pchr::c

struct pchr_character : pchr::c::Loaded {
  pchr::Limits limits;
};

struct pchr_pose {
  pchr::Character character;
  pchr::PoseBuffers posed;
  mutable std::vector<pchr_draw_item> draw_list;  ///< Copied from `posed` for C.
};

struct pchr_animator : pchr::Animator {
  std::vector<pchr_event> events{};
  std::vector<pchr_state_event> state_events{};
  pchr::c::MissingNames missing{};
  std::optional<pchr::StateMachine> machine{};
  bool fits_machine = true;  ///< Whether `machine` is for this version of the character.
};

struct pchr_rig {
  pchr::Character character;
  pchr::Rig rig{};
  std::shared_ptr<const pchr::Markers> markers{};
  std::vector<pchr::NamedMask> masks{};
  pchr::States states{};
  std::vector<pchr::Diagnostic> state_errors{};  ///< Errors in the `states` of the file.
  std::string file{"rig"};                       ///< Its name in errors.
  // Copies for animators, or null after a change.
  mutable std::shared_ptr<const pchr::Rig> shared{};
  mutable std::shared_ptr<const pchr::StateGraph> graph{};
};

struct pchr_skin {
  pchr::Character character;
  pchr::SkinData data;
  pchr::c::MissingNames missing;
};

namespace pchr::c {

void set_error(pchr_error* error, std::string_view code, std::string_view message) noexcept;
void set_error(pchr_error* error, const Diagnostic& diagnostic, std::string_view file_name);

bool exist(const auto*... handles) noexcept { return ((handles != nullptr) && ...); }

/// Returns the result of `work`. Returns `otherwise` if its arguments are not valid or if it throws, which only running
/// out of memory can cause: exceptions must not reach C.
template <class Result, class Work>
Result call_or(Result otherwise, bool valid, const Work& work) noexcept {
  if (!valid) return otherwise;
  try {
    return work();
  } catch (...) {
    return otherwise;
  }
}

/// Does the same with a false, null or zero result. Work without a result counts as true.
template <class Work>
auto call(bool valid, const Work& work) noexcept {
  if constexpr (std::is_void_v<decltype(work())>) {
    return call_or(false, valid, [&] { return work(), true; });
  } else {
    return call_or(decltype(work()){}, valid, work);
  }
}

/// Does the same and reports why.
template <class Result, class Work>
Result try_call_or(Result otherwise, pchr_error* error, bool valid, const Work& work) noexcept {
  if (!valid) return set_error(error, "", "an argument is NULL"), otherwise;
  try {
    return work();
  } catch (...) {
    return set_error(error, code(DiagnosticId::out_of_memory), message(DiagnosticId::out_of_memory)), otherwise;
  }
}

template <class Work>
auto try_call(pchr_error* error, bool valid, const Work& work) noexcept {
  return try_call_or(decltype(work()){}, error, valid, work);
}

/// The size of a struct in version 3 of the interface. One that has grown since needs a specialization.
template <class T>
inline constexpr std::uint32_t kFirstSize = sizeof(T);

/// Returns the size of `given` as the program knows it, or 0 if it is too small for a struct of version 3.
template <class T>
std::uint32_t size_of(const T& given) noexcept {
  if (given.struct_size == 0) return kFirstSize<T>;
  return given.struct_size < kFirstSize<T> ? 0 : given.struct_size;
}

/// Returns `given` with `defaults` for what it does not contain, or nothing if its size is impossible. Null gives the
/// defaults.
template <class T>
std::optional<T> read(const T* given, T defaults = {}) noexcept {
  if (given == nullptr) return defaults;
  const std::uint32_t size = size_of(*given);
  if (size == 0) return std::nullopt;
  std::memcpy(&defaults, given, std::min<std::size_t>(size, sizeof(T)));
  return defaults;
}

/// Writes as much of `value` as `out` has room for. Returns false if its size is impossible or `out` is null.
template <class T>
bool write(T value, T* out) noexcept {
  const std::uint32_t size = out != nullptr ? size_of(*out) : 0;
  if (size == 0) return false;
  value.struct_size = out->struct_size;
  std::memcpy(out, &value, std::min<std::size_t>(size, sizeof(T)));
  return true;
}

/// Whether write() would fail for a struct that is wanted.
template <class T>
bool cannot_write(const T* out) noexcept {
  return out != nullptr && size_of(*out) == 0;
}

/// Writes the defaults of a struct with the given size.
template <class T>
void init(const T& defaults, T* out, std::uint32_t struct_size) noexcept {
  if (out == nullptr) return;
  out->struct_size = struct_size;
  write(defaults, out);
}

/// Returns element `i` of an array whose first element says how large all are.
template <class T>
const T* element(const T* first, std::size_t i) noexcept {
  return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(first) + i * size_of(*first));
}

/// Returns the first element, and sets `count` unless it is null.
template <class Element, class Container>
const Element* array_of(const Container& container, std::uint32_t* count) noexcept {
  static_assert(sizeof(Element) == sizeof(*container.data()));
  if (count != nullptr) *count = static_cast<std::uint32_t>(container.size());
  return reinterpret_cast<const Element*>(container.data());
}

/// Returns a null array for a handle that is null.
template <class Element>
const Element* no_array(std::uint32_t* count) noexcept {
  if (count != nullptr) *count = 0;
  return nullptr;
}

std::uint32_t count_of(const auto& elements) noexcept { return static_cast<std::uint32_t>(elements.size()); }

/// Returns an id for a number, or `none` if the table does not contain it.
template <PartId Id, class T>
Id id_in(const Table<Id, T>& table, std::uint32_t number) noexcept {
  return table.contains(Id{number}) ? Id{number} : Id::none;
}

/// Whether both are the same character, not only equal ones.
inline bool is_same(const Character& a, const Character& b) noexcept { return &a.data() == &b.data(); }

static_assert(PCHR_NONE == static_cast<std::uint32_t>(BoneId::none));
static_assert(sizeof(pchr_affine) == sizeof(Affine));

inline pchr_rect rect_for_c(const Rect& rect) noexcept { return {rect.min.x, rect.min.y, rect.max.x, rect.max.y}; }
inline std::string text_of(const char* text, const char* otherwise = "") { return text != nullptr ? text : otherwise; }
/// Returns an array of C, which is empty if it is null.
template <class Element>
std::span<const Element> span_of(const Element* first, std::size_t count) noexcept {
  return {first, first != nullptr ? count : 0};
}
inline std::vector<std::string> texts_of(const pchr_names& names) {
  std::vector<std::string> texts;
  for (const char* const name : span_of(names.names, names.count)) texts.push_back(text_of(name));
  return texts;
}
inline Rect rect_of(const pchr_rect& rect) noexcept { return {{rect.min_x, rect.min_y}, {rect.max_x, rect.max_y}}; }
inline Affine affine_of(const pchr_affine& affine) noexcept {
  return {affine.a, affine.b, affine.c, affine.d, affine.tx, affine.ty};
}
inline pchr_affine affine_for_c(const Affine& affine) noexcept {
  return {affine[0].x, affine[0].y, affine[1].x, affine[1].y, affine[2].x, affine[2].y};
}
inline LoopMode loop_of(pchr_loop loop) noexcept {
  static_assert(static_cast<int>(LoopMode::from_file) == PCHR_LOOP_FROM_FILE &&
                static_cast<int>(LoopMode::once) == PCHR_LOOP_ONCE &&
                static_cast<int>(LoopMode::loop) == PCHR_LOOP_FOREVER &&
                static_cast<int>(LoopMode::ping_pong) == PCHR_LOOP_PING_PONG);
  return static_cast<unsigned>(loop) <= PCHR_LOOP_PING_PONG ? static_cast<LoopMode>(loop) : LoopMode::from_file;
}
inline Sampling sampling_of(pchr_sampling sampling) noexcept {
  return sampling == PCHR_SMOOTH ? Sampling::smooth : Sampling::step;
}
inline pchr_clip_time time_for_c(ClipTime time) noexcept { return {time.frame, time.next, time.factor}; }
/// Returns a factor in [0, 1).
inline float factor_of(float factor) noexcept {
  return factor > 0 ? std::min(factor, std::nextafter(1.0F, 0.0F)) : 0.0F;
}
/// Returns a position within `clip`: one past its end is its last frame.
ClipTime time_of(const pchr_clip_time* time, const Clip& clip) noexcept;

/// Advances an animator, with its state machines if it has any.
void advance(pchr_animator& animator, double seconds);

/// Returns a reader that uses the program's functions, or nothing.
ReadFile reader_of(const pchr_file_system* files) noexcept;
Executor executor_of(const pchr_executor* given) noexcept;
Blend blend_of(pchr_blend blend) noexcept;

/// Return nothing if the struct's size is impossible.
/// @{
std::optional<LoadingOptions> loading_options_of(const pchr_load_options* given);
std::optional<Appearance> appearance_of(const pchr_appearance* given) noexcept;
std::optional<BoneOverride> override_of(const pchr_bone_override* given) noexcept;
std::optional<Camera> camera_of(const pchr_camera* given) noexcept;
/// @}

}  // namespace pchr::c
