// SPDX-License-Identifier: MIT
// Decodes binary Spine skeletons (.skel of 3.8, 4.0, 4.1 and 4.2) into the tree of the JSON that the same version would
// export. Written from the public description of the format. Numbers are big-endian.
#include "character/byte_reader.hpp"
#include "character/utf8.hpp"
#include "import/diagnose.hpp"
#include "import/spine/spine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace pchr::spine {
namespace {

using Type = JsonNode::Type;
using Words = std::span<const char* const>;

constexpr const char* kInherits[] = {"normal", "onlyTranslation", "noRotationOrReflection", "noScale",
                                     "noScaleOrReflection"};
constexpr const char* kBlends[] = {"normal", "additive", "multiply", "screen"};
constexpr const char* kPositionModes[] = {"fixed", "percent"};
constexpr const char* kSpacingModes[] = {"length", "fixed", "percent", "proportional"};
constexpr const char* kRotateModes[] = {"tangent", "chain", "chainScale"};
constexpr const char* kAttachments[] = {"region", "boundingbox", "mesh", "linkedmesh", "path", "point", "clipping"};
constexpr const char* kSequenceModes[] = {"hold",        "once",        "loop",           "pingpong",
                                          "onceReverse", "loopReverse", "pingpongReverse"};
constexpr const char* kMixes[] = {"mixRotate", "mixX", "mixY", "mixScaleX", "mixScaleY", "mixShearY"};
constexpr const char* kOlderMixes[] = {"rotateMix", "translateMix", "scaleMix", "shearMix"};
constexpr const char* kOlderPathMixes[] = {"rotateMix", "translateMix"};
constexpr const char* kXY[] = {"x", "y"};
constexpr const char* kValue[] = {"value"};

/// A version in a file, such as 4.1.23 or 3.8-from-4.0.64.
struct Version {
  std::string_view text{};
  int number = 0;              ///< 41 for 4.1.
  bool has_long_hash = false;  ///< 4.0 and later begin with eight bytes instead of a string.
};

/// Returns the version that is stored as a string at `at`, or an empty one.
Version version_at(std::span<const std::byte> bytes, std::size_t at) noexcept {
  constexpr std::size_t kMaxLength = 64;
  if (at >= bytes.size()) return {};
  const auto length = std::to_integer<std::size_t>(bytes[at]);  // one more than the number of characters
  if (length < 4 || length > kMaxLength || length > bytes.size() - at) return {};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + at + 1, length - 1);
  const auto is_digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  const bool is_version =
      is_digit(0) && text[1] == '.' && is_digit(2) && std::ranges::all_of(text, [](char each) {
        return each == '.' || each == '-' || (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z');
      });
  if (!is_version) return {};
  return {text, (text[0] - '0') * 10 + (text[2] - '0')};
}

Version find_version(std::span<const std::byte> bytes) noexcept {
  Version version = version_at(bytes, 8);
  version.has_long_hash = true;
  if (version.number >= 40 || bytes.empty()) return version;
  const auto length = std::to_integer<std::size_t>(bytes[0]);
  version = version_at(bytes, std::max<std::size_t>(length, 1));
  return version.number < 40 ? version : Version{};
}

/// Values of a key, read before the curve that leads to it.
struct KeyValues {
  std::uint64_t place = 0;
  float time = 0;
  std::array<float, 6> numbers{};
  std::array<std::uint8_t, 8> bytes{};
  std::uint32_t flags = 0;
};

class BinaryReader {
 public:
  BinaryReader(std::span<const std::byte> bytes, const Version& version)
      : reader_(bytes),
        version_(version.number),
        has_long_hash_(version.has_long_hash),
        max_repeated_((std::uint64_t{1} << 22) + 16 * bytes.size()),
        tree_(bytes.size() / 3) {}

  Expected<JsonTree, Diagnostic> read() {
    const std::uint32_t root = tree_.begin(Type::object, {}, 0);
    read_header();
    read_bones();
    read_slots();
    read_iks();
    read_transforms();
    read_paths();
    if (version_ >= 42) read_physics();
    read_skins();
    read_events();
    read_animations();
    tree_.end(root);
    if (!error_ && reader_.remaining() > 0) {
      place_ = reader_.position();
      fail(DiagnosticId::invalid_structure, "{} bytes follow the last animation", reader_.remaining());
    }
    if (error_) return Unexpected(*std::move(error_));
    return std::move(tree_).finish();
  }

 private:
  /// Keeps the first error, at the value that was read last. Everything that is read after it is 0.
  template <typename... Args>
  void fail(DiagnosticId id, fmt::format_string<Args...> text, Args&&... args) {
    if (!error_) error_ = diagnose(id, {.offset = place_}, text, std::forward<Args>(args)...);
  }

  std::span<const std::byte> take(std::uint64_t count) {
    place_ = reader_.position();
    if (error_) return {};
    const auto bytes = reader_.take(count);
    if (reader_.failed()) {
      fail(DiagnosticId::truncated, "{} bytes are needed here, but {} are left", count, reader_.remaining());
    }
    return bytes;
  }

  std::uint8_t read_byte() {
    const auto bytes = take(1);
    return bytes.empty() ? std::uint8_t{0} : std::to_integer<std::uint8_t>(bytes[0]);
  }

  bool read_boolean() { return read_byte() != 0; }

  std::uint32_t read_integer() {
    const auto bytes = take(4);
    std::uint32_t value = 0;
    for (const std::byte byte : bytes) value = value << 8 | std::to_integer<std::uint32_t>(byte);
    return value;
  }

