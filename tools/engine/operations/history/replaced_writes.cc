// What MomentTaker knows of the writes of this process: whose files were changed again at once.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <shared_mutex>
#include <string>
#include <utility>

#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

// The writes of this process that no comparison finds any more, because the files were changed again since.
class ReplacedWrites {
 public:
  ReplacedWrites(Workspace& workspace, const std::vector<OwnWrite>& writes)
      : workspace_(workspace), writes_(writes) {
    for (const OwnWrite& write : writes) last_.insert_or_assign(write.path, &write);
  }

  // Returns the changes with such files, each with all of its files.
  std::vector<std::vector<const OwnWrite*>> changes() const {
    std::vector<std::vector<const OwnWrite*>> found;
    for (auto first = writes_.begin(); first != writes_.end();) {
      const auto is_other = [&](const OwnWrite& write) { return write.change != first->change; };
      const auto end = std::find_if(first, writes_.end(), is_other);
      if (std::any_of(first, end, [this](const OwnWrite& write) { return is_replaced(write); })) {
        std::vector<const OwnWrite*>& change = found.emplace_back();
        for (; first != end; ++first) change.push_back(&*first);
      }
      first = end;
    }
    return found;
  }

 private:
  bool is_replaced(const OwnWrite& write) const {
    if (!write.blob) return false;
    if (last_.at(write.path) != &write) return true;
    const Result<FileStat> stat = workspace_.root().lstat(write.path);
    return !stat || (*stat != write.stat && workspace_.stat_cache().find(write.path, *stat) != write.blob);
  }

  Workspace& workspace_;
  const std::vector<OwnWrite>& writes_;
  std::map<std::string_view, const OwnWrite*> last_;
};

}  // namespace

// Takes over the writes of this process, which are complete before the gate is free.
void MomentTaker::collect_own_writes() {
  const std::shared_lock gate(workspace_.gate_mutex());
  std::ranges::move(workspace_.own_writes().take(), std::back_inserter(own_writes_));
}

// Makes the changes from nothing to the present files lead to the state before the writes of this process, as
// far as the store has the contents. So the history has the first writes, too, which are before its
// beginning.
void MomentTaker::take_back_own_writes(std::vector<MomentChange>& changes) {
  std::map<std::string, std::optional<HistoryFile>, std::less<>> earlier;
  for (const OwnWrite& write : own_writes_) {
    const std::optional<FileRecord>& before = write.before;
    if (!before) {
      earlier.emplace(write.path, std::nullopt);
    } else if (before->blob && workspace_.blobs().contains(*before->blob)) {
      earlier.emplace(write.path, HistoryFile{.blob = *before->blob, .mode = before->stat.mode});
    }
  }
  std::erase_if(changes, [&](const MomentChange& change) { return earlier.contains(change.path); });
  for (const auto& [path, file] : earlier)
    if (file) changes.push_back({.path = path, .before = {}, .after = file});
  std::ranges::sort(changes, {}, &MomentChange::path);
}

// Records the changes of this process whose files were changed again before a moment had them, each as a
// moment, as far as the contents are in memory. Returns as record().
Result<bool> MomentTaker::record_replaced_writes(MomentCause cause) {
  collect_own_writes();
  std::set<std::pair<std::uint64_t, std::string>> done;  // The recorded writes: change and path.
  // A retry of the moment must not record them again.
  const auto forget_recorded = [&] {
    std::erase_if(own_writes_,
                  [&](const OwnWrite& write) { return done.contains({write.change, write.path}); });
  };
  for (const std::vector<const OwnWrite*>& change : ReplacedWrites(workspace_, own_writes_).changes()) {
    std::vector<std::pair<std::uint64_t, std::string>> of_change;
    const std::uint64_t generation = workspace_.blobs().generation();
    Moment moment{.number = number_ + 1, .first_number = number_ + 1, .cause = cause, .position = position_};
    for (const OwnWrite* write : change) {
      const auto recorded = state_->find(write->path);
      const std::optional<HistoryFile> before =
          recorded != state_->end() ? std::optional(recorded->second) : std::nullopt;
      std::optional<HistoryFile> after;
      if (write->blob) {
        const std::shared_ptr<const std::string> content =
            workspace_.recent_contents().find(write->path, write->blob->hex());
        if (!content) continue;
        TRY(workspace_.blobs().put(*content));
        moment.new_bytes += static_cast<std::int64_t>(content->size());
        after = HistoryFile{.blob = *write->blob, .mode = write->stat.mode};
      }
      of_change.emplace_back(write->change, write->path);
      if (before == after) continue;
      moment.changes.push_back({.path = write->path, .before = before, .after = after, .is_by_server = true});
    }
    if (moment.changes.empty()) continue;
    std::ranges::sort(moment.changes, {}, &MomentChange::path);
    moment.at_ms = workspace_.now() / 1'000'000;
    moment.began_ms = std::min(last_ms_, moment.at_ms);
    const Result<bool> is_recorded = record(std::move(moment), generation);
    if (!is_recorded || !*is_recorded) {
      forget_recorded();
      return is_recorded;
    }
    done.insert(of_change.begin(), of_change.end());
  }
  forget_recorded();
  return true;
}

}  // namespace snapgen::core
