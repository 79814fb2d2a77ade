// SPDX-License-Identifier: MIT
// The pixels of layers, inflated when they are wanted.
#pragma once

#include "formats/px/cel.hpp"
#include "formats/px/file.hpp"
#include "formats/px/inflate.hpp"
#include "formats/px/tiles.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pchr::px {

/// One thread's memory for what is inflated.
struct CelScratch {
  Inflater inflater{};
  std::vector<std::uint8_t> canvas{};
};

inline constexpr std::int32_t kNoCel = -1;

/// The contents of a file as cels, their pixels multiplied by alpha. Each is inflated when it is first acquired, and
/// kept until it was released as often as announced, as long as all that is kept is within a budget. Acquire and
/// release on any thread.
class CelStore {
 public:
  /// `file` and its `tiles` must outlive it.
  CelStore(const File& file, const std::vector<Tiles>& tiles, std::uint64_t budget_pixels);

  /// The cel that `item` shows of `content`, or kNoCel.
  [[nodiscard]] std::int32_t find(const Item& item, std::string_view content);
  /// The number of a cel that is there already, and is kept until it was released.
  [[nodiscard]] std::int32_t add(std::shared_ptr<const Cel> cel);
  /// Says that the cel will be acquired and released once more.
  void announce(std::int32_t cel) noexcept { ++slots_[static_cast<std::size_t>(cel)].uses; }

  [[nodiscard]] std::shared_ptr<const Cel> acquire(std::int32_t cel, CelScratch& scratch);
  void release(std::int32_t cel);

  /// Remarks on what was acquired and is unusable.
  void remark(Remarks& remarks) const;

 private:
  /// Where a cel comes from, and what became of it.
  struct Slot {
    std::int32_t content = -1;  ///< Of the contents, or with a tileset of the tilemap contents.
    std::int32_t tileset = -1;
    std::uint32_t uses = 0;
    bool unusable = false;
    std::mutex mutex{};
    std::shared_ptr<const Cel> kept{};
  };

  [[nodiscard]] Cel make(Slot& slot, CelScratch& scratch) const;

  const File& file_;
  const std::vector<Tiles>& tiles_;
  const std::uint64_t budget_pixels_;
  std::unordered_map<std::string_view, std::int32_t> contents_{}, tilemaps_{}, tilesets_{};
  std::unordered_map<std::uint64_t, std::int32_t> slot_numbers_{};
  std::deque<Slot> slots_{};
  std::atomic<std::uint64_t> kept_pixels_ = 0;
};

}  // namespace pchr::px
