// SPDX-License-Identifier: MIT
// Reads and writes the file next to a character: its markers and its rig.
#include <pchr/import/import.hpp>

#include "character/build.hpp"
#include "character/fail.hpp"
#include "character/format.hpp"
#include "import/formats.hpp"
#include "import/json/json.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <type_traits>

namespace pchr {
namespace {

namespace dom = simdjson::dom;

constexpr std::uint64_t kMaxSidecarBytes = std::uint64_t{16} << 20;
constexpr const char* kExpectedSidecar = R"(expected an object {"markers": [...], "springs": [...]})";

constexpr std::pair<std::string_view, Bend> kBends[] = {
    {"animated", Bend::as_animated}, {"counterclockwise", Bend::counter_clockwise}, {"clockwise", Bend::clockwise}};

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
class Fields {
 public:
  Fields(SidecarReader& reader, const dom::object& object, std::string path)
      : reader_(reader), object_(object), path_(std::move(path)) {}

  /// Returns the value of `key`. If the key appears twice, both values must be equal.
  std::optional<dom::element> find(std::string_view key) {
    known_.push_back(key);
    std::optional<dom::element> found;
    for (const dom::key_value_pair field : object_) {
      if (field.key != key) continue;
      if (found && simdjson::minify(*found) != simdjson::minify(field.value)) {
        reader_.refuse(DiagnosticId::contradiction, path_of(key), "is given twice with different values");
      }
      found = field.value;
    }
    return reader_.error ? std::nullopt : found;
  }

  std::optional<dom::element> need(std::string_view key) {
    const auto found = find(key);
    if (!found) reader_.refuse(DiagnosticId::missing_value, path_of(key), "is missing");
    return found;
  }

  template <typename T>
  std::optional<T> read_as(const std::string& path, const dom::element& value, std::string_view expected) {
    T result{};
    const simdjson::error_code code = value.get(result);
    if (code == simdjson::SUCCESS) return result;
    reader_.refuse(code == simdjson::NUMBER_OUT_OF_RANGE ? DiagnosticId::value_out_of_range : DiagnosticId::wrong_type,
                   path, fmt::format("is {}, but must be {}", simdjson::to_string(value), expected));
    return std::nullopt;
  }

  template <typename T>
  std::optional<T> need(std::string_view key, std::string_view expected) {
    const auto found = need(key);
    return found ? read_as<T>(path_of(key), *found, expected) : std::nullopt;
  }

  void read(std::string_view key, std::string& out) {
    const auto found = find(key);
    if (!found) return;
    if (const auto text = read_as<std::string_view>(path_of(key), *found, "a string")) out = *text;
  }

  void read(std::string_view key, double& out, double low, double high) {
    if (const auto found = find(key)) read_number(path_of(key), *found, out, low, high);
  }
  void read(std::string_view key, float& out, double low, double high) {
    double wide = static_cast<double>(out);
    if (const auto found = find(key))
      read_number(path_of(key), *found, wide, low, high), out = static_cast<float>(wide);
  }

  /// Reads a point as `[x, y]`.
  void read(std::string_view key, Vec2& out) {
    const auto found = find(key);
    if (!found) return;
    constexpr std::string_view kExpected = "two numbers, [x, y]";
    const auto numbers = read_as<dom::array>(path_of(key), *found, kExpected);
    if (!numbers) return;
    if (numbers->size() != 2) {
      return reader_.refuse(DiagnosticId::wrong_type, path_of(key),
                            fmt::format("is {}, but must be {}", simdjson::to_string(*found), kExpected));
    }
    constexpr double kFar = 1e6;
    int axis = 0;
    for (const dom::element each : *numbers) {
      double number = 0;
      read_number(fmt::format("{}[{}]", path_of(key), axis), each, number, -kFar, kFar);
      out[axis++] = static_cast<float>(number);
    }
  }

