#include "runtime/mcp/backlog.h"

#include <utility>

#include "runtime/mcp/pending_request.h"

namespace snapgen::mcp {
namespace {

std::size_t size_of(const Backlog::Entry& entry) { return entry.text.size() + sizeof(entry); }

}  // namespace

bool Backlog::add(Entry entry) {
  const std::size_t bytes = size_of(entry);
  if (bytes > bytes_max_ - bytes_) return false;
  bytes_ += bytes;
  const auto at = entries_.insert(entries_.end(), std::move(entry));
  by_id_.emplace(at->id, at);
  return true;
}

bool Backlog::has(std::string_view id) const { return !by_id_.empty() && by_id_.contains(comparable_id(id)); }

Backlog::Entry Backlog::take() { return take(entries_.begin()); }

std::optional<Backlog::Entry> Backlog::take(std::string_view id) {
  if (by_id_.empty()) return std::nullopt;
  const auto found = by_id_.find(comparable_id(id));
  if (found == by_id_.end()) return std::nullopt;
  return take(found->second);
}

Backlog::Entry Backlog::take(Entries::iterator at) {
  by_id_.erase(at->id);
  bytes_ -= size_of(*at);
  Entry entry = std::move(*at);
  entries_.erase(at);
  return entry;
}

void Backlog::clear() {
  by_id_.clear();
  entries_.clear();
  bytes_ = 0;
}

}  // namespace snapgen::mcp
