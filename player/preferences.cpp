// SPDX-License-Identifier: MIT
// Settings as lines of text.
#include "preferences.hpp"

#include "overlays/switches.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <span>
#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::string_view kRecentKey = "recent";
constexpr std::string_view kTexturesKey = "textures";  ///< The folder of meshes, a tab, and that of their textures.
constexpr std::array<std::string_view, 2> kSwitch{"off", "on"};
constexpr std::array<std::string_view, 3> kBackgrounds{"checker", "colour", "image"};
constexpr std::array<std::string_view, 2> kImageFills{"cover", "tile"};
constexpr std::array<std::string_view, 4> kTabs{"facts", "inside", "problems", "atlas"};
constexpr std::array<std::string_view, 2> kUpAxes{"z", "y"};
constexpr std::array<std::string_view, 4> kQuarterTurns{"0", "90", "180", "270"};
constexpr std::array<std::string_view, 2> kBackFaces{"shown", "culled"};
constexpr std::array<std::string_view, 3> kPixels{"automatic", "smooth", "hard"};
constexpr std::array<std::string_view, 4> kLoopModes{"from-file", "once", "loop", "ping-pong"};
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

void read_window(std::string_view text, WindowPlace& place) {
  constexpr int kSmallest = 100;
  constexpr int kLargest = 100'000;
  const auto width = take_number(text);
  if (!width || !text.starts_with('x')) return;
  text.remove_prefix(1);
  const auto height = take_number(text);
  if (!height || std::min(*width, *height) < kSmallest || std::max(*width, *height) > kLargest) return;
  place.size = {static_cast<float>(*width), static_cast<float>(*height)};
  const auto x = take_number(text);
  const auto y = take_number(text);
  if (x && y) place.corner = Vec2{static_cast<float>(*x), static_cast<float>(*y)};
}

std::string window_text(const WindowPlace& place) {
  std::string text = fmt::format("{:.0f}x{:.0f}", place.size.x, place.size.y);
  if (place.corner) text += fmt::format("{:+.0f}{:+.0f}", place.corner->x, place.corner->y);
  return text;
}

void read_colour(std::string_view text, std::array<float, 3>& colour) {
  if (text.size() != 7 || !text.starts_with('#')) return;
  text.remove_prefix(1);
  const auto rgb = take_number(text, 16);
  if (!rgb || !text.empty() || *rgb < 0) return;
  for (int i = 0; i < 3; ++i) {
    colour[static_cast<std::size_t>(i)] = static_cast<float>(*rgb >> (16 - 8 * i) & 0xFF) / 255.0F;
  }
}

std::string colour_text(const std::array<float, 3>& colour) {
  std::string text = "#";
  for (const float channel : colour) {
    text += fmt::format("{:02x}", static_cast<int>(std::lround(std::clamp(channel, 0.0F, 1.0F) * 255.0F)));
  }
  return text;
}

void read_speed(std::string_view text, double& speed) {
  constexpr int kMost = 800;
  const auto percent = take_number(text);
  if (percent && *percent != 0 && std::abs(*percent) <= kMost) speed = *percent / 100.0;
}