  BoneId bone_of(const std::string& path, const dom::element& value) {
    const auto name = read_as<std::string_view>(path, value, "the name of a bone");
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

  void read(std::string_view key, Bend& out) {
    std::string bend{kBends[0].first};
    read(key, bend);
    const auto* const found = std::ranges::find(kBends, bend, &std::pair<std::string_view, Bend>::first);
    if (found != std::end(kBends)) {
      out = found->second;
    } else {
      reader_.refuse(DiagnosticId::value_out_of_range, path_of(key),
                     fmt::format("is \"{}\", but must be \"animated\", \"counterclockwise\" or \"clockwise\"", bend));
    }
  }

  /// Reads the name of a limb as its index.
  void read(std::string_view key, std::uint32_t& limb, Required /*has_no_default*/) {
    const auto name = need<std::string_view>(key, "the name of an ik");
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
    dom::array list;
    if (bones->is_string()) {
      const BoneId base = bone_of(path, *bones);
      if (base != BoneId::none) out = chain_from(reader_.character, base);
    } else if (bones->get(list) == simdjson::SUCCESS) {
      for (const dom::element bone : list) out.push_back(bone_of(fmt::format("{}[{}]", path, out.size()), bone));
    } else {
      reader_.refuse(
          DiagnosticId::wrong_type, path,
          fmt::format("is {}, but must be an array of bones, or the first bone", simdjson::to_string(*bones)));
    }
  }

  template <typename Constraint>
  void read_all(Constraint& constraint) {
    const auto read_one = [&](std::string_view key, auto member, auto... range) {
      read(key, constraint.*member, range...);
    };
    visit_fields(std::type_identity<Constraint>(), read_one);
    refuse_others();
  }

  /// Refuses fields that were not read, so that a misspelled one is not ignored.
  void refuse_others() {
    for (const dom::key_value_pair field : object_) {
      if (std::ranges::find(known_, field.key) != known_.end()) continue;
      reader_.refuse(DiagnosticId::unknown_field, path_of(field.key),
                     fmt::format("is not a known field; expected {}", fmt::join(known_, ", ")));
    }
  }

  [[nodiscard]] std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

  /// Calls `read_one(fields)` for each object of a list.
  template <typename ReadOne>
  void read_list(const dom::element& value, const std::string& path, std::string_view expected,
                 const ReadOne& read_one) {
    dom::array list;
    if (value.get(list) != simdjson::SUCCESS) {
      return reader_.refuse(DiagnosticId::wrong_type, path, "must be an array");
    }
    std::size_t number = 0;
    for (const dom::element element : list) {
      const std::string place = fmt::format("{}[{}]", path, number++);
      dom::object object;
      if (element.get(object) != simdjson::SUCCESS) {
        reader_.refuse(DiagnosticId::wrong_type, place,
                       fmt::format("is {}, but must be an object with {}", simdjson::to_string(element), expected));
      }
      if (reader_.error) return;
      Fields fields(reader_, object, place);
      read_one(fields);
      if (reader_.error) return;
    }
  }

 private:
  void read_number(const std::string& path, const dom::element& value, double& out, double low, double high) {
    const auto number = read_as<double>(path, value, "a number");
    if (!number) return;
    if (*number < low || *number > high) {
      return reader_.refuse(DiagnosticId::value_out_of_range, path,
                            fmt::format("is {}, but must be from {} to {}", simdjson::to_string(value), low, high));
    }
    out = *number;
  }

  SidecarReader& reader_;
  dom::object object_;
  std::string path_;
  std::vector<std::string_view> known_;
};

/// Reads `{"clip": "idle", "frame": 0}` or `"identity"`.
std::optional<BindPose> read_bind_pose(SidecarReader& reader, Fields& root) {
  const auto value = root.find("bind");
  if (!value) return std::nullopt;
  std::string_view word;
  if (value->get(word) == simdjson::SUCCESS && word == "identity") return IdentityBindPose{};
  dom::object object;
  if (value->get(object) != simdjson::SUCCESS) {
    reader.refuse(
        DiagnosticId::wrong_type, "bind",
        fmt::format(R"(is {}, but must be {{"clip": "idle", "frame": 0}} or "identity")", simdjson::to_string(*value)));
    return std::nullopt;
  }
  Fields fields(reader, object, "bind");
  ClipBindPose bind;
  if (const auto clip = fields.need<std::string_view>("clip", "the name of a clip")) bind.clip = *clip;
  if (const auto frame = fields.find("frame")) {
    constexpr std::string_view kExpected = "a whole number of at least 0";
    const auto number = fields.read_as<std::uint64_t>("bind.frame", *frame, kExpected);
    if (number && *number > 0xFFFFFFFF) {
      reader.refuse(DiagnosticId::value_out_of_range, "bind.frame", fmt::format("is {}, which is too large", *number));
    }
    bind.frame = static_cast<std::uint32_t>(number.value_or(0));
  }
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

std::vector<Marker> read_markers(SidecarReader& reader, Fields& root, const dom::element& list) {
  std::vector<Marker> markers;
  root.read_list(list, "markers", "clip, frame and name", [&](Fields& fields) {
    const auto clip_name = fields.need<std::string_view>("clip", "the name of a clip");
    const auto frame = fields.need<std::uint64_t>("frame", "a whole number of at least 0");
    const auto name = fields.need<std::string_view>("name", "a string");
    if (reader.error) return;
    const ClipId clip = reader.character.find_clip(*clip_name);
    if (clip == ClipId::none) {
      return reader.refuse(DiagnosticId::value_out_of_range, fields.path_of("clip"),
                           fmt::format("is \"{}\", but the character has no such clip", *clip_name));
    }
    const std::uint32_t frame_count = reader.character.clips()[clip].frame_count;
    if (*frame >= frame_count) {
      return reader.refuse(
          DiagnosticId::value_out_of_range, fields.path_of("frame"),
          fmt::format("is {}, but clip \"{}\" has {}", *frame, *clip_name, counted(frame_count, "frame")));
    }
    markers.push_back({clip, static_cast<std::uint32_t>(*frame), std::string(*name)});
  });
  return markers;
}

/// Parses a text into the object that it must be.
Expected<dom::object, Diagnostic> parse_object(dom::parser& parser, std::string_view text, const char* expected) {
  dom::element root;
  if (const auto error = parser.parse(text.data(), text.size(), false).get(root); error != simdjson::SUCCESS) {
    if (error == simdjson::MEMALLOC) throw_out_of_memory();
    const auto rest = error == simdjson::TAPE_ERROR ? find_text_after_object(text) : std::nullopt;
    Diagnostic diagnostic{DiagnosticId::invalid_json,
                          {},
                          {},
                          {},
                          std::string(describe_syntax_error(rest ? simdjson::TRAILING_CONTENT : error))};
    if (rest) set_place(diagnostic, JsonText{text}, *rest);
    return Unexpected(std::move(diagnostic));
  }
  dom::object object;
  if (root.get(object) != simdjson::SUCCESS) return fail(DiagnosticId::wrong_type, expected);
  return object;
}

Expected<Markers, Diagnostic> parse_markers(std::string_view text, const Character& character) {
  dom::parser parser;
  const auto object = parse_object(parser, text, R"(expected an object {"markers": [...]})");
  if (!object) return Unexpected(object.error());
  SidecarReader reader{character};
  Fields root(reader, *object, "");
  std::vector<Marker> markers;
  if (const auto list = root.need("markers")) markers = read_markers(reader, root, *list);
  if (reader.error) return Unexpected(std::move(*reader.error));
  return Markers(std::move(markers));
}

Expected<Sidecar, Diagnostic> parse_sidecar(std::string_view text, const Character& character) {
  dom::parser parser;
  const auto object = parse_object(parser, text, kExpectedSidecar);
  if (!object) return Unexpected(object.error());
  SidecarReader reader{character};
  Fields root(reader, *object, "");
  Sidecar sidecar;
  Rig& rig = reader.rig;
  (void)root.find("$schema");
  sidecar.bind = read_bind_pose(reader, root);
  if (sidecar.bind) check_bind_pose(reader, *sidecar.bind);
  if (const auto list = root.find("markers")) sidecar.markers = Markers(read_markers(reader, root, *list));
  const auto read_list = [&](const char* key, std::string_view expected, auto& constraints) {
    const auto list = root.find(key);
    if (list)
      root.read_list(*list, key, expected, [&](Fields& fields) { fields.read_all(constraints.emplace_back()); });
  };
  read_list("aim", "a bone", rig.aims);
  read_list("ik", "upper and lower", rig.ik);
  read_list("feet", "ik", rig.feet);
  read_list("springs", "bones", rig.springs);
  root.read("wind", rig.wind);
  root.read("gusts", rig.gusts, 0, 1);
  root.read("step", rig.step_seconds, 0.001, 0.1);
  root.refuse_others();
  if (!reader.error) reader.error = find_rig_error(rig, character);
  sidecar.rig = std::move(rig);
  if (!reader.error) return sidecar;
  const JsonText json{text};
  locate(json, std::span(&*reader.error, 1));
  return Unexpected(std::move(*reader.error));
}

std::string_view text_in(const FileBytes& file) {
  return {reinterpret_cast<const char*>(file.storage.data()), file.size};
}

simdjson::padded_string padded(std::span<const std::byte> bytes) {
  simdjson::padded_string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.data() == nullptr) throw_out_of_memory();
  return text;
}

Expected<Sidecar, Diagnostic> parse_file(const std::string& path, const FileBytes& file, const Character& character) {
  if (!path.ends_with(".markers.json")) return parse_sidecar(text_in(file), character);
  auto markers = parse_markers(text_in(file), character);
  if (!markers) return Unexpected(std::move(markers.error()));
  return Sidecar{.markers = std::move(*markers), .rig = {}};
}

std::string json_string(std::string_view text) { return '"' + json_escaped(text) + '"'; }

/// Writes objects on one line each, without the fields that have their default values.
struct LineWriter {
  const Character& character;
  const Rig& rig;
  std::string text{};

