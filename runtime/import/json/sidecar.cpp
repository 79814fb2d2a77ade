// SPDX-License-Identifier: MIT
// Reads and writes the file next to a character: its markers, its masks, its rig and its state machines.
#include <pchr/import/import.hpp>

#include "character/build.hpp"
#include "character/fail.hpp"
#include "character/json.hpp"
#include "import/formats.hpp"
#include "import/json/json.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <set>
#include <type_traits>

namespace pchr {
namespace {

constexpr std::uint64_t kMaxSidecarBytes = std::uint64_t{16} << 20;
constexpr const char* kExpectedSidecar = R"(expected an object {"markers": [...], "springs": [...]})";

constexpr std::pair<std::string_view, Bend> kBends[] = {
    {"animated", Bend::as_animated}, {"counterclockwise", Bend::counter_clockwise}, {"clockwise", Bend::clockwise}};
constexpr std::pair<std::string_view, StateParameter::Kind> kParameterKinds[] = {
    {"number", StateParameter::Kind::number},
    {"boolean", StateParameter::Kind::boolean},
    {"trigger", StateParameter::Kind::trigger}};
constexpr std::pair<std::string_view, LayerMode> kLayerModes[] = {{"override", LayerMode::override_below},
                                                                  {"additive", LayerMode::additive}};

/// Returns the word that stands for a value.
template <typename Value, std::size_t count>
std::string_view word_of(const std::pair<std::string_view, Value> (&words)[count], Value value) {
  return std::ranges::find(words, value, &std::pair<std::string_view, Value>::second)->first;
}

/// Bound of the numbers in the file.
constexpr double kMaxNumber = 1e6;
/// Longest time step of springs, in seconds.
constexpr double kMaxSpringStep = 0.1;

using JsonType = JsonReader::Type;

/// A value in a text without syntax errors.
struct JsonValue {
  const JsonText* json = nullptr;
  const char* at = nullptr;

  [[nodiscard]] JsonReader reader() const { return {*json, at}; }
  [[nodiscard]] JsonType type() const { return reader().type(); }

  /// Calls `visit(key, value)` for the fields of an object.
  template <typename Visit>
  void visit_fields(const Visit& visit) const {
    JsonReader fields = reader();
    (void)fields.read_object([&](std::string_view key) {
      visit(key, JsonValue{json, fields.at()});
      return fields.skip();
    });
  }
  [[nodiscard]] std::vector<JsonValue> elements() const {
    std::vector<JsonValue> elements;
    JsonReader array = reader();
    (void)array.read_array([&] {
      elements.push_back({json, array.at()});
      return array.skip();
    });
    return elements;
  }
  /// Returns the value as it is written, without spaces.
  [[nodiscard]] std::string written() const {
    JsonReader end = reader();
    (void)end.skip();
    std::string text;
    bool in_string = false;
    for (const char* each = at; each != end.at(); ++each) {
      if (*each == '"') in_string = !in_string;
      if (!in_string && (*each == ' ' || *each == '\n' || *each == '\r' || *each == '\t')) continue;
      text += *each;
      if (in_string && *each == '\\') text += *++each;
    }
    return text;
  }
};

/// Marks a field that has no default.
struct Required {};

// Each calls `at(key, member)` for the fields of a constraint, in the order in which they are written, with the range
// of a number.

template <typename At>
void visit_fields(std::type_identity<Aim> /*of*/, const At& at) {
  at("name", &Aim::name);
  at("bone", &Aim::bone, Required{});
  at("axis", &Aim::axis_degrees, -360, 360);
  at("target", &Aim::target_bone);
  at("min", &Aim::min_degrees, -180, 180);
  at("max", &Aim::max_degrees, -180, 180);
  at("softness", &Aim::softness_degrees, 0, 180);
  at("weight", &Aim::weight, 0, 1);
}

template <typename At>
void visit_fields(std::type_identity<TwoBoneIk> /*of*/, const At& at) {
  at("name", &TwoBoneIk::name);
  at("upper", &TwoBoneIk::upper, Required{});
  at("lower", &TwoBoneIk::lower, Required{});
  at("end", &TwoBoneIk::end);
  at("tip", &TwoBoneIk::tip);
  at("target", &TwoBoneIk::target_bone);
  at("bend", &TwoBoneIk::bend);
  at("softness", &TwoBoneIk::softness_pixels, 0, 1e6);
  at("stretch", &TwoBoneIk::max_stretch, 1, 1000);
  at("weight", &TwoBoneIk::weight, 0, 1);
}

template <typename At>
void visit_fields(std::type_identity<FootPlant> /*of*/, const At& at) {
  at("name", &FootPlant::name);
  at("ik", &FootPlant::ik, Required{});
  at("plant", &FootPlant::plant);
  at("lift", &FootPlant::lift);
  at("fadeIn", &FootPlant::fade_in_seconds, 0, 60);
  at("fadeOut", &FootPlant::fade_out_seconds, 0, 60);
}

template <typename At>
void visit_fields(std::type_identity<SpringChain> /*of*/, const At& at) {
  at("name", &SpringChain::name);
  at("bones", &SpringChain::bones, Required{});
  at("tip", &SpringChain::tip);
  at("frequency", &SpringChain::frequency, 0, 1000);
  at("damping", &SpringChain::damping, 0, 100);
  at("drag", &SpringChain::drag, 0, 10000);
  at("gravity", &SpringChain::gravity);
  at("limit", &SpringChain::limit_degrees, 0, 180);
  at("weight", &SpringChain::weight, 0, 1);
}

/// Reads objects of a file. Keeps the first error, after which nothing is read.
struct SidecarReader {
  const Character& character;
  Rig rig{};  ///< As read so far.
  std::optional<Diagnostic> error{};

