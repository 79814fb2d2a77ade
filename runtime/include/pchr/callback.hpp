// SPDX-License-Identifier: MIT
// A reference to a function of the program that the library calls: for files, progress, poses.
//
//   const auto count = [&](const std::string& path) { std::puts(path.c_str()); };
//   pchr::ImportOptions options;
//   options.before_reading = count;
#pragma once

#include <pchr/api.hpp>

#include <type_traits>

namespace PCHR_API pchr {

template <typename Signature>
class Callback;

/// A function pointer with a pointer for its own data, or nothing. Does not own what it refers to, which must live as
/// long as the callback is used. Therefore it can be made from a named function object, but not from a temporary one.
template <typename Result, typename... Arguments>
class Callback<Result(Arguments...)> {
 public:
  using Function = Result (*)(void* user, Arguments... arguments);  ///< Gets the `user` pointer first.

  Callback() noexcept = default;
  /// Refers to a function and its data.
  Callback(Function function, void* user) noexcept : function_(function), user_(user) {}
  /// Refers to a function object, such as a lambda in a variable.
  template <typename Callable>
    requires(std::is_class_v<Callable> && !std::is_same_v<std::remove_const_t<Callable>, Callback> &&
             std::is_invocable_r_v<Result, Callable&, Arguments...>)
  Callback(Callable& callable) noexcept
      : function_([](void* user, Arguments... arguments) -> Result {
          return (*static_cast<Callable*>(user))(static_cast<Arguments&&>(arguments)...);
        }),
        user_(const_cast<void*>(static_cast<const void*>(&callable))) {}
  template <typename Callable>
    requires(std::is_class_v<Callable> && !std::is_same_v<Callable, Callback>)
  Callback(const Callable&& callable) = delete;

  [[nodiscard]] explicit operator bool() const noexcept { return function_ != nullptr; }
  /// Calls the function, which must exist.
  Result operator()(Arguments... arguments) const { return function_(user_, static_cast<Arguments&&>(arguments)...); }

 private:
  Function function_ = nullptr;
  void* user_ = nullptr;
};

}  // namespace pchr