  void put(std::string_view key, const std::string& value) {
    text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", key, value);
  }
  template <typename Constraint>
  void put_all(const Constraint& constraint) {
    const Constraint standard;
    const auto put_one = [&](std::string_view key, auto member, [[maybe_unused]] auto... range) {
      constexpr bool kRequired = (std::same_as<decltype(range), Required> || ...);
      if (kRequired || constraint.*member != standard.*member) put(key, written(constraint.*member));
    };
    visit_fields(std::type_identity<Constraint>(), put_one);
  }

  [[nodiscard]] static std::string written(const std::string& value) { return json_string(value); }
  [[nodiscard]] static std::string written(float value) { return fmt::format("{}", value); }
  [[nodiscard]] static std::string written(Vec2 value) { return fmt::format("[{}, {}]", value.x, value.y); }
  [[nodiscard]] static std::string written(Bend value) {
    return json_string(std::ranges::find(kBends, value, &std::pair<std::string_view, Bend>::second)->first);
  }
  [[nodiscard]] std::string written(BoneId bone) const { return json_string(character.bones()[bone].name); }
  [[nodiscard]] std::string written(std::uint32_t limb) const {
    return json_string(limb < rig.ik.size() ? rig.ik[limb].name : "");
  }
  [[nodiscard]] std::string written(const std::vector<BoneId>& bones) const {
    std::string list;
    for (const BoneId bone : bones) list += (list.empty() ? "" : ", ") + written(bone);
    return "[" + list + "]";
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
  const auto file = read_side_file(path, kMaxSidecarBytes, options, simdjson::SIMDJSON_PADDING);
  if (!file) return Unexpected(file.error());
  dom::parser parser;
  const auto object = parse_object(parser, text_in(*file), kExpectedSidecar);
  if (!object) return Unexpected(object.error());
  const Character none = *CharacterBuilder::build({}, AutomaticBindPose{}, {}, {});
  SidecarReader sidecar{none};
  Fields root(sidecar, *object, "");
  std::optional<BindPose> bind = read_bind_pose(sidecar, root);
  if (!sidecar.error) return bind;
  locate(JsonText{text_in(*file)}, std::span(&*sidecar.error, 1));
  return Unexpected(*std::move(sidecar.error));
}

Expected<Markers, LoadError> load_markers(const std::string& path, const Character& character, const ReadFile& reader) {
  return or_out_of_memory([&]() -> Expected<Markers, LoadError> {
    const auto file = read_file(path, kMaxSidecarBytes, simdjson::SIMDJSON_PADDING, reader);
    if (!file) return Unexpected(file.error());
    return parse_markers(text_in(*file), character);
  });
}

Expected<Markers, LoadError> load_markers(std::span<const std::byte> bytes, const Character& character) {
  return or_out_of_memory([&]() -> Expected<Markers, LoadError> {
    if (auto pointer = find_lfs_pointer(bytes)) return Unexpected(*std::move(pointer));
    return parse_markers(padded(bytes), character);
  });
}

Expected<Sidecar, LoadError> load_rig(const std::string& path, const Character& character, const ReadFile& reader) {
  return or_out_of_memory([&]() -> Expected<Sidecar, LoadError> {
    const auto file = read_file(path, kMaxSidecarBytes, simdjson::SIMDJSON_PADDING, reader);
    if (!file) return Unexpected(file.error());
    return parse_file(path, *file, character);
  });
}

Expected<Sidecar, LoadError> load_rig(std::span<const std::byte> bytes, const Character& character) {
  return or_out_of_memory([&]() -> Expected<Sidecar, LoadError> {
    if (auto pointer = find_lfs_pointer(bytes)) return Unexpected(*std::move(pointer));
    return parse_sidecar(padded(bytes), character);
  });
}

Expected<Sidecar, LoadError> load_sidecar(const std::string& path, const Character& character, bool follow_links) {
  return or_out_of_memory([&]() -> Expected<Sidecar, LoadError> {
    const auto found = find_sidecar(path);
    if (!found) return Sidecar{};
    const ReaderOptions options = reader_options({.follow_links = follow_links}, path);
    const auto file = read_side_file(*found, kMaxSidecarBytes, options, simdjson::SIMDJSON_PADDING);
    if (!file) return Unexpected(file.error());
    return parse_file(*found, *file, character);
  });
}

std::string save_rig(const Sidecar& sidecar, const Character& character) {
  std::string text;
  const Rig& rig = sidecar.rig;
  const auto add_list = [&](const char* key, const auto& values, const auto& put_one) {
    if (values.empty()) return;
    text += fmt::format("{}  \"{}\": [", text.empty() ? "" : ",\n", key);
    bool first = true;
    for (const auto& value : values) {
      LineWriter line{character, rig};
      put_one(line, value);
      text += fmt::format("{}\n    {{{}}}", first ? "" : ",", line.text);
      first = false;
    }
    text += "\n  ]";
  };
  const auto add_value = [&](const char* key, bool is_standard, const std::string& value) {
    if (!is_standard) text += fmt::format("{}  \"{}\": {}", text.empty() ? "" : ",\n", key, value);
  };
  if (const auto* const pose = sidecar.bind ? std::get_if<ClipBindPose>(&*sidecar.bind) : nullptr) {
    add_value("bind", false, fmt::format(R"({{"clip": {}, "frame": {}}})", json_string(pose->clip), pose->frame));
  } else if (sidecar.bind && std::holds_alternative<IdentityBindPose>(*sidecar.bind)) {
    add_value("bind", false, "\"identity\"");
  }
  add_list("markers", sidecar.markers.all(), [&](LineWriter& line, const Marker& marker) {
    line.put("clip", json_string(character.clips()[marker.clip].name));
    line.put("frame", fmt::format("{}", marker.frame));
    line.put("name", json_string(marker.name));
  });
  const auto put_constraint = [](LineWriter& line, const auto& constraint) { line.put_all(constraint); };
  add_list("aim", rig.aims, put_constraint);
  add_list("ik", rig.ik, put_constraint);
  add_list("feet", rig.feet, put_constraint);
  add_list("springs", rig.springs, put_constraint);
  const Rig standard;
  add_value("wind", rig.wind == standard.wind, fmt::format("[{}, {}]", rig.wind.x, rig.wind.y));
  add_value("gusts", rig.gusts == standard.gusts, fmt::format("{}", rig.gusts));
  add_value("step", rig.step_seconds == standard.step_seconds, fmt::format("{}", rig.step_seconds));
  return text.empty() ? "{}\n" : "{\n" + text + "\n}\n";
}

}  // namespace pchr
