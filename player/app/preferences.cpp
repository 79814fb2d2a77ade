// SPDX-License-Identifier: MIT
#include "app/preferences.hpp"

#include "overlays/overlays.hpp"
#include "platform/utf8_path.hpp"
#include "ui/app.hpp"

#include <charconv>
#include <cmath>
#include <fstream>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRecentKey = "recent";
constexpr std::string_view kPresetKey = "export-preset";  ///< Value: name, tab, key=value, tab, key=value and so on.
constexpr std::string_view kTexturesKey = "textures";     ///< Value: mesh folder, tab, texture folder.

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// Calls `use` with each line's key, value and text. The key is empty for a line that is not a setting.
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

/// Removes a whole number from the front of `text`.
std::optional<int> take_number(std::string_view& text, int base = 10) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Removes two numbers in [min, max], separated by `between`, from the front of `text`.
std::optional<glm::ivec2> take_pair(std::string_view& text, char between, int min, int max) {
  const auto first = take_number(text);
  if (!first || !text.starts_with(between)) return std::nullopt;
  text.remove_prefix(1);
  const auto second = take_number(text);
  if (!second || std::min(*first, *second) < min || std::max(*first, *second) > max) return std::nullopt;
  return glm::ivec2{*first, *second};
}

void read_texture_folder(std::string_view text, std::vector<TextureFolder>& known) {
  const std::size_t tab = text.find('\t');
  if (tab == std::string_view::npos || known.size() == kMaxTextureFolders) return;
  TextureFolder folder{path_from_utf8(text.substr(0, tab)), path_from_utf8(text.substr(tab + 1))};
  if (!folder.meshes.is_absolute() || !folder.textures.is_absolute()) return;
  if (std::ranges::find(known, folder) == known.end()) known.push_back(std::move(folder));
}

/// Converts between a value and its text.
template <typename Read, typename Write>
struct Text {
  Read read;
  Write write;
};

