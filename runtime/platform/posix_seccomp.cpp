// SPDX-License-Identifier: MIT
// seccomp, Linux's filter for system calls: seccomp(2).
#include "platform/posix_lockdown.hpp"

#ifdef __linux__
#include "character/format.hpp"
#include "compiler/compiler.hpp"
#include "platform/system_error.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace pchr {
namespace {

#ifdef PCHR_X86_64
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kMachine = 0;
#endif

// System calls from 424 on have the same number on every machine, and system headers can lack them.
constexpr long kPidfdSendSignal = 424, kIoUringSetup = 425, kIoUringEnter = 426, kIoUringRegister = 427,
               kOpenTree = 428, kMoveMount = 429, kFsopen = 430, kFsconfig = 431, kFsmount = 432, kFspick = 433,
               kPidfdOpen = 434, kClone3 = 435, kOpenat2 = 437, kPidfdGetfd = 438, kProcessMadvise = 440,
               kMountSetattr = 442, kQuotactlFd = 443, kProcessMrelease = 448, kFchmodat2 = 452, kFirstUnknown = 457;

/// These reach other processes, other files' attributes, the network or the system. Drivers that run need none of them.
constexpr long kRefused[]{
    // Network and messages between processes.
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_semctl,
    SYS_mq_open,
    SYS_mq_unlink,
    kIoUringSetup,
    kIoUringEnter,
    kIoUringRegister,
    // Programs and processes.
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_move_pages,
    SYS_migrate_pages,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    kPidfdSendSignal,
    kPidfdOpen,
    kPidfdGetfd,
    kProcessMadvise,
    kProcessMrelease,
    SYS_setpriority,
    SYS_ioprio_set,
    SYS_sched_setparam,
    SYS_sched_setscheduler,
    SYS_sched_setattr,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_bpf,
    SYS_personality,
    // Identities and keys.
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setfsuid,
    SYS_setfsgid,
    SYS_setgroups,
    SYS_capset,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    // Attributes of files, which Landlock does not protect, and files by other means than their names.
    SYS_fchmodat,
    kFchmodat2,
    SYS_fchownat,
    SYS_utimensat,
    SYS_truncate,
    SYS_symlinkat,
    SYS_mknodat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    SYS_fanotify_mark,
    SYS_inotify_add_watch,
    // The system.
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    kOpenTree,
    kMoveMount,
    kFsopen,
    kFsconfig,
    kFsmount,
    kFspick,
    kMountSetattr,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    kQuotactlFd,
    SYS_syslog,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_vhangup,
#ifdef PCHR_X86_64
    // Old forms, which newer machines do not have.
    SYS_fork,
    SYS_vfork,
    SYS_creat,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_symlink,
    SYS_mknod,
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
};

/// A program for the kernel that judges system calls.
class CallFilter {
 public:
  CallFilter() {
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
    judge_unless_equal(kMachine, SECCOMP_RET_KILL_PROCESS);
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  }
  /// Refuses a system call.
  void refuse(long call, int error = EPERM) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1);
    add(BPF_RET | BPF_K, error_result(error));
  }
  /// Refuses system calls from a number on, as a kernel that does not know them.
  void refuse_from(long first) {
    add(BPF_JMP | BPF_JGE | BPF_K, static_cast<std::uint32_t>(first), 0, 1);
    add(BPF_RET | BPF_K, error_result(ENOSYS));
  }
  /// Refuses a system call if some bits of an argument are equal, or unless they are.
  /// @{
  void refuse_if(long call, std::size_t argument, std::uint32_t bits, std::uint32_t value) {
    judge(call, argument, bits, value, error_result(EPERM), SECCOMP_RET_ALLOW);
  }
  void refuse_unless(long call, std::size_t argument, std::uint32_t bits, std::uint32_t value) {
    judge(call, argument, bits, value, SECCOMP_RET_ALLOW, error_result(EPERM));
  }
  /// @}
  /// Allows all others and installs the filter in all threads.
  bool install() {
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
  }

 private:
  static std::uint32_t error_result(int error) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error); }

  void add(unsigned code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
    code_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, value});
  }
  void judge_unless_equal(std::uint32_t value, std::uint32_t result) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    add(BPF_RET | BPF_K, result);
  }
  void judge(long call, std::size_t argument, std::uint32_t bits, std::uint32_t value, std::uint32_t if_equal,
             std::uint32_t otherwise) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 5);
    // The low half. Both machines are little-endian, and the high half of these arguments has no meaning.
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * 8));
    add(BPF_ALU | BPF_AND | BPF_K, bits);
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    add(BPF_RET | BPF_K, if_equal);
    add(BPF_RET | BPF_K, otherwise);
  }

  std::vector<sock_filter> code_;
};

}  // namespace

bool enter_seccomp(bool links, std::string& problem) {
  if (kMachine == 0) {
    problem = "there is no seccomp filter for this kind of processor";
    return false;
  }
  constexpr std::uint32_t kAll = ~std::uint32_t{0}, kNew = O_CREAT | O_EXCL;
  CallFilter filter;
  // Above these are those of the x32 interface, too.
  filter.refuse_from(kFirstUnknown);
  for (const long call : kRefused) filter.refuse(call);
  filter.refuse_unless(SYS_openat, 2, kNew, kNew);
  filter.refuse_unless(SYS_clone, 0, CLONE_THREAD, CLONE_THREAD);
  // The C library uses the older forms instead, whose arguments the filter can see.
  filter.refuse(kClone3, ENOSYS);
  filter.refuse(kOpenat2, ENOSYS);
  // These are for this process only.
  const auto self = static_cast<std::uint32_t>(getpid());
  for (const long call : {SYS_kill, SYS_tgkill}) filter.refuse_unless(call, 0, kAll, self);
  filter.refuse(SYS_tkill);
  filter.refuse_unless(SYS_prlimit64, 0, kAll, 0);
  filter.refuse_if(SYS_prctl, 0, kAll, PR_SET_PDEATHSIG);
  // Types text into the terminal, for the shell to run.
  filter.refuse_if(SYS_ioctl, 1, kAll, TIOCSTI);
  if (!links) filter.refuse(SYS_linkat);
#ifdef PCHR_X86_64
  filter.refuse_unless(SYS_open, 1, kNew, kNew);
  if (!links) filter.refuse(SYS_link);
#endif
  if (filter.install()) return true;
  problem = format_text("seccomp: {}", error_text(last_error()));
  return false;
}

}  // namespace pchr
#endif
