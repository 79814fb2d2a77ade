// SPDX-License-Identifier: MIT
// Binary Spine skeletons, written by write_skel.py, and the JSON that they must be equal to.
#include "import/spine/spine.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace spine_binary_test {
using namespace pchr;
using test::Bytes;

namespace {

constexpr const char* kVersions[] = {"3.8", "4.0", "4.1", "4.2"};

std::filesystem::path file(const std::string& name) {
  return std::filesystem::path(PCHR_DIAGNOSTICS_DIR).parent_path() / "import/spine/features" / name;
}

std::uint32_t count_of(const JsonNode& node) {
  std::uint32_t count = 0;
  for (const JsonNode& child : JsonChildren(&node)) count += child.size > 0 ? 1 : 0;
  return count;
}

/// Returns the paths where two values differ.
void compare(const JsonTree& trees, const JsonNode& wanted, const JsonNode& found,
             std::vector<std::string>& differences) {
  using Type = JsonNode::Type;
  const bool is_equal = wanted.type == found.type && wanted.text() == found.text() &&
                        ((wanted.type != Type::number && wanted.type != Type::boolean) ||
                         std::abs(wanted.number - found.number) <= 1e-6 * std::max(std::abs(wanted.number), 1.0)) &&
                        count_of(wanted) == count_of(found);
  if (!is_equal) return differences.push_back(trees.path_of(wanted));
  JsonChildren::Iterator other = JsonChildren(&found).begin();
  for (const JsonNode& child : JsonChildren(&wanted)) {
    const JsonNode* const match = wanted.type == Type::object ? find_field(&found, child.key()) : &*other;
    if (match == nullptr) {
      differences.push_back(trees.path_of(child));
    } else {
      compare(trees, child, *match, differences);
    }
    ++other;
  }
}

/// Adds a text as the format stores it.
void add_text(Bytes& bytes, std::string_view text) {
  bytes.push_back(static_cast<std::byte>(text.size() + 1));
  for (const char each : text) bytes.push_back(static_cast<std::byte>(each));
}

}  // namespace

TEST_CASE("a binary Spine skeleton is what its JSON is", "[spine]") {
  for (const std::string version : kVersions) {
    INFO(version);
    const std::string text = test::read_text(file(version + ".json"));
    const auto json = JsonTree::read(JsonText{text});
    REQUIRE(json);
    const Bytes bytes = test::read_file(file(version + ".skel"));
    CHECK(spine::looks_like_binary(bytes));
    const auto binary = spine::read_binary(bytes);
    if (!binary) FAIL(describe(binary.error(), version));
    std::vector<std::string> differences;
    compare(*json, json->root(), binary->root(), differences);
    CHECK(differences == std::vector<std::string>{});
  }
}

TEST_CASE("values of a binary Spine skeleton have their places", "[spine]") {
  const Bytes bytes = test::read_file(file("4.2.skel"));
  const auto tree = spine::read_binary(bytes);
  REQUIRE(tree);
  const JsonNode* const bones = find_field(&tree->root(), "bones");
  const auto hip = ++JsonChildren(bones).begin();
  const JsonNode* const name = find_field(&*hip, "name");
  REQUIRE(name != nullptr);
  CHECK(std::string(reinterpret_cast<const char*>(bytes.data()) + name->offset + 1, 3) == "hip");
  const Diagnostic diagnostic = tree->diagnose(DiagnosticId::value_out_of_range, *name, "is odd");
  CHECK(describe(diagnostic, "hero.skel") ==
        "hero.skel: error E125: bones[1] \"hip\", name is odd (byte " + std::to_string(name->offset) + ")");
}

TEST_CASE("no prefix of a binary Spine skeleton loads, and each error lies inside it", "[spine]") {
  for (const std::string version : kVersions) {
    const Bytes whole = test::read_file(file(version + ".skel"));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const auto tree = spine::read_binary(prefix);
      INFO(version << ", " << size << " bytes");
      REQUIRE_FALSE(tree);
      REQUIRE(tree.error().byte_offset.value_or(whole.size()) <= size);
    }
    Bytes longer = whole;
    longer.push_back(std::byte{0});
    CHECK_FALSE(spine::read_binary(longer));
  }
}

TEST_CASE("a damaged byte of a binary Spine skeleton is an error or another value", "[spine]") {
  for (const std::string version : kVersions) {
    const Bytes whole = test::read_file(file(version + ".skel"));
    for (std::size_t place = 0; place < whole.size(); ++place) {
      for (const unsigned damage : {1U, 0x80U, 0xFFU}) {
        Bytes damaged = whole;
        damaged[place] ^= static_cast<std::byte>(damage);
        const auto tree = spine::read_binary(damaged);
        if (tree) continue;
        INFO(version << ", byte " << place);
        REQUIRE(tree.error().byte_offset.value_or(whole.size() + 1) <= whole.size());
      }
    }
  }
}

TEST_CASE("a long name that a binary Spine skeleton uses many times is refused with the limit", "[spine]") {
  const auto error_with = [](std::uint8_t slots) {
    Bytes bytes(8);  // hash
    const auto add = [&](std::size_t count, std::uint8_t value) { bytes.insert(bytes.end(), count, std::byte{value}); };
    add_text(bytes, "4.1.0");
    add(4 * 4 + 1, 0);  // size, and whether there is more
    add(1, 1);          // one text of 60,000 bytes
    for (const int part : {0xE1, 0xD4, 0x03}) add(1, static_cast<std::uint8_t>(part));
    add(60'000, 'n');
    add(1, 1);  // one bone
    add_text(bytes, "b");
    add(8 * 4 + 2, 0);
    add(1, slots);
    for (int i = 0; i < slots; ++i) {
      add_text(bytes, "s");
      add(1, 0);     // bone
      add(8, 0xFF);  // colors
      add(1, 1);     // the text
      add(1, 0);
    }
    const auto tree = spine::read_binary(bytes);
    REQUIRE_FALSE(tree);
    return describe(tree.error(), "hero.skel");
  };
  // The file ends after its slots.
  CHECK(error_with(80).find("E103") != std::string::npos);
  const std::string error = error_with(100);
  CHECK(error.find("E104") != std::string::npos);
  CHECK(error.find("have 5220087 bytes, but the limit for a file of this size is 5176272") != std::string::npos);
}

TEST_CASE("a binary Spine skeleton of another version is refused", "[spine]") {
  struct Case {
    const char* hash;
    const char* version;
    const char* message;
  };
  const Case cases[] = {
      {"hash", "3.7.94", "E102: the version is \"3.7.94\""},
      {nullptr, "4.3.01", "E102: the version is \"4.3.01\""},
      {"hash", "3.8-from-4.0.64", "E103"},
      {nullptr, "4.2.0-beta", "E103"},
  };
  for (const auto& [hash, version, message] : cases) {
    INFO(version);
    Bytes bytes;
    if (hash != nullptr) add_text(bytes, hash);
    if (hash == nullptr) bytes.resize(8);
    add_text(bytes, version);
    CHECK(spine::looks_like_binary(bytes));
    const auto tree = spine::read_binary(bytes);
    REQUIRE_FALSE(tree);
    CHECK(describe(tree.error(), "hero.skel").starts_with("hero.skel: error " + std::string(message)));
  }
  for (const std::string other : {"", "PCHR", "{\"version\": \"4.2.0\"}", "12345678"}) {
    CHECK_FALSE(spine::looks_like_binary(std::as_bytes(std::span(other))));
  }
}

}  // namespace spine_binary_test