const Text kWindow{[](std::string_view text, WindowPlace& place) {
                     const auto size = take_pair(text, 'x', 100, 100'000);
                     if (!size) return;
                     place.size = *size;
                     const auto x = take_number(text);
                     const auto y = take_number(text);
                     if (x && y) place.corner = Vec2{*x, *y};
                   },
                   [](const WindowPlace& place) {
                     std::string text = fmt::format("{:.0f}x{:.0f}", place.size.x, place.size.y);
                     if (place.corner) text += fmt::format("{:+.0f}{:+.0f}", place.corner->x, place.corner->y);
                     return text;
                   }};

const Text kColor{[](std::string_view text, std::array<float, 3>& color) {
                    if (text.size() != 7 || !text.starts_with('#')) return;
                    text.remove_prefix(1);
                    const auto rgb = take_number(text, 16);
                    if (!rgb || !text.empty() || *rgb < 0) return;
                    for (std::size_t i = 0; i < 3; ++i)
                      color[i] = static_cast<float>(*rgb >> (16 - 8 * i) & 0xFF) / 255.0F;
                  },
                  [](const std::array<float, 3>& color) {
                    std::array<long, 3> rgb{};
                    for (std::size_t i = 0; i < 3; ++i) rgb[i] = std::lround(std::clamp(color[i], 0.0F, 1.0F) * 255.0F);
                    return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
                  }};

const Text kSpeed{[](std::string_view text, double& speed) {
                    const auto percent = take_number(text);
                    if (percent && *percent != 0 && std::abs(*percent) <= kMaxSpeed * 100) speed = *percent / 100.0;
                  },
                  [](double speed) { return fmt::format("{:.0f} %", speed * 100.0); }};

/// The number of frames before and after, such as "2+3".
const Text kOnion{[](std::string_view text, View& view) {
                    const auto counts = take_pair(text, '+', 0, static_cast<int>(kMaxOnionFrames));
                    if (!counts || !text.empty()) return;
                    view.onion_before = static_cast<std::uint32_t>(counts->x);
                    view.onion_after = static_cast<std::uint32_t>(counts->y);
                  },
                  [](const View& view) { return fmt::format("{}+{}", view.onion_before, view.onion_after); }};

const Text kSize{[](std::string_view text, FrameSize& size) {
                   const auto read = take_pair(text, 'x', 1, kMaxFrameSide);
                   if (read && text.empty())
                     size = {static_cast<std::uint32_t>(read->x), static_cast<std::uint32_t>(read->y)};
                 },
                 [](const FrameSize& size) { return fmt::format("{}x{}", size.width, size.height); }};

const Text kPath{[](std::string_view text, fs::path& path) {
                   if (fs::path read = path_from_utf8(text); read.is_absolute()) path = std::move(read);
                 },
                 [](const fs::path& path) {
                   std::string text = utf8_of(path);
                   return text.find('\n') == std::string::npos ? text : std::string();
                 }};

const Text kInterfaceScale{
    [](std::string_view text, int& percent) {
      const auto read = take_number(text);
      if (text == "automatic") percent = 0;
      if (read && text.empty() && std::ranges::find(kInterfacePercents, *read) != kInterfacePercents.end())
        percent = *read;
    },
    [](int percent) { return percent == 0 ? std::string("automatic") : fmt::to_string(percent); }};

auto one_of(std::initializer_list<std::string_view> names) {
  return Text{[=](std::string_view text, auto& value) {
                const auto* found = std::ranges::find(names, text);
                if (found != names.end())
                  value = static_cast<std::remove_cvref_t<decltype(value)>>(found - names.begin());
              },
              [=](auto value) { return names.begin()[std::min(static_cast<std::size_t>(value), names.size() - 1)]; }};
}

auto number(int min, int max) {
  return Text{[=](std::string_view text, auto& value) {
                const auto read = take_number(text);
                if (read && text.empty() && *read >= min && *read <= max)
                  value = static_cast<std::remove_cvref_t<decltype(value)>>(*read);
              },
              [](auto value) { return fmt::to_string(value); }};
}

/// A panel's size in design units, at least `min`.
auto size_within(float min) {
  constexpr int kMax = 4000;
  return Text{[=](std::string_view text, float& value) {
                const auto read = take_number(text);
                if (read && text.empty() && *read >= static_cast<int>(min) && *read <= kMax)
                  value = static_cast<float>(*read);
              },
              [](float value) { return fmt::format("{:.0f}", value); }};
}

/// The names of those switches of `Owner` that are on, with commas. on(owner, switch) is a switch of the owner.
template <typename Switches, typename On>
auto names_of(const Switches& switches, const On& on) {
  return Text{[&switches, on](std::string_view text, auto& owner) {
                for (const auto& each : switches) on(owner, each) = false;
                while (!text.empty()) {
                  const std::size_t end = std::min(text.find(','), text.size());
                  for (const auto& each : switches) {
                    if (each.id == trimmed(text.substr(0, end))) on(owner, each) = true;
                  }
                  text.remove_prefix(std::min(end + 1, text.size()));
                }
              },
              [&switches, on](auto owner) {
                std::string text;
                for (const auto& each : switches) {
                  if (on(owner, each)) text += fmt::format("{}{}", text.empty() ? "" : ", ", each.id);
                }
                return text;
              }};
}

struct Fold {
  std::string_view id;
  bool& (*of)(Arrangement&);
};
constexpr Fold kFolds[] = {{"left", [](Arrangement& all) -> bool& { return all.folded[0]; }},
                           {"right", [](Arrangement& all) -> bool& { return all.folded[1]; }},
                           {"bottom", [](Arrangement& all) -> bool& { return all.folded[2]; }},
                           {"cast", [](Arrangement& all) -> bool& { return all.cast_folded; }},
                           {"view", [](Arrangement& all) -> bool& { return all.view_folded; }}};

constexpr std::string_view kSizeKey = "export-size";

/// Reads a setting, or ignores an invalid value or an unknown key.
void read_export_setting(std::string_view key, std::string_view text, ExportOptions& options) {
  const auto settings = export_settings();
  const auto setting = std::ranges::find(settings, key, &ExportSetting::key);
  if (key.empty() || setting == settings.end()) return;
  if (key == kSizeKey) return kSize.read(text, options.size);
  if (!setting->choices.empty()) {
    const auto found = std::ranges::find(setting->choices, text, &ExportChoice::name);
    if (found != setting->choices.end())
      setting->value.set(options, static_cast<int>(found - setting->choices.begin()));
    return;
  }
  const auto read = take_number(text);
  if (read && text.empty() && *read >= setting->min && *read <= setting->max) setting->value.set(options, *read);
}

/// Describes all settings, each as before, key, between and value.
std::string export_text(const ExportOptions& options, std::string_view before, std::string_view between,
                        std::string_view after) {
  std::string text;
  for (const ExportSetting& setting : export_settings()) {
    if (setting.key.empty()) continue;
    const int value = setting.value.get(options);
    const std::string shown = setting.key == kSizeKey   ? kSize.write(options.size)
                              : setting.choices.empty() ? fmt::to_string(value)
                                                        : setting.choices[static_cast<std::size_t>(value)].name;
    text += fmt::format("{}{}{}{}{}", before, setting.key, between, shown, after);
  }
  return text;
}

/// Reads the name and the options of a preset, separated by tabs.
void read_preset(std::string_view text, ExportDialog& exports) {
  const std::size_t name_end = std::min(text.find('\t'), text.size());
  ExportDialog read{.presets = std::move(exports.presets)};
  const std::string_view name = text.substr(0, name_end);
  for (text.remove_prefix(name_end); !text.empty();) {
    text.remove_prefix(1);
    const std::string_view option = text.substr(0, text.find('\t'));
    text.remove_prefix(option.size());
    const std::size_t equals = std::min(option.find('='), option.size());
    read_export_setting(option.substr(0, equals), option.substr(std::min(equals + 1, option.size())), read.options);
  }
  // Of two players that saved one under the same name, the last one's comes first.
  const bool is_new = std::ranges::find(read.presets, name, &ExportPreset::name) == read.presets.end();
  if (is_new) save_preset(read, name);
  exports.presets = std::move(read.presets);
}

/// Visits the key, value and text conversion of each setting.
template <typename AnyApp, typename Place, typename Visit>
void for_each_setting(AnyApp& app, Place& window, const Visit& visit) {
  auto& view = app.view;
  visit("window", window, kWindow);
  visit("maximized", window.maximized, one_of({"off", "on"}));
  auto& arrangement = app.arrangement;
  visit("left-width", arrangement.sizes[0], size_within(kDockMinimums[0]));
  visit("right-width", arrangement.sizes[1], size_within(kDockMinimums[1]));
  visit("bottom-height", arrangement.sizes[2], size_within(kDockMinimums[2]));
  visit("cast-height", arrangement.cast_height, size_within(kUpperMinimum));
  visit("view-height", arrangement.view_height, size_within(kUpperMinimum));
  visit("folded", arrangement,
        names_of(kFolds, [](Arrangement& all, const Fold& fold) -> bool& { return fold.of(all); }));
  visit("interface-scale", app.interface_percent, kInterfaceScale);
  visit("tab", view.tab, one_of({"facts", "inside", "problems", "atlas"}));
  visit("background", view.background, one_of({"checker", "color", "image"}));
  visit("color", view.color, kColor);
  visit("image", view.image, kPath);
  visit("image-fill", view.tiled, one_of({"cover", "tile"}));
  visit("pixels", view.pixels, one_of({"automatic", "smooth", "hard"}));
  visit("up-axis", view.turntable.up, one_of({"z", "y"}));
  visit("stands-at", view.turntable.quarter_turns, one_of({"0", "90", "180", "270"}));
  visit("back-faces", view.turntable.cull_back_faces, one_of({"shown", "culled"}));
  visit("overlays", view,
        names_of(kOverlaySwitches, [](View& all, const OverlaySwitch& overlay) -> bool& { return all.*overlay.on; }));
  visit("onion", view, kOnion);
  visit("keep-playback", app.playback.keeps_settings, one_of({"off", "on"}));
  visit("loop", app.playback.settings.mode, one_of({"from-file", "once", "loop", "ping-pong"}));
  visit("sampling", app.playback.settings.sampling, one_of({"step", "smooth"}));
  visit("speed", app.playback.settings.speed, kSpeed);
  visit("loop-counted", app.playback.settings.counted, one_of({"off", "on"}));
  visit("loop-count", app.playback.settings.times, number(1, static_cast<int>(kMaxTimes)));
  visit("hold", app.playback.settings.hold, number(1, static_cast<int>(kMaxHold)));
  visit("reload", app.requests.reload, one_of({"off", "on"}));
  visit("screenshots", app.screenshots_in, one_of({"beside-file", "images", "chosen"}));
  visit("screenshot-folder", app.screenshot_folder, kPath);
}

}  // namespace

