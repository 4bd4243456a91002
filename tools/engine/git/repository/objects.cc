#include "tools/engine/git/repository/objects.h"

#include <cstring>

#include "tools/engine/git/repository/libgit2.h"

namespace snapgen::core::git {
namespace {

git_oid raw(const Oid& oid) {
  git_oid out;
  static_assert(sizeof out.id == 20);
  std::memcpy(out.id, oid.data.data(), sizeof out.id);
  return out;
}

}  // namespace

std::optional<std::vector<TreeEntry>> parse_tree(std::string_view content, std::size_t oid_bytes) {
  std::vector<TreeEntry> out;
  while (!content.empty()) {
    TreeEntry entry;
    std::size_t at = 0;
    for (; at < content.size() && content[at] >= '0' && content[at] <= '7' && at < 7; ++at) {
      entry.mode = entry.mode * 8 + static_cast<std::uint32_t>(content[at] - '0');
    }
    if (at == 0 || at >= content.size() || content[at] != ' ') return std::nullopt;
    const std::size_t end = content.find('\0', ++at);
    if (end == std::string_view::npos || end == at || content.size() - end - 1 < oid_bytes)
      return std::nullopt;
    entry.name = std::string(content.substr(at, end - at));
    entry.oid = Oid::from_bytes(content.substr(end + 1, oid_bytes));
    content.remove_prefix(end + 1 + oid_bytes);
    out.push_back(std::move(entry));
  }
  return out;
}

void ObjectDatabase::Free::operator()(git_odb* database) const { git_odb_free(database); }

Result<ObjectDatabase> ObjectDatabase::open(const std::string& folder) {
  TRY(start_libgit2());
  ObjectDatabase out(folder);
  TRY(out.check_files(Oid{}));
  git_odb* database = nullptr;
  if (git_odb_open(&database, folder.c_str()) != 0) {
    const git_error* error = git_error_last();
    return Error(ErrorCode::unavailable,
                 "The repository's object database cannot be opened. git fsck reports what is wrong.", {},
                 error != nullptr ? error->message : "");
  }
  out.database_.reset(database);
  return out;
}

std::optional<ObjectDatabase::Object> ObjectDatabase::read(const Oid& oid) {
  if (oid.size != 20) return std::nullopt;
  git_odb_object* found = nullptr;
  const git_oid name = raw(oid);
  if (git_odb_read(&found, database_.get(), &name) != 0) return std::nullopt;
  const std::unique_ptr<git_odb_object, decltype(&git_odb_object_free)> object(found, &git_odb_object_free);
  Object out;
  out.type = git_object_type2string(git_odb_object_type(found));
  out.content.assign(static_cast<const char*>(git_odb_object_data(found)), git_odb_object_size(found));
  return out;
}

bool ObjectDatabase::contains(const Oid& oid) {
  if (oid.size != 20) return false;
  const git_oid name = raw(oid);
  return git_odb_exists(database_.get(), &name) == 1;
}

std::optional<std::size_t> ObjectDatabase::size_of(const Oid& oid) {
  if (oid.size != 20) return std::nullopt;
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  const git_oid name = raw(oid);
  if (git_odb_read_header(&size, &type, database_.get(), &name) != 0) return std::nullopt;
  return size;
}

}  // namespace snapgen::core::git