  void refuse(DiagnosticId id, std::string path, std::string detail) {
    if (!error) error = Diagnostic{id, std::move(path), {}, {}, std::move(detail)};
  }
};

/// The fields of one object.
class SidecarObject {
 public:
  SidecarObject(SidecarReader& reader, const JsonValue& object, std::string path)
      : reader_(reader), object_(object), path_(std::move(path)) {}

  /// Returns the value of `key`. If the key appears twice, both values must be equal.
  std::optional<JsonValue> find(std::string_view key) {
    if (std::ranges::find(known_, key) == known_.end()) known_.push_back(key);
    std::optional<JsonValue> found;
    object_.visit_fields([&](std::string_view each, const JsonValue& value) {
      if (each != key) return;
      if (found && found->written() != value.written()) {
        reader_.refuse(DiagnosticId::contradiction, path_of(key), "is given twice with different values");
      }
      found = value;
    });
    return reader_.error ? std::nullopt : found;
  }

  /// Returns the one of `keys` that is there, or nothing. Refuses more than one.
  std::string_view find_one(std::initializer_list<std::string_view> keys, std::string_view problem) {
    std::string_view found;
    for (const std::string_view key : keys) {
      if (!find(key)) continue;
      if (!found.empty()) reader_.refuse(DiagnosticId::contradiction, path_of(key), std::string(problem));
      found = key;
    }
    return found;
  }

  std::optional<JsonValue> need(std::string_view key) {
    const auto found = find(key);
    if (!found) reader_.refuse(DiagnosticId::missing_value, path_of(key), "is missing");
    return found;
  }

  void refuse_type(const std::string& path, const JsonValue& value, std::string_view expected,
                   DiagnosticId id = DiagnosticId::wrong_type) {
    reader_.refuse(id, path, fmt::format("is {}, but must be {}", value.written(), expected));
  }

  std::optional<std::string> read_text(const std::string& path, const JsonValue& value, std::string_view expected) {
    JsonReader reader = value.reader();
    std::string_view text;
    if (reader.type() == JsonType::string && reader.read_string(text)) return std::string(text);
    refuse_type(path, value, expected);
    return std::nullopt;
  }

  std::optional<double> read_number(const std::string& path, const JsonValue& value, std::string_view expected) {
    JsonReader reader = value.reader();
    double number = 0;
    if (reader.type() == JsonType::number && reader.read_number(number)) return number;
    refuse_type(path, value, expected);
    return std::nullopt;
  }

  std::optional<std::string> need_text(std::string_view key, std::string_view expected) {
    const auto found = need(key);
    return found ? read_text(path_of(key), *found, expected) : std::nullopt;
  }

  /// Reads the number of a frame.
  std::uint32_t read_frame(std::string_view key, const JsonValue& value) {
    constexpr std::string_view kExpected = "a whole number of at least 0";
    const auto number = read_number(path_of(key), value, kExpected);
    if (!number) return 0;
    if (*number != std::floor(*number)) {
      refuse_type(path_of(key), value, kExpected);
    } else if (*number < 0) {
      refuse_type(path_of(key), value, kExpected, DiagnosticId::value_out_of_range);
    } else if (*number > 0xFFFFFFFF) {
      reader_.refuse(DiagnosticId::value_out_of_range, path_of(key),
                     fmt::format("is {}, which is too large", value.written()));
    } else {
      return static_cast<std::uint32_t>(*number);
    }
    return 0;
  }

  void read(std::string_view key, std::string& out) {
    const auto found = find(key);
    if (!found) return;
    if (auto text = read_text(path_of(key), *found, "a string")) out = *std::move(text);
  }

  void read(std::string_view key, double& out, double low, double high) {
    if (const auto found = find(key)) read_within(path_of(key), *found, out, low, high);
  }
  void read(std::string_view key, float& out, double low, double high) {
    double wide = static_cast<double>(out);
    if (const auto found = find(key))
      read_within(path_of(key), *found, wide, low, high), out = static_cast<float>(wide);
  }

  /// Reads a point as `[x, y]`.
  void read(std::string_view key, Vec2& out) {
    const auto found = find(key);
    if (!found) return;
    const auto numbers = found->type() == JsonType::array ? found->elements() : std::vector<JsonValue>();
    if (numbers.size() != 2) return refuse_type(path_of(key), *found, "two numbers, [x, y]");
    for (int axis = 0; axis < 2; ++axis) {
      double number = 0;
      read_within(fmt::format("{}[{}]", path_of(key), axis), numbers[static_cast<std::size_t>(axis)], number,
                  -kMaxNumber, kMaxNumber);
      out[axis] = static_cast<float>(number);
    }
  }

