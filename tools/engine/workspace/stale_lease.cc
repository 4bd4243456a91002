#include "tools/engine/workspace/stale_lease.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "runtime/json/reader.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/status/text_diff.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/text/text_encodings.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t listed_paths_max = 1000;
constexpr std::size_t renewed_records_max = 10'000;
constexpr std::size_t diff_lines_max = 40;
constexpr std::size_t diffed_files_max = 20;
constexpr std::size_t diff_bytes_max = 8 << 10;
constexpr std::uint64_t diffed_bytes_max = std::uint64_t{4} << 20;  // The maximum size of a compared file.

// Appends the lines of `more` as far as the limits allow. Returns false if it left some out.
bool append_lines(std::string& diff, std::size_t& lines, std::string_view more) {
  for (std::string_view line; next_line(more, line); ++lines) {
    if (lines == diff_lines_max || diff.size() + line.size() > diff_bytes_max) return false;
    diff.append(line).append("\n");
  }
  return true;
}

class StaleLease {
 public:
  StaleLease(Workspace& workspace, const Lease& lease, const GitStatus& status,
             const std::set<std::string>& changed_paths, const std::stop_token& stop)
      : workspace_(workspace), lease_(lease), status_(status), changed_paths_(changed_paths), stop_(stop) {
    for (const std::string& path : changed_paths)
      if (const std::optional<FileRecord> record = lease.touched(path); record && is_read(*record))
        read_.push_back(*record);
  }

  Error error() {
    const std::optional<std::string> renewed = renewed_lease();
    ErrorDetails details;
    details.add_json("changed_paths", json_list(first_of(changed_paths_), text_of_path));
    if (changed_paths_.size() > listed_paths_max)
      details.add_number("changed_paths_total", static_cast<std::int64_t>(changed_paths_.size()));
    add_diff(details);
    details.add_json("fingerprint", canonical_json(status_.fingerprint));
    if (renewed) details.add("lease_id", *renewed);
    if (!read_.empty()) {
      std::vector<std::string> paths;
      for (const FileRecord& record : read_) paths.push_back(record.path);
      details.add_json("read_paths", json_list(first_of(paths), text_of_path));
    }
    std::string message = "The work tree has changed since it was read under " + lease_.id() + ": " +
                          change_in_words() + ". Read again without lease_id to get a new lease";
    message +=
        renewed ? ", or to ignore the change, repeat the call with lease_id: \"" + *renewed + "\"." : ".";
    return Error(ErrorCode::stale_lease, std::move(message), std::move(details));
  }

 private:
  static bool is_read(const FileRecord& record) { return record.blob && !S_ISDIR(record.stat.mode); }

  static bool is_text(std::string_view content) {
    return content.find('\0') == std::string_view::npos && json::valid_utf8(content);
  }

  template <class Paths>
  static std::vector<std::string> first_of(const Paths& paths) {
    std::vector<std::string> first(paths.begin(), paths.end());
    if (first.size() > listed_paths_max) first.resize(listed_paths_max);
    return first;
  }

  static std::string first_path(const std::string& path, std::size_t total) {
    return path_in_sentence(path) +
           (total > 1 ? " and " + std::to_string(total - 1) + " more changed" : " changed");
  }

  // Returns what changed since the lease was issued.
  std::string change_in_words() const {
    if (!read_.empty()) return first_path(read_.front().path, changed_paths_.size());
    const Fingerprint before = lease_.base().fingerprint;
    const Fingerprint& now = status_.fingerprint;
    std::string words;
    if (!changed_paths_.empty())
      words = first_path(*changed_paths_.begin(), changed_paths_.size());
    else if (before.head_oid != now.head_oid)
      words = "the commit of HEAD changed";
    else if (before.index_oid != now.index_oid)
      words = "the index changed";
    else
      words = "a file of the repository outside of this workspace changed";
    return words + ", but no file whose content you have read";
  }

