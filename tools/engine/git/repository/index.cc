#include "tools/engine/git/repository/index.h"

#include <algorithm>
#include <charconv>

namespace snapgen::core::git {
namespace {

constexpr std::size_t path_bytes_max = 4096;  // PATH_MAX; the work tree cannot contain longer paths.
constexpr std::size_t chunk_bytes = 1u << 16;

}  // namespace

const CachedTree* CachedTree::child(std::string_view wanted) const {
  for (const CachedTree& candidate : children) {
    if (candidate.name == wanted) return &candidate;
  }
  return nullptr;
}

std::size_t Index::lower_bound(std::string_view path) const {
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), path,
                       [](const IndexEntry& entry, std::string_view wanted) { return entry.path < wanted; });
  return static_cast<std::size_t>(found - entries_.begin());
}

const IndexEntry* Index::find(std::string_view path) const {
  const std::size_t at = lower_bound(path);
  return at < entries_.size() && entries_[at].path == path ? &entries_[at] : nullptr;
}

bool Index::contains(std::string_view path) const { return find(path) != nullptr; }

IndexBuilder::IndexBuilder(const FileStat& stat, HashKind kind) : index_(std::make_shared<Index>()) {
  index_->stat_ = stat;
  index_->kind_ = kind;
}

bool IndexBuilder::add(const IndexEntry& entry) {
  std::vector<IndexEntry>& entries = index_->entries_;
  if (entry.path.empty() || entry.path.size() > path_bytes_max) return false;
  if (!entries.empty()) {
    const IndexEntry& previous = entries.back();
    const int order = previous.path.compare(entry.path);
    if (order > 0 || (order == 0 && previous.stage >= entry.stage)) return false;
    index_->has_mixed_stages_ |= order == 0 && previous.stage == 0;
  }
  const bool names_folder = entry.path.ends_with('/');
  switch (entry.mode & mode_type_mask) {
    case mode_folder: index_->has_folders_ = true; break;
    case mode_gitlink:
    case mode_regular:
    case mode_symlink: break;
    default: return false;
  }
  if (names_folder != ((entry.mode & mode_type_mask) == mode_folder)) return false;
  index_->has_unmerged_ |= entry.stage != 0;
  index_->has_skip_worktree_ |= entry.skip_worktree;
  entries.push_back(entry);
  return true;
}

void IndexBuilder::set_tree(CachedTree tree) {
  index_->tree_ = std::move(tree);
  index_->has_tree_ = true;
}

void IndexBuilder::set_fallback_reason(std::string reason) {
  if (index_->fallback_reason_.empty()) index_->fallback_reason_ = std::move(reason);
}

std::string_view IndexBuilder::copy_bytes(std::string bytes) {
  auto memory = std::make_shared<const std::string>(std::move(bytes));
  const std::string_view view = *memory;
  keep_alive(std::move(memory));
  return view;
}

std::string_view IndexBuilder::copy_bytes(std::string_view head, std::string_view tail) {
  const std::size_t length = head.size() + tail.size();
  if (length > chunk_left_) {
    chunk_left_ = std::max(chunk_bytes, length);
    const std::shared_ptr<char[]> chunk(new char[chunk_left_]);
    chunk_ = chunk.get();
    keep_alive(chunk);
  }
  char* const begin = chunk_;
  std::copy(head.begin(), head.end(), begin);
  std::copy(tail.begin(), tail.end(), begin + head.size());
  chunk_ += length;
  chunk_left_ -= length;
  return {begin, length};
}

IndexPtr empty_index(HashKind kind) { return IndexBuilder(FileStat{}, kind).finish(); }

namespace {

bool before(const IndexEntry& a, const IndexEntry& b) {
  const int order = a.path.compare(b.path);
  return order != 0 ? order < 0 : a.stage < b.stage;
}

bool same_place(const IndexEntry& a, const IndexEntry& b) { return a.path == b.path && a.stage == b.stage; }

}  // namespace