  BoneId bone_of(const std::string& path, const JsonValue& value) {
    const auto name = read_text(path, value, "the name of a bone");
    if (!name) return BoneId::none;
    const BoneId bone = reader_.character.find_bone(*name);
    if (bone == BoneId::none) {
      reader_.refuse(DiagnosticId::value_out_of_range, path,
                     fmt::format("is \"{}\", but the character has no such bone", *name));
    }
    return bone;
  }
  void read(std::string_view key, BoneId& out) {
    if (const auto found = find(key)) out = bone_of(path_of(key), *found);
  }
  void read(std::string_view key, BoneId& out, Required /*has_no_default*/) {
    if (const auto found = need(key)) out = bone_of(path_of(key), *found);
  }

  void read(std::string_view key, bool& out) {
    const auto found = find(key);
    if (!found) return;
    if (found->type() != JsonType::boolean) return refuse_type(path_of(key), *found, "true or false");
    out = found->written() == "true";
  }

  /// Reads one of a few words.
  template <typename Value, std::size_t count>
  void read(std::string_view key, Value& out, const std::pair<std::string_view, Value> (&words)[count]) {
    const auto found = find(key);
    if (!found) return;
    std::string expected;
    for (std::size_t i = 0; i < count; ++i) {
      expected += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 < count ? ", " : " or ", words[i].first);
    }
    const auto text = read_text(path_of(key), *found, expected);
    if (!text) return;
    const auto* const word = std::ranges::find(words, *text, &std::pair<std::string_view, Value>::first);
    if (word == std::end(words)) return refuse_type(path_of(key), *found, expected, DiagnosticId::value_out_of_range);
    out = word->second;
  }
  void read(std::string_view key, Bend& out) { read(key, out, kBends); }

  void read(std::string_view key, std::string& out, Required /*has_no_default*/) {
    if (auto text = need_text(key, "a string")) out = *std::move(text);
  }

  void read(std::string_view key, std::vector<std::string>& out) {
    const auto found = find(key);
    if (!found) return;
    if (found->type() != JsonType::array) return refuse_type(path_of(key), *found, "an array of strings");
    for (const JsonValue& value : found->elements()) {
      auto text = read_text(fmt::format("{}[{}]", path_of(key), out.size()), value, "a string");
      out.push_back(std::move(text).value_or(""));
    }
  }

  /// Reads the name of a limb as its index.
  void read(std::string_view key, std::uint32_t& limb, Required /*has_no_default*/) {
    const auto name = need_text(key, "the name of an ik");
    if (!name) return;
    const auto found = std::ranges::find(reader_.rig.ik, *name, &TwoBoneIk::name);
    limb = static_cast<std::uint32_t>(found - reader_.rig.ik.begin());
    if (found == reader_.rig.ik.end()) {
      reader_.refuse(DiagnosticId::value_out_of_range, path_of(key),
                     fmt::format("is \"{}\", but no ik has that name", *name));
    }
  }

  /// Reads a list of bones, or the first of a chain.
  void read(std::string_view key, std::vector<BoneId>& out, Required /*has_no_default*/) {
    const auto bones = need(key);
    if (!bones) return;
    const std::string path = path_of(key);
    if (bones->type() == JsonType::string) {
      const BoneId base = bone_of(path, *bones);
      if (base != BoneId::none) out = chain_from(reader_.character, base);
    } else if (bones->type() == JsonType::array) {
      read_bones(path, *bones, out);
    } else {
      refuse_type(path, *bones, "an array of bones, or the first bone");
    }
  }

  void read_bones(const std::string& path, const JsonValue& array, std::vector<BoneId>& out) {
    for (const JsonValue& bone : array.elements()) {
      out.push_back(bone_of(fmt::format("{}[{}]", path, out.size()), bone));
    }
  }

  template <typename Constraint>
  void read_all(Constraint& constraint) {
    const auto read_one = [&](std::string_view key, auto member, auto... range) {
      read(key, constraint.*member, range...);
    };
    visit_fields(std::type_identity<Constraint>(), read_one);
  }

  /// Refuses fields that were not read, so that a misspelled one is not ignored.
  void refuse_others() {
    object_.visit_fields([&](std::string_view key, const JsonValue& /*value*/) {
      if (std::ranges::find(known_, key) != known_.end()) return;
      reader_.refuse(DiagnosticId::unknown_field, path_of(key),
                     fmt::format("is not a known field; expected {}", fmt::join(known_, ", ")));
    });
  }

  [[nodiscard]] std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

  /// Calls `read_fields(fields)` for an object.
  template <typename ReadFields>
  void read_object(const JsonValue& value, const std::string& path, std::string_view expected,
                   const ReadFields& read_fields) {
    if (value.type() != JsonType::object) return refuse_type(path, value, expected);
    SidecarObject fields(reader_, value, path);
    read_fields(fields);
  }

  /// Calls `read_one(fields)` for each object of a list.
  template <typename ReadOne>
  void read_list(const JsonValue& value, const std::string& path, std::string_view expected, const ReadOne& read_one) {
    if (value.type() != JsonType::array) return reader_.refuse(DiagnosticId::wrong_type, path, "must be an array");
    JsonReader array = value.reader();
    (void)array.read_array([&] {
      const std::string place = fmt::format("{}[{}]", path, array.path.back().index);
      read_object({value.json, array.at()}, place, fmt::format("an object with {}", expected), read_one);
      return !reader_.error && array.skip();
    });
  }

