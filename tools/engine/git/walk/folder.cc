#include "tools/engine/git/walk/folder.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/base/fd.h"

namespace snapgen::core::git {
namespace {

ItemKind kind_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return ItemKind::file;
  if (S_ISLNK(mode)) return ItemKind::link;
  if (S_ISDIR(mode)) return ItemKind::folder;
  return ItemKind::other;
}

ItemKind item_kind(int folder_fd, const dirent64& entry) {
  switch (entry.d_type) {
    case DT_REG: return ItemKind::file;
    case DT_LNK: return ItemKind::link;
    case DT_DIR: return ItemKind::folder;
    case DT_UNKNOWN: return kind_at(folder_fd, entry.d_name);
    default: return ItemKind::other;
  }
}

// Compares names in git's order of folders: as if a slash followed.
bool before_as_folder(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  const int order = a.substr(0, common).compare(b.substr(0, common));
  if (order != 0) return order < 0;
  const unsigned char next_a = a.size() > common ? static_cast<unsigned char>(a[common]) : '/';
  const unsigned char next_b = b.size() > common ? static_cast<unsigned char>(b[common]) : '/';
  return a.size() != b.size() && next_a < next_b;
}

}  // namespace

ItemKind kind_at(int root_fd, const std::string& path) {
  struct stat status{};
  if (fstatat(root_fd, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return ItemKind::missing;
  return kind_of_mode(status.st_mode);
}

int FolderItems::read(int root_fd, const std::string& path) {
  items_.clear();
  names_.clear();
  const Fd fd(openat(root_fd, path.empty() ? "." : path.c_str(),
                     O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd) return errno;
  // Uses a plain system call, because a walk opens thousands of folders and opendir() costs more for each.
  constexpr std::size_t buffer_bytes = 32u << 10;
  thread_local const std::unique_ptr<std::uint64_t[]> buffer(new std::uint64_t[buffer_bytes / 8]);
  std::vector<std::size_t> lengths;
  for (;;) {
    const ssize_t got = getdents64(fd.get(), buffer.get(), buffer_bytes);
    if (got < 0) return errno;
    if (got == 0) break;
    const char* const bytes = reinterpret_cast<const char*>(buffer.get());
    for (ssize_t at = 0; at < got;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(bytes + at);
      at += entry->d_reclen;
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." || name == ".git") continue;
      items_.push_back({.name = {}, .kind = item_kind(fd.get(), *entry)});
      lengths.push_back(name.size());
      names_ += name;
    }
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    items_[i].name = std::string_view(names_).substr(at, lengths[i]);
    at += lengths[i];
  }
  return 0;
}

const FolderItem* FolderItems::find(std::string_view name) const {
  for (const FolderItem& item : items_) {
    if (item.name == name) return &item;
  }
  return nullptr;
}

IndexRange entries_below(const Index& index, std::string_view path) {
  std::string bound(path);
  const std::size_t begin = index.lower_bound(bound += '/');
  bound.back() = '/' + 1;
  return {begin, index.lower_bound(bound)};
}

EntryRanges entries_at(const Index& index, std::string_view path) {
  const std::size_t size = index.entries().size();
  EntryRanges out;
  out.at.begin = out.at.end = index.lower_bound(path);
  while (out.at.end < size && index.entries()[out.at.end].path == path) ++out.at.end;
  out.below = entries_below(index, path);
  return out;
}

IndexFolder::IndexFolder(const Index& index, IndexRange range, std::size_t prefix_bytes) : index_(index) {
  const std::vector<IndexEntry>& entries = index.entries();
  for (std::size_t i = range.begin; i < range.end;) {
    const std::string_view path = entries[i].path;
    const std::size_t slash = path.find('/', prefix_bytes);
    if (slash == std::string_view::npos) {
      const std::string_view name = path.substr(prefix_bytes);
      // Several stages of one path count as one name.
      if (files_.empty() || files_.back().name != name) files_.push_back({name, {i, i}});
      files_.back().range.end = ++i;
      continue;
    }
    const std::string_view below = path.substr(0, slash + 1);
    const auto end =
        std::partition_point(entries.begin() + static_cast<std::ptrdiff_t>(i),
                             entries.begin() + static_cast<std::ptrdiff_t>(range.end),
                             [&](const IndexEntry& entry) { return entry.path.starts_with(below); });
    const auto past = static_cast<std::size_t>(end - entries.begin());
    folders_.push_back({path.substr(prefix_bytes, slash - prefix_bytes), {i, past}});
    i = past;
  }
}

const IndexEntry* IndexFolder::file(std::string_view name) const {
  const auto found =
      std::lower_bound(files_.begin(), files_.end(), name,
                       [](const Child& child, std::string_view wanted) { return child.name < wanted; });
  return found != files_.end() && found->name == name ? &index_.entries()[found->range.begin] : nullptr;
}

IndexRange IndexFolder::folder(std::string_view name) const {
  const auto found = std::lower_bound(
      folders_.begin(), folders_.end(), name,
      [](const Child& child, std::string_view wanted) { return before_as_folder(child.name, wanted); });
  return found != folders_.end() && found->name == name ? found->range : IndexRange{};
}

}  // namespace snapgen::core::git
