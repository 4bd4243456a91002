// The messages between processes that share a watch, on any bytes: encoding an accepted message must give one
// that decodes to the same values, and no path in it may lead out of the tree.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/target.h"
#include "tools/engine/watch/watch_messages.h"

namespace snapgen::core::watch_messages {
namespace {

struct OwnedEvent {
  std::string folder;
  std::string name;
  bool is_folder = false;
  bool is_name_change = false;

  bool operator==(const OwnedEvent&) const = default;
};

bool leads_outside(std::string_view path) {
  return path.starts_with('/') || ("/" + std::string(path) + "/").find("/../") != std::string::npos;
}

std::optional<bool> events_in(std::string_view body, std::vector<OwnedEvent>& out) {
  return decode_events(body, [&out](const FolderEvent& event) {
    FUZZ_EXPECT(!leads_outside(event.folder) && !leads_outside(event.name));
    out.push_back({.folder = std::string(event.folder),
                   .name = std::string(event.name),
                   .is_folder = event.is_folder,
                   .is_name_change = event.is_name_change});
  });
}

void check_events(std::string_view body) {
  std::vector<OwnedEvent> events;
  if (!events_in(body, events)) return;
  ListWriter list(Kind::events);
  for (const OwnedEvent& event : events)
    FUZZ_EXPECT(list.add({.folder = event.folder,
                          .name = event.name,
                          .is_folder = event.is_folder,
                          .is_name_change = event.is_name_change}));
  std::vector<OwnedEvent> again;
  FUZZ_EXPECT(events_in(std::string_view(list.packet()).substr(1), again) == false);
  FUZZ_EXPECT(again == events);
}

void check_folders(std::string_view body) {
  std::vector<std::string> folders;
  const auto take = [&folders](std::string_view folder) {
    FUZZ_EXPECT(!leads_outside(folder));
    folders.emplace_back(folder);
  };
  if (!decode_folders(body, take)) return;
  ListWriter list(Kind::folder_list);
  for (const std::string& folder : folders) FUZZ_EXPECT(list.add(std::string_view(folder)));
  FUZZ_EXPECT(list.packet().substr(2) == body.substr(1));
}

}  // namespace
}  // namespace snapgen::core::watch_messages

FUZZ_TARGET(watch) {
  using namespace snapgen::core::watch_messages;
  const std::string_view packet(reinterpret_cast<const char*>(data), size);
  const std::optional<Message> message = decode(packet);
  if (!message) return 0;
  if (message->kind == Kind::hello) {
    if (const std::optional<Tree> tree = decode_hello(message->body))
      FUZZ_EXPECT(encode_hello(*tree) == packet);
  }
  if (message->kind == Kind::addition) {
    if (const auto addition = decode_addition(message->body))
      FUZZ_EXPECT(encode_addition(*addition) == packet);
  }
  if (message->kind == Kind::events) check_events(message->body);
  if (message->kind == Kind::folder_list) check_folders(message->body);
  if (message->kind == Kind::add) (void)is_folder_path(message->body);
  return 0;
}
