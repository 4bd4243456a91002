#include "tools/engine/watch/watch_messages.h"

#include <cstring>

#include <sys/stat.h>

namespace snapgen::core::watch_messages {
namespace {

// Changes with every change of a message, because the processes may be of different versions.
constexpr std::uint32_t version = 1;

constexpr unsigned char folder_flag = 1;
constexpr unsigned char name_change_flag = 2;

template <class Integer>
void append(std::string& out, Integer value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_text(std::string& out, std::string_view text) {
  append(out, static_cast<std::uint16_t>(text.size()));
  out += text;
}

// Removes a value from the beginning of `in`. Returns false if `in` is too short.
template <class Integer>
bool take_integer(std::string_view& in, Integer& value) {
  if (in.size() < sizeof value) return false;
  std::memcpy(&value, in.data(), sizeof value);
  in.remove_prefix(sizeof value);
  return true;
}

bool take_text(std::string_view& in, std::string_view& text) {
  std::uint16_t size = 0;
  if (!take_integer(in, size) || in.size() < size) return false;
  text = in.substr(0, size);
  in.remove_prefix(size);
  return true;
}

bool is_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

// Returns whether the list is continued in another message; nullopt if its first byte is missing or false.
std::optional<bool> take_continued(std::string_view& in) {
  unsigned char value = 0;
  if (!take_integer(in, value) || value > 1) return std::nullopt;
  return value == 1;
}

}  // namespace

bool is_folder_path(std::string_view folder) {
  while (!folder.empty()) {
    const std::size_t slash = folder.find('/');
    if (!is_name(folder.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    folder.remove_prefix(slash + 1);
    if (folder.empty()) return false;
  }
  return true;
}

std::optional<Tree> tree_at(const std::string& root) {
  struct stat folder;
  struct stat mounts;
  if (::stat(root.c_str(), &folder) != 0 || ::stat("/proc/self/ns/mnt", &mounts) != 0) return std::nullopt;
  return Tree{.device = folder.st_dev,
              .inode = folder.st_ino,
              .mounts_device = mounts.st_dev,
              .mounts_inode = mounts.st_ino,
              .root = root};
}

std::optional<Message> decode(std::string_view packet) {
  constexpr std::string_view kinds = "hfanFAELQ";
  if (packet.empty() || packet.size() > bytes_max || kinds.find(packet[0]) == std::string_view::npos)
    return std::nullopt;
  return Message{.kind = static_cast<Kind>(packet[0]), .body = packet.substr(1)};
}

std::string encode(Kind kind, std::string_view body) {
  std::string packet(1, static_cast<char>(kind));
  packet += body;
  return packet;
}

std::string encode_hello(const Tree& tree) {
  std::string packet = encode(Kind::hello);
  append(packet, version);
  for (const std::uint64_t value : {tree.device, tree.inode, tree.mounts_device, tree.mounts_inode})
    append(packet, value);
  packet += tree.root;
  return packet;
}

std::optional<Tree> decode_hello(std::string_view body) {
  std::uint32_t theirs = 0;
  Tree tree;
  const bool is_whole = take_integer(body, theirs) && theirs == version && take_integer(body, tree.device) &&
                        take_integer(body, tree.inode) && take_integer(body, tree.mounts_device) &&
                        take_integer(body, tree.mounts_inode);
  if (!is_whole) return std::nullopt;
  tree.root = body;
  return tree;
}

std::string encode_addition(const WatchAddition& addition) {
  std::string packet = encode(Kind::addition);
  packet += static_cast<char>(addition.result);
  packet += addition.refusal;
  return packet;
}

std::optional<WatchAddition> decode_addition(std::string_view body) {
  unsigned char result = 0;
  if (!take_integer(body, result) || result > static_cast<unsigned char>(AddResult::refused))
    return std::nullopt;
  return WatchAddition{.result = static_cast<AddResult>(result), .refusal = std::string(body)};
}

// Marks the list as continued if `bytes` more do not fit.
bool ListWriter::fits(std::size_t bytes) {
  if (packet_.size() + bytes <= bytes_max) return true;
  packet_[1] = continued;
  return false;
}

bool ListWriter::add(std::string_view folder) {
  if (!fits(sizeof(std::uint16_t) + folder.size())) return false;
  append_text(packet_, folder);
  return true;
}

bool ListWriter::add(const FolderEvent& event) {
  if (!fits(1 + 2 * sizeof(std::uint16_t) + event.folder.size() + event.name.size())) return false;
  packet_ +=
      static_cast<char>((event.is_folder ? folder_flag : 0) | (event.is_name_change ? name_change_flag : 0));
  append_text(packet_, event.folder);
  append_text(packet_, event.name);
  return true;
}

std::optional<bool> decode_folders(std::string_view body, const std::function<void(std::string_view)>& take) {
  const std::optional<bool> is_continued = take_continued(body);
  while (is_continued && !body.empty()) {
    std::string_view folder;
    if (!take_text(body, folder) || !is_folder_path(folder)) return std::nullopt;
    take(folder);
  }
  return is_continued;
}

std::optional<bool> decode_events(std::string_view body,
                                  const std::function<void(const FolderEvent&)>& take) {
  const std::optional<bool> is_continued = take_continued(body);
  while (is_continued && !body.empty()) {
    unsigned char flags = 0;
    FolderEvent event;
    if (!take_integer(body, flags) || flags > (folder_flag | name_change_flag) ||
        !take_text(body, event.folder) || !take_text(body, event.name) || !is_folder_path(event.folder) ||
        (!event.name.empty() && !is_name(event.name)))
      return std::nullopt;
    event.is_folder = (flags & folder_flag) != 0;
    event.is_name_change = (flags & name_change_flag) != 0;
    take(event);
  }
  return is_continued;
}

}  // namespace snapgen::core::watch_messages
