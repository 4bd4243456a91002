#pragma once
// The messages between a process that watches a tree and those that use its watch. They are packets of a Unix
// socket, so each is complete. Integers have the byte order of the machine.
//
// The client sends one request and waits for its response. The first request is `hello`; its response is that
// to `folders`. The server sends `queued` without a request, once between two `next` requests.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/watch/folder_watches.h"

namespace snapgen::core::watch_messages {

inline constexpr std::size_t bytes_max = 32 << 10;  // The maximum size of a message.

enum class Kind : char {
  // Requests.
  hello = 'h',    // A Tree.
  folders = 'f',  // The next part of the list of watched folders.
  add = 'a',      // A folder to watch.
  next = 'n',     // The events since those of the last response.
  // Responses and notices.
  folder_list = 'F',
  addition = 'A',
  events = 'E',
  lost = 'L',    // The reason why changes can no longer be detected.
  queued = 'Q',  // A `next` request would return events.
};

// The tree as a process sees it. Two processes see the same one only if all members are equal.
struct Tree {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t mounts_device = 0;  // The process's mount namespace.
  std::uint64_t mounts_inode = 0;
  std::string root;  // Absolute.

  bool operator==(const Tree&) const = default;
};

// Returns the tree at `root` as this process sees it; nullopt if it is missing.
std::optional<Tree> tree_at(const std::string& root);

struct Message {
  Kind kind;
  std::string_view body;
};
// Returns nullopt unless the packet begins with a known kind.
std::optional<Message> decode(std::string_view packet);

std::string encode(Kind kind, std::string_view body = {});

std::string encode_hello(const Tree& tree);
std::optional<Tree> decode_hello(std::string_view body);

std::string encode_addition(const WatchAddition& addition);
std::optional<WatchAddition> decode_addition(std::string_view body);

// Builds a list of folders or events that fits into a message.
class ListWriter {
 public:
  explicit ListWriter(Kind kind) : packet_{static_cast<char>(kind), complete} {}

  // Returns false if the message is full; the item belongs into the next one.
  bool add(std::string_view folder);
  bool add(const FolderEvent& event);

  const std::string& packet() const { return packet_; }

 private:
  static constexpr char complete = 0;
  static constexpr char continued = 1;
  bool fits(std::size_t bytes);

  std::string packet_;
};

// Passes each item to `take`. Returns whether another message continues the list; nullopt if the message is
// malformed, perhaps after items were passed. A folder is relative to the root and does not lead outside.
std::optional<bool> decode_folders(std::string_view body, const std::function<void(std::string_view)>& take);
std::optional<bool> decode_events(std::string_view body, const std::function<void(const FolderEvent&)>& take);

// Returns whether `folder` is a path below the root, or empty.
bool is_folder_path(std::string_view folder);

}  // namespace snapgen::core::watch_messages