  /// Reads a number of one to five bytes, the lowest seven bits first.
  std::uint32_t read_varint() {
    const std::uint64_t start = reader_.position();
    std::uint32_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const std::uint32_t byte = read_byte();
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    if (!error_) place_ = start;
    return value;
  }

  float read_float() {
    const auto value = std::bit_cast<float>(read_integer());
    if (std::isfinite(value)) return value;
    fail(DiagnosticId::not_finite, "the number here is {}, but must be finite", value);
    return 0;
  }

  /// Reads a number of things, each of which takes at least `min_bytes`.
  std::uint32_t read_count(const char* things, std::uint64_t min_bytes) {
    const std::uint32_t count = read_varint();
    if (count <= reader_.remaining() / min_bytes) return error_ ? 0 : count;
    fail(DiagnosticId::truncated, "the file declares {} {} here, but has only {} more bytes", count, things,
         reader_.remaining());
    return 0;
  }

  /// Returns a text, or a null view if there is none.
  std::string_view read_string() {
    const std::uint64_t start = reader_.position();
    const std::uint32_t length = read_varint();
    if (length == 0) return {};
    const auto bytes = take(length - 1);
    if (error_) return {};
    // An empty text has a pointer, too: its length came before it.
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (find_invalid_utf8(text)) fail(DiagnosticId::invalid_utf8, "the text \"{}\" is not UTF-8", printable(text));
    place_ = start;
    return text.data() == nullptr ? std::string_view("") : text;
  }

  /// Counts a text that the file stores once and uses again.
  std::string_view repeated(std::string_view text) {
    repeated_ += text.size();
    if (repeated_ > max_repeated_) {
      fail(DiagnosticId::limit_exceeded,
           "names that are used here and before have {} bytes, but the limit for a file of this size is {}", repeated_,
           max_repeated_);
    }
    return text;
  }

  /// Returns a text of the table of texts, or a null view.
  std::string_view read_reference() {
    const std::uint32_t number = read_varint();
    if (number == 0) return {};
    if (number <= texts_.size()) return repeated(texts_[number - 1]);
    fail(DiagnosticId::value_out_of_range, "text {} is used here, but the file has {}", number, texts_.size());
    return {};
  }

  /// Returns one of several names by its number.
  std::string_view named(const std::vector<std::string_view>& names, std::uint32_t number, const char* thing) {
    if (number < names.size()) return repeated(names[number]);
    fail(DiagnosticId::value_out_of_range, "{} {} is used here, but the file has {}", thing, number, names.size());
    return {};
  }

  const char* word(Words words, std::uint32_t number, const char* thing) {
    if (number < words.size()) return words[number];
    fail(DiagnosticId::value_out_of_range, "the {} here is {}, but must be at most {}", thing, number,
         words.size() - 1);
    return words[0];
  }

  std::uint32_t begin(Type type, std::string_view key) { return tree_.begin(type, key, place_); }
  void add_number(std::string_view key, double number) { tree_.add_number(key, number, place_); }
  void add_number(std::string_view key, double number, double missing) {
    if (number != missing) add_number(key, number);
  }
  void add_float(std::string_view key) { add_number(key, read_float()); }
  void add_float(std::string_view key, float missing) { add_number(key, read_float(), missing); }
  void add_floats(Words keys) {
    for (const char* const key : keys) add_float(key);
  }
  /// Adds a number that is stored only if a flag is set.
  void add_optional(std::string_view key, bool is_stored, double missing = 0) {
    if (is_stored) add_float(key);
    if (!is_stored) add_number(key, missing);
  }
  void add_boolean(std::string_view key, bool value, bool missing) {
    if (value != missing) tree_.add_boolean(key, value, place_);
  }
  void add_text(std::string_view key, std::string_view text) {
    if (text.data() != nullptr) tree_.add_text(key, text, place_);
  }

  void add_hex(std::string_view key, std::span<const std::uint8_t> bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::array<char, 8> text{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      text[2 * i] = kDigits[bytes[i] >> 4];
      text[2 * i + 1] = kDigits[bytes[i] & 15];
    }
    add_text(key, tree_.keep({text.data(), 2 * bytes.size()}));
  }
  void add_color(std::string_view key, std::uint32_t rgba) {
    const std::uint8_t bytes[] = {static_cast<std::uint8_t>(rgba >> 24), static_cast<std::uint8_t>(rgba >> 16),
                                  static_cast<std::uint8_t>(rgba >> 8), static_cast<std::uint8_t>(rgba)};
    if (rgba != 0xFFFFFFFF) add_hex(key, bytes);
  }

  /// Reads numbers of things, and adds their names.
  void add_names(std::string_view key, const std::vector<std::string_view>& names, const char* thing) {
    const std::uint32_t count = read_count(thing, 1);
    if (count == 0) return;
    const std::uint32_t list = begin(Type::array, key);
    for (std::uint32_t i = 0; i < count && !error_; ++i) add_text({}, named(names, read_varint(), thing));
    tree_.end(list);
  }

  void read_header() {
    const std::uint32_t skeleton = begin(Type::object, "skeleton");
    if (has_long_hash_) {
      (void)take(8);
    } else {
      (void)read_string();
    }
    add_text("spine", read_string());
    for (const char* const key : {"x", "y", "width", "height"}) add_float(key);
    if (version_ >= 42) add_float("referenceScale");
    is_nonessential_ = read_boolean();
    if (is_nonessential_) {
      add_float("fps");
      add_text("images", read_string());
      add_text("audio", read_string());
    }
    tree_.end(skeleton);
    const std::uint32_t count = read_count("texts", 1);
    texts_.reserve(count);
    for (std::uint32_t i = 0; i < count && !error_; ++i) texts_.push_back(read_string());
  }

