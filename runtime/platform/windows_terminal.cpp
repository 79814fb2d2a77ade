// SPDX-License-Identifier: MIT
// Consoles of Windows.
#include "platform/terminal.hpp"

#include <windows.h>

#include <atomic>
#include <cstdlib>

namespace pchr {
namespace {

/// What Windows reports for a program that Ctrl-C has ended.
constexpr UINT kEndedByUser = 0xC000013A;

std::atomic<bool> caught = false;

/// Runs on a thread of its own.
BOOL WINAPI remember_request(DWORD kind) {
  const bool first = !caught.exchange(true);
  if (kind == CTRL_C_EVENT || kind == CTRL_BREAK_EVENT) return first ? TRUE : FALSE;
  // Windows ends the program when this returns, and after some seconds in any case.
  Sleep(INFINITE);
  return TRUE;
}

}  // namespace

bool is_error_on_terminal() noexcept {
  DWORD mode = 0;
  return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0;
}

std::optional<std::size_t> terminal_columns() noexcept {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info) == 0) return std::nullopt;
  return static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

void catch_interrupts() noexcept { SetConsoleCtrlHandler(remember_request, TRUE); }

void release_interrupts() noexcept { SetConsoleCtrlHandler(remember_request, FALSE); }

bool interrupted() noexcept { return caught; }

void end_if_interrupted() noexcept {
  if (caught) ExitProcess(kEndedByUser);
}

}  // namespace pchr
