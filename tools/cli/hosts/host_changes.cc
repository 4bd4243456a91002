#include "tools/cli/hosts/host_changes.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "schemas/common/host_changes.h"
#include "tools/cli/hosts/host_file.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/files/beneath.h"
#include "tools/engine/files/durable.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view record_folder = ".snapback";
constexpr std::string_view record_name = "hosts.json";

// Returns the record. An unreadable one counts as empty, so that files can be changed all the same.
HostChanges read_changes(const std::string& workspace) {
  HostChanges changes;
  Result<std::string> text =
      core::read_state_file(workspace, std::string(record_folder) + "/" + std::string(record_name));
  if (!text) return changes;
  json::Reader in(*text);
  read(in, changes);
  in.end();
  return in.ok() ? changes : HostChanges();
}

Result<Unit> write_changes(const std::string& workspace, const HostChanges& changes) {
  const std::string folder = workspace + "/" + std::string(record_folder);
  TRY(core::make_snapback_folder(workspace));
  TRY(core::check_plain_folder(folder, record_folder));
  std::string text;
  json::Writer out(text);
  write(out, changes);
  return core::replace_file(folder, record_name, text + "\n", core::Durability::machine_crash);
}

// Returns how many of the folders around a file do not exist.
std::int64_t missing_folders(std::filesystem::path path) {
  std::int64_t missing = 0;
  std::error_code error;
  for (path = path.parent_path(); !std::filesystem::exists(path, error); path = path.parent_path()) ++missing;
  return missing;
}

HostChange difference(const std::string& file, std::string_view before, std::string_view after) {
  const std::size_t most = std::min(before.size(), after.size());
  std::size_t begin = 0;
  while (begin < most && before[begin] == after[begin]) ++begin;
  std::size_t tail = 0;
  while (tail < most - begin && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  HostChange change;
  change.path = file;
  change.after_sha256 = core::sha256_hex(after);
  change.at = static_cast<std::int64_t>(begin);
  change.removed = core::text_of_bytes(before.substr(begin, before.size() - begin - tail));
  change.inserted = core::text_of_bytes(after.substr(begin, after.size() - begin - tail));
  return change;
}

}  // namespace

std::optional<FileBefore> host_file_before(const std::string& workspace, const std::string& file,
                                           std::string_view now) {
  const HostChanges changes = read_changes(workspace);
  const auto change = std::ranges::find(changes.files, file, &HostChange::path);
  if (change == changes.files.end() || change->after_sha256 != core::sha256_hex(now)) return std::nullopt;
  Result<std::string> inserted = core::bytes_of_text(change->inserted);
  Result<std::string> removed = core::bytes_of_text(change->removed);
  const auto at = static_cast<std::size_t>(change->at);
  if (!inserted || !removed || at > now.size() || now.substr(at, inserted->size()) != *inserted)
    return std::nullopt;
  FileBefore before{.text = std::string(now), .exists = !change->made, .folders_made = change->made_folders};
  before.text.replace(at, inserted->size(), *removed);
  return before;
}

Result<Unit> change_host_file(const std::string& workspace, const std::string& file,
                              std::optional<std::string_view> now, std::string_view base,
                              std::string_view after) {
  const std::string path = TRY(path_of_host_file(workspace, file));
  FileBefore before{
      .text = std::string(base), .exists = now.has_value(), .folders_made = missing_folders(path)};
  if (now) before = host_file_before(workspace, file, *now).value_or(before);
  TRY(write_host_file(workspace, file, after));
  HostChanges changes = read_changes(workspace);
  std::erase_if(changes.files, [&](const HostChange& each) { return each.path == file; });
  HostChange change = difference(file, before.text, after);
  change.made = !before.exists;
  change.made_folders = before.folders_made;
  changes.files.push_back(std::move(change));
  return write_changes(workspace, changes);
}

Result<Unit> restore_host_file(const std::string& workspace, const std::string& file,
                               const FileBefore& before) {
  TRY(before.exists ? write_host_file(workspace, file, before.text)
                    : remove_host_file(workspace, file, before.folders_made));
  HostChanges changes = read_changes(workspace);
  const std::size_t forgotten =
      std::erase_if(changes.files, [&](const HostChange& each) { return each.path == file; });
  return forgotten == 0 ? Result<Unit>(Unit{}) : write_changes(workspace, changes);
}

}  // namespace snapgen::tools
