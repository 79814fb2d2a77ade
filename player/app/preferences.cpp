// SPDX-License-Identifier: MIT
// Settings as lines of text.

#include "app/preferences.hpp"

#include "overlays/overlays.hpp"

#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 1 << 20;
constexpr std::string_view kRecentKey = "recent";
constexpr std::string_view kTexturesKey = "textures";  ///< The folder of meshes, a tab, and that of their textures.
constexpr std::array<std::string_view, 2> kSwitch{"off", "on"};
constexpr std::array<std::string_view, 3> kBackgroundNames{"checker", "color", "image"};
constexpr std::array<std::string_view, 2> kImageFills{"cover", "tile"};
constexpr std::array<std::string_view, 4> kTabs{"facts", "inside", "problems", "atlas"};
constexpr std::array<std::string_view, 2> kUpAxisNames{"z", "y"};
constexpr std::array<std::string_view, 4> kQuarterTurnNames{"0", "90", "180", "270"};
constexpr std::array<std::string_view, 2> kBackFaces{"shown", "culled"};
constexpr std::array<std::string_view, 3> kPixelNames{"automatic", "smooth", "hard"};
constexpr std::array<std::string_view, 4> kLoopModeNames{"from-file", "once", "loop", "ping-pong"};
constexpr std::array<std::string_view, 2> kSamplings{"step", "smooth"};
constexpr std::array<std::string_view, 3> kExportClips{"one", "all", "range"};
constexpr std::array<std::string_view, 6> kExportFormats{"apng", "gif", "webp", "png", "y4m", "sheet"};
constexpr std::array<std::string_view, 2> kExportQualities{"lossless", "lossy"};
constexpr std::array<std::string_view, 2> kExportSizings{"scale", "fit"};
constexpr std::array<std::string_view, 2> kExportFrames{"own", "sampled"};
constexpr std::array<std::string_view, 2> kExportBackgrounds{"transparent", "plain"};
constexpr std::array<std::string_view, 3> kExportPlays{"as-clip", "for-ever", "counted"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// Calls `use` with each line's key and value, and with the line; the key is empty where there is none.
template <typename Use>
void for_each_line(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t equals = line.find('=');
    const bool is_setting = equals != std::string_view::npos && !trimmed(line).starts_with('#');
    is_setting ? use(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)), line) : use({}, {}, line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Takes a whole number off the front of `text`.
std::optional<int> take_number(std::string_view& text, int base = 10) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

template <typename T>
void read_choice(std::string_view text, std::span<const std::string_view> names, T& value) {
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) value = static_cast<T>(found - names.begin());
}

template <typename T>
std::string name_of(std::span<const std::string_view> names, T value) {
  return std::string(names[std::min(static_cast<std::size_t>(value), names.size() - 1)]);
}