  void read_bones() {
    const std::uint32_t list = begin(Type::array, "bones");
    const std::uint32_t count = read_count("bones", 35);
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::string_view name = read_string();
      const std::uint32_t bone = begin(Type::object, {});
      add_text("name", name);
      if (i > 0) add_text("parent", named(bones_, read_varint(), "bone"));
      add_float("rotation", 0);
      add_float("x", 0);
      add_float("y", 0);
      add_float("scaleX", 1);
      add_float("scaleY", 1);
      add_float("shearX", 0);
      add_float("shearY", 0);
      add_float("length", 0);
      const std::uint32_t inherit = read_varint();
      if (inherit != 0) add_text(version_ < 42 ? "transform" : "inherit", word(kInherits, inherit, "inherit mode"));
      add_boolean("skin", read_boolean(), false);
      if (is_nonessential_) (void)read_integer();  // color
      if (is_nonessential_ && version_ >= 42) {
        (void)read_string();   // icon
        (void)read_boolean();  // visible in the editor
      }
      tree_.end(bone);
      bones_.push_back(name);
    }
    tree_.end(list);
  }

  void read_slots() {
    const std::uint32_t list = begin(Type::array, "slots");
    const std::uint32_t count = read_count("slots", 12);
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::string_view name = read_string();
      const std::uint32_t slot = begin(Type::object, {});
      add_text("name", name);
      add_text("bone", named(bones_, read_varint(), "bone"));
      add_color("color", read_integer());
      if (const std::uint32_t dark = read_integer(); dark != 0xFFFFFFFF) {
        const std::uint8_t rgb[] = {static_cast<std::uint8_t>(dark >> 16), static_cast<std::uint8_t>(dark >> 8),
                                    static_cast<std::uint8_t>(dark)};
        add_hex("dark", rgb);
      }
      add_text("attachment", read_reference());
      const std::uint32_t blend = read_varint();
      if (blend != 0) add_text("blend", word(kBlends, blend, "blend mode"));
      if (is_nonessential_ && version_ >= 42) (void)read_boolean();  // visible in the editor
      tree_.end(slot);
      slots_.push_back(name);
    }
    tree_.end(list);
  }

  /// Reads what all constraints begin with, and calls `read_rest()`.
  template <typename Read>
  void read_constraints(const char* key, std::vector<std::string_view>& names, std::uint64_t min_bytes,
                        const Read& read_rest) {
    const std::uint32_t list = begin(Type::array, key);
    const std::uint32_t count = read_count("constraints", min_bytes);
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::string_view name = read_string();
      const std::uint32_t constraint = begin(Type::object, {});
      add_text("name", name);
      add_number("order", read_varint());
      read_rest();
      tree_.end(constraint);
      names.push_back(name);
    }
    tree_.end(list);
  }

  void read_iks() {
    read_constraints("ik", iks_, 5, [&] {
      if (version_ < 42) add_boolean("skin", read_boolean(), false);
      add_names("bones", bones_, "bone");
      add_text("target", named(bones_, read_varint(), "bone"));
      if (version_ >= 42) {
        const std::uint32_t flags = read_byte();
        add_boolean("skin", (flags & 1) != 0, false);
        add_boolean("bendPositive", (flags & 2) != 0, true);
        add_boolean("compress", (flags & 4) != 0, false);
        add_boolean("stretch", (flags & 8) != 0, false);
        add_boolean("uniform", (flags & 16) != 0, false);
        add_optional("mix", (flags & 96) == 96, (flags & 32) != 0 ? 1 : 0);
        if ((flags & 128) != 0) add_float("softness");
        return;
      }
      add_float("mix");
      add_float("softness", 0);
      read_bend();
      add_boolean("uniform", read_boolean(), false);
    });
  }

  void read_bend() {
    add_boolean("bendPositive", static_cast<std::int8_t>(read_byte()) > 0, true);
    add_boolean("compress", read_boolean(), false);
    add_boolean("stretch", read_boolean(), false);
  }

  void read_transforms() {
    static constexpr const char* kOffsets[] = {"rotation", "x", "y", "scaleX", "scaleY", "shearY"};
    read_constraints("transform", transforms_, 6, [&] {
      if (version_ < 42) add_boolean("skin", read_boolean(), false);
      add_names("bones", bones_, "bone");
      add_text("target", named(bones_, read_varint(), "bone"));
      if (version_ >= 42) {
        std::uint32_t flags = read_byte();
        add_boolean("skin", (flags & 1) != 0, false);
        add_boolean("local", (flags & 2) != 0, false);
        add_boolean("relative", (flags & 4) != 0, false);
        for (std::uint32_t i = 0; i < 5; ++i) {
          if ((flags & 8U << i) != 0) add_float(kOffsets[i]);
        }
        flags = read_byte();
        if ((flags & 1) != 0) add_float(kOffsets[5]);
        for (std::uint32_t i = 0; i < 6; ++i) add_optional(kMixes[i], (flags & 2U << i) != 0);
        return;
      }
      add_boolean("local", read_boolean(), false);
      add_boolean("relative", read_boolean(), false);
      for (const char* const key : kOffsets) add_float(key, 0);
      add_floats(mixes());
    });
  }

  /// Keys of the mixes of a transform constraint and of a path constraint.
  [[nodiscard]] Words mixes() const noexcept { return version_ < 40 ? Words(kOlderMixes) : Words(kMixes); }
  [[nodiscard]] Words path_mixes() const noexcept {
    return version_ < 40 ? Words(kOlderPathMixes) : Words(kMixes).first(3);
  }

  void read_paths() {
    read_constraints("path", paths_, 18, [&] {
      add_boolean("skin", read_boolean(), false);
      add_names("bones", bones_, "bone");
      add_text("target", named(slots_, read_varint(), "slot"));
      if (version_ >= 42) {
        const std::uint32_t flags = read_byte();
        add_text("positionMode", kPositionModes[flags & 1]);
        add_text("spacingMode", kSpacingModes[flags >> 1 & 3]);
        add_text("rotateMode", word(kRotateModes, flags >> 3 & 3, "rotate mode"));
        if ((flags & 128) != 0) add_float("rotation");
      } else {
        add_text("positionMode", word(kPositionModes, read_varint(), "position mode"));
        add_text("spacingMode", word(Words(kSpacingModes).first(version_ < 40 ? 3 : 4), read_varint(), "spacing mode"));
        add_text("rotateMode", word(kRotateModes, read_varint(), "rotate mode"));
        add_float("rotation", 0);
      }
      add_float("position", 0);
      add_float("spacing", 0);
      add_floats(path_mixes());
    });
  }

  void read_physics() {
    static constexpr const char* kChannels[] = {"x", "y", "rotate", "scaleX", "shearX"};
    static constexpr const char* kGlobals[] = {"inertiaGlobal", "strengthGlobal", "dampingGlobal", "massGlobal",
                                               "windGlobal",    "gravityGlobal",  "mixGlobal"};
    read_constraints("physics", physics_, 26, [&] {
      add_text("bone", named(bones_, read_varint(), "bone"));
      std::uint32_t flags = read_byte();
      add_boolean("skin", (flags & 1) != 0, false);
      for (std::uint32_t i = 0; i < 5; ++i) {
        if ((flags & 2U << i) != 0) add_float(kChannels[i]);
      }
      add_optional("limit", (flags & 64) != 0, 5000);
      add_number("fps", read_byte());
      for (const char* const key : {"inertia", "strength", "damping"}) add_float(key);
      const float mass_inverse = (flags & 128) != 0 ? read_float() : 1;
      if (mass_inverse == 0) fail(DiagnosticId::value_out_of_range, "the inverse of a mass here is 0");
      add_number("mass", error_ ? 1 : 1.0 / mass_inverse);
      for (const char* const key : {"wind", "gravity"}) add_float(key);
      flags = read_byte();
      for (std::uint32_t i = 0; i < 7; ++i) add_boolean(kGlobals[i], (flags >> i & 1) != 0, false);
      add_optional("mix", (flags & 128) != 0, 1);
    });
  }

  void read_skins() {
    const std::uint32_t list = begin(Type::array, "skins");
    const std::uint32_t default_slots = read_count("slots", 2);
    if (default_slots > 0) {
      const std::uint32_t skin = begin(Type::object, {});
      add_text("name", "default");
      skins_.emplace_back("default");
      read_skin_slots(default_slots);
      tree_.end(skin);
    }
    const std::uint32_t count = read_count("skins", 6);
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::string_view name = version_ < 42 ? read_reference() : read_string();
      if (version_ >= 42 && is_nonessential_) (void)read_integer();  // color
      const std::uint32_t skin = begin(Type::object, {});
      add_text("name", name);
      skins_.push_back(name);
      add_names("bones", bones_, "bone");
      add_names("ik", iks_, "constraint");
      add_names("transform", transforms_, "constraint");
      add_names("path", paths_, "constraint");
      if (version_ >= 42) add_names("physics", physics_, "constraint");
      read_skin_slots(read_count("slots", 2));
      tree_.end(skin);
    }
    tree_.end(list);
    // A mesh can be linked to one of a later skin.
    for (const auto& [value, number, place] : linked_skins_) {
      place_ = place;
      tree_.set_text(value, named(skins_, number, "skin"));
    }
  }

  void read_skin_slots(std::uint32_t count) {
    const std::uint32_t slots = begin(Type::object, "attachments");
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::uint32_t slot = begin(Type::object, named(slots_, read_varint(), "slot"));
      const std::uint32_t attachments = read_count("attachments", 3);
      for (std::uint32_t j = 0; j < attachments && !error_; ++j) read_attachment(read_reference());
      tree_.end(slot);
    }
    tree_.end(slots);
  }

  void read_attachment(std::string_view key) {
    const std::uint32_t attachment = begin(Type::object, key);
    std::string_view name;
    std::uint32_t flags = 0, type = 0;
    if (version_ >= 42) {
      flags = read_byte();
      type = flags & 7;
      if ((flags & 8) != 0) name = read_reference();
    } else {
      name = read_reference();
      type = read_byte();
    }
    if (name != key) add_text("name", name);
    if (type != 0) add_text("type", word(kAttachments, type, "attachment type"));
    switch (type) {
      case 0:
        read_region(flags);
        break;
      case 1:
        read_outline(flags, 16);
        break;
      case 2:
        read_mesh(flags);
        break;
      case 3:
        read_linked_mesh(flags);
        break;
      case 4: {
        add_boolean("closed", version_ >= 42 ? (flags & 16) != 0 : read_boolean(), false);
        add_boolean("constantSpeed", version_ >= 42 ? (flags & 32) != 0 : read_boolean(), true);
        const std::uint32_t count = read_outline_vertices(flags, 64);
        add_array("lengths", count / 3, 4, [&] { return read_float(); });
        if (is_nonessential_) add_color("color", read_integer());
        break;
      }
      case 5:
        for (const char* const each : {"rotation", "x", "y"}) add_float(each, 0);
        if (is_nonessential_) add_color("color", read_integer());
        break;
      default:
        add_text("end", named(slots_, read_varint(), "slot"));
        read_outline(flags, 16);
        break;
    }
    tree_.end(attachment);
  }

  void read_outline(std::uint32_t flags, std::uint32_t weighted_flag) {
    (void)read_outline_vertices(flags, weighted_flag);
    if (is_nonessential_) add_color("color", read_integer());
  }

  std::uint32_t read_outline_vertices(std::uint32_t flags, std::uint32_t weighted_flag) {
    const std::uint32_t count = read_count("vertices", 1);
    add_number("vertexCount", count);
    add_vertices(count, version_ >= 42 ? (flags & weighted_flag) != 0 : read_boolean());
    return count;
  }

  void read_region(std::uint32_t flags) {
    const bool is_full = version_ < 42;
    if (is_full || (flags & 16) != 0) add_text("path", read_reference());
    if (!is_full && (flags & 32) != 0) add_color("color", read_integer());
    if (!is_full && (flags & 64) != 0) read_sequence();
    if (is_full || (flags & 128) != 0) add_float("rotation", 0);
    add_float("x", 0);
    add_float("y", 0);
    add_float("scaleX", 1);
    add_float("scaleY", 1);
    add_float("width");
    add_float("height");
    if (is_full) add_color("color", read_integer());
    if (version_ == 41 && read_boolean()) read_sequence();
  }

  void read_sequence() {
    const std::uint32_t sequence = begin(Type::object, "sequence");
    for (const char* const key : {"count", "start", "digits", "setup"}) add_number(key, read_varint());
    tree_.end(sequence);
  }

  /// What regions, meshes and linked meshes of 4.2 begin with.
  void read_texture(std::uint32_t flags) {
    if (version_ < 42) {
      add_text("path", read_reference());
      add_color("color", read_integer());
      return;
    }
    if ((flags & 16) != 0) add_text("path", read_reference());
    if ((flags & 32) != 0) add_color("color", read_integer());
    if ((flags & 64) != 0) read_sequence();
  }

  void read_mesh(std::uint32_t flags) {
    read_texture(flags);
    const auto read_short = [&] {
      if (version_ >= 42) return read_varint();
      const std::uint32_t high = read_byte();
      return high << 8 | read_byte();
    };
    const std::uint64_t short_bytes = version_ >= 42 ? 1 : 2;
    const auto add_uvs = [&](std::uint32_t count) {
      add_array("uvs", std::uint64_t{count} * 2, 4, [&] { return read_float(); });
    };
    if (version_ >= 42) {
      const std::uint32_t hull = read_varint();
      const std::uint32_t count = read_count("vertices", 8);
      add_number("hull", hull);
      add_vertices(count, (flags & 128) != 0);
      add_uvs(count);
      // A triangulation of all vertices, of which `hull` lie on the outline, has this number of triangles.
      const std::int64_t triangles = std::int64_t{2} * count - hull - 2;
      if (triangles < 0) {
        fail(DiagnosticId::value_out_of_range, "a mesh has {} vertices here, of which {} are on its outline", count,
             hull);
      }
      add_array("triangles", error_ ? 0 : static_cast<std::uint64_t>(triangles) * 3, short_bytes, read_short);
    } else {
      const std::uint32_t count = read_count("vertices", 8);
      add_uvs(count);
      add_array("triangles", read_count("indices", 2), short_bytes, read_short);
      add_vertices(count, read_boolean());
      add_number("hull", read_varint());
      if (version_ == 41 && read_boolean()) read_sequence();
    }
    if (!is_nonessential_) return;
    const std::uint32_t edges = read_count("edges", short_bytes);
    for (std::uint32_t i = 0; i < edges && !error_; ++i) (void)read_short();
    add_float("width");
    add_float("height");
  }

  void read_linked_mesh(std::uint32_t flags) {
    read_texture(flags);
    if (version_ >= 42) {
      const std::uint32_t skin = read_varint();
      linked_skins_.push_back({tree_.add_text("skin", {}, place_), skin, place_});
      add_text("parent", read_reference());
      add_boolean("timelines", (flags & 128) != 0, true);
    } else {
      add_text("skin", read_reference());
      add_text("parent", read_reference());
      add_boolean(version_ < 41 ? "deform" : "timelines", read_boolean(), true);
      if (version_ == 41 && read_boolean()) read_sequence();
    }
    if (!is_nonessential_) return;
    add_float("width");
    add_float("height");
  }

  template <typename Read>
  void add_array(std::string_view key, std::uint64_t count, std::uint64_t min_bytes, const Read& read) {
    if (count > reader_.remaining() / min_bytes) {
      fail(DiagnosticId::truncated, "{} numbers are needed here, but {} bytes are left", count, reader_.remaining());
    }
    const std::uint32_t list = begin(Type::array, key);
    for (std::uint64_t i = 0; i < count && !error_; ++i) {
      const auto value = read();
      add_number({}, value);
    }
    tree_.end(list);
  }

  void add_vertices(std::uint32_t count, bool is_weighted) {
    if (!is_weighted) return add_array("vertices", std::uint64_t{count} * 2, 4, [&] { return read_float(); });
    const std::uint32_t list = begin(Type::array, "vertices");
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::uint32_t influences = read_count("bones of a vertex", 13);
      add_number({}, influences);
      for (std::uint32_t j = 0; j < influences && !error_; ++j) {
        const std::uint32_t bone = read_varint();
        (void)named(bones_, bone, "bone");
        add_number({}, bone);
        for (int k = 0; k < 3; ++k) add_float({});
      }
    }
    tree_.end(list);
  }

  void read_events() {
    const std::uint32_t list = begin(Type::object, "events");
    const std::uint32_t count = read_count("events", 8);
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::string_view name = version_ < 42 ? read_reference() : read_string();
      const std::uint32_t event = begin(Type::object, name);
      add_signed("int");
      add_float("float", 0);
      add_text("string", read_string());
      const std::string_view audio = read_string();
      add_text("audio", audio);
      if (audio.data() != nullptr) {
        add_float("volume");
        add_float("balance");
      }
      tree_.end(event);
      events_.push_back(name);
      has_audio_.push_back(audio.data() != nullptr);
    }
    tree_.end(list);
  }

  void add_signed(std::string_view key) {
    const std::uint32_t value = read_varint();
    add_number(key, static_cast<std::int32_t>(value >> 1 ^ (0U - (value & 1))), 0);
  }

  void read_animations() {
    const std::uint32_t list = begin(Type::object, "animations");
    const std::uint32_t count = read_count("animations", 9);
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::string_view name = read_string();
      const std::uint32_t animation = begin(Type::object, name);
      if (version_ >= 40) (void)read_varint();  // number of timelines
      read_targets("slots", slots_, "slot", [&] { read_slot_timeline(); });
      read_targets("bones", bones_, "bone", [&] { read_bone_timeline(); });
      read_constraint_keys("ik", iks_, [&](std::string_view constraint) { read_ik_keys(constraint); });
      read_constraint_keys("transform", transforms_,
                           [&](std::string_view constraint) { read_float_keys(constraint, mixes()); });
      read_targets("path", paths_, "constraint", [&] { read_path_timeline(); });
      if (version_ >= 42) read_physics_keys();
      read_attachment_timelines();
      read_draw_order();
      read_event_keys();
      tree_.end(animation);
    }
    tree_.end(list);
  }

  /// Reads timelines of bones, slots or constraints.
  template <typename Read>
  void read_targets(const char* key, const std::vector<std::string_view>& names, const char* thing,
                    const Read& read_timeline) {
    const std::uint32_t count = read_count("timelines", 2);
    if (count == 0) return;
    const std::uint32_t all = begin(Type::object, key);
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::uint32_t target = begin(Type::object, named(names, read_varint(), thing));
      const std::uint32_t timelines = read_count("timelines", 2);
      for (std::uint32_t j = 0; j < timelines && !error_; ++j) read_timeline();
      tree_.end(target);
    }
    tree_.end(all);
  }

  /// Reads the timelines of constraints that have one each.
  template <typename Read>
  void read_constraint_keys(const char* key, const std::vector<std::string_view>& names, const Read& read_timeline) {
    const std::uint32_t count = read_count("timelines", 2);
    if (count == 0) return;
    const std::uint32_t all = begin(Type::object, key);
    for (std::uint32_t i = 0; i < count && !error_; ++i) read_timeline(named(names, read_varint(), "constraint"));
    tree_.end(all);
  }

  KeyValues read_time() {
    KeyValues values;
    values.time = read_float();
    values.place = place_;
    return values;
  }

  /// Reads keys. `read` returns the values of one; `write` adds them, and reads what is stored behind them. Since 4.0,
  /// the curve to the next key comes after the values of that key.
  template <typename Read, typename Write>
  void read_keys(std::string_view key, std::uint32_t channels, const Read& read, const Write& write) {
    const std::uint32_t list = begin(Type::array, key);
    const std::uint32_t count = read_count("keys", 4);
    if (version_ >= 40 && channels > 0) (void)read_varint();  // number of Bézier curves
    KeyValues next;
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const bool is_last = i + 1 == count;
      const KeyValues now = i == 0 || version_ < 40 || channels == 0 ? read() : next;
      const std::uint32_t object = tree_.begin(Type::object, {}, now.place);
      tree_.add_number("time", now.time, now.place);
      write(now);
      if (!is_last && channels > 0) {
        if (version_ >= 40) next = read();
        read_curve(channels, next.flags);
      }
      tree_.end(object);
    }
    tree_.end(list);
  }

  /// Flags of a key that hold its curve.
  static constexpr std::uint32_t kHasFlags = 256, kStepped = 64, kBezier = 128;

  void read_curve(std::uint32_t channels, std::uint32_t flags) {
    const std::uint32_t kind = (flags & kHasFlags) == 0  ? read_byte()
                               : (flags & kStepped) != 0 ? 1
                               : (flags & kBezier) != 0  ? 2
                                                         : 0;
    if (kind == 0) return;
    if (kind == 1) return add_text("curve", "stepped");
    if (kind > 2) return fail(DiagnosticId::value_out_of_range, "the curve here is {}, but must be at most 2", kind);
    if (version_ < 40) {
      for (const char* const key : {"curve", "c2", "c3", "c4"}) add_float(key);
      return;
    }
    add_array("curve", std::uint64_t{4} * channels, 4, [&] { return read_float(); });
  }

  /// Reads keys of floats.
  void read_float_keys(std::string_view key, Words names) {
    read_keys(
        key, static_cast<std::uint32_t>(names.size()),
        [&] {
          KeyValues values = read_time();
          for (std::size_t i = 0; i < names.size(); ++i) values.numbers[i] = read_float();
          return values;
        },
        [&](const KeyValues& values) {
          for (std::size_t i = 0; i < names.size(); ++i) add_number(names[i], values.numbers[i]);
        });
  }

  /// Reads keys of colors. `light` and `dark` are numbers of bytes.
  void read_color_keys(std::string_view key, std::size_t light, std::size_t dark) {
    // In 3.8, a dark color has an unused byte in front.
    const std::size_t unused = version_ < 40 && dark > 0 ? 1 : 0;
    read_keys(
        key, static_cast<std::uint32_t>(light + dark),
        [&] {
          KeyValues values = read_time();
          for (std::size_t i = 0; i < light + unused + dark; ++i) values.bytes[i] = read_byte();
          return values;
        },
        [&](const KeyValues& values) {
          const std::span<const std::uint8_t> bytes(values.bytes);
          add_hex(dark > 0 ? "light" : "color", bytes.first(light));
          if (dark > 0) add_hex("dark", bytes.subspan(light + unused, dark));
        });
  }

  void read_slot_timeline() {
    const std::uint32_t type = read_byte();
    if (type == 0)
      return read_keys(
          "attachment", 0, [&] { return read_time(); },
          [&](const KeyValues&) {
            // Without a name, the slot is empty.
            const std::string_view name = read_reference();
            if (name.data() != nullptr) add_text("name", name);
            if (name.data() == nullptr) tree_.end(begin(Type::null, "name"));
          });
    static constexpr struct {
      const char* key;
      std::size_t light, dark;
    } kColors[] = {{"rgba", 4, 0}, {"rgb", 3, 0}, {"rgba2", 4, 3}, {"rgb2", 3, 3}},
      kOlderColors[] = {{"color", 4, 0}, {"twoColor", 4, 3}};
    if (version_ < 40 && type <= 2) {
      const auto& [key, light, dark] = kOlderColors[type - 1];
      return read_color_keys(key, light, dark);
    }
    if (version_ >= 40 && type <= 4) {
      const auto& [key, light, dark] = kColors[type - 1];
      return read_color_keys(key, light, dark);
    }
    if (version_ < 40 || type > 5) {
      return fail(DiagnosticId::value_out_of_range, "the timeline of a slot here has the unknown type {}", type);
    }
    read_keys(
        "alpha", 1,
        [&] {
          KeyValues values = read_time();
          values.bytes[0] = read_byte();
          return values;
        },
        [&](const KeyValues& values) { add_number("value", values.bytes[0] / 255.0); });
  }

  void read_bone_timeline() {
    static constexpr const char* kTimelines[] = {"rotate", "translate", "translatex", "translatey", "scale",
                                                 "scalex", "scaley",    "shear",      "shearx",     "sheary"};
    static constexpr const char* kOlderTimelines[] = {"rotate", "translate", "scale", "shear"};
    static constexpr const char* kAngle[] = {"angle"};
    const std::uint32_t type = read_byte();
    if (version_ >= 42 && type == 10) {
      return read_keys(
          "inherit", 0, [&] { return read_time(); },
          [&](const KeyValues&) { add_text("inherit", word(kInherits, read_byte(), "inherit mode")); });
    }
    const char* const key =
        word(version_ < 40 ? Words(kOlderTimelines) : Words(kTimelines), type, "type of the timeline of a bone");
    if (type == 0) return read_float_keys(key, version_ < 40 ? kAngle : kValue);
    // Every third one of the others has both axes since 4.0.
    read_float_keys(key, version_ < 40 || type % 3 == 1 ? Words(kXY) : Words(kValue));
  }

  void read_ik_keys(std::string_view constraint) {
    read_keys(
        constraint, 2,
        [&] {
          KeyValues values;
          if (version_ >= 42) values.flags = kHasFlags | read_byte();
          const std::uint32_t flags = values.flags;
          values.time = read_float();
          values.place = place_;
          values.numbers[0] = version_ < 42 || (flags & 3) == 3 ? read_float() : (flags & 1) != 0 ? 1.0F : 0.0F;
          if (version_ < 42 || (flags & 4) != 0) values.numbers[1] = read_float();
          return values;
        },
        [&](const KeyValues& values) {
          add_number("mix", values.numbers[0]);
          add_number("softness", values.numbers[1], 0);
          if (version_ < 42) return read_bend();
          add_boolean("bendPositive", (values.flags & 8) != 0, true);
          add_boolean("compress", (values.flags & 16) != 0, false);
          add_boolean("stretch", (values.flags & 32) != 0, false);
        });
  }

  void read_path_timeline() {
    static constexpr const char* kTimelines[] = {"position", "spacing", "mix"};
    const std::uint32_t type = read_byte();
    const char* const key = word(kTimelines, type, "type of the timeline of a path constraint");
    const char* const older[] = {key};
    read_float_keys(key, type == 2 ? path_mixes() : version_ < 40 ? Words(older) : Words(kValue));
  }

  void read_physics_keys() {
    static constexpr const char* kTimelines[] = {"inertia", "strength", "damping", nullptr, "mass",
                                                 "wind",    "gravity",  "mix",     "reset"};
    const std::uint32_t count = read_count("timelines", 2);
    if (count == 0) return;
    const std::uint32_t all = begin(Type::object, "physics");
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      // 0 stands for all constraints.
      const std::uint32_t number = read_varint();
      const std::string_view name = number == 0 ? "" : named(physics_, number - 1, "constraint");
      const std::uint32_t constraint = begin(Type::object, name);
      const std::uint32_t timelines = read_count("timelines", 2);
      for (std::uint32_t j = 0; j < timelines && !error_; ++j) {
        const std::uint32_t type = read_byte();
        const char* const key = word(kTimelines, type, "type of the timeline of a physics constraint");
        if (key == nullptr) {
          fail(DiagnosticId::value_out_of_range, "the type of the timeline of a physics constraint here is {}", type);
        } else if (type == 8) {
          read_keys(key, 0, [&] { return read_time(); }, [](const KeyValues&) {});
        } else {
          read_float_keys(key, kValue);
        }
      }
      tree_.end(constraint);
    }
    tree_.end(all);
  }

  void read_attachment_timelines() {
    const std::uint32_t count = read_count("skins", 2);
    if (count == 0) return;
    const std::uint32_t all = begin(Type::object, version_ < 41 ? "deform" : "attachments");
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::uint32_t skin = begin(Type::object, named(skins_, read_varint(), "skin"));
      const std::uint32_t slots = read_count("slots", 2);
      for (std::uint32_t j = 0; j < slots && !error_; ++j) {
        const std::uint32_t slot = begin(Type::object, named(slots_, read_varint(), "slot"));
        const std::uint32_t attachments = read_count("attachments", 2);
        for (std::uint32_t k = 0; k < attachments && !error_; ++k) {
          const std::string_view name = read_reference();
          if (version_ < 41) {
            read_deform_keys(name);
            continue;
          }
          const std::uint32_t attachment = begin(Type::object, name);
          const std::uint32_t type = read_byte();
          if (type == 0) read_deform_keys("deform");
          if (type == 1) read_sequence_keys();
          if (type > 1) fail(DiagnosticId::value_out_of_range, "an attachment's timeline here has the type {}", type);
          tree_.end(attachment);
        }
        tree_.end(slot);
      }
      tree_.end(skin);
    }
    tree_.end(all);
  }

  void read_deform_keys(std::string_view key) {
    read_keys(
        key, 1, [&] { return read_time(); },
        [&](const KeyValues&) {
          const std::uint32_t count = read_count("numbers", 4);
          if (count == 0) return;
          add_number("offset", read_varint(), 0);
          add_array("vertices", count, 4, [&] { return read_float(); });
        });
  }

  void read_sequence_keys() {
    read_keys(
        "sequence", 0, [&] { return read_time(); },
        [&](const KeyValues&) {
          const std::uint32_t mode_and_index = read_integer();
          add_text("mode", word(kSequenceModes, mode_and_index & 15, "mode of a sequence"));
          add_number("index", mode_and_index >> 4, 0);
          add_float("delay");
        });
  }

  void read_draw_order() {
    const std::uint32_t count = read_count("keys", 5);
    if (count == 0) return;
    const std::uint32_t list = begin(Type::array, "drawOrder");
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::uint32_t key = begin(Type::object, {});
      add_float("time");
      const std::uint32_t changes = read_count("slots", 2);
      if (changes > 0) {
        const std::uint32_t offsets = begin(Type::array, "offsets");
        for (std::uint32_t j = 0; j < changes && !error_; ++j) {
          const std::uint32_t change = begin(Type::object, {});
          add_text("slot", named(slots_, read_varint(), "slot"));
          add_number("offset", static_cast<std::int32_t>(read_varint()));
          tree_.end(change);
        }
        tree_.end(offsets);
      }
      tree_.end(key);
    }
    tree_.end(list);
  }

  void read_event_keys() {
    const std::uint32_t count = read_count("keys", 11);
    if (count == 0) return;
    const std::uint32_t list = begin(Type::array, "events");
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::uint32_t key = begin(Type::object, {});
      add_float("time");
      const std::uint32_t event = read_varint();
      add_text("name", named(events_, event, "event"));
      add_signed("int");
      add_float("float", 0);
      if (version_ >= 42 || read_boolean()) add_text("string", read_string());
      if (!error_ && has_audio_[event]) {
        add_float("volume");
        add_float("balance");
      }
      tree_.end(key);
    }
    tree_.end(list);
  }

  struct LinkedSkin {
    std::uint32_t value = 0, skin = 0;
    std::uint64_t place = 0;
  };

  ByteReader reader_;
  const int version_;
  const bool has_long_hash_;
  std::uint64_t repeated_ = 0;  // bytes
  const std::uint64_t max_repeated_;
  bool is_nonessential_ = false;
  JsonTreeBuilder tree_;
  std::optional<Diagnostic> error_;
  std::uint64_t place_ = 0;  ///< Place of the value that was read last.
  std::vector<std::string_view> texts_, bones_, slots_, iks_, transforms_, paths_, physics_, skins_, events_;
  std::vector<bool> has_audio_;
  std::vector<LinkedSkin> linked_skins_;
};

}  // namespace

bool looks_like_binary(std::span<const std::byte> bytes) noexcept { return find_version(bytes).number != 0; }

Expected<JsonTree, Diagnostic> read_binary(std::span<const std::byte> bytes) {
  const Version version = find_version(bytes);
  if (version.number == 38 || (version.number >= 40 && version.number <= 42)) {
    return BinaryReader(bytes, version).read();
  }
  if (version.number == 0) {
    return Unexpected(diagnose(DiagnosticId::truncated, {.offset = bytes.size()}, "the file ends before its version"));
  }
  return Unexpected(diagnose(
      DiagnosticId::unsupported_version,
      {.offset = static_cast<std::uint64_t>(version.text.data() - reinterpret_cast<const char*>(bytes.data()))},
      "the version is \"{}\", but binary skeletons of 3.8, 4.0, 4.1 and 4.2 are supported: export it as JSON",
      printable(version.text)));
}

}  // namespace pchr::spine
