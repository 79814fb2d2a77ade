// SPDX-License-Identifier: MIT
// Locations into the words of the format's documentation.
#include "model/location.hpp"

#include <fmt/format.h>

namespace pchr {
namespace {

std::string_view section_name(Section section) {
  switch (section) {
    case Section::file:
      return "";
    case Section::images:
      return "images";
    case Section::bones:
      return "bones";
    case Section::meshes:
      return "meshes";
    case Section::animations:
      return "animations";
  }
  return "";
}

std::string field_path(const Location& location) {
  const auto vertex = [&](std::string_view name) { return fmt::format("vertices[{}].{}", location.element, name); };
  const auto influence = [&](std::string_view name) {
    return fmt::format("vertices[{}].{}[{}]", location.element, name, location.slot);
  };
  const auto transform = [&](std::string_view name) {
    return fmt::format("frames[{}][{}].{}", location.element, location.slot, name);
  };
  const bool animated = location.section == Section::animations;
  switch (location.field) {
    case Field::none:
      return "";
    case Field::version:
      return "version";
    case Field::frames_per_second:
      return "fps";
    case Field::flags:
      return "flags";
    case Field::name:
      return "name";
    case Field::width:
      return "width";
    case Field::height:
      return "height";
    case Field::format:
      return "format";
    case Field::data:
      return "data";
    case Field::parent:
      return "parent";
    case Field::image:
      return "image";
    case Field::index_count:
      return "indexCount";
    case Field::x:
      return animated ? transform("x") : vertex("x");
    case Field::y:
      return animated ? transform("y") : vertex("y");
    case Field::u:
      return vertex("u");
    case Field::v:
      return vertex("v");
    case Field::vertex:
      return fmt::format("vertices[{}]", location.element);
    case Field::bone_id:
      return influence("boneIds");
    case Field::bone_weight:
      return influence("boneWeights");
    case Field::index:
      return fmt::format("indices[{}]", location.element);
    case Field::rotation:
      return transform("rotation");
    case Field::scale_x:
      return transform("scaleX");
    case Field::scale_y:
      return transform("scaleY");
    case Field::opacity:
      return transform("opacity");
    case Field::frame:
      return fmt::format("frames[{}]", location.element);
    case Field::transform:
      return fmt::format("frames[{}][{}]", location.element, location.slot);
    case Field::visible:
      return transform("visible");
    case Field::z_order:
      return transform("zOrder");
    case Field::transform_flags:
      return transform("flags");
  }
  return "";
}

}  // namespace

std::string to_path(const Location& location) {
  std::string field = field_path(location);
  if (location.section == Section::file) return field;
  if (location.item == kWholeSection) return std::string(section_name(location.section));
  const std::string item = fmt::format("{}[{}]", section_name(location.section), location.item);
  return field.empty() ? item : fmt::format("{}.{}", item, field);
}

std::string_view name_at(const CharacterData& data, const Location& location) noexcept {
  const auto name_of = [&](const auto& items) -> std::string_view {
    return location.item < items.size() ? std::string_view(items[location.item].name) : std::string_view();
  };
  switch (location.section) {
    case Section::file:
      return {};
    case Section::images:
      return name_of(data.images);
    case Section::bones:
      return name_of(data.bones);
    case Section::meshes:
      return name_of(data.meshes);
    case Section::animations:
      return name_of(data.clips);
  }
  return {};
}

}  // namespace pchr