  /// Read the object or the list `key` if it is there, with `read_fields(fields)` or `read_one(fields, part)`, and
  /// refuse fields that these do not read.
  /// @{
  template <typename ReadFields>
  void read_object(std::string_view key, std::string_view expected, const ReadFields& read_fields) {
    const auto found = find(key);
    if (!found) return;
    read_object(*found, path_of(key), expected, [&](SidecarObject& fields) {
      read_fields(fields);
      fields.refuse_others();
    });
  }
  template <typename Part, typename ReadOne>
  void read_list(std::string_view key, std::string_view expected, std::vector<Part>& out, const ReadOne& read_one,
                 std::size_t max = SIZE_MAX) {
    const auto found = find(key);
    if (!found) return;
    read_list(*found, path_of(key), expected, [&](SidecarObject& fields) {
      if (out.size() == max) {
        return reader_.refuse(DiagnosticId::rig_limit, path_of(key),
                              fmt::format("has more than {} elements, but at most {} are allowed", max, max));
      }
      read_one(fields, out.emplace_back());
      fields.refuse_others();
    });
  }
  /// @}

 private:
  void read_within(const std::string& path, const JsonValue& value, double& out, double low, double high) {
    const auto number = read_number(path, value, "a number");
    if (number && *number >= low && *number <= high) {
      out = *number;
    } else if (number) {
      refuse_type(path, value, fmt::format("from {} to {}", low, high), DiagnosticId::value_out_of_range);
    }
  }

