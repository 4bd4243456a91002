#include "runtime/base/confinement.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace snapgen {
namespace {

// These constants and structs are from linux/landlock.h of ABI 3, because a system's header may be older.
constexpr long sys_create_ruleset = 444;
constexpr long sys_add_rule = 445;
constexpr long sys_restrict_self = 446;
constexpr unsigned flag_version = 1;
constexpr int rule_path_beneath = 1;

namespace right {
constexpr std::uint64_t write_file = 1 << 1;
constexpr std::uint64_t remove_dir = 1 << 4;
constexpr std::uint64_t remove_file = 1 << 5;
constexpr std::uint64_t make_dir = 1 << 7;
// The rights to create character devices, folders, regular files, sockets, FIFOs, block devices and symlinks.
constexpr std::uint64_t make_any = 0x7F << 6;
constexpr std::uint64_t refer = 1 << 13;
constexpr std::uint64_t truncate = 1 << 14;  // Landlock has it from ABI 3 on.
}  // namespace right

struct RulesetAttributes {
  std::uint64_t handled_access_fs;
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

constexpr int abi_min = 2;
constexpr int abi_truncate = 3;

class Descriptor {
 public:
  explicit Descriptor(long fd) : fd_(static_cast<int>(fd)) {}
  Descriptor(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

Error refused(const char* call) {
  return Error(ErrorCode::unavailable, "The kernel refuses to confine this process.", {},
               std::string(call) + ": " + std::strerror(errno));
}

// Allows `rights` at `path` and below. Returns false if the kernel rejects it. A missing path needs no rule.
bool allow(int ruleset, const std::string& path, std::uint64_t rights, int flags) {
  const Descriptor folder(::open(path.c_str(), O_PATH | O_CLOEXEC | flags));
  if (folder.get() < 0) return true;
  const PathBeneath rule{.allowed_access = rights, .parent_fd = folder.get()};
  return ::syscall(sys_add_rule, ruleset, rule_path_beneath, &rule, 0) == 0;
}

}  // namespace

int landlock_abi() {
  const long abi = ::syscall(sys_create_ruleset, nullptr, 0, flag_version);
  return abi < abi_min ? 0 : static_cast<int>(abi);
}

Result<Unit> confine(const Confinement& confinement) {
  const int abi = landlock_abi();
  if (abi == 0) return Error(ErrorCode::unsupported, "This kernel has no Landlock, or has it switched off.");
  const std::uint64_t on_files = right::write_file | (abi >= abi_truncate ? right::truncate : 0);
  const std::uint64_t all =
      on_files | right::remove_dir | right::remove_file | right::make_any | right::refer;
  const RulesetAttributes attributes{.handled_access_fs = all};
  const Descriptor ruleset(::syscall(sys_create_ruleset, &attributes, sizeof attributes, 0));
  if (ruleset.get() < 0) return refused("landlock_create_ruleset");
  for (const std::string& folder : confinement.writable_folders)
    if (!allow(ruleset.get(), folder, all, O_DIRECTORY)) return refused("landlock_add_rule");
  for (const std::string& folder : confinement.deletable_folders) {
    constexpr std::uint64_t rights = right::make_dir | right::remove_dir | right::remove_file;
    if (!allow(ruleset.get(), folder, rights, O_DIRECTORY)) return refused("landlock_add_rule");
  }
  for (const std::string& file : confinement.writable_files)
    if (!allow(ruleset.get(), file, on_files, 0)) return refused("landlock_add_rule");
  // Unless a process is root, the kernel requires that programs that it executes cannot gain privileges.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return refused("prctl");
  if (::syscall(sys_restrict_self, ruleset.get(), 0) != 0) return refused("landlock_restrict_self");
  return Unit{};
}

}  // namespace snapgen
