// SPDX-License-Identifier: MIT
#include "app/background_image.hpp"

#include "platform/utf8_path.hpp"
namespace pchr::player {
namespace {

namespace fs = std::filesystem;

Expected<Bitmap, std::string> read_image(const fs::path& path) {
  std::error_code error;
  // Reading a pipe could block forever.
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
    return Unexpected(shown_path(path) + ": not a regular file");
  }
  auto bitmap = load_png(utf8_of(path));
  if (!bitmap) return Unexpected(describe(bitmap.error(), shown_path(path.filename())));
  return *std::move(bitmap);
}

}  // namespace

void set_background_image(View& view, const fs::path& path) {
  view.image = absolute_path(path);
  view.background = Background::image;
}

void cycle_background(View& view) {
  const int count = view.image.empty() ? 2 : 3;
  view.background = static_cast<Background>((static_cast<int>(view.background) + 1) % count);
}

bool BackgroundImage::update(App& app, BackgroundPainter& painter) {
  View& view = app.view;
  if (view.image.empty() && view.background == Background::image) view.background = Background::checker;
  if (!busy() && view.image != path_) {
    path_ = view.image;
    if (!path_.empty()) reading_ = std::async(std::launch::async, [path = path_] { return read_image(path); });
  }
  if (!is_ready(reading_)) return false;
  const auto bitmap = reading_.get();
  std::string problem;
  if (!bitmap) {
    problem = bitmap.error();
  } else if (!painter.set_image(*bitmap)) {
    problem = shown_path(path_) + ": too large for this GPU";
  }
  if (problem.empty() || view.image != path_) return true;
  std::error_code error;
  if (fs::exists(path_, error)) app.error = std::move(problem);
  view.image.clear();
  path_.clear();
  if (view.background == Background::image) view.background = Background::checker;
  return true;
}

}  // namespace pchr::player
