#include "tools/cli/hosts/file_change.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "tools/cli/hosts/hook_file.h"
#include "tools/cli/hosts/host_file.h"
#include "tools/cli/hosts/permissions.h"
#include "tools/engine/git/status/text_diff.h"

namespace snapgen::tools {
namespace {

Result<std::string> diff_of(std::string_view file, std::string_view before, std::string_view after) {
  constexpr std::uint32_t context = 3;
  constexpr std::size_t bytes_max = std::size_t{1} << 20;
  core::TextDiff diff = TRY(core::diff_texts(before, after, context, bytes_max));
  const std::string name(file);
  return (before.empty() ? std::string("--- /dev/null\n") : "--- a/" + name + "\n") +
         (after.empty() ? std::string("+++ /dev/null\n") : "+++ b/" + name + "\n") + diff.text;
}

// Returns the file of a host with its current text. Errors: it cannot be read.
Result<FileChange> file_of(const std::string& workspace, const std::string& file) {
  FileChange change{.file = file};
  Result<std::string> text = read_host_file(workspace, change.file);
  if (!text && text.error().code != ErrorCode::not_found) return std::move(text).error();
  if (text) change.now = *std::move(text);
  return change;
}

// Adds the diff to a change; returns nullopt if there is nothing to change.
Result<std::optional<FileChange>> with_diff(FileChange change, bool removes_file) {
  const std::string before = change.now.value_or("");
  if (change.after == before && !removes_file) return std::optional<FileChange>();
  change.diff = TRY(diff_of(change.file, before, change.after));
  return std::optional(std::move(change));
}

// Returns the text of one of the host's files without our entry, our permissions and our hooks. Errors: as
// without_our_entry(), without_permissions() and without_our_hooks().
Result<std::string> without_ours(const HostFiles& host, const std::string& file, std::string text) {
  if (file == host.form.hooks.file) text = TRY(without_our_hooks(text, host.form));
  if (file == host.form.permissions_file) text = TRY(without_permissions(text, host.server));
  if (file == host.file) text = TRY(without_our_entry(text, host.form.host, host.workspace));
  return text;
}

// Returns the name of our entry in the text of a host's file; the usual one if there is none.
std::string name_of_our_entry(std::string_view text, Host host, const std::string& workspace) {
  const Result<std::vector<HostServer>> servers = servers_of(text, host);
  if (!servers) return std::string(entry_name);
  const auto ours = find_our_entry(*servers, host, workspace);
  return ours == servers->end() ? std::string(entry_name) : ours->name;
}

}  // namespace

HostFiles files_of(Host host, const std::string& workspace) {
  const std::string file = host_file(host, workspace);
  const Result<std::string> text = read_host_file(workspace, file);
  return {.form = form_of(host),
          .workspace = workspace,
          .file = file,
          .server = name_of_our_entry(text ? *text : "", host, workspace)};
}

Result<std::optional<FileChange>> change_for(const HostFiles& host, std::string_view file, const Edit& edit) {
  FileChange change = TRY(file_of(host.workspace, std::string(file)));
  const std::string text = change.now.value_or("");
  change.base = TRY(without_ours(host, change.file, text));
  change.after = TRY(edit(text));
  return with_diff(std::move(change), false);
}

Result<std::optional<FileChange>> removal_for(const HostFiles& host, const std::string& file) {
  FileChange change = TRY(file_of(host.workspace, file));
  if (!change.now) return std::optional<FileChange>();
  change.before = host_file_before(host.workspace, file, *change.now);
  if (!change.before) {
    std::string base = TRY(without_ours(host, file, *change.now));
    // Only a file that had nothing but our text is then empty.
    const bool is_ours = base.empty() && !change.now->empty();
    change.before = FileBefore{.text = std::move(base), .exists = !is_ours};
  }
  change.after = change.before->text;
  const bool removes_file = !change.before->exists;
  return with_diff(std::move(change), removes_file);
}

}  // namespace snapgen::tools