  // Adds how the files that were read have changed.
  void add_diff(ErrorDetails& details) const {
    std::string diff;
    std::size_t lines = 0;
    bool is_whole = read_.size() <= diffed_files_max;
    TextEncodings encodings(declarations_in(workspace_.root()));
    for (std::size_t i = 0; i < std::min(read_.size(), diffed_files_max) && is_whole; ++i) {
      const std::optional<std::string> part = diff_of(read_[i], encodings);
      if (part) is_whole = append_lines(diff, lines, *part);
    }
    if (diff.empty()) return;
    details.add("diff", diff);
    if (!is_whole) details.add_json("diff_truncated", "true");
  }

  // Returns nullopt if the read content is not known any more, or a content is no text of moderate size.
  std::optional<std::string> diff_of(const FileRecord& record, TextEncodings& encodings) const {
    if (!S_ISREG(record.stat.mode) || static_cast<std::uint64_t>(record.stat.size) > diffed_bytes_max)
      return std::nullopt;
    const std::optional<std::string> before = workspace_.known_content(record.path, *record.blob);
    if (!before) return std::nullopt;
    std::string after;
    const auto now = now_.find(record.path);
    const bool exists = now != now_.end() && S_ISREG(now->second.stat.mode);
    if (exists) {
      if (static_cast<std::uint64_t>(now->second.stat.size) > diffed_bytes_max) return std::nullopt;
      Result<OpenedPath> opened = workspace_.root().open_file(record.path);
      if (!opened || !read_stable_content(*opened, after)) return std::nullopt;
    }
    const std::string old_text = encodings.text_of(record.path, *before).text;
    const std::string new_text = encodings.text_of(record.path, std::move(after)).text;
    if (!is_text(old_text) || !is_text(new_text)) return std::nullopt;
    const Result<TextDiff> diff = diff_texts(old_text, new_text, 1, diff_bytes_max);
    if (!diff || diff->text.empty()) return std::nullopt;
    const std::string path = text_of_path(record.path);
    return "--- a/" + path + "\n+++ " + (exists ? "b/" + path : "/dev/null") + "\n" + diff->text;
  }

  // Issues a lease that has recorded the same files as they are now.
  std::optional<std::string> renewed_lease() {
    std::vector<FileRecord> records = lease_.touched();
    if (records.size() > renewed_records_max) return std::nullopt;
    bool has_folders = false;
    for (FileRecord& record : records) {
      has_folders |= S_ISDIR(record.stat.mode);
      if (S_ISDIR(record.stat.mode) || !changed_paths_.contains(record.path)) continue;
      Result<FileRecord> now = observe_file(workspace_.root(), record.path, stop_);
      if (now) {
        now_.emplace(record.path, *now);
        record = *std::move(now);
      } else if (now.error().code == ErrorCode::not_found) {
        record = observed_absence_of(record.path, now_ns());
      } else {
        return std::nullopt;
      }
    }
    if (has_folders && !renew_folders(records)) return std::nullopt;
    return workspace_.leases().issue({.fingerprint = status_.fingerprint, .status = status_.porcelain_output},
                                     {.records = std::move(records)});
  }

  // Replaces the records of folders by the current ones. Returns false if the work tree cannot be listed.
  bool renew_folders(std::vector<FileRecord>& records) const {
    LiveView view(workspace_, false, stop_);
    const Result<const Listing*> listing = view.listing();
    if (!listing) return false;
    std::map<std::string, FileRecord> folders;
    for (FileRecord& record : folder_records(workspace_, status_, **listing)) {
      std::string path = record.path;
      folders.emplace(std::move(path), std::move(record));
    }
    for (FileRecord& record : records) {
      if (!S_ISDIR(record.stat.mode)) continue;
      const auto now = folders.find(record.path);
      record = now == folders.end() ? absence_of(record.path) : now->second;
    }
    return true;
  }

  Workspace& workspace_;
  const Lease& lease_;
  const GitStatus& status_;
  const std::set<std::string>& changed_paths_;
  std::stop_token stop_;
  std::vector<FileRecord> read_;           // The changed files that were read, as the lease has them.
  std::map<std::string, FileRecord> now_;  // The changed files that exist, as they are now.
};

}  // namespace

Error stale_lease_error(Workspace& workspace, const Lease& lease, const GitStatus& status,
                        const std::set<std::string>& changed_paths, const std::stop_token& stop) {
  return StaleLease(workspace, lease, status, changed_paths, stop).error();
}

}  // namespace snapgen::core
