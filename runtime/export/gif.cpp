// SPDX-License-Identifier: MIT
// Writes GIF89a with giflib. One palette for the whole animation avoids flickering colors.
#include "compiler/once.hpp"
#include "export/encoder.hpp"
#include "export/fail.hpp"
#include "export/palette.hpp"
#include "export/pixels.hpp"
#include "export/timing.hpp"

#include <gif_lib.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace pchr::exporting {
namespace {

class GifFile {
 public:
  explicit GifFile(Bytes& bytes) : file_(EGifOpen(&bytes, append, nullptr)) {
    if (file_ != nullptr) EGifSetGifVersion(file_, true);
  }
  GifFile(const GifFile&) = delete;
  GifFile& operator=(const GifFile&) = delete;
  ~GifFile() { (void)close(); }

  [[nodiscard]] GifFileType* get() const { return file_; }
  /// Writes the trailer. Returns whether that succeeded.
  bool close() { return file_ == nullptr || EGifCloseFile(std::exchange(file_, nullptr), nullptr) == GIF_OK; }

 private:
  static int append(GifFileType* file, const GifByteType* data, int count) {
    auto& bytes = *static_cast<Bytes*>(file->UserData);
    const auto more = std::as_bytes(std::span(data, static_cast<std::size_t>(count)));
    bytes.insert(bytes.end(), more.begin(), more.end());
    return count;
  }

  GifFileType* file_;
};

class GifEncoder : public Encoder {
 public:
  GifEncoder(const AnimationInfo& info, const std::optional<Rgb>& matte)
      : info_(info), matte_(matte), timing_(timing_of(info, AnimationFormat::gif)) {}

  [[nodiscard]] bool scans() const override { return true; }
  void scan(const Frame& frame) override { counts_.add(*frame.pixels, matte_); }

  // Encodes a file of one frame, then removes the header from all but the first and the trailer from all but the last.
  ExportResult<Bytes> encode(const Frame& frame) override {
    chosen_.call([this] { choose_palette(); });
    Bytes bytes;
    GifFile file(bytes);
    if (file.get() == nullptr || !put_header(file.get())) return fail("giflib cannot write the header");
    if (frame.index > 0) bytes.clear();
    if (!put_frame(file.get(), frame)) return fail("giflib cannot encode a frame");
    const std::size_t end = bytes.size();
    if (!file.close()) return fail("giflib cannot write the trailer");
    if (frame.index + 1 < info_.frame_ends.size()) bytes.resize(end);
    return bytes;
  }

 private:
  // The index after the last color is transparent.
  void choose_palette() {
    std::vector<Rgb> palette = counts_.choose_palette(255);
    transparent_ = static_cast<GifPixelType>(palette.size());
    const unsigned bits = std::max(2U, static_cast<unsigned>(std::bit_width(palette.size())));
    for (const Rgb& color : palette) table_.push_back({color[0], color[1], color[2]});
    table_.resize(std::size_t{1} << bits);
    index_.emplace(std::move(palette));
  }

  bool put_header(GifFileType* file) {
    // giflib does not modify the table.
    ColorMapObject map{static_cast<int>(table_.size()), std::countr_zero(table_.size()), false, table_.data()};
    if (EGifPutScreenDesc(file, static_cast<int>(info_.width), static_cast<int>(info_.height), map.BitsPerPixel,
                          transparent_, &map) != GIF_OK) {
      return false;
    }
    if (info_.plays == 1) return true;
    const unsigned repeats = info_.plays == 0 ? 0 : std::min(info_.plays - 1, 65535U);
    const std::array<GifByteType, 3> loop{1, static_cast<GifByteType>(repeats & 255U),
                                          static_cast<GifByteType>(repeats >> 8U)};
    return EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(file, 3, loop.data()) == GIF_OK && EGifPutExtensionTrailer(file) == GIF_OK;
  }

  bool put_frame(GifFileType* file, const Frame& frame) {
    const Area area = area_of(frame);
    const GraphicsControlBlock control{counts_.all_opaque() ? DISPOSE_DO_NOT : DISPOSE_BACKGROUND, false,
                                       static_cast<int>(std::min(timing_.ticks[frame.index], 65535U)), transparent_};
    std::array<GifByteType, 4> extension{};
    EGifGCBToExtension(&control, extension.data());
    std::vector<GifPixelType> indices = indices_of(*frame.pixels, area);
    return EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, extension.data()) == GIF_OK &&
           EGifPutImageDesc(file, static_cast<int>(area.x), static_cast<int>(area.y), static_cast<int>(area.width),
                            static_cast<int>(area.height), false, nullptr) == GIF_OK &&
           EGifPutLine(file, indices.data(), static_cast<int>(indices.size())) == GIF_OK;
  }

  // GIF can only make a drawn pixel transparent again by clearing its whole frame.
  [[nodiscard]] Area area_of(const Frame& frame) const {
    Area area = !counts_.all_opaque() ? visible_area(*frame.pixels)
                : frame.previous      ? changed_area(*frame.pixels, *frame.previous)
                                      : whole(*frame.pixels);
    if (area.width == 0) area = {0, 0, 1, 1};
    return area;
  }

  [[nodiscard]] std::vector<GifPixelType> indices_of(const Bitmap& bitmap, const Area& area) const {
    std::vector<GifPixelType> indices;
    indices.reserve(std::size_t{area.width} * area.height);
    const std::uint8_t* known = nullptr;
    for (std::size_t y = area.y; y < area.y + area.height; ++y) {
      const std::uint8_t* pixel = &bitmap.rgba[(y * bitmap.width + area.x) * 4];
      for (std::uint32_t x = 0; x < area.width; ++x, pixel += 4) {
        if (known != nullptr && std::memcmp(pixel, known, 4) == 0) {
          indices.push_back(indices.back());
          continue;
        }
        const Flat flat = flatten(pixel, matte_);
        indices.push_back(flat.opaque ? index_->nearest(flat.color) : transparent_);
        known = pixel;
      }
    }
    return indices;
  }

  AnimationInfo info_;
  std::optional<Rgb> matte_;
  Timing timing_;
  ColorCounts counts_;
  Once chosen_;
  std::optional<PaletteIndex> index_;
  GifPixelType transparent_ = 0;
  std::vector<GifColorType> table_;
};

}  // namespace

EncoderPointer make_gif_encoder(const AnimationInfo& info, const EncoderOptions& options) {
  return std::make_shared<GifEncoder>(info, options.gif_matte);
}

}  // namespace pchr::exporting
