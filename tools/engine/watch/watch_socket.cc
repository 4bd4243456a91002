#include "tools/engine/watch/watch_socket.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <random>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tools/engine/base/random.h"
#include "tools/engine/files/file_lock.h"

namespace snapgen::core {
namespace {

constexpr std::string_view prefix = "watch-";
constexpr std::string_view unready_suffix = ".new";  // Not listening yet.
constexpr std::size_t random_count = 10;
constexpr int backlog = 64;
constexpr int offer_attempts_max = 20;
// A process that is stopped while it begins must not stop the others for ever.
constexpr std::chrono::seconds turn_wait_max{10};

Fd open_folder(const std::string& folder) {
  return Fd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

Fd new_socket() { return Fd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

// The address of an open file, or with `below` = "/name" of a socket in an open folder. The folder's own path
// may be longer than an address can be.
sockaddr_un address_of(const Fd& open, const std::string& below = {}) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = "/proc/self/fd/" + std::to_string(open.get()) + below;
  std::memcpy(address.sun_path, path.c_str(), std::min(path.size(), sizeof address.sun_path - 1));
  return address;
}

// Opens the file of a socket; invalid if it is anything else. A path in an address would follow a symlink.
Fd open_socket_file(const Fd& folder, const std::string& name) {
  Fd file(::openat(folder.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct stat st;
  const bool is_socket = file && ::fstat(file.get(), &st) == 0 && S_ISSOCK(st.st_mode);
  return is_socket ? std::move(file) : Fd();
}

}  // namespace

std::optional<OfferSocket> OfferSocket::open(const std::string& folder_path) {
  Fd folder = open_folder(folder_path);
  if (!folder) return std::nullopt;
  OfferedWatches others(folder_path);
  while (others.connect_next()) {
  }
  for (int attempt = 0; attempt < offer_attempts_max; ++attempt) {
    Fd socket = new_socket();
    // The file has the permissions of the socket, from its creation on.
    if (!socket || ::fchmod(socket.get(), S_IRUSR | S_IWUSR) != 0) return std::nullopt;
    const std::string name = std::string(prefix) + random_name(random_count);
    const std::string unready = name + std::string(unready_suffix);
    const sockaddr_un address = address_of(folder, "/" + unready);
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      return std::nullopt;
    // A client removes a socket that does not listen. So it appears under its name when it does.
    const bool listens = ::listen(socket.get(), backlog) == 0;
    if (listens && ::renameat(folder.get(), unready.c_str(), folder.get(), name.c_str()) == 0)
      return OfferSocket(std::move(folder), std::move(socket), name);
    // It may have been removed before it listened, as one of a killed process.
    const bool was_removed = listens && errno == ENOENT;
    ::unlinkat(folder.get(), unready.c_str(), 0);
    if (!was_removed) return std::nullopt;
  }
  return std::nullopt;
}

OfferSocket::~OfferSocket() {
  if (folder_) ::unlinkat(folder_.get(), name_.c_str(), 0);
}

OfferedWatches::OfferedWatches(const std::string& folder) : folder_(open_folder(folder)) {
  if (!folder_) return;
  const int readable = ::openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const entries = readable >= 0 ? ::fdopendir(readable) : nullptr;
  if (entries == nullptr) {
    if (readable >= 0) ::close(readable);
    return;
  }
  while (const dirent* const entry = ::readdir(entries)) {
    std::string_view name = entry->d_name;
    if (name.ends_with(unready_suffix)) name.remove_suffix(unready_suffix.size());
    if (is_random_name(name, prefix, random_count)) names_.emplace_back(entry->d_name);
  }
  ::closedir(entries);
  std::shuffle(names_.begin(), names_.end(), std::minstd_rand(std::random_device()()));
}

Fd OfferedWatches::connect_next() {
  while (!names_.empty()) {
    const std::string name = std::move(names_.back());
    names_.pop_back();
    const Fd file = open_socket_file(folder_, name);
    if (!file) continue;
    Fd socket = new_socket();
    if (!socket) return {};
    const sockaddr_un address = address_of(file);
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      if (is_own_user(socket.get())) return socket;
    } else if (errno == ECONNREFUSED) {
      ::unlinkat(folder_.get(), name.c_str(), 0);
    }
  }
  return {};
}

Fd wait_for_turn(const std::string& folder, const std::stop_token& stop) {
  Fd lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (lock && lock_file(lock.get(), stop, LockKind::exclusive, turn_wait_max) != LockResult::acquired)
    lock.reset();
  return lock;
}

bool is_own_user(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && size == sizeof peer &&
         peer.uid == ::geteuid();
}

}  // namespace snapgen::core
