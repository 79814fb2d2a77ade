// SPDX-License-Identifier: MIT
// The image behind the character.
#include "background_image.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <utility>
#include <vector>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 28;

/// The four bytes of a PNG file from `at`, the most significant first.
std::uint32_t number_at(const std::vector<std::byte>& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) number = number << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  return number;
}

}  // namespace

std::expected<Bitmap, std::string> read_image(const fs::path& path) {
  constexpr std::size_t kWidth = 16;
  constexpr std::size_t kHeight = 20;
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  if (error) return std::unexpected(fmt::format("{}: {}", shown_path(path), error.message()));
  if (bytes < kHeight + 4 || bytes > kMostBytes) return std::unexpected(shown_path(path) + ": this is not a PNG image");
  Image image;
  image.name = path.filename().string();
  image.bytes.resize(static_cast<std::size_t>(bytes));
  std::ifstream stream(path, std::ios::binary);
  stream.read(reinterpret_cast<char*>(image.bytes.data()), static_cast<std::streamsize>(bytes));
  if (!stream) return std::unexpected(shown_path(path) + ": it cannot be read");
  image.width = number_at(image.bytes, kWidth);
  image.height = number_at(image.bytes, kHeight);
  auto bitmap = decode(image);
  if (!bitmap) return std::unexpected(describe(bitmap.error(), shown_path(path.filename())));
  return *std::move(bitmap);
}

void set_background_image(View& view, const fs::path& path) {
  std::error_code error;
  view.image = fs::absolute(path, error).lexically_normal();
  view.background = Background::image;
}

void cycle_background(View& view) {
  const int count = view.image.empty() ? 2 : 3;
  view.background = static_cast<Background>((static_cast<int>(view.background) + 1) % count);
}

bool BackgroundImage::update(Session& session, BackgroundPainter& painter) {
  View& view = session.view;
  if (view.image.empty() && view.background == Background::image) view.background = Background::checker;
  if (!busy() && view.image != path_) {
    path_ = view.image;
    if (!path_.empty()) reading_ = std::async(std::launch::async, [path = path_] { return read_image(path); });
  }
  if (!busy() || reading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
  const auto bitmap = reading_.get();
  std::string problem;
  if (!bitmap) {
    problem = bitmap.error();
  } else if (!painter.set_image(*bitmap)) {
    problem = shown_path(path_) + ": it is larger than this graphics card takes";
  }
  if (problem.empty() || view.image != path_) return true;
  std::error_code error;
  if (fs::exists(path_, error)) session.error = std::move(problem);
  view.image.clear();
  path_.clear();
  if (view.background == Background::image) view.background = Background::checker;
  return true;
}

}  // namespace pchr::player