  SidecarReader& reader_;
  JsonValue object_;
  std::string path_;
  std::vector<std::string_view> known_;
};

/// Reads `{"clip": "idle", "frame": 0}` or `"identity"`.
std::optional<BindPose> read_bind_pose(SidecarReader& reader, SidecarObject& root) {
  const auto value = root.find("bind");
  if (!value) return std::nullopt;
  if (value->written() == "\"identity\"") return IdentityBindPose{};
  if (value->type() != JsonType::object) {
    root.refuse_type("bind", *value, R"({"clip": "idle", "frame": 0} or "identity")");
    return std::nullopt;
  }
  SidecarObject fields(reader, *value, "bind");
  ClipBindPose bind;
  if (const auto clip = fields.need_text("clip", "the name of a clip")) bind.clip = *clip;
  if (const auto frame = fields.find("frame")) bind.frame = fields.read_frame("frame", *frame);
  fields.refuse_others();
  return bind;
}

/// Checks that the clip and the frame exist.
void check_bind_pose(SidecarReader& reader, const BindPose& bind) {
  const auto* const wanted = std::get_if<ClipBindPose>(&bind);
  if (wanted == nullptr) return;
  const ClipId clip = reader.character.find_clip(wanted->clip);
  if (clip == ClipId::none) {
    return reader.refuse(DiagnosticId::value_out_of_range, "bind.clip",
                         fmt::format("is \"{}\", but the character has no such clip", wanted->clip));
  }
  const std::uint32_t frame_count = reader.character.clips()[clip].frame_count;
  if (wanted->frame >= frame_count) {
    reader.refuse(
        DiagnosticId::value_out_of_range, "bind.frame",
        fmt::format("is {}, but clip \"{}\" has {}", wanted->frame, wanted->clip, counted(frame_count, "frame")));
  }
}

std::vector<Marker> read_markers(SidecarReader& reader, SidecarObject& root, const JsonValue& list) {
  std::vector<Marker> markers;
  root.read_list(list, "markers", "clip, frame and name", [&](SidecarObject& fields) {
    const auto clip_name = fields.need_text("clip", "the name of a clip");
    const auto frame_value = fields.need("frame");
    const std::uint32_t frame = frame_value ? fields.read_frame("frame", *frame_value) : 0;
    const auto name = fields.need_text("name", "a string");
    if (reader.error) return;
    const ClipId clip = reader.character.find_clip(*clip_name);
    if (clip == ClipId::none) {
      return reader.refuse(DiagnosticId::value_out_of_range, fields.path_of("clip"),
                           fmt::format("is \"{}\", but the character has no such clip", *clip_name));
    }
    const std::uint32_t frame_count = reader.character.clips()[clip].frame_count;
    if (frame >= frame_count) {
      return reader.refuse(
          DiagnosticId::value_out_of_range, fields.path_of("frame"),
          fmt::format("is {}, but clip \"{}\" has {}", frame, *clip_name, counted(frame_count, "frame")));
    }
    markers.push_back({clip, frame, *name});
  });
  return markers;
}

std::vector<NamedMask> read_masks(SidecarReader& reader, SidecarObject& root, const JsonValue& list) {
  std::vector<NamedMask> masks;
  std::set<std::string> names;
  root.read_list(list, "masks", "name and bones", [&](SidecarObject& fields) {
    NamedMask mask;
    if (auto name = fields.need_text("name", "a string")) mask.name = *std::move(name);
    const auto bones = fields.need("bones");
    fields.refuse_others();
    if (reader.error) return;
    if (bones->type() != JsonType::array)
      return fields.refuse_type(fields.path_of("bones"), *bones, "an array of bones");
    fields.read_bones(fields.path_of("bones"), *bones, mask.bones);
    const auto refuse = [&](std::string_view key, std::string detail) {
      reader.refuse(DiagnosticId::value_out_of_range, fields.path_of(key), std::move(detail));
    };
    if (mask.name.empty()) refuse("name", "is empty, but must be a name");
    if (mask.bones.empty()) refuse("bones", "is empty, but must have at least one bone");
    if (!names.insert(mask.name).second) {
      refuse("name", fmt::format("is \"{}\", but an earlier mask has that name", mask.name));
    }
    masks.push_back(std::move(mask));
  });
  return masks;
}

void read_parameter(SidecarObject& fields, StateParameter& parameter) {
  fields.read("name", parameter.name, Required{});
  if (fields.need("type")) fields.read("type", parameter.kind, kParameterKinds);
  if (parameter.kind == StateParameter::Kind::number) {
    fields.read("min", parameter.min, -kMaxNumber, kMaxNumber);
    fields.read("max", parameter.max, -kMaxNumber, kMaxNumber);
    fields.read("value", parameter.value, -kMaxNumber, kMaxNumber);
  } else if (parameter.kind == StateParameter::Kind::boolean) {
    bool value = false;
    fields.read("value", value);
    parameter.value = value ? 1 : 0;
  }
  fields.read("key", parameter.key);
}

/// Reads the clips and the parameters of a blend space.
void read_blend(SidecarObject& fields, State& state) {
  const auto both = fields.find("parameters");
  state.kind = both ? State::Kind::blend_2d : State::Kind::blend_1d;
  fields.read_list("blend", "clip and at", state.points, [&](SidecarObject& point_fields, BlendPoint& point) {
    point_fields.read("clip", point.clip, Required{});
    if (!point_fields.need("at")) return;
    both ? point_fields.read("at", point.at) : point_fields.read("at", point.at.x, -kMaxNumber, kMaxNumber);
  });
  if (!both) return fields.read("parameter", state.x, Required{});
  std::vector<std::string> names;
  fields.read("parameters", names);
  if (names.size() != 2) return fields.refuse_type(fields.path_of("parameters"), *both, "two names");
  state.x = std::move(names[0]), state.y = std::move(names[1]);
}

void read_state(SidecarObject& fields, State& state) {
  fields.read("name", state.name, Required{});
  const std::string_view kind =
      fields.find_one({"clip", "blend", "sequence"}, "is given, but a state has only one of clip, blend and sequence");
  if (kind == "clip") {
    state.kind = State::Kind::clip;
    fields.read("clip", state.clip);
  } else if (kind == "blend") {
    read_blend(fields, state);
  } else if (kind == "sequence") {
    state.kind = State::Kind::sequence;
    fields.read_object("sequence", "an object with start, loop and end", [&](SidecarObject& parts) {
      parts.read("start", state.start);
      parts.read("loop", state.clip);
      parts.read("end", state.end);
    });
  }
  if (state.kind != State::Kind::empty) {
    fields.read("speed", state.speed, -kMaxNumber, kMaxNumber);
    fields.read("speedParameter", state.speed_parameter);
  }
  if (state.kind != State::Kind::empty && state.kind != State::Kind::sequence && fields.find("loop")) {
    bool loops = false;
    fields.read("loop", loops);
    state.loop = loops ? LoopMode::loop : LoopMode::once;
  }
  fields.read("enter", state.on_enter);
  fields.read("leave", state.on_leave);
}

void read_condition(SidecarObject& fields, StateCondition& condition) {
  fields.read("parameter", condition.parameter, Required{});
  const std::string_view test = fields.find_one(
      {"above", "below", "is"}, "is given, but a condition has only one of above, below and is; add another condition");
  if (test == "is") {
    bool value = true;
    fields.read("is", value);
    condition.test = value ? StateCondition::Test::is_true : StateCondition::Test::is_false;
  } else if (!test.empty()) {
    condition.test = test == "above" ? StateCondition::Test::above : StateCondition::Test::below;
    fields.read(test, condition.value, -kMaxNumber, kMaxNumber);
  }
}

void read_transition(SidecarObject& fields, StateTransition& transition) {
  fields.read("from", transition.from);
  fields.read("to", transition.to, Required{});
  fields.read_list("when", "parameter", transition.conditions, read_condition);
  fields.read("after", transition.after, -kMaxNumber, kMaxNumber);
  fields.read("atEnd", transition.at_end);
  fields.read("fade", transition.fade_seconds, -kMaxNumber, kMaxNumber);
  fields.read("sync", transition.synchronized);
  fields.read("interruptible", transition.interruptible);
}

void read_layer(SidecarObject& fields, StateLayer& layer) {
  fields.read("name", layer.name, Required{});
  fields.read("mask", layer.mask);
  fields.read("mode", layer.mode, kLayerModes);
  if (layer.mode == LayerMode::additive) {
    fields.read_object("reference", R"({"clip": "idle", "frame": 0})", [&](SidecarObject& frame) {
      frame.read("clip", layer.reference_clip, Required{});
      if (const auto value = frame.find("frame")) layer.reference_frame = frame.read_frame("frame", *value);
    });
  }
  fields.read("weight", layer.weight, -kMaxNumber, kMaxNumber);
  fields.read("weightParameter", layer.weight_parameter);
  fields.read("first", layer.first);
  if (fields.need("states")) fields.read_list("states", "name", layer.states, read_state);
  fields.read_list("transitions", "to", layer.transitions, read_transition);
}

/// Checks the syntax of a text, and returns the object that it must be.
Expected<JsonValue, Diagnostic> parse_object(const JsonText& json, const char* expected) {
  JsonReader reader(json);
  JsonValue root{&json};
  const auto read_root = [&] {
    root.at = reader.at();
    return reader.skip();
  };
  if (!reader.read_document(read_root)) return Unexpected(std::move(reader.error));
  if (root.type() != JsonType::object) return fail(DiagnosticId::wrong_type, expected);
  return root;
}

Expected<Markers, Diagnostic> parse_markers(std::string_view text, const Character& character) {
  const JsonText json{text};
  const auto object = parse_object(json, R"(expected an object {"markers": [...]})");
  if (!object) return Unexpected(object.error());
  SidecarReader reader{character};
  SidecarObject root(reader, *object, "");
  std::vector<Marker> markers;
  if (const auto list = root.need("markers")) markers = read_markers(reader, root, *list);
  if (reader.error) return Unexpected(std::move(*reader.error));
  return Markers(std::move(markers));
}

Expected<Sidecar, Diagnostic> parse_sidecar(std::string_view text, const Character& character) {
  const JsonText json{text};
  const auto object = parse_object(json, kExpectedSidecar);
  if (!object) return Unexpected(object.error());
  SidecarReader reader{character};
  SidecarObject root(reader, *object, "");
  Sidecar sidecar;
  Rig& rig = reader.rig;
  (void)root.find("$schema");
  sidecar.bind = read_bind_pose(reader, root);
  if (sidecar.bind) check_bind_pose(reader, *sidecar.bind);
  if (const auto list = root.find("markers")) sidecar.markers = Markers(read_markers(reader, root, *list));
  if (const auto list = root.find("masks")) sidecar.masks = read_masks(reader, root, *list);
  const auto read_constraint = [](SidecarObject& fields, auto& constraint) { fields.read_all(constraint); };
  root.read_list("aim", "a bone", rig.aims, read_constraint, kMaxRigAims);
  root.read_list("ik", "upper and lower", rig.ik, read_constraint, kMaxRigLimbs);
  root.read_list("feet", "ik", rig.feet, read_constraint, kMaxRigFeet);
  // A word can name a chain of any length.
  std::size_t spring_bones = 0;
  const auto read_spring = [&](SidecarObject& fields, SpringChain& chain) {
    fields.read_all(chain);
    spring_bones += chain.bones.size();
    if (static_cast<double>(spring_bones) > kMaxRigSpringSteps * kMaxSpringStep) {
      reader.refuse(DiagnosticId::rig_limit, "springs",
                    fmt::format("move {} bones or more, but at most {:.0f} can be moved with the longest step",
                                spring_bones, kMaxRigSpringSteps * kMaxSpringStep));
    }
  };
  root.read_list("springs", "bones", rig.springs, read_spring, kMaxRigSprings);
  root.read("wind", rig.wind);
  root.read("gusts", rig.gusts, 0, 1);
  root.read("step", rig.step_seconds, 0.001, kMaxSpringStep);
  root.read_object("states", "an object with layers", [&](SidecarObject& fields) {
    fields.read_list("parameters", "name and type", sidecar.states.parameters, read_parameter);
    fields.read_list("layers", "name and states", sidecar.states.layers, read_layer);
  });
  root.refuse_others();
  if (!reader.error) reader.error = find_rig_error(rig, character);
  sidecar.rig = std::move(rig);
  if (reader.error) {
    locate(json, std::span(&*reader.error, 1));
    return Unexpected(std::move(*reader.error));
  }
  sidecar.state_errors = find_state_errors(sidecar.states, character, sidecar.masks);
  locate(json, sidecar.state_errors);
  return sidecar;
}

std::string_view text_in(const FileBytes& file) {
  return {reinterpret_cast<const char*>(file.storage.data()), file.size};
}

/// Copies a text so that a zero follows it.
std::string copy_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Expected<Sidecar, Diagnostic> parse_file(const std::string& path, const FileBytes& file, const Character& character) {
  if (!path.ends_with(".markers.json")) return parse_sidecar(text_in(file), character);
  auto markers = parse_markers(text_in(file), character);
  if (!markers) return Unexpected(std::move(markers.error()));
  return Sidecar{.markers = std::move(*markers), .rig = {}};
}

/// Writes the fields of a constraint that do not have their default values.
struct ConstraintWriter {
  const Character& character;
  const Rig& rig;
  JsonWriter& json;