void apply_preferences(std::string_view text, App& app, WindowPlace& place) {
  for_each_line(text, [&](std::string_view key, std::string_view value, std::string_view) {
    for_each_setting(app, place, [&](std::string_view name, auto& setting, const auto& format) {
      if (name == key) format.read(value, setting);
    });
    read_export_setting(key, value, app.exports.options);
    if (key == kTexturesKey) read_texture_folder(value, app.requests.texture_folders);
    if (key == kPresetKey) read_preset(value, app.exports);
    std::vector<fs::path>& recent = app.requests.recent;
    if (key != kRecentKey || recent.size() == kMaxRecentFiles) return;
    fs::path path = path_from_utf8(value);
    if (path.is_absolute() && std::ranges::find(recent, path) == recent.end()) recent.push_back(std::move(path));
  });
  if (!app.playback.keeps_settings) app.playback.settings = {};
}

std::string describe_preferences(const App& app, const WindowPlace& place, std::string_view before) {
  std::string text;
  std::vector<std::string_view> known{kRecentKey, kTexturesKey, kPresetKey};
  for_each_setting(app, place, [&](std::string_view key, const auto& setting, const auto& format) {
    text += fmt::format("{} = {}\n", key, format.write(setting));
    known.push_back(key);
  });
  text += export_text(app.exports.options, "", " = ", "\n");
  for (const ExportSetting& setting : export_settings()) {
    if (!setting.key.empty()) known.push_back(setting.key);
  }
  for (const fs::path& path : app.requests.recent) {
    if (const std::string shown = kPath.write(path); !shown.empty())
      text += fmt::format("{} = {}\n", kRecentKey, shown);
  }
  for (const TextureFolder& folder : app.requests.texture_folders) {
    const std::string meshes = utf8_of(folder.meshes);
    const std::string textures = utf8_of(folder.textures);
    if ((meshes + textures).find_first_of("\t\n") != std::string::npos) continue;
    text += fmt::format("{} = {}\t{}\n", kTexturesKey, meshes, textures);
  }
  for (const ExportPreset& preset : app.exports.presets) {
    text += fmt::format("{} = {}{}\n", kPresetKey, preset.name, export_text(preset.options, "\t", "=", ""));
  }
  for_each_line(before, [&](std::string_view key, std::string_view, std::string_view line) {
    const bool is_known = std::ranges::find(known, key) != known.end();
    if (!trimmed(line).empty() && !is_known) text += fmt::format("{}\n", line);
  });
  return text;
}

