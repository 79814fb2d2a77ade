// SPDX-License-Identifier: MIT
#include "render/palette_store.hpp"

#include "render/gl_state.hpp"

#include <algorithm>

namespace pchr {
namespace {

constexpr auto kBoneBytes = static_cast<GLsizeiptr>(sizeof(BoneTexels));

GLsizeiptr whole_rows(GLsizeiptr bytes) { return (bytes + kPaletteRowBytes - 1) / kPaletteRowBytes * kPaletteRowBytes; }

}  // namespace

PaletteStore::PaletteStore(std::shared_ptr<const Gl> gl, std::uint64_t budget_bytes)
    : gl_(std::move(gl)), budget_bones_(budget_bytes / sizeof(BoneTexels)) {
  max_page_bones_ =
      static_cast<std::uint32_t>(std::min({max_palette_bones(*gl_), std::uint64_t{kMaxPageBones}, budget_bones_}));
}

PaletteStore::~PaletteStore() {
  for (const Page& page : pages_) {
    gl_->DeleteTextures(1, &page.texture);
    gl_->DeleteBuffers(1, &page.buffer);
  }
}

PaletteStore::Entry* PaletteStore::find_entry(Handle handle) noexcept {
  if (handle.number >= entries_.size()) return nullptr;
  Entry& entry = entries_[handle.number];
  return entry.live && entry.generation == handle.generation ? &entry : nullptr;
}

const PaletteStore::Block* PaletteStore::find(Handle handle) noexcept {
  Entry* const entry = find_entry(handle);
  if (entry == nullptr) return nullptr;
  entry->used = use_;
  return &entry->block;
}

std::optional<PaletteStore::Handle> PaletteStore::store(std::span<const BoneTexels> bones) {
  if (bones.empty() || bones.size() > max_page_bones_) return std::nullopt;
  const auto count = static_cast<std::uint32_t>(bones.size());
  std::optional<SavedPixelTransfer> unpacking;
  if (gl_->is_es) unpacking.emplace(*gl_, kUnpack);
  std::optional<Block> block = allocate(count);
  while (!block && (grow(count) || evict_one())) block = allocate(count);
  if (!block) return std::nullopt;

  const GLenum target = gl_->is_es ? GL_PIXEL_UNPACK_BUFFER : GL_TEXTURE_BUFFER;
  const GLintptr start = static_cast<GLintptr>(block->first_bone) * kBoneBytes;
  const GLintptr end = start + static_cast<GLintptr>(bones.size_bytes());
  gl_->BindBuffer(target, pages_[block->page].buffer);
  gl_->BufferSubData(target, start, end - start, bones.data());
  if (gl_->is_es) {
    const GLintptr first_row = start / kPaletteRowBytes * kPaletteRowBytes;
    gl_->BindTexture(GL_TEXTURE_2D, pages_[block->page].texture);
    write_palette_texels(*gl_, first_row, whole_rows(end) - first_row,
                         buffer_offset(static_cast<std::size_t>(first_row)));
  }
  if (free_entries_.empty()) {
    free_entries_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.emplace_back();
  }
  const std::uint32_t number = free_entries_.back();
  free_entries_.pop_back();
  Entry& entry = entries_[number];
  entry = {*block, use_, entry.generation + 1, true};
  return Handle{number, entry.generation};
}

void PaletteStore::release(Handle handle) noexcept {
  Entry* const entry = find_entry(handle);
  if (entry == nullptr) return;
  entry->live = false;
  free_entries_.push_back(handle.number);
  auto& holes = pages_[entry->block.page].holes;
  const Hole hole{entry->block.first_bone, entry->block.bone_count};
  auto place = std::ranges::lower_bound(holes, hole.first, {}, &Hole::first);
  place = holes.insert(place, hole);
  if (place + 1 != holes.end() && place->first + place->count == (place + 1)->first) {
    place->count += (place + 1)->count;
    holes.erase(place + 1);
  }
  if (place != holes.begin() && (place - 1)->first + (place - 1)->count == place->first) {
    (place - 1)->count += place->count;
    holes.erase(place);
  }
}

std::optional<PaletteStore::Block> PaletteStore::allocate(std::uint32_t count) {
  for (std::uint32_t page = 0; page < pages_.size(); ++page) {
    auto& holes = pages_[page].holes;
    const auto hole = std::ranges::find_if(holes, [&](const Hole& h) { return h.count >= count; });
    if (hole == holes.end()) continue;
    const Block block{page, hole->first, count};
    hole->first += count;
    hole->count -= count;
    if (hole->count == 0) holes.erase(hole);
    return block;
  }
  return std::nullopt;
}

// Enlarges the last page or adds one. Returns whether that made room.
bool PaletteStore::grow(std::uint32_t count) {
  constexpr std::uint64_t kMinPageBones = 8192;
  std::uint64_t all = 0;
  for (const Page& page : pages_) all += page.capacity;
  const std::uint64_t left = budget_bones_ - std::min(all, budget_bones_);
  if (left == 0) return false;
  const bool last_is_full = pages_.empty() || pages_.back().capacity == max_page_bones_;
  const std::uint32_t before = last_is_full ? 0 : pages_.back().capacity;
  const std::uint64_t wanted = std::bit_ceil(std::max(std::uint64_t{before} + count, kMinPageBones));
  const auto capacity = static_cast<std::uint32_t>(std::min({wanted, std::uint64_t{max_page_bones_}, before + left}));
  if (last_is_full) pages_.emplace_back();
  resize(pages_.back(), capacity);
  return true;
}

void PaletteStore::resize(Page& page, std::uint32_t capacity) {
  const Page before = page;
  const GLenum target = gl_->is_es ? GL_PIXEL_UNPACK_BUFFER : GL_TEXTURE_BUFFER;
  const GLsizeiptr bytes = gl_->is_es ? whole_rows(capacity * kBoneBytes) : capacity * kBoneBytes;
  gl_->GenBuffers(1, &page.buffer);
  gl_->BindBuffer(target, page.buffer);
  gl_->BufferData(target, bytes, nullptr, GL_DYNAMIC_DRAW);
  if (before.capacity > 0) {
    gl_->BindBuffer(GL_ARRAY_BUFFER, before.buffer);
    gl_->CopyBufferSubData(GL_ARRAY_BUFFER, target, 0, 0, before.capacity * kBoneBytes);
  } else {
    gl_->GenTextures(1, &page.texture);
  }
  gl_->BindTexture(palette_target(*gl_), page.texture);
  if (gl_->is_es) {
    define_palette_texture(*gl_, bytes);
  } else {
    gl_->TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, page.buffer);
  }
  gl_->DeleteBuffers(1, &before.buffer);
  page.capacity = capacity;
  if (!page.holes.empty() && page.holes.back().first + page.holes.back().count == before.capacity) {
    page.holes.back().count += capacity - before.capacity;
  } else {
    page.holes.push_back({before.capacity, capacity - before.capacity});
  }
}

bool PaletteStore::evict_one() {
  Entry* oldest = nullptr;
  for (Entry& entry : entries_) {
    if (entry.live && entry.used != use_ && (oldest == nullptr || entry.used < oldest->used)) oldest = &entry;
  }
  if (oldest == nullptr) return false;
  release({static_cast<std::uint32_t>(oldest - entries_.data()), oldest->generation});
  return true;
}

std::uint64_t PaletteStore::gpu_bytes() const noexcept {
  std::uint64_t bones = 0;
  for (const Page& page : pages_) bones += page.capacity;
  return bones * sizeof(BoneTexels);
}

}  // namespace pchr
