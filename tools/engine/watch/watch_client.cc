#include "tools/engine/watch/watch_client.h"

#include <chrono>
#include <utility>

#include <poll.h>
#include <sys/socket.h>

#include "tools/engine/files/path.h"
#include "tools/engine/watch/watch_socket.h"

namespace snapgen::core {
namespace {

using namespace watch_messages;
using Clock = std::chrono::steady_clock;

// The other process answers within microseconds, unless it is stopped or the machine is overloaded.
constexpr std::chrono::milliseconds response_max{1000};

// Waits until the socket is readable. Returns false after the deadline.
bool wait_until_readable(int socket, Clock::time_point deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd polled{.fd = socket, .events = POLLIN, .revents = 0};
    if (left.count() <= 0) return false;
    if (::poll(&polled, 1, static_cast<int>(left.count())) > 0) return true;
  }
}

}  // namespace

WatchClient::WatchClient(Fd socket, MountChanges mounts, std::size_t offer_count)
    : socket_(std::move(socket)),
      mounts_(std::move(mounts)),
      offer_count_(offer_count),
      buffer_(bytes_max + 1) {}

std::unique_ptr<WatchClient> WatchClient::connect(const std::string& folder, const std::string& root) {
  OfferedWatches offered(folder);
  const std::size_t offer_count = offered.size();
  const std::optional<Tree> tree = tree_at(root);
  while (Fd socket = offered.connect_next()) {
    Result<MountChanges> mounts = MountChanges::open();
    if (!tree || !mounts) return nullptr;
    std::unique_ptr<WatchClient> client(new WatchClient(std::move(socket), *std::move(mounts), offer_count));
    if (client->subscribe(*tree)) return client;
  }
  return nullptr;
}

bool WatchClient::subscribe(const Tree& tree) {
  std::string request = encode_hello(tree);
  while (true) {
    const std::optional<Message> list = ask(request, Kind::folder_list);
    if (!list) return false;
    const std::optional<bool> is_continued =
        decode_folders(list->body, [this](std::string_view folder) { folders_.emplace(folder); });
    if (!is_continued) return false;
    if (!*is_continued) return true;
    request = encode(Kind::folders);
  }
}

// Sends a request and returns its response, whose body is in buffer_. Returns nullopt, and ends the
// connection, unless it is of the wanted kind.
std::optional<Message> WatchClient::ask(const std::string& request, Kind wanted) {
  if (!loss_reason_.empty()) return std::nullopt;
  const Clock::time_point deadline = Clock::now() + response_max;
  if (::send(socket_.get(), request.data(), request.size(), MSG_DONTWAIT | MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size())) {
    lose("the process that watched it ended");
    return std::nullopt;
  }
  while (true) {
    if (!wait_until_readable(socket_.get(), deadline)) {
      lose("the process that watches it does not respond");
      return std::nullopt;
    }
    const ssize_t got = ::recv(socket_.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got <= 0) {
      lose("the process that watched it ended");
      return std::nullopt;
    }
    const std::optional<Message> message = decode({buffer_.data(), static_cast<std::size_t>(got)});
    // The notice was sent before the request, and the response has what it announced.
    if (message && message->kind == Kind::queued) continue;
    if (message && message->kind == wanted) return message;
    lose(message && message->kind == Kind::lost ? message->body
                                                : "the process that watches it sent a malformed response");
    return std::nullopt;
  }
}

// Returns false.
bool WatchClient::lose(std::string_view reason) {
  if (loss_reason_.empty()) loss_reason_ = reason.empty() ? "its watch ended" : reason;
  ::shutdown(socket_.get(), SHUT_RDWR);
  return false;
}

WatchAddition WatchClient::add(std::string_view folder) {
  if (loss_reason_.empty() && folders_.find(folder) != folders_.end()) return {};
  const std::optional<Message> response = ask(encode(Kind::add, folder), Kind::addition);
  std::optional<WatchAddition> added = response ? decode_addition(response->body) : std::nullopt;
  if (!added) {
    lose("the process that watches it sent a malformed response");
    return {AddResult::refused, loss_reason_};
  }
  if (added->result == AddResult::watched) folders_.emplace(folder);
  return *std::move(added);
}

bool WatchClient::drain(const std::function<void(const FolderEvent&)>& take) {
  if (!loss_reason_.empty()) return false;
  if (mounts_.have_happened()) return lose(MountChanges::sentence);
  const auto take_event = [&](const FolderEvent& event) {
    if (event.is_folder && event.is_name_change) forget(joined_path(event.folder, event.name));
    take(event);
  };
  while (true) {
    const std::optional<Message> response = ask(encode(Kind::next), Kind::events);
    if (!response) return false;
    const std::optional<bool> is_continued = decode_events(response->body, take_event);
    if (!is_continued) return lose("the process that watches it sent a malformed response");
    if (!*is_continued) return true;
  }
}

// Removes a folder and all folders below it.
void WatchClient::forget(const std::string& folder) {
  folders_.erase(folder);
  const std::string below = folder.empty() ? folder : folder + '/';
  for (auto at = folders_.lower_bound(below); at != folders_.end() && at->starts_with(below);) {
    at = folders_.erase(at);
  }
}

}  // namespace snapgen::core
