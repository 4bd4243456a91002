#include "tools/engine/watch/own_watch.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace snapgen::core {
namespace {

bool add_to_epoll(const Fd& epoll, int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  return ::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

}  // namespace

Result<std::unique_ptr<OwnWatch>> OwnWatch::open(const std::string& root, std::size_t folders_max) {
  FolderWatches watches = TRY(FolderWatches::open(root, folders_max));
  MountChanges mounts = TRY(MountChanges::open());
  Fd unread(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  Fd readable(::epoll_create1(EPOLL_CLOEXEC));
  if (!unread || !readable || !add_to_epoll(readable, unread.get()) ||
      !add_to_epoll(readable, watches.fd())) {
    return Error(ErrorCode::unavailable,
                 std::string("The system does not allow another watch of folders: ") + std::strerror(errno) +
                     ". Raise the limit of open files, or fs.epoll.max_user_watches.");
  }
  return std::unique_ptr<OwnWatch>(
      new OwnWatch(std::move(watches), std::move(mounts), std::move(unread), std::move(readable)));
}

bool OwnWatch::drain(const std::function<void(const FolderEvent&)>& take) {
  std::uint64_t count = 0;
  // Cleared before the read, so that events which the server reads later make it readable again.
  if (server_) [[maybe_unused]]
    const ssize_t got = ::read(unread_.get(), &count, sizeof count);
  const bool is_complete = log_.read(reader_, [&take](const FolderEvent& event) {
    take(event);
    return true;
  });
  if (!is_complete) loss_reason_ = log_.loss_reason();
  return is_complete;
}

bool OwnWatch::offer(const std::string& folder, const std::string& root) {
  server_ = WatchServer::start(log_, folder, root, [this] {
    const std::uint64_t one = 1;
    if (log_.has_events_for(reader_)) [[maybe_unused]]
      const ssize_t done = ::write(unread_.get(), &one, sizeof one);
  });
  return server_ != nullptr;
}

Fd OwnWatch::release_fd() {
  server_.reset();
  return log_.release_fd();
}

}  // namespace snapgen::core
