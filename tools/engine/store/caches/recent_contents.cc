#include "tools/engine/store/caches/recent_contents.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace snapgen::core {

void RecentContents::put(std::string_view path, const BlobId& id, std::string content) {
  if (content.size() > content_bytes_max) return;
  const std::scoped_lock lock(mutex_);
  const auto known = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return entry.id == id && entry.path == path; });
  if (known != entries_.end()) return entries_.splice(entries_.end(), entries_, known);
  bytes_ += content.size();
  entries_.push_back({.path = std::string(path),
                      .id = id,
                      .content = std::make_shared<const std::string>(std::move(content))});
  while (bytes_ > bytes_max || entries_.size() > contents_max) {
    bytes_ -= entries_.front().content->size();
    entries_.pop_front();
  }
}

std::shared_ptr<const std::string> RecentContents::find(std::string_view path, std::string_view hex_prefix) {
  const std::scoped_lock lock(mutex_);
  for (const Entry& entry : std::views::reverse(entries_))
    if (entry.path == path && entry.id.hex().starts_with(hex_prefix)) return entry.content;
  return nullptr;
}

}  // namespace snapgen::core