  template <typename Constraint>
  void write(const Constraint& constraint) const {
    const Constraint standard;
    json.begin_object();
    const auto write_field = [&](std::string_view key, auto member, [[maybe_unused]] auto... range) {
      constexpr bool kRequired = (std::same_as<decltype(range), Required> || ...);
      if (kRequired || constraint.*member != standard.*member) json.key(key), write_value(constraint.*member);
    };
    visit_fields(std::type_identity<Constraint>(), write_field);
    json.end_object();
  }

  void write_value(const std::string& value) const { json.value(value); }
  void write_value(float value) const { json.value(value); }
  void write_value(Vec2 value) const { json.value(std::array{value.x, value.y}); }
  void write_value(Bend value) const { json.value(word_of(kBends, value)); }
  void write_value(BoneId bone) const { json.value(character.bones()[bone].name); }
  void write_value(std::uint32_t limb) const { json.value(limb < rig.ik.size() ? rig.ik[limb].name : ""); }
  void write_value(const std::vector<BoneId>& bones) const {
    json.begin_array();
    for (const BoneId bone : bones) write_value(bone);
    json.end_array();
  }
};

/// Writes state machines, without the fields that have their default values.
struct StatesWriter {
  JsonWriter& json;

  template <typename Value>
  void write_unless(std::string_view key, const Value& value, const Value& standard) const {
    if (value != standard) json.key(key).value(value);
  }
  template <typename Value, typename Write>
  void write_list(std::string_view key, const std::vector<Value>& values, const Write& write) const {
    if (!values.empty()) json.list(key, values, write);
  }