/// The overlays that are on, by their names.
void read_overlays(std::string_view text, View& view) {
  for (const OverlaySwitch& overlay : kOverlaySwitches) view.*overlay.on = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const auto* found = std::ranges::find(kOverlaySwitches, trimmed(text.substr(0, end)), &OverlaySwitch::setting);
    if (found != std::end(kOverlaySwitches)) view.*found->on = true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string overlays_text(const View& view) {
  std::string text;
  for (const OverlaySwitch& overlay : kOverlaySwitches) {
    if (view.*overlay.on) text += fmt::format("{}{}", text.empty() ? "" : ", ", overlay.setting);
  }
  return text;
}

/// Numbers of frames before and after, such as "2+3".
void read_onion(std::string_view text, View& view) {
  const auto before = take_number(text);
  const auto after = take_number(text);
  const auto fits = [](std::optional<int> count) {
    return count && *count >= 0 && *count <= static_cast<int>(kMostOnionFrames);
  };
  if (!fits(before) || !fits(after) || !text.empty()) return;
  view.onion_before = static_cast<std::uint32_t>(*before);
  view.onion_after = static_cast<std::uint32_t>(*after);
}

void read_texture_folder(std::string_view text, std::vector<TextureFolder>& known) {
  const std::size_t tab = text.find('\t');
  if (tab == std::string_view::npos || known.size() == kMaxTextureFolders) return;
  TextureFolder folder{text.substr(0, tab), text.substr(tab + 1)};
  if (!folder.meshes.is_absolute() || !folder.textures.is_absolute()) return;
  if (std::ranges::find(known, folder) == known.end()) known.push_back(std::move(folder));
}

struct Setting {
  std::string_view key;
  void (*read)(std::string_view text, Session& session, WindowPlace& place);
  std::string (*write)(const Session& session, const WindowPlace& place);
};

/// A choice and a number of the export's options.
template <const auto& kNames, auto kMember>
constexpr Setting export_choice(std::string_view key) {
  return {key,
          [](std::string_view text, Session& session, WindowPlace&) {
            read_choice(text, kNames, session.exports.options.*kMember);
          },
          [](const Session& session, const WindowPlace&) { return name_of(kNames, session.exports.options.*kMember); }};
}

template <auto kMember, int kLeast, int kMost>
constexpr Setting export_number(std::string_view key) {
  return {
      key,
      [](std::string_view text, Session& session, WindowPlace&) {
        const auto number = take_number(text);
        if (number && text.empty() && *number >= kLeast && *number <= kMost) {
          session.exports.options.*kMember = *number;
        }
      },
      [](const Session& session, const WindowPlace&) { return fmt::format("{}", session.exports.options.*kMember); }};
}

void read_export_size(std::string_view text, film::Size& size) {
  const auto width = take_number(text);
  if (!width || !text.starts_with('x')) return;
  text.remove_prefix(1);
  const auto height = take_number(text);
  constexpr int kMost = film::kMaxSide;
  if (!height || !text.empty() || std::min(*width, *height) < 1 || std::max(*width, *height) > kMost) return;
  size = {static_cast<std::uint32_t>(*width), static_cast<std::uint32_t>(*height)};
}

constexpr Setting kSettings[] = {
    {"window", [](std::string_view text, Session&, WindowPlace& place) { read_window(text, place); },
     [](const Session&, const WindowPlace& place) { return window_text(place); }},
    {"maximised",
     [](std::string_view text, Session&, WindowPlace& place) { read_choice(text, kSwitch, place.maximised); },
     [](const Session&, const WindowPlace& place) { return name_of(kSwitch, place.maximised); }},
    {"panels",
     [](std::string_view text, Session& session, WindowPlace&) { read_choice(text, kSwitch, session.view.panels); },
     [](const Session& session, const WindowPlace&) { return name_of(kSwitch, session.view.panels); }},
    {"tab", [](std::string_view text, Session& session, WindowPlace&) { read_choice(text, kTabs, session.view.tab); },
     [](const Session& session, const WindowPlace&) { return name_of(kTabs, session.view.tab); }},
    {"background",
     [](std::string_view text, Session& session, WindowPlace&) {
       read_choice(text, kBackgrounds, session.view.background);
     },
     [](const Session& session, const WindowPlace&) { return name_of(kBackgrounds, session.view.background); }},
    {"colour", [](std::string_view text, Session& session, WindowPlace&) { read_colour(text, session.view.colour); },
     [](const Session& session, const WindowPlace&) { return colour_text(session.view.colour); }},
    {"image",
     [](std::string_view text, Session& session, WindowPlace&) {
       if (fs::path(text).is_absolute()) session.view.image = text;
     },
     [](const Session& session, const WindowPlace&) {
       const std::string path = session.view.image.native();
       return path.find('\n') == std::string::npos ? path : std::string();
     }},
    {"image-fill",
     [](std::string_view text, Session& session, WindowPlace&) { read_choice(text, kImageFills, session.view.tiled); },
     [](const Session& session, const WindowPlace&) { return name_of(kImageFills, session.view.tiled); }},
    {"pixels",
     [](std::string_view text, Session& session, WindowPlace&) { read_choice(text, kPixels, session.view.pixels); },
     [](const Session& session, const WindowPlace&) { return name_of(kPixels, session.view.pixels); }},
    {"up-axis",
     [](std::string_view text, Session& session, WindowPlace&) {
       read_choice(text, kUpAxes, session.view.turntable.up);
     },
     [](const Session& session, const WindowPlace&) { return name_of(kUpAxes, session.view.turntable.up); }},
    {"stands-at",
     [](std::string_view text, Session& session, WindowPlace&) {
       read_choice(text, kQuarterTurns, session.view.turntable.quarter_turns);
     },
     [](const Session& session, const WindowPlace&) {
       return name_of(kQuarterTurns, session.view.turntable.quarter_turns);
     }},
    {"back-faces",
     [](std::string_view text, Session& session, WindowPlace&) {
       read_choice(text, kBackFaces, session.view.turntable.cull_back_faces);
     },
     [](const Session& session, const WindowPlace&) {
       return name_of(kBackFaces, session.view.turntable.cull_back_faces);
     }},
    {"overlays", [](std::string_view text, Session& session, WindowPlace&) { read_overlays(text, session.view); },
     [](const Session& session, const WindowPlace&) { return overlays_text(session.view); }},
    {"onion", [](std::string_view text, Session& session, WindowPlace&) { read_onion(text, session.view); },
     [](const Session& session, const WindowPlace&) {
       return fmt::format("{}+{}", session.view.onion_before, session.view.onion_after);
     }},
    {"loop",
     [](std::string_view text, Session& session, WindowPlace&) {
       read_choice(text, kLoopModes, session.playback.mode);
     },
     [](const Session& session, const WindowPlace&) { return name_of(kLoopModes, session.playback.mode); }},
    {"sampling",
     [](std::string_view text, Session& session, WindowPlace&) {
       read_choice(text, kSamplings, session.playback.sampling);
     },
     [](const Session& session, const WindowPlace&) { return name_of(kSamplings, session.playback.sampling); }},
    {"speed", [](std::string_view text, Session& session, WindowPlace&) { read_speed(text, session.playback.speed); },
     [](const Session& session, const WindowPlace&) {
       return fmt::format("{:.0f} %", session.playback.speed * 100.0);
     }},
    {"reload",
     [](std::string_view text, Session& session, WindowPlace&) { read_choice(text, kSwitch, session.files.reload); },
     [](const Session& session, const WindowPlace&) { return name_of(kSwitch, session.files.reload); }},
    export_choice<kExportClips, &ExportOptions::clips>("export-clips"),
    export_choice<kExportFormats, &ExportOptions::format>("export-format"),
    export_choice<kExportQualities, &ExportOptions::lossy>("export-webp"),
    export_number<&ExportOptions::quality, 0, 100>("export-quality"),
    export_choice<kExportSizings, &ExportOptions::sizing>("export-sizing"),
    export_number<&ExportOptions::percent, 1, kMostExportPercent>("export-percent"),
    {"export-size",
     [](std::string_view text, Session& session, WindowPlace&) {
       read_export_size(text, session.exports.options.size);
     },
     [](const Session& session, const WindowPlace&) {
       const film::Size& size = session.exports.options.size;
       return fmt::format("{}x{}", size.width, size.height);
     }},
    export_number<&ExportOptions::margin, 0, kMostExportMargin>("export-margin"),
    export_choice<kExportFrames, &ExportOptions::resample>("export-frames"),
    export_number<&ExportOptions::rate, 1, kMostExportRate>("export-rate"),
    export_choice<kExportBackgrounds, &ExportOptions::opaque>("export-background"),
    export_choice<kExportPlays, &ExportOptions::plays>("export-plays"),
    export_number<&ExportOptions::times, 1, kMostExportTimes>("export-times"),
};

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

void apply_preferences(std::string_view text, Session& session, WindowPlace& place) {
  for_each_line(text, [&](std::string_view key, std::string_view value, std::string_view) {
    if (const Setting* setting = find_setting(key)) setting->read(value, session, place);
    if (key == kTexturesKey) read_texture_folder(value, session.files.texture_folders);
    std::vector<fs::path>& recent = session.files.recent;
    if (key != kRecentKey || recent.size() == kMostRecentFiles || !fs::path(value).is_absolute()) return;
    if (std::ranges::find(recent, fs::path(value)) == recent.end()) recent.emplace_back(value);
  });
}

std::string describe_preferences(const Session& session, const WindowPlace& place, std::string_view before) {
  std::string text;
  for (const Setting& setting : kSettings) text += fmt::format("{} = {}\n", setting.key, setting.write(session, place));
  for (const fs::path& path : session.files.recent) {
    if (path.native().find('\n') == std::string::npos) text += fmt::format("{} = {}\n", kRecentKey, path.native());
  }
  for (const TextureFolder& folder : session.files.texture_folders) {
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
  std::string text(kMostBytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  // Something else by that name.
  if (text.size() == kMostBytes || text.find('\0') != std::string::npos) text.clear();
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
