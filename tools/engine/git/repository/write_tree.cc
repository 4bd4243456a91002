#include "tools/engine/git/repository/write_tree.h"

#include <cstdio>

namespace snapgen::core::git {
namespace {

class TreeWriter {
 public:
  TreeWriter(const Index& index, ObjectPresence& objects) : index_(index), objects_(objects) {}

  // One folder: the entries from `at` on whose path starts with `prefix` ("" or "a/b/").
  struct Folder {
    Oid oid;
    std::size_t end = 0;
    bool left_out = false;  // Has an intent-to-add entry below, which trees omit.
  };

  Result<std::optional<Folder>> folder(std::size_t at, std::string_view prefix, const CachedTree* cached) {
    const std::vector<IndexEntry>& entries = index_.entries();
    if (cached != nullptr && cached->entry_count >= 0) {
      const std::size_t end = at + static_cast<std::size_t>(cached->entry_count);
      const bool fits = end <= entries.size() && end > at && entries[end - 1].path.starts_with(prefix) &&
                        (end == entries.size() || !entries[end].path.starts_with(prefix));
      if (fits || (prefix.empty() && entries.empty()))
        return std::optional(Folder{.oid = cached->oid, .end = end});
    }
    // The folder is a collapsed one of a sparse index.
    if (at < entries.size() && entries[at].path == prefix) {
      return std::optional(Folder{.oid = Oid::from_bytes(entries[at].oid), .end = at + 1});
    }
    std::string content;
    Folder out;
    while (at < entries.size() && entries[at].path.starts_with(prefix)) {
      const IndexEntry& entry = entries[at];
      const std::string_view rest = entry.path.substr(prefix.size());
      const std::size_t slash = rest.find('/');
      if (slash != std::string_view::npos) {
        const std::string_view name = rest.substr(0, slash);
        const CachedTree* below = cached != nullptr ? cached->child(name) : nullptr;
        Result<std::optional<Folder>> made =
            folder(at, entry.path.substr(0, prefix.size() + slash + 1), below);
        if (!made || !*made) return made;
        const Folder& child = **made;
        at = child.end;
        out.left_out |= child.left_out;
        if (child.left_out && child.oid == empty_tree_) continue;
        append(content, mode_folder, name, child.oid.bytes());
        continue;
      }
      ++at;
      const Oid oid = Oid::from_bytes(entry.oid);
      if (oid.is_null()) return std::optional<Folder>();
      if ((entry.mode & mode_type_mask) != mode_gitlink) {
        const bool present = TRY(objects_.contains(oid));
        if (!present) return std::optional<Folder>();
      }
      if (entry.intent_to_add) {
        out.left_out = true;
        continue;
      }
      append(content, entry.mode, rest, entry.oid);
    }
    out.oid = object_oid(index_.kind(), "tree", content);
    out.end = at;
    return std::optional(std::move(out));
  }

 private:
  static void append(std::string& content, std::uint32_t mode, std::string_view name, std::string_view oid) {
    char digits[16];
    const int length = std::snprintf(digits, sizeof digits, "%o ", mode);
    content.append(digits, static_cast<std::size_t>(length));
    content += name;
    content += '\0';
    content += oid;
  }

  const Index& index_;
  ObjectPresence& objects_;
  const Oid empty_tree_ = empty_tree_oid(index_.kind());
};

}  // namespace

Result<std::optional<Oid>> tree_of_index(const Index& index, ObjectPresence& objects) {
  if (index.has_unmerged()) return std::optional<Oid>();
  const std::vector<IndexEntry>& entries = index.entries();
  for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
    const std::string_view path = entries[i].path;
    const std::string_view next = entries[i + 1].path;
    if (next.size() > path.size() && next[path.size()] == '/' && next.starts_with(path)) {
      return std::optional<Oid>();
    }
  }
  TreeWriter writer(index, objects);
  std::optional<TreeWriter::Folder> root = TRY(writer.folder(0, "", index.cached_tree()));
  if (!root) return std::optional<Oid>();
  return std::optional<Oid>(root->oid);
}

}  // namespace snapgen::core::git
