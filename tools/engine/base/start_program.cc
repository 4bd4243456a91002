#include "tools/engine/base/start_program.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/spawn.h"

namespace snapgen::core {
namespace {

struct SpawnSetup {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  SpawnSetup() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
};

}  // namespace

Fd unnamed_file(const char* name, std::string_view content) {
  Fd file(::memfd_create(name, MFD_CLOEXEC));
  while (file && !content.empty()) {
    const ssize_t written = ::write(file.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Fd();
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (file) ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

int start_program(const ProgramStart& start, pid_t& child) {
  const std::vector<char*> argv = null_terminated_pointers(start.words);
  const std::vector<char*> envp = null_terminated_pointers(start.variables);
  SpawnSetup setup;
  if (start.input >= 0) {
    posix_spawn_file_actions_adddup2(&setup.actions, start.input, 0);
  } else {
    posix_spawn_file_actions_addopen(&setup.actions, 0, "/dev/null", O_RDONLY, 0);
  }
  posix_spawn_file_actions_adddup2(&setup.actions, start.output, 1);
  posix_spawn_file_actions_adddup2(&setup.actions, start.error_output, 2);
  // This action is last, because the number may equal another of these descriptors in this process.
  if (start.further >= 0) posix_spawn_file_actions_adddup2(&setup.actions, start.further, further_descriptor);
  posix_spawn_file_actions_addchdir_np(&setup.actions, start.folder.c_str());
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&setup.attributes, &none);
  posix_spawnattr_setsigdefault(&setup.attributes, &all);
  posix_spawnattr_setpgroup(&setup.attributes, 0);
  posix_spawnattr_setflags(&setup.attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  return posix_spawn(&child, argv.front(), &setup.actions, &setup.attributes, argv.data(), envp.data());
}

}  // namespace snapgen::core