  void write(const StateParameter& parameter) const {
    json.begin_object().fields("name", parameter.name, "type", word_of(kParameterKinds, parameter.kind));
    const StateParameter standard;
    if (parameter.kind == StateParameter::Kind::number) {
      write_unless("min", parameter.min, standard.min);
      write_unless("max", parameter.max, standard.max);
      write_unless("value", parameter.value, standard.value);
    } else if (parameter.kind == StateParameter::Kind::boolean) {
      write_unless("value", parameter.value != 0, false);
    }
    write_unless("key", parameter.key, standard.key);
    json.end_object();
  }

  void write_blend(const State& state) const {
    const bool is_plane = state.kind == State::Kind::blend_2d;
    json.key("blend").begin_array();
    for (const BlendPoint& point : state.points) {
      json.begin_object().fields("clip", point.clip).key("at");
      is_plane ? json.value(std::array{point.at.x, point.at.y}) : json.value(point.at.x);
      json.end_object();
    }
    json.end_array();
    is_plane ? json.fields("parameters", std::array{state.x, state.y}) : json.fields("parameter", state.x);
  }

  void write(const State& state) const {
    const State standard;
    json.begin_object().fields("name", state.name);
    if (state.kind == State::Kind::clip) json.fields("clip", state.clip);
    if (state.kind == State::Kind::blend_1d || state.kind == State::Kind::blend_2d) write_blend(state);
    if (state.kind == State::Kind::sequence) {
      json.key("sequence").begin_object();
      write_unless("start", state.start, standard.start);
      write_unless("loop", state.clip, standard.clip);
      write_unless("end", state.end, standard.end);
      json.end_object();
    }
    if (state.kind != State::Kind::empty) {
      write_unless("speed", state.speed, standard.speed);
      write_unless("speedParameter", state.speed_parameter, standard.speed_parameter);
      const bool can_loop = state.kind != State::Kind::sequence && state.loop != standard.loop;
      if (can_loop) json.fields("loop", state.loop != LoopMode::once);
    }
    write_unless("enter", state.on_enter, standard.on_enter);
    write_unless("leave", state.on_leave, standard.on_leave);
    json.end_object();
  }

  void write(const StateCondition& condition) const {
    json.begin_object().fields("parameter", condition.parameter);
    switch (condition.test) {
      case StateCondition::Test::above:
        json.fields("above", condition.value);
        break;
      case StateCondition::Test::below:
        json.fields("below", condition.value);
        break;
      case StateCondition::Test::is_true:
        break;
      case StateCondition::Test::is_false:
        json.fields("is", false);
        break;
    }
    json.end_object();
  }

  void write(const StateTransition& transition) const {
    const StateTransition standard;
    json.begin_object();
    write_unless("from", transition.from, standard.from);
    json.fields("to", transition.to);
    if (!transition.conditions.empty()) {
      json.key("when").begin_array();
      for (const StateCondition& condition : transition.conditions) write(condition);
      json.end_array();
    }
    write_unless("after", transition.after, standard.after);
    write_unless("atEnd", transition.at_end, standard.at_end);
    write_unless("fade", transition.fade_seconds, standard.fade_seconds);
    write_unless("sync", transition.synchronized, standard.synchronized);
    write_unless("interruptible", transition.interruptible, standard.interruptible);
    json.end_object();
  }

  void write(const StateLayer& layer) const {
    const StateLayer standard;
    json.begin_object(JsonWriter::lines).fields("name", layer.name);
    write_unless("mask", layer.mask, standard.mask);
    if (layer.mode != standard.mode) json.fields("mode", word_of(kLayerModes, layer.mode));
    const bool has_reference = !layer.reference_clip.empty() || layer.reference_frame != 0;
    if (layer.mode == LayerMode::additive && has_reference) {
      json.key("reference").object("clip", layer.reference_clip, "frame", layer.reference_frame);
    }
    write_unless("weight", layer.weight, standard.weight);
    write_unless("weightParameter", layer.weight_parameter, standard.weight_parameter);
    write_unless("first", layer.first, standard.first);
    json.list("states", layer.states, [&](const State& state) { write(state); });
    write_list("transitions", layer.transitions, [&](const StateTransition& transition) { write(transition); });
    json.end_object();
  }