/// Takes two numbers with `between` between them off the front of `text`.
std::optional<std::pair<int, int>> take_pair(std::string_view& text, char between) {
  const auto first = take_number(text);
  if (!first || !text.starts_with(between)) return std::nullopt;
  text.remove_prefix(1);
  const auto second = take_number(text);
  return second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

bool within(const std::pair<int, int>& numbers, int min, int max) {
  return std::min(numbers.first, numbers.second) >= min && std::max(numbers.first, numbers.second) <= max;
}

void read_window(std::string_view text, WindowPlace& place) {
  const auto size = take_pair(text, 'x');
  if (!size || !within(*size, 100, 100'000)) return;
  place.size = {static_cast<float>(size->first), static_cast<float>(size->second)};
  const auto x = take_number(text);
  const auto y = take_number(text);
  if (x && y) place.corner = Vec2{static_cast<float>(*x), static_cast<float>(*y)};
}

std::string window_text(const WindowPlace& place) {
  std::string text = fmt::format("{:.0f}x{:.0f}", place.size.x, place.size.y);
  if (place.corner) text += fmt::format("{:+.0f}{:+.0f}", place.corner->x, place.corner->y);
  return text;
}

void read_color(std::string_view text, std::array<float, 3>& color) {
  if (text.size() != 7 || !text.starts_with('#')) return;
  text.remove_prefix(1);
  const auto rgb = take_number(text, 16);
  if (!rgb || !text.empty() || *rgb < 0) return;
  for (int i = 0; i < 3; ++i) {
    color[static_cast<std::size_t>(i)] = static_cast<float>(*rgb >> (16 - 8 * i) & 0xFF) / 255.0F;
  }
}

std::string color_text(const std::array<float, 3>& color) {
  std::string text = "#";
  for (const float channel : color) {
    text += fmt::format("{:02x}", static_cast<int>(std::lround(std::clamp(channel, 0.0F, 1.0F) * 255.0F)));
  }
  return text;
}

void read_speed(std::string_view text, double& speed) {
  constexpr int kMax = 800;
  const auto percent = take_number(text);
  if (percent && *percent != 0 && std::abs(*percent) <= kMax) speed = *percent / 100.0;
}

/// The overlays that are on, by their names.
void read_overlays(std::string_view text, View& view) {
  for (const OverlaySwitch& overlay : kOverlaySwitches) view.*overlay.on = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const auto* found = std::ranges::find(kOverlaySwitches, trimmed(text.substr(0, end)), &OverlaySwitch::id);
    if (found != std::end(kOverlaySwitches)) view.*found->on = true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string overlays_text(const View& view) {
  std::string text;
  for (const OverlaySwitch& overlay : kOverlaySwitches) {
    if (view.*overlay.on) text += fmt::format("{}{}", text.empty() ? "" : ", ", overlay.id);
  }
  return text;
}

/// Numbers of frames before and after, such as "2+3".
void read_onion(std::string_view text, View& view) {
  const auto counts = take_pair(text, '+');
  if (!counts || !text.empty() || !within(*counts, 0, static_cast<int>(kMaxOnionFrames))) return;
  view.onion_before = static_cast<std::uint32_t>(counts->first);
  view.onion_after = static_cast<std::uint32_t>(counts->second);
}

std::string onion_text(const View& view) { return fmt::format("{}+{}", view.onion_before, view.onion_after); }

std::string speed_text(double speed) { return fmt::format("{:.0f} %", speed * 100.0); }

void read_texture_folder(std::string_view text, std::vector<TextureFolder>& known) {
  const std::size_t tab = text.find('\t');
  if (tab == std::string_view::npos || known.size() == kMaxTextureFolders) return;
  TextureFolder folder{text.substr(0, tab), text.substr(tab + 1)};
  if (!folder.meshes.is_absolute() || !folder.textures.is_absolute()) return;
  if (std::ranges::find(known, folder) == known.end()) known.push_back(std::move(folder));
}

void read_size(std::string_view text, FrameSize& size) {
  const auto read = take_pair(text, 'x');
  if (!read || !text.empty() || !within(*read, 1, kMaxFrameSide)) return;
  size = {static_cast<std::uint32_t>(read->first), static_cast<std::uint32_t>(read->second)};
}

std::string size_text(const FrameSize& size) { return fmt::format("{}x{}", size.width, size.height); }

void read_path(std::string_view text, fs::path& path) {
  if (fs::path(text).is_absolute()) path = text;
}

std::string path_text(const fs::path& path) {
  return path.native().find('\n') == std::string::npos ? path.native() : std::string();
}

struct Setting {
  std::string_view key;
  void (*read)(std::string_view text, App& app, WindowPlace& place);
  std::string (*write)(const App& app, const WindowPlace& place);
};

/// A setting with its own text; kPlace(app, window) is where it is kept.
template <auto kRead, auto kWrite, auto kPlace>
constexpr Setting text_setting(std::string_view key) {
  return {key, [](std::string_view text, App& app, WindowPlace& window) { kRead(text, kPlace(app, window)); },
          [](const App& app, const WindowPlace& window) { return std::string(kWrite(kPlace(app, window))); }};
}

/// One of some names.
template <const auto& kNames, auto kPlace>
constexpr Setting choice(std::string_view key) {
  return text_setting<[](std::string_view text, auto& value) { read_choice(text, kNames, value); },
                      [](const auto& value) { return name_of(kNames, value); }, kPlace>(key);
}

/// A number within limits.
template <int kMin, int kMax, auto kPlace>
constexpr Setting number(std::string_view key) {
  return text_setting<[](std::string_view text, auto& value) {
    const auto read = take_number(text);
    if (read && text.empty() && *read >= kMin && *read <= kMax) value = *read;
  },
                      [](const auto& value) { return fmt::format("{}", value); }, kPlace>(key);
}

#define PCHR_PLACE(place) [](auto& app [[maybe_unused]], auto& window [[maybe_unused]]) -> auto& { return place; }

constexpr Setting kSettings[] = {
    text_setting<read_window, window_text, PCHR_PLACE(window)>("window"),
    choice<kSwitch, PCHR_PLACE(window.maximized)>("maximized"),
    choice<kSwitch, PCHR_PLACE(app.view.panels)>("panels"),
    choice<kTabs, PCHR_PLACE(app.view.tab)>("tab"),
    choice<kBackgroundNames, PCHR_PLACE(app.view.background)>("background"),
    text_setting<read_color, color_text, PCHR_PLACE(app.view.color)>("color"),
    text_setting<read_path, path_text, PCHR_PLACE(app.view.image)>("image"),
    choice<kImageFills, PCHR_PLACE(app.view.tiled)>("image-fill"),
    choice<kPixelNames, PCHR_PLACE(app.view.pixels)>("pixels"),
    choice<kUpAxisNames, PCHR_PLACE(app.view.turntable.up)>("up-axis"),
    choice<kQuarterTurnNames, PCHR_PLACE(app.view.turntable.quarter_turns)>("stands-at"),
    choice<kBackFaces, PCHR_PLACE(app.view.turntable.cull_back_faces)>("back-faces"),
    text_setting<read_overlays, overlays_text, PCHR_PLACE(app.view)>("overlays"),
    text_setting<read_onion, onion_text, PCHR_PLACE(app.view)>("onion"),
    choice<kLoopModeNames, PCHR_PLACE(app.playback.settings.mode)>("loop"),
    choice<kSamplings, PCHR_PLACE(app.playback.settings.sampling)>("sampling"),
    text_setting<read_speed, speed_text, PCHR_PLACE(app.playback.settings.speed)>("speed"),
    choice<kSwitch, PCHR_PLACE(app.files.reload)>("reload"),
    choice<kExportClips, PCHR_PLACE(app.exports.options.clips)>("export-clips"),
    choice<kExportFormats, PCHR_PLACE(app.exports.options.format)>("export-format"),
    choice<kExportQualities, PCHR_PLACE(app.exports.options.lossy)>("export-webp"),
    number<0, 100, PCHR_PLACE(app.exports.options.quality)>("export-quality"),
    choice<kExportSizings, PCHR_PLACE(app.exports.options.sizing)>("export-sizing"),
    number<1, kMaxExportPercent, PCHR_PLACE(app.exports.options.percent)>("export-percent"),
    text_setting<read_size, size_text, PCHR_PLACE(app.exports.options.size)>("export-size"),
    number<0, kMaxExportMargin, PCHR_PLACE(app.exports.options.margin)>("export-margin"),
    choice<kExportFrames, PCHR_PLACE(app.exports.options.resample)>("export-frames"),
    number<1, kMaxExportRate, PCHR_PLACE(app.exports.options.rate)>("export-rate"),
    choice<kExportBackgrounds, PCHR_PLACE(app.exports.options.opaque)>("export-background"),
    choice<kExportPlays, PCHR_PLACE(app.exports.options.plays)>("export-plays"),
    number<1, kMaxExportTimes, PCHR_PLACE(app.exports.options.times)>("export-times"),
};

#undef PCHR_PLACE

const Setting* find_setting(std::string_view key) {
  const auto* found = std::ranges::find(kSettings, key, &Setting::key);
  return found != std::end(kSettings) ? found : nullptr;
}

}  // namespace

fs::path preferences_file() {
  const char* folder = std::getenv("XDG_CONFIG_HOME");
  if (folder != nullptr && fs::path(folder).is_absolute()) return fs::path(folder) / "pchr" / "player.conf";
  const char* home = std::getenv("HOME");
  if (home == nullptr || !fs::path(home).is_absolute()) return {};
  return fs::path(home) / ".config" / "pchr" / "player.conf";
}

void apply_preferences(std::string_view text, App& app, WindowPlace& place) {
  for_each_line(text, [&](std::string_view key, std::string_view value, std::string_view) {
    if (const Setting* setting = find_setting(key)) setting->read(value, app, place);
    if (key == kTexturesKey) read_texture_folder(value, app.files.texture_folders);
    std::vector<fs::path>& recent = app.files.recent;
    if (key != kRecentKey || recent.size() == kMaxRecentFiles || !fs::path(value).is_absolute()) return;
    if (std::ranges::find(recent, fs::path(value)) == recent.end()) recent.emplace_back(value);
  });
}

std::string describe_preferences(const App& app, const WindowPlace& place, std::string_view before) {
  std::string text;
  for (const Setting& setting : kSettings) text += fmt::format("{} = {}\n", setting.key, setting.write(app, place));
  for (const fs::path& path : app.files.recent) {
    if (path.native().find('\n') == std::string::npos) text += fmt::format("{} = {}\n", kRecentKey, path.native());
  }
  for (const TextureFolder& folder : app.files.texture_folders) {
    const std::string both = folder.meshes.native() + folder.textures.native();
    if (both.find_first_of("\t\n") != std::string::npos) continue;
    text += fmt::format("{} = {}\t{}\n", kTexturesKey, folder.meshes.native(), folder.textures.native());
  }
  for_each_line(before, [&](std::string_view key, std::string_view, std::string_view line) {
    const bool is_known = key == kRecentKey || key == kTexturesKey || find_setting(key) != nullptr;
    if (!trimmed(line).empty() && !is_known) text += fmt::format("{}\n", line);
  });
  return text;
}

std::string read_preferences(const fs::path& file) {
  std::error_code error;
  // The start must not wait for a pipe by that name.
  if (!fs::is_regular_file(file, error)) return {};
  std::ifstream stream(file, std::ios::binary);
  std::string text(kMaxBytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  // Something else by that name.
  if (text.size() == kMaxBytes || text.find('\0') != std::string::npos) text.clear();
  return text;
}

void write_preferences(const fs::path& file, const std::string& text) {
  if (file.empty()) return;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const fs::path beside = file.parent_path() / fmt::format(".player.conf.{}.tmp", getpid());
  {
    std::ofstream stream(beside, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) {
      fs::remove(beside, error);
      return;
    }
  }
  fs::rename(beside, file, error);
  if (error) fs::remove(beside, error);
}

}  // namespace pchr::player
