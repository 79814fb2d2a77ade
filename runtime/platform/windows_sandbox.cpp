// SPDX-License-Identifier: MIT
#include "platform/sandbox.hpp"

#include "platform/system_error.hpp"
#include "platform/windows_handle.hpp"

namespace pchr {
namespace {

std::error_code enter_job(JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits) {
  HANDLE const job = CreateJobObjectW(nullptr, nullptr);
  if (job == nullptr) return last_error();
  // The job stays as long as its processes.
  const Handle closing(job);
  const bool entered = SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof(limits)) != 0 &&
                       AssignProcessToJobObject(job, GetCurrentProcess()) != 0;
  return entered ? std::error_code() : last_error();
}

}  // namespace

Sandbox enter_sandbox(const std::vector<std::string>& /*folders*/) {
  Sandbox sandbox;
  sandbox.missing.emplace_back("Windows does not limit files and the network");
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
  limits.BasicLimitInformation.ActiveProcessLimit = 1;
  const std::error_code error = enter_job(limits);
  sandbox.one_process = !error;
  if (error) sandbox.missing.push_back("job object: " + error_text(error));
  return sandbox;
}

void clear_environment(const std::vector<std::string>& /*keep*/,
                       const std::vector<std::pair<std::string, std::string>>& /*others*/) {}

void close_inherited_files() noexcept {}
void discard_standard_error() noexcept {}
std::error_code limit_file_size(std::uint64_t /*bytes*/) { return {}; }
bool has_exceeded_file_size() noexcept { return false; }

std::error_code limit_memory(std::uint64_t bytes) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
  limits.ProcessMemoryLimit = static_cast<SIZE_T>(bytes);
  return enter_job(limits);
}

}  // namespace pchr
