// SPDX-License-Identifier: MIT
// The chunks that Unreal's .psk and .psa files are made of.
#include "formats/psk/chunks.hpp"

#include "formats/byte_reader.hpp"
#include "formats/text_decoding.hpp"
#include "model/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pchr::psk {
namespace {

constexpr std::size_t kIdBytes = 20;
constexpr std::size_t kNameBytes = 64;
constexpr std::size_t kHeaderBytes = 32;

bool begins_with(std::span<const std::byte> bytes, std::string_view id) noexcept {
  return bytes.size() >= id.size() && std::memcmp(bytes.data(), id.data(), id.size()) == 0;
}

std::string_view up_to_zero(std::span<const std::byte> bytes) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

}  // namespace

std::string Chunk::read_name(std::size_t record, std::size_t at) const {
  std::string_view name = up_to_zero({records + record * record_bytes + at, kNameBytes});
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  if (!find_invalid_utf8(name)) return std::string(name);
  const auto decoded = decode_text(std::as_bytes(std::span(name)), "CP1252");
  return decoded ? decoded->utf8 : printable(name);
}

bool is_mesh(std::span<const std::byte> bytes) noexcept { return begins_with(bytes, "ACTRHEAD"); }
bool is_animation(std::span<const std::byte> bytes) noexcept { return begins_with(bytes, "ANIMHEAD"); }

std::vector<Chunk> read_chunks(std::span<const std::byte> bytes, Remarks& remarks) {
  std::vector<Chunk> chunks;
  ByteReader reader(bytes);
  while (reader.remaining() >= kHeaderBytes) {
    const std::uint64_t offset = reader.position();
    Chunk chunk{std::string(up_to_zero(reader.take(kIdBytes))), offset};
    (void)reader.read<std::uint32_t>();  // Flags of the program that wrote it, of no use.
    const auto record_bytes = reader.read<std::int32_t>();
    const auto count = reader.read<std::int32_t>();
    const bool sound = record_bytes >= 0 && count >= 0;
    if (sound && record_bytes > 0) {
      chunk.record_bytes = static_cast<std::uint32_t>(record_bytes);
      const std::uint64_t whole = reader.remaining() / chunk.record_bytes;
      chunk.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(whole, static_cast<std::uint32_t>(count)));
    }
    chunk.records = reader.take(std::uint64_t{chunk.record_bytes} * chunk.count).data();
    const bool cut = sound && record_bytes > 0 && chunk.count < static_cast<std::uint32_t>(count);
    if (!sound || cut) {
      remarks.add(FindingId::psk_cut_short, [&] {
        return Finding{FindingId::psk_cut_short,
                       chunk.id,
                       {},
                       offset,
                       fmt::format("it has {} records of {} bytes; {} are there", count, record_bytes, chunk.count)};
      });
    }
    chunks.push_back(std::move(chunk));
    if (!sound || cut) break;
  }
  return chunks;
}

const Chunk* find_chunk(const std::vector<Chunk>& chunks, std::string_view id, std::uint32_t least_bytes,
                        Remarks& remarks) {
  const auto found = std::ranges::find(chunks, id, &Chunk::id);
  if (found == chunks.end() || found->count == 0) return nullptr;
  if (found->record_bytes >= least_bytes) return &*found;
  remarks.add(FindingId::psk_part_ignored, [&] {
    return Finding{FindingId::psk_part_ignored,
                   found->id,
                   {},
                   found->offset,
                   fmt::format("its records have {} bytes; at least {} are needed", found->record_bytes, least_bytes)};
  });
  return nullptr;
}

}  // namespace pchr::psk