IndexPtr with_shared_index(const ParsedIndex& split, const IndexPtr& shared) {
  IndexBuilder out(split.index->stat(), split.index->kind());
  out.keep_alive(split.index);
  out.keep_alive(shared);
  const std::vector<bool>& deleted = split.link->deleted_bitmap;
  const std::vector<bool>& replaced = split.link->replaced_bitmap;
  const std::vector<IndexEntry>& base = shared->entries();
  const std::vector<IndexEntry>& own = split.index->entries();
  if (!shared->fallback_reason().empty() || deleted.size() > base.size() || replaced.size() > base.size()) {
    out.set_fallback_reason("the shared index is damaged");
    return out.finish();
  }
  out.reserve(base.size() + own.size());
  std::size_t next_nameless = 0;
  auto added = own.begin();
  bool good = true;
  for (std::size_t i = 0; i < base.size(); ++i) {
    IndexEntry entry = base[i];
    if (i < replaced.size() && replaced[i]) {
      good = good && next_nameless < split.replacements.size();
      if (!good) break;
      entry = split.replacements[next_nameless++];
      entry.path = base[i].path;
    }
    for (; added != own.end() && before(*added, entry); ++added) good = good && out.add(*added);
    if (i < deleted.size() && deleted[i]) continue;
    if (added != own.end() && same_place(*added, entry)) continue;
    good = good && out.add(entry);
  }
  for (; added != own.end(); ++added) good = good && out.add(*added);
  if (!good || next_nameless != split.replacements.size())
    out.set_fallback_reason("the split index is damaged");
  if (split.index->cached_tree() != nullptr) out.set_tree(*split.index->cached_tree());
  return out.finish();
}

namespace {

// Parses the numbers of one `--debug` block, in git's order.
bool read_debug(std::string_view in, std::size_t& at, IndexEntry& entry, std::uint32_t& flags) {
  const auto number = [&](std::string_view label, int base, std::uint32_t& out) {
    if (in.substr(at, label.size()) != label) return false;
    at += label.size();
    const auto [end, error] = std::from_chars(in.data() + at, in.data() + in.size(), out, base);
    if (error != std::errc()) return false;
    at = static_cast<std::size_t>(end - in.data());
    return true;
  };
  const bool good = number("  ctime: ", 10, entry.ctime_s) && number(":", 10, entry.ctime_ns) &&
                    number("\n  mtime: ", 10, entry.mtime_s) && number(":", 10, entry.mtime_ns) &&
                    number("\n  dev: ", 10, entry.device) && number("\tino: ", 10, entry.inode) &&
                    number("\n  uid: ", 10, entry.uid) && number("\tgid: ", 10, entry.gid) &&
                    number("\n  size: ", 10, entry.size) && number("\tflags: ", 16, flags);
  if (!good || at >= in.size() || in[at] != '\n') return false;
  ++at;
  return true;
}

}  // namespace

IndexPtr index_from_listing(std::string bytes, const FileStat& stat, HashKind kind) {
  // The bits of flags as git has them in memory: assume-unchanged as in the index file, the extended flags 16
  // bits higher.
  constexpr std::uint32_t skip_worktree = 1u << 30, intent_to_add = 1u << 29, assume_unchanged = 0x8000;
  IndexBuilder out(stat, kind);
  const std::string_view in = out.copy_bytes(std::move(bytes));
  const std::size_t digits = 2 * digest_size(kind);
  // A record is "<mode> <oid> <stage>\t<path>\0" and its debug block.
  for (std::size_t at = 0; at < in.size();) {
    IndexEntry entry;
    std::uint32_t flags = 0;
    const std::string_view head = in.substr(at, 6 + 1 + digits + 3);
    const std::size_t end = in.find('\0', at);
    const std::optional<Oid> oid = head.size() > 7 ? Oid::from_hex(head.substr(7, digits)) : std::nullopt;
    bool good = end != std::string_view::npos && oid && head.back() == '\t';
    if (good) {
      std::from_chars(head.data(), head.data() + 6, entry.mode, 8);
      entry.oid = out.copy_bytes(oid->bytes(), "");
      entry.stage = static_cast<std::uint8_t>(head[head.size() - 2] - '0');
      entry.path = in.substr(at + head.size(), end - at - head.size());
      at = end + 1;
      good = read_debug(in, at, entry, flags);
      entry.assume_unchanged = (flags & assume_unchanged) != 0;
      entry.skip_worktree = (flags & skip_worktree) != 0;
      entry.intent_to_add = (flags & intent_to_add) != 0;
    }
    if (!good || !out.add(entry)) {
      out.set_fallback_reason("git listed the index in an unexpected form");
      break;
    }
  }
  return out.finish();
}

}  // namespace snapgen::core::git
