// SPDX-License-Identifier: MIT
// The result of a call that can fail: a value, or an error that says why there is none. It is used like C++23's
// std::expected, in C++20 and without exceptions.
//
//   pchr::Expected<pchr::Character, pchr::LoadError> hero = pchr::load("hero.pchr");
//   if (!hero) std::puts(pchr::describe(hero.error(), "hero.pchr").c_str());
#pragma once

#include <pchr/api.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace PCHR_API pchr {

/// Prints why there is no value, and aborts.
[[noreturn]] void fail_without_value(const std::string& why) noexcept;

/// An error on its way into an Expected.
template <typename E>
class Unexpected {
 public:
  /// Holds an error.
  explicit Unexpected(E error) : error_(std::move(error)) {}
  [[nodiscard]] const E& error() const& noexcept { return error_; }    ///< The error.
  [[nodiscard]] E&& error() && noexcept { return std::move(error_); }  ///< The error.

 private:
  E error_;
};

/// Returns what an error says.
template <typename E>
[[nodiscard]] std::string text_of_error(const E& error) {
  if constexpr (std::convertible_to<E, std::string>) {
    return error;
  } else if constexpr (requires { error.message; }) {
    return error.message;
  } else {
    return describe(error, "value()");
  }
}

template <typename T, typename E>
class Expected;

namespace detail {
template <typename T>
inline constexpr bool kIsResult = false;
template <typename T, typename E>
inline constexpr bool kIsResult<Expected<T, E>> = true;
template <typename E>
inline constexpr bool kIsResult<Unexpected<E>> = true;
}  // namespace detail

/// A value of type T, or an error of type E. Reading the one that is not there prints the error and aborts.
template <typename T, typename E>
class [[nodiscard]] Expected {
  using Content = std::variant<T, E>;

 public:
  using value_type = T;
  using error_type = E;

  /// Hold a value, an error, or what another result holds.
  /// @{
  Expected()
    requires std::default_initializable<T>
  = default;
  template <typename U = T>
    requires(std::constructible_from<T, U> && !detail::kIsResult<std::remove_cvref_t<U>>)
  explicit(!std::convertible_to<U, T>) Expected(U&& value) : content_(std::in_place_index<0>, std::forward<U>(value)) {}
  template <typename G>
    requires std::constructible_from<E, G>
  Expected(Unexpected<G> error) : content_(std::in_place_index<1>, std::move(error).error()) {}
  template <typename U, typename G>
    requires(std::convertible_to<U, T> && std::convertible_to<G, E> && !std::same_as<Expected<U, G>, Expected>)
  Expected(Expected<U, G> other)
      : content_(other ? Content(std::in_place_index<0>, std::move(*other))
                       : Content(std::in_place_index<1>, std::move(other).error())) {}
  /// @}

  [[nodiscard]] bool has_value() const noexcept { return content_.index() == 0; }  ///< Whether there is a value.
  explicit operator bool() const noexcept { return has_value(); }

  /// Return the value.
  /// @{
  [[nodiscard]] T& value() & noexcept { return checked(*this); }
  [[nodiscard]] const T& value() const& noexcept { return checked(*this); }
  [[nodiscard]] T&& value() && noexcept { return std::move(checked(*this)); }
  [[nodiscard]] T& operator*() & noexcept { return checked(*this); }
  [[nodiscard]] const T& operator*() const& noexcept { return checked(*this); }
  [[nodiscard]] T&& operator*() && noexcept { return std::move(checked(*this)); }
  T* operator->() noexcept { return &checked(*this); }
  const T* operator->() const noexcept { return &checked(*this); }
  /// @}

  /// Return the value, or `other` if there is none.
  /// @{
  template <typename U>
  [[nodiscard]] T value_or(U&& other) const& {
    return has_value() ? value() : static_cast<T>(std::forward<U>(other));
  }
  template <typename U>
  [[nodiscard]] T value_or(U&& other) && {
    return has_value() ? std::move(*this).value() : static_cast<T>(std::forward<U>(other));
  }
  /// @}

  /// Return the error.
  /// @{
  [[nodiscard]] const E& error() const& noexcept { return checked_error(*this); }
  [[nodiscard]] E& error() & noexcept { return checked_error(*this); }
  [[nodiscard]] E&& error() && noexcept { return std::move(checked_error(*this)); }
  /// @}

 private:
  template <typename Self>
  static auto& checked(Self& self) noexcept {
    auto* value = std::get_if<0>(&self.content_);
    if (value == nullptr) [[unlikely]]
      fail_without_value(text_of_error(std::get<1>(self.content_)));
    return *value;
  }
  template <typename Self>
  static auto& checked_error(Self& self) noexcept {
    auto* error = std::get_if<1>(&self.content_);
    if (error == nullptr) [[unlikely]]
      fail_without_value("there is no error");
    return *error;
  }

  Content content_;
};

/// Success, or an error of type E.
template <typename E>
class [[nodiscard]] Expected<void, E> {
 public:
  using value_type = void;
  using error_type = E;

  /// Hold success, or an error.
  /// @{
  Expected() = default;
  template <typename G>
    requires std::constructible_from<E, G>
  Expected(Unexpected<G> error) : error_(std::move(error).error()) {}
  /// @}

  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }  ///< Whether it succeeded.
  explicit operator bool() const noexcept { return has_value(); }
  /// Does nothing if it succeeded.
  void value() const noexcept {
    if (error_) fail_without_value(text_of_error(*error_));
  }

  /// Return the error.
  /// @{
  [[nodiscard]] const E& error() const& noexcept { return checked_error(*this); }
  [[nodiscard]] E& error() & noexcept { return checked_error(*this); }
  [[nodiscard]] E&& error() && noexcept { return std::move(checked_error(*this)); }
  /// @}

 private:
  template <typename Self>
  static auto& checked_error(Self& self) noexcept {
    if (!self.error_) [[unlikely]]
      fail_without_value("there is no error");
    return *self.error_;
  }

  std::optional<E> error_;
};

}  // namespace pchr
