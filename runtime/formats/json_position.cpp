// SPDX-License-Identifier: MIT
// Where things stand in a JSON text.
#include "formats/json_position.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace pchr {
namespace {

namespace ondemand = simdjson::ondemand;

/// A key in the v1 spelling and in the exporter's, where that differs.
struct Key {
  std::string_view v1;
  std::string_view pachario{};
};
using Step = std::variant<Key, std::uint32_t>;

std::vector<Step> steps_to(const Location& location) {
  const auto root = [&]() -> std::vector<Step> {
    switch (location.section) {
      case Section::file:
        return {};
      case Section::images:
        return {Key{"images"}, location.item};
      case Section::bones:
        return {Key{"bones"}, location.item};
      case Section::meshes:
        return {Key{"meshes"}, location.item};
      case Section::animations:
        return {Key{"animations"}, location.item};
    }
    return {};
  };
  std::vector<Step> steps = root();
  if (location.item == kWholeSection) return {steps.front()};
  const auto add = [&](std::initializer_list<Step> more) { steps.insert(steps.end(), more); };
  const auto add_number = [&](std::string_view name) {
    if (location.section == Section::animations) {
      add({Key{"frames"}, location.element, location.slot, Key{name}});
    } else {
      add({Key{"vertices"}, location.element, Key{name}});
    }
  };
  switch (location.field) {
    case Field::none:
      break;
    case Field::version:
      add({Key{"version"}});
      break;
    case Field::frames_per_second:
      add({Key{"fps"}});
      break;
    case Field::flags:
      add({Key{"flags", "loop"}});
      break;
    case Field::name:
      add({Key{"name"}});
      break;
    case Field::width:
      add({Key{"width"}});
      break;
    case Field::height:
      add({Key{"height"}});
      break;
    case Field::format:
      add({Key{"format"}});
      break;
    case Field::data:
      add({Key{"path"}});
      break;
    case Field::parent:
      add({Key{"parent", "parentIdx"}});
      break;
    case Field::image:
      add({Key{"image", "imageIdx"}});
      break;
    case Field::index_count:
      add({Key{"indices", "triangles"}});
      break;
    case Field::index:
      add({Key{"indices", "triangles"}, location.element});
      break;
    case Field::vertex:
      add({Key{"vertices"}, location.element});
      break;
    case Field::bone_id:
      add({Key{"vertices"}, location.element, Key{"boneIds", "bones"}, location.slot, Key{"", "idx"}});
      break;
    case Field::bone_weight:
      add({Key{"vertices"}, location.element, Key{"boneWeights", "bones"}, location.slot, Key{"", "weight"}});
      break;
    case Field::frame:
      add({Key{"frames"}, location.element});
      break;
    case Field::transform:
      add({Key{"frames"}, location.element, location.slot});
      break;
    case Field::x:
      add_number("x");
      break;
    case Field::y:
      add_number("y");
      break;
    case Field::u:
      add_number("u");
      break;
    case Field::v:
      add_number("v");
      break;
    case Field::rotation:
      add_number("rotation");
      break;
    case Field::scale_x:
      add_number("scaleX");
      break;
    case Field::scale_y:
      add_number("scaleY");
      break;
    case Field::opacity:
      add_number("opacity");
      break;
    case Field::visible:
      add_number("visible");
      break;
    case Field::z_order:
      add_number("zOrder");
      break;
    case Field::transform_flags:
      add({Key{"frames"}, location.element, location.slot, Key{"flags", "visible"}});
      break;
  }
  return steps;
}

/// Follows steps from the root as far as the text goes.
class Walk {
 public:
  explicit Walk(const JsonText& json) : json_(json), text_(json.text) {}

  Place follow(const std::vector<Step>& steps) {
    if (parser_.iterate(text_.data(), text_.size(), text_.size() + simdjson::SIMDJSON_PADDING).get(document_) !=
        simdjson::SUCCESS) {
      return {};
    }
    ondemand::object root;
    if (document_.get_object().get(root) != simdjson::SUCCESS) return {};
    offset_ = std::min(text_.find('{'), text_.size());
    ondemand::value value;
    bool found = true;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      // Past what is there, only the names of what is missing are added.
      const Step& step = steps[i];
      if (i == 0) {
        found = find_field(root, std::get<Key>(step), value);
      } else if (std::holds_alternative<Key>(step)) {
        found = into_object(value, std::get<Key>(step), found);
      } else {
        found = into_array(value, std::get<std::uint32_t>(step), found);
      }
      found = found && alive_;
      if (found) remember(value);
    }
    Place place = place_at(json_, offset_);
    place.path = path_;
    return place;
  }

 private:
  void remember(ondemand::value& value) {
    const char* location = nullptr;
    if (value.current_location().get(location) == simdjson::SUCCESS) {
      offset_ = static_cast<std::size_t>(location - text_.data());
    }
  }

  bool into_object(ondemand::value& value, const Key& key, bool found) {
    ondemand::object object;
    if (found && succeeds(value.get_object().get(object))) return find_field(object, key, value);
    // `idx` and `weight` exist in the exporter's spelling alone; the v1 one has the number itself here.
    if (key.v1.empty()) return found && alive_;
    append(name_of(key));
    return false;
  }

  bool find_field(ondemand::object& object, const Key& key, ondemand::value& value) {
    for (const std::string_view name : {key.v1, key.pachario}) {
      if (name.empty() || !alive_ || !succeeds(object.find_field_unordered(name).get(value))) continue;
      append(name);
      return true;
    }
    append(name_of(key));
    return false;
  }

  [[nodiscard]] std::string_view name_of(const Key& key) const {
    return key.v1.empty() || (pachario_spelling_ && !key.pachario.empty()) ? key.pachario : key.v1;
  }

  bool into_array(ondemand::value& value, std::uint32_t index, bool found) {
    path_ += fmt::format("[{}]", index);
    ondemand::array array;
    ondemand::value child;
    if (!found || !succeeds(value.get_array().get(array)) || !succeeds(array.at(index).get(child))) return false;
    value = child;
    return true;
  }

  /// After an error in the text itself, the parser must not be asked again.
  bool succeeds(simdjson::error_code error) {
    const bool only_absent =
        error == simdjson::NO_SUCH_FIELD || error == simdjson::INDEX_OUT_OF_BOUNDS || error == simdjson::INCORRECT_TYPE;
    alive_ = alive_ && (error == simdjson::SUCCESS || only_absent);
    return error == simdjson::SUCCESS;
  }

  void append(std::string_view name) {
    if (!path_.empty()) path_ += '.';
    path_ += name;
  }

  const JsonText& json_;
  std::string_view text_;
  ondemand::parser parser_;
  ondemand::document document_;
  std::size_t offset_ = 0;
  bool alive_ = true;
  std::string path_;
  bool pachario_spelling_ =
      text_.find("\"parentIdx\"") != std::string_view::npos || text_.find("\"imageIdx\"") != std::string_view::npos;
};

}  // namespace

Place place_at(const JsonText& json, std::size_t offset) {
  const std::string_view before = json.text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {json.file_offset + offset,
          static_cast<std::uint32_t>(lines + 1),
          static_cast<std::uint32_t>(offset - line_start + 1),
          {}};
}

Place find_in_json(const JsonText& json, const Location& location) { return Walk(json).follow(steps_to(location)); }

Locate locate_few(const JsonText& json) {
  constexpr int kMostPlaces = 16;
  return [json, left = kMostPlaces](const Location& location) mutable {
    return left-- > 0 ? find_in_json(json, location) : Place{};
  };
}

}  // namespace pchr
