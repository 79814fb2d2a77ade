// SPDX-License-Identifier: MIT
// What the sources of the extension module share: ownership, arguments and views of memory.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <pchr/import/import.hpp>
#include <pchr/queries.hpp>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pchr::python {

namespace py = pybind11;

/// A loaded character, with what hit tests need once there is one.
struct Puppet {
  Imported imported;
  std::optional<std::vector<AlphaMask>> masks{};

  [[nodiscard]] const Character& character() const { return imported.character; }
};
using PuppetPointer = std::shared_ptr<Puppet>;

/// A pose of a character. Its vectors never change their size, so arrays can refer to them.
struct PuppetPose {
  PuppetPointer puppet;
  PoseBuffers buffers;
};

/// A skin, with a version that increases with every change.
struct PuppetSkin {
  PuppetPointer puppet;
  SkinData data;
  std::uint64_t version = 0;
};

/// Raises LoadError. `file` starts its message.
[[noreturn]] void raise(const Diagnostic& diagnostic, const std::string& file);

/// Returns the value, or raises LoadError.
template <typename T>
T value_of(Expected<T, Diagnostic> result, const std::string& file) {
  if (!result) raise(result.error(), file);
  return std::move(*result);
}

/// A path, or the contents of a file.
struct Input {
  std::string path{};  ///< Empty if there are bytes.
  std::optional<py::bytes> bytes{};

  [[nodiscard]] std::span<const std::byte> contents() const {
    return std::as_bytes(std::span(std::string_view(*bytes)));
  }
  [[nodiscard]] std::string name() const { return bytes ? "bytes" : path; }
};
Input input_of(const py::object& file);

/// An index or a name.
using Part = std::variant<std::uint32_t, std::string>;

/// Returns the id of a part of a character. Raises KeyError or IndexError if there is none.
template <typename Id, typename T>
Id id_of(Table<Id, T> table, const Part& part, const std::string& kind) {
  if (const auto* const name = std::get_if<std::string>(&part)) {
    for (const Id id : table.ids())
      if (table[id].name == *name) return id;
    throw py::key_error("the character has no " + kind + " named \"" + *name + '"');
  }
  const Id id{std::get<std::uint32_t>(part)};
  if (table.contains(id)) return id;
  throw py::index_error(kind + " " + std::to_string(index(id)) + " does not exist; the character has " +
                        std::to_string(table.size()));
}

/// Returns an id as a number, or nothing for `none`.
template <typename Id>
std::optional<std::uint32_t> number_of(Id id) {
  if (id == Id::none) return std::nullopt;
  return static_cast<std::uint32_t>(id);
}

/// Returns an array that shows memory of `owner` and keeps it alive.
template <typename T>
py::array view_of(const T* data, const std::vector<std::size_t>& shape, py::handle owner, bool writable = false) {
  py::array array(py::dtype::of<T>(), shape, {}, data, owner);
  if (!writable) array.attr("setflags")(false);
  return array;
}

/// Returns transforms as an array of the shape (count, 3, 2).
inline py::array view_of(std::span<const Affine> transforms, py::handle owner) {
  return view_of(transforms.empty() ? nullptr : &transforms.front()[0].x, {transforms.size(), 3, 2}, owner);
}

/// Returns an array that owns `pixels`.
py::array array_of(Bitmap bitmap);

/// An image: (height, width, 4) bytes.
using Pixels = py::array_t<std::uint8_t, py::array::c_style>;
/// Copies an array of pixels. Raises ValueError if it is not an image.
Bitmap bitmap_of(const Pixels& pixels);

/// A transform: (3, 2) floats.
using Transform = py::array_t<float, py::array::c_style | py::array::forcecast>;
Affine affine_of(const std::optional<Transform>& transform);
py::array array_of(const Affine& transform);

using Color = std::array<float, 4>;
using Rgb = std::array<float, 3>;
/// A rectangle as (min_x, min_y, max_x, max_y), or None if it is empty.
using OptionalRect = std::optional<std::array<float, 4>>;
OptionalRect rect_of(const Rect& rect);

/// Returns the value named `name`; `names` lists all in order. Raises ValueError for any other.
template <typename E, std::size_t Count>
E named(const std::string& name, const char* const (&names)[Count], const char* what) {
  std::string all;
  for (std::size_t i = 0; i < Count; ++i) {
    if (name == names[i]) return static_cast<E>(i);
    all += (i == 0 ? "'" : ", '") + std::string(names[i]) + '\'';
  }
  throw py::value_error(std::string(what) + " is '" + name + "', expected one of " + all);
}

inline Blend blend_of(const std::string& name) {
  return named<Blend>(name, {"normal", "add", "multiply", "screen"}, "blend");
}

/// Returns an appearance from the arguments that every function with one has.
inline Appearance appearance_of(const std::optional<Transform>& placement, Color tint, Rgb dark_tint, Rgb additive,
                                const std::string& blend) {
  return {.placement = affine_of(placement),
          .tint = tint,
          .dark_tint = dark_tint,
          .additive = additive,
          .blend = blend_of(blend)};
}

/// Returns the sampling for `smooth`.
inline Sampling sampling_of(bool smooth) { return smooth ? Sampling::smooth : Sampling::step; }

/// Raises ValueError unless the two belong to the same character.
void require_same(const PuppetPointer& a, const PuppetPointer& b);

void add_characters(py::module_& module);
void add_poses(py::module_& module);
void add_animators(py::module_& module);
void add_canvas(py::module_& module);

}  // namespace pchr::python
