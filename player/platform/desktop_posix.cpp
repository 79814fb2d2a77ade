// SPDX-License-Identifier: MIT
#include "platform/desktop.hpp"

#include "platform/process.hpp"
#include "platform/streams.hpp"

#include <spawn.h>
#include <sys/wait.h>
#ifdef PCHR_PLAYER_XCB
#include <xcb/xcb.h>
#endif

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

extern char** environ;

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

/// Returns the folder in an environment variable; empty unless the path is absolute.
fs::path folder_from(const char* variable) {
  const char* folder = std::getenv(variable);
  return folder != nullptr && fs::path(folder).is_absolute() ? fs::path(folder) : fs::path();
}

}  // namespace

fs::path home_folder() { return folder_from("HOME"); }

fs::path configuration_folder() {
  if (fs::path folder = folder_from("XDG_CONFIG_HOME"); !folder.empty()) return folder;
  return home_folder().empty() ? fs::path() : home_folder() / ".config";
}

// The desktop names it in user-dirs.dirs.
fs::path image_folder() {
  const fs::path file = configuration_folder() / "user-dirs.dirs";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  std::ifstream stream(file);
  constexpr std::string_view kKey = "XDG_PICTURES_DIR=\"";
  constexpr std::string_view kHome = "$HOME/";
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(kKey) || !line.ends_with('"')) continue;
    const std::string folder = line.substr(kKey.size(), line.size() - kKey.size() - 1);
    return folder.starts_with(kHome) ? home_folder() / folder.substr(kHome.size()) : fs::path(folder);
  }
  return {};
}

std::vector<fs::path> root_folders() { return {"/"}; }

