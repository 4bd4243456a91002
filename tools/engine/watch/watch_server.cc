#include "tools/engine/watch/watch_server.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/engine/base/thread.h"

namespace snapgen::core {
namespace {

using namespace watch_messages;
using Clock = std::chrono::steady_clock;

constexpr std::size_t clients_max = 64;
// After a read of the kernel's queue without a request, so that a busy tree costs little.
constexpr std::chrono::milliseconds rest{100};

// Returns false if the client does not read what it requested; it then must be disconnected.
bool send_packet(int socket, const std::string& packet) {
  return ::send(socket, packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL) ==
         static_cast<ssize_t>(packet.size());
}

}  // namespace

std::unique_ptr<WatchServer> WatchServer::start(WatchLog& log, const std::string& folder,
                                                const std::string& root, std::function<void()> after_read) {
  std::optional<Tree> tree = tree_at(root);
  Fd stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!tree || !stop) return nullptr;
  std::optional<OfferSocket> socket = OfferSocket::open(folder);
  if (!socket) return nullptr;
  std::unique_ptr<WatchServer> server(
      new WatchServer(log, *std::move(socket), *std::move(tree), std::move(stop), std::move(after_read)));
  server->thread_ = try_start_thread([&made = *server] { made.run(); });
  if (!server->thread_.joinable()) return nullptr;
  return server;
}

WatchServer::~WatchServer() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t done = ::write(stop_.get(), &one, sizeof one);
  if (thread_.joinable()) thread_.join();
}

void WatchServer::run() {
  buffer_.resize(bytes_max + 1);
  std::vector<pollfd> polled;
  Clock::time_point rests_until = Clock::now();
  while (true) {
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(rests_until - Clock::now());
    const bool rests = wait.count() > 0;
    const bool accepts = !rests && clients_.size() < clients_max;
    polled = {{.fd = stop_.get(), .events = POLLIN, .revents = 0},
              {.fd = accepts ? socket_.fd() : -1, .events = POLLIN, .revents = 0},
              {.fd = clients_.empty() || rests ? -1 : log_.fd(), .events = POLLIN, .revents = 0}};
    for (const Client& client : clients_)
      polled.push_back({.fd = client.socket.get(), .events = POLLIN, .revents = 0});
    const std::size_t first_client = polled.size() - clients_.size();
    ::poll(polled.data(), polled.size(), rests ? static_cast<int>(wait.count()) : -1);
    if (polled[0].revents != 0) return;
    if (polled[2].revents != 0) {
      log_.collect();
      rests_until = Clock::now() + rest;
    }
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      Client& client = clients_[i];
      if (polled[first_client + i].revents != 0 && !respond(client)) client.socket.reset();
    }
    // After all responses, because each may read events for the other clients too.
    for (Client& client : clients_)
      if (client.socket && !notify(client)) client.socket.reset();
    std::erase_if(clients_, [](const Client& client) { return !client.socket; });
    if (polled[1].revents != 0 && !accept_clients()) rests_until = Clock::now() + rest;
    after_read_();
  }
}

// Returns false if the process may not open more files.
bool WatchServer::accept_clients() {
  while (clients_.size() < clients_max) {
    Fd socket(::accept4(socket_.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) return errno == EAGAIN || errno == ECONNABORTED || errno == EINTR;
    if (is_own_user(socket.get()))
      clients_.push_back({.socket = std::move(socket), .reader = {}, .folders = {}});
  }
  return true;
}

// Responds to the client's request, if there is one. Returns false if the connection must end.
bool WatchServer::respond(Client& client) {
  const ssize_t got = ::recv(client.socket.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
  if (got <= 0) return false;
  const std::optional<Message> request = decode({buffer_.data(), static_cast<std::size_t>(got)});
  if (!request) return false;
  const std::string packet = response(client, *request);
  return !packet.empty() && send_packet(client.socket.get(), packet);
}

// Returns an empty string if the request is malformed or out of order.
std::string WatchServer::response(Client& client, const Message& request) {
  if (request.kind == Kind::hello) {
    const std::optional<Tree> tree = decode_hello(request.body);
    if (!tree || *tree != tree_ || client.reader) return {};
    client.reader = std::make_unique<WatchLog::Reader>(log_);
    client.folders = log_.move_to_end(*client.reader);
    // Detects a mount that preceded the request. The client detects later ones itself.
    if (!log_.collect()) return encode(Kind::lost, log_.loss_reason());
    return next_folders(client);
  }
  if (!client.reader) return {};
  if (request.kind == Kind::folders) return next_folders(client);
  if (request.kind == Kind::next) return next_events(client);
  if (request.kind == Kind::add && is_folder_path(request.body))
    return encode_addition(log_.add(request.body));
  return {};
}

std::string WatchServer::next_folders(Client& client) {
  ListWriter list(Kind::folder_list);
  while (!client.folders.empty() && list.add(client.folders.back())) client.folders.pop_back();
  if (client.folders.empty()) client.folders.shrink_to_fit();
  return list.packet();
}

std::string WatchServer::next_events(Client& client) {
  ListWriter list(Kind::events);
  client.is_notified = false;
  if (!log_.read(*client.reader, [&list](const FolderEvent& event) { return list.add(event); }))
    return encode(Kind::lost, log_.loss_reason());
  return list.packet();
}

// Notifies a client that has not read all events. Returns false if the connection must end.
bool WatchServer::notify(Client& client) {
  if (!client.reader || client.is_notified || !log_.has_events_for(*client.reader)) return true;
  client.is_notified = true;
  return send_packet(client.socket.get(), encode(Kind::queued));
}

}  // namespace snapgen::core