  void write(const States& states) const {
    json.key("states").begin_object(JsonWriter::lines);
    write_list("parameters", states.parameters, [&](const StateParameter& parameter) { write(parameter); });
    write_list("layers", states.layers, [&](const StateLayer& layer) { write(layer); });
    json.end_object();
  }
};

}  // namespace

std::string markers_path(const std::string& path) { return with_extension(path, ".markers.json"); }

std::string rig_path(const std::string& path) { return with_extension(path, ".rig.json"); }

std::optional<std::string> find_sidecar(const std::string& path) {
  for (std::string& found : std::array{rig_path(path), markers_path(path)}) {
    if (find_kind(found) != FileKind::none) return std::move(found);
  }
  return std::nullopt;
}

Expected<std::optional<BindPose>, LoadError> load_bind_pose(const std::string& path, const ReaderOptions& options) {
  const auto file = read_side_file(path, kMaxSidecarBytes, options, kJsonPadding);
  if (!file) return Unexpected(file.error());
  const JsonText json{text_in(*file)};
  const auto object = parse_object(json, kExpectedSidecar);
  if (!object) return Unexpected(object.error());
  const Character none = *CharacterBuilder::build({}, AutomaticBindPose{}, {}, {});
  SidecarReader sidecar{none};
  SidecarObject root(sidecar, *object, "");
  std::optional<BindPose> bind = read_bind_pose(sidecar, root);
  if (!sidecar.error) return bind;
  locate(json, std::span(&*sidecar.error, 1));
  return Unexpected(*std::move(sidecar.error));
}

Expected<Markers, LoadError> load_markers(const std::string& path, const Character& character, const ReadFile& reader) {
  return or_out_of_memory([&]() -> Expected<Markers, LoadError> {
    const auto file = read_file(path, kMaxSidecarBytes, kJsonPadding, reader);
    if (!file) return Unexpected(file.error());
    return parse_markers(text_in(*file), character);
  });
}

Expected<Markers, LoadError> load_markers(std::span<const std::byte> bytes, const Character& character) {
  return or_out_of_memory([&]() -> Expected<Markers, LoadError> {
    if (auto pointer = find_lfs_pointer(bytes)) return Unexpected(*std::move(pointer));
    return parse_markers(copy_text(bytes), character);
  });
}

Expected<Sidecar, LoadError> load_rig(const std::string& path, const Character& character, const ReadFile& reader) {
  return or_out_of_memory([&]() -> Expected<Sidecar, LoadError> {
    const auto file = read_file(path, kMaxSidecarBytes, kJsonPadding, reader);
    if (!file) return Unexpected(file.error());
    return parse_file(path, *file, character);
  });
}

Expected<Sidecar, LoadError> load_rig(std::span<const std::byte> bytes, const Character& character) {
  return or_out_of_memory([&]() -> Expected<Sidecar, LoadError> {
    if (auto pointer = find_lfs_pointer(bytes)) return Unexpected(*std::move(pointer));
    return parse_sidecar(copy_text(bytes), character);
  });
}

Expected<Sidecar, LoadError> load_sidecar(const std::string& path, const Character& character, bool follow_links) {
  return or_out_of_memory([&]() -> Expected<Sidecar, LoadError> {
    const auto found = find_sidecar(path);
    if (!found) return Sidecar{};
    const ReaderOptions options = reader_options({.follow_links = follow_links}, path);
    const auto file = read_side_file(*found, kMaxSidecarBytes, options, kJsonPadding);
    if (!file) return Unexpected(file.error());
    return parse_file(*found, *file, character);
  });
}

std::string save_rig(const Sidecar& sidecar, const Character& character) {
  const Rig& rig = sidecar.rig;
  const Rig standard;
  JsonWriter json;
  const ConstraintWriter writer{character, rig, json};
  json.begin_object(JsonWriter::lines);
  if (const auto* const pose = sidecar.bind ? std::get_if<ClipBindPose>(&*sidecar.bind) : nullptr) {
    json.key("bind").object("clip", pose->clip, "frame", pose->frame);
  } else if (sidecar.bind && std::holds_alternative<IdentityBindPose>(*sidecar.bind)) {
    json.key("bind").value("identity");
  }
  const auto add_list = [&](const char* key, const auto& values, const auto& write) {
    if (!values.empty()) json.list(key, values, write);
  };
  add_list("markers", sidecar.markers.all(), [&](const Marker& marker) {
    json.object("clip", character.clips()[marker.clip].name, "frame", marker.frame, "name", marker.name);
  });
  add_list("masks", sidecar.masks, [&](const NamedMask& mask) {
    json.object("name", mask.name, "bones", [&] { writer.write_value(mask.bones); });
  });
  const auto write_constraint = [&](const auto& constraint) { writer.write(constraint); };
  add_list("aim", rig.aims, write_constraint);
  add_list("ik", rig.ik, write_constraint);
  add_list("feet", rig.feet, write_constraint);
  add_list("springs", rig.springs, write_constraint);
  if (rig.wind != standard.wind) json.key("wind"), writer.write_value(rig.wind);
  if (rig.gusts != standard.gusts) json.key("gusts").value(rig.gusts);
  if (rig.step_seconds != standard.step_seconds) json.key("step").value(rig.step_seconds);
  if (sidecar.states != States()) StatesWriter{json}.write(sidecar.states);
  return json.end_object().text;
}

}  // namespace pchr