bool print_text(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

void print_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

namespace {

/// Returns `path` as a URI in which a comma, which separates URIs for dbus-send, is escaped too.
std::string uri_of(const std::string& path) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return uri;
}

/// Runs a shell script, which must end soon, with arguments. Returns whether it succeeded.
bool run_script(std::string script, std::string first, std::string second = {}) {
  std::string shell = "/bin/sh";
  std::string option = "-c";
  std::array<char*, 7> arguments{shell.data(), option.data(), script.data(), shell.data(),
                                 first.data(), second.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, shell.c_str(), nullptr, nullptr, arguments.data(), environ) != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string absolute_text(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::absolute(path, error).native();
}

}  // namespace

// The interface org.freedesktop.FileManager1 can select a file. Desktops without it can at least open the folder.
bool show_in_folder(const std::filesystem::path& path) {
  std::string script =
      "command -v dbus-send >/dev/null || command -v xdg-open >/dev/null || exit 1\n"
      "{ dbus-send --session --print-reply --dest=org.freedesktop.FileManager1 /org/freedesktop/FileManager1 "
      "org.freedesktop.FileManager1.ShowItems array:string:\"$1\" string: || xdg-open \"$2\"; } "
      "</dev/null >/dev/null 2>&1 &";
  const std::string absolute = absolute_text(path);
  return run_script(std::move(script), uri_of(absolute), std::filesystem::path(absolute).parent_path().native());
}

bool open_with_default_program(const std::filesystem::path& path) {
  return run_script(
      "command -v xdg-open >/dev/null || exit 1\n"
      "xdg-open \"$1\" </dev/null >/dev/null 2>&1 &",
      absolute_text(path));
}

namespace {

/// Passes the image to wl-copy, which keeps offering it. Only a program with the focus can do that itself on Wayland.
bool copy_with_program(std::span<const std::byte> png) {
  const auto program = find_program("wl-copy");
  if (std::getenv("WAYLAND_DISPLAY") == nullptr || !program) return false;
  auto child = ChildProgram::start(*program, {"--type", "image/png"});
  return child && child->write(png) && child->finish();
}

#ifdef PCHR_PLAYER_XCB

// XCB rather than Xlib: errors do not end the program, and it can be used beside GLFW.
template <typename T>
using Reply = std::unique_ptr<T, decltype([](T* reply) { std::free(reply); })>;

struct Offer {
  std::unique_ptr<xcb_connection_t, decltype([](xcb_connection_t* connection) { xcb_disconnect(connection); })> display;
  xcb_window_t window = 0;
  xcb_atom_t clipboard = 0, targets = 0, png = 0;
  std::vector<std::byte> image;

  [[nodiscard]] xcb_atom_t atom(const char* name) const {
    const auto cookie = xcb_intern_atom(display.get(), 0, static_cast<std::uint16_t>(std::strlen(name)), name);
    const Reply<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(display.get(), cookie, nullptr));
    return reply != nullptr ? reply->atom : 0;
  }

  /// Becomes the owner of the clipboard.
  bool take() {
    display.reset(xcb_connect(nullptr, nullptr));
    if (xcb_connection_has_error(display.get()) != 0) return false;
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(display.get())).data;
    window = xcb_generate_id(display.get());
    xcb_create_window(display.get(), 0, window, screen->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                      XCB_COPY_FROM_PARENT, 0, nullptr);
    clipboard = atom("CLIPBOARD");
    targets = atom("TARGETS");
    png = atom("image/png");
    xcb_set_selection_owner(display.get(), window, clipboard, XCB_CURRENT_TIME);
    const auto cookie = xcb_get_selection_owner(display.get(), clipboard);
    const Reply<xcb_get_selection_owner_reply_t> owner(xcb_get_selection_owner_reply(display.get(), cookie, nullptr));
    return owner != nullptr && owner->owner == window;
  }

  void answer(const xcb_selection_request_event_t& request) const {
    const xcb_atom_t property = request.property != 0 ? request.property : request.target;
    bool known = true;
    if (request.target == targets) {
      const std::array<xcb_atom_t, 2> offered{targets, png};
      xcb_change_property(display.get(), XCB_PROP_MODE_REPLACE, request.requestor, property, XCB_ATOM_ATOM, 32, 2,
                          offered.data());
    } else if (request.target == png) {
      constexpr std::size_t kPart = 1 << 17;  // Requests have a maximum length.
      auto mode = XCB_PROP_MODE_REPLACE;
      for (std::span<const std::byte> left = image; !left.empty(); mode = XCB_PROP_MODE_APPEND) {
        const std::size_t size = std::min(left.size(), kPart);
        xcb_change_property(display.get(), static_cast<std::uint8_t>(mode), request.requestor, property, png, 8,
                            static_cast<std::uint32_t>(size), left.data());
        left = left.subspan(size);
      }
    } else {
      known = false;
    }
    xcb_selection_notify_event_t notice{};
    notice.response_type = XCB_SELECTION_NOTIFY;
    notice.time = request.time;
    notice.requestor = request.requestor;
    notice.selection = request.selection;
    notice.target = request.target;
    notice.property = known ? property : xcb_atom_t{XCB_ATOM_NONE};
    std::array<char, 32> event{};  // All events have this size.
    std::memcpy(event.data(), &notice, sizeof(notice));
    xcb_send_event(display.get(), 0, request.requestor, 0, event.data());
    xcb_flush(display.get());
  }

  /// Offers the image until another program owns the clipboard or the display is gone.
  void serve() const {
    constexpr std::uint8_t kType = 0x7F;
    while (const auto event = Reply<xcb_generic_event_t>(xcb_wait_for_event(display.get()))) {
      const int type = event->response_type & kType;
      if (type == XCB_SELECTION_CLEAR) return;
      if (type != XCB_SELECTION_REQUEST) continue;
      xcb_selection_request_event_t request{};
      std::memcpy(&request, event.get(), sizeof(request));
      answer(request);
    }
  }
};

bool copy_to_display(std::vector<std::byte> png) {
  Offer offer{.display = {}, .image = std::move(png)};
  if (!offer.take()) return false;
  std::thread([offer = std::move(offer)] { offer.serve(); }).detach();
  return true;
}

#else

bool copy_to_display(const std::vector<std::byte>&) { return false; }

#endif

}  // namespace

Expected<void, std::string> copy_image(const Bitmap& straight) {
  std::vector<std::byte> png = encode_png(straight, PngCompression::fast);
  if (copy_with_program(png) || copy_to_display(std::move(png))) return {};
  return Unexpected(std::string("Copying an image needs X11, or on Wayland the program wl-copy"));
}

Typefaces system_typefaces() {
  return {.western = {"/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                      "/usr/share/fonts/noto/NotoSans-Regular.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                      "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
                      "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
                      "/usr/share/fonts/truetype/freefont/FreeSans.ttf"},
          .east_asian = {"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
                         "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
                         "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
                         "/usr/share/fonts/truetype/fonts-japanese-gothic.ttf",
                         "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"}};
}

}  // namespace pchr::player