std::string merge_preferences(std::string_view base, std::string_view ours, std::string_view theirs) {
  // All lines of each key, in the order of the keys. A key can have several lines.
  struct Lines {
    std::string_view key;
    std::vector<std::string_view> lines{};
  };
  using Keys = std::vector<Lines>;
  const auto lines_of = [](Keys& all, std::string_view key) -> std::vector<std::string_view>& {
    const auto found = std::ranges::find(all, key, &Lines::key);
    return found != all.end() ? found->lines : all.emplace_back(key).lines;
  };
  const auto split = [&](std::string_view text) {
    Keys all;
    for_each_line(text, [&](std::string_view key, std::string_view, std::string_view line) {
      lines_of(all, key).push_back(line);
    });
    return all;
  };
  const auto has = [](const auto& lines, std::string_view line) {
    return std::ranges::find(lines, line) != lines.end();
  };
  Keys before = split(base), mine = split(ours), others = split(theirs);
  for (auto& [key, lines] : others) {
    std::vector<std::string_view>& own = lines_of(mine, key);
    const std::vector<std::string_view>& old = lines_of(before, key);
    if (own == old) {
      own = lines;
    } else if (key == kRecentKey || key == kTexturesKey || key == kPresetKey) {
      // Both added to a list, or removed from it.
      std::erase_if(own, [&](std::string_view line) { return has(old, line) && !has(lines, line); });
      for (const std::string_view line : lines) {
        if (!has(old, line) && !has(own, line)) own.push_back(line);
      }
    }
  }
  std::string text;
  for (const auto& [key, lines] : mine) {
    for (const std::string_view line : lines) text += fmt::format("{}\n", line);
  }
  return text;
}

PreferencesSaver::PreferencesSaver(App& app) {
  const std::string text = read_text_file(file_);
  apply_preferences(text, app, place_);
  known_ = describe_preferences(app, place_, text);
}

void PreferencesSaver::update(App& app, const WindowPlace& place, double now) {
  due_ = std::numeric_limits<double>::infinity();
  if (app.document()) {
    RigEditor& rig = app.document()->rig;
    const std::string before = rig.autosave_error;
    keep_unsaved_rig(*app.document());
    if (!rig.autosave_error.empty()) due_ = now + kRetryDelay;
    if (!rig.autosave_error.empty() && rig.autosave_error != before) {
      show_notice(app.notice, "A crash would lose the unsaved changes to the rig: " + rig.autosave_error,
                  NoticeKind::warning);
    }
  }
  place_ = place;
  std::string text = describe_preferences(app, place_, known_);
  if (text == known_ || file_.empty()) return;
  // The player works without its preferences, so nothing is said about a failure.
  if (write_text_file(file_, merge_preferences(known_, text, read_text_file(file_))).empty()) {
    known_ = std::move(text);
  } else {
    due_ = now + kRetryDelay;
  }
}

}  // namespace pchr::player
