// SPDX-License-Identifier: MIT
// The JSON text of a glTF file with its lists, buffers and accessors.
#pragma once

#include "import/files.hpp"
#include "import/json/tree.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::gltf {

/// Index of nothing.
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

inline std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
/// Decodes the escapes of a URI: %20 is a space.
[[nodiscard]] std::string decode_uri(std::string_view uri);

/// Reads values of a file for the reader that derives from it. Each is 0 or empty after an error.
class Document : protected JsonFields {
 protected:
  /// `binary` is the chunk of a .glb. The number of values that are read is limited in proportion to `file_bytes`.
  Document(const JsonTree& tree, std::optional<std::span<const std::byte>> binary, std::uint64_t file_bytes,
           const ReaderOptions& options, Warnings& warnings);

  /// Checks the version and the extensions, and finds the lists.
  void read_document();

  /// Returns the elements of a list of the file, so that they can be found by their indices.
  std::vector<const JsonNode*> list(const JsonNode* object, std::string_view key, Type type);
  /// Returns a whole number that is not negative.
  /// @{
  std::uint64_t whole(const JsonNode& node);
  std::uint64_t whole(const JsonNode* object, std::string_view key, std::uint64_t missing);
  /// @}
  /// Returns an index into a list of `count` elements.
  std::uint32_t index_of(const JsonNode& node, std::size_t count, const char* what);
  /// Returns the index in a field, or kNone if there is no such field.
  std::uint32_t reference(const JsonNode* object, std::string_view key, std::size_t count, const char* what);
  std::uint32_t required(const JsonNode& object, std::string_view key, std::size_t count, const char* what);
  /// Returns `count` numbers of an array, or nothing if there is no such field.
  std::optional<std::vector<double>> numbers(const JsonNode* object, std::string_view key, std::size_t count);
  static const JsonNode* extension(const JsonNode* object, std::string_view name);

  /// Reads a file that the character names.
  Expected<std::vector<std::byte>, Diagnostic> read_named(std::string_view uri);
  /// Returns the bytes of a data URI, or nothing if it is another URI. Broken ones have no bytes.
  static std::optional<std::optional<std::vector<std::byte>>> read_data_uri(std::string_view uri);
  /// Returns the bytes of a view from `offset` on.
  std::span<const std::byte> view(std::uint32_t number, std::uint64_t offset, const JsonNode& user);
  /// Reads all numbers of an accessor whose elements have `width` numbers; 0 allows any width, which is returned. T is
  /// float or std::uint32_t.
  template <typename T>
  std::vector<T> read_accessor(std::uint32_t number, std::uint32_t& width);
  std::vector<float> floats(std::uint32_t accessor, std::uint32_t width);

  const ReaderOptions& options_;
  std::uint64_t values_left_;
  std::vector<const JsonNode*> nodes_json_, meshes_, skins_json_, accessors_, images_, textures_, samplers_,
      materials_json_, animations_json_, scenes_, views_;
  const JsonNode* stored_ = nullptr;  ///< What this library wrote about the character.

 private:
  /// The bytes of a buffer.
  struct Buffer {
    bool is_read = false;
    std::vector<std::byte> storage;
    std::span<const std::byte> bytes;
  };
  /// How the numbers of an accessor are stored.
  struct Components {
    int type = 0;  ///< OpenGL constant.
    std::size_t bytes = 0;
    double scale = 1;  ///< Of normalized integers.
    bool is_signed = false;
  };

  void read_extensions();
  std::span<const std::byte> buffer(std::uint32_t number);
  Components components(const JsonNode& json, bool is_normalized);
  static double component(const Components& kind, const std::byte* at) noexcept;
  /// Checks `count` elements, `stride` bytes apart, against the bytes that hold them.
  bool fits(std::span<const std::byte> bytes, std::uint64_t count, std::size_t size, std::uint64_t stride,
            const JsonNode& json);
  template <typename T>
  static void read_element(const Components& kind, const std::byte* at, std::uint32_t width, T* out) noexcept;
  /// Replaces the elements that a sparse accessor lists.
  template <typename T>
  void read_sparse(const JsonNode& sparse, const Components& kind, std::uint32_t width, std::uint64_t elements,
                   std::vector<T>& out);

  std::optional<std::span<const std::byte>> binary_;
  std::uint64_t side_bytes_ = 0;
  std::vector<const JsonNode*> buffers_json_;
  std::vector<Buffer> buffers_;
  std::map<std::string_view, std::span<const std::byte>> files_;
};

}  // namespace pchr::gltf
