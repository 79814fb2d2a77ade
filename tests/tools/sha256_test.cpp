// SPDX-License-Identifier: MIT
// SHA-256 with the examples of NIST.
#include "sha256.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <string>
#include <string_view>

namespace pchr::test::sha256_test {
namespace {

using tools::hex;
using tools::Sha256;
using tools::sha256_of;
using tools::sha256_of_file;

std::string hash_of(std::string_view text) { return hex(sha256_of(std::as_bytes(std::span(text)))); }

TEST_CASE("SHA-256 hashes the examples of NIST", "[tools][sha256]") {
  CHECK(hash_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hash_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hash_of(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("bytes can arrive in parts of any size", "[tools][sha256]") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i);
  const auto bytes = std::as_bytes(std::span(text));
  for (std::size_t first = 0; first <= 130; ++first) {
    Sha256 sha;
    sha.add(bytes.first(first));
    sha.add(bytes.subspan(first, 65));
    sha.add(bytes.subspan(first + 65));
    CHECK(hex(sha.finish()) == hash_of(text));
  }
}

TEST_CASE("a file is hashed in parts, and only if it is a regular file", "[tools][sha256]") {
  const auto folder = fresh_folder("sha256");
  const std::string text(200'000, 'x');
  write_file(folder / "file", std::as_bytes(std::span(text)));
  const auto hash = sha256_of_file(utf8_of(folder / "file"));
  REQUIRE(hash);
  CHECK(hex(*hash) == hash_of(text));
  CHECK_FALSE(sha256_of_file(utf8_of(folder / "missing")));
  CHECK_FALSE(sha256_of_file(utf8_of(folder)));
}

}  // namespace
}  // namespace pchr::test::sha256_test
