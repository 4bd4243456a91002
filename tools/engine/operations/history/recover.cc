#include "tools/engine/operations/history/recover.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/files/path.h"
#include "tools/engine/files/root.h"
#include "tools/engine/operations/history/history_query.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/history/history_log.h"
#include "tools/engine/store/history/recorded_state.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t deletion_ms_max = 60'000;  // The longest time between two moments in a deletion.

// Writes files into a folder in which all other files are its own. It follows no symlink.
class NewTree {
 public:
  static Result<NewTree> open(const std::string& folder) {
    TRY(check_is_empty(folder));
    if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) return system_error(errno, "make", folder);
    Fd fd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!fd) return system_error(errno, "open", folder);
    return NewTree(std::move(fd));
  }

  Result<Unit> add(const std::string& path, const HistoryFile& file, const std::string& content) const {
    if (is_reserved_path(path)) return reserved_path_error(path);
    Fd opened;  // The folder of the file, unless it is the root.
    int folder = root_.get();
    std::string_view rest = path;
    for (std::size_t end = rest.find('/'); end != std::string_view::npos; end = rest.find('/')) {
      const std::string name(rest.substr(0, end));
      rest.remove_prefix(end + 1);
      if (::mkdirat(folder, name.c_str(), 0777) != 0 && errno != EEXIST)
        return system_error(errno, "make", path);
      Fd next(::openat(folder, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!next) return system_error(errno, "open", path);
      opened = std::move(next);
      folder = opened.get();
    }
    const std::string name(rest);
    if (S_ISLNK(file.mode))
      return ::symlinkat(content.c_str(), folder, name.c_str()) == 0 ? Result<Unit>(Unit{})
                                                                     : system_error(errno, "make", path);
    const Fd made(::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!made) return system_error(errno, "write", path);
    TRY(write_at(made.get(), content, 0));
    if (::fchmod(made.get(), file.mode & recorded_permissions) != 0)
      return system_error(errno, "write", path);
    return Unit{};
  }

 private:
  explicit NewTree(Fd root) : root_(std::move(root)) {}

  static Result<Unit> check_is_empty(const std::string& folder) {
    const FolderNames found = names_in_folder(folder);
    if (found.error != 0 && found.error != ENOENT) return system_error(found.error, "read", folder);
    for (const std::string& name : found.names) {
      const bool is_repository = ::access((folder + "/.git/HEAD").c_str(), F_OK) == 0;
      if (name == ".snapback" || (name == ".git" && !is_repository)) continue;
      return Error(
          ErrorCode::invalid_argument,
          path_in_sentence(folder) + " is not empty. Name a folder that is, or that does not exist.");
    }
    return Unit{};
  }

  Fd root_;
};

// A deletion of the store makes a server begin again with the state that it finds: not the recorded one.
void drop_later_bases(Timeline& timeline) {
  std::erase_if(timeline.bases, [&](const auto& base) {
    const auto is_earlier = [&](const auto& other) {
      return other->number == base->number && other->at_ms < base->at_ms;
    };
    return std::ranges::any_of(timeline.moments, is_earlier) ||
           std::ranges::any_of(timeline.bases, is_earlier);
  });
}

bool only_deletes(const std::vector<MomentChange>& changes) {
  // A file that was ignored appears when the deletion has taken the ignore rules.
  return std::ranges::none_of(changes, [](const MomentChange& change) {
    return change.after && !(change.before && change.before->is_left_out());
  });
}

// The last state that has files and is not one in the middle of the deletion.
Result<std::uint64_t> number_before_deletion(const Timeline& timeline, BlobStore& blobs,
                                             const std::stop_token& stop) {
  const auto& moments = timeline.moments;
  std::uint64_t number = timeline.last_number();
  std::size_t left = moments.size();
  std::int64_t later_ms = 0;  // The time of the deletion after it.
  for (; left > 0; --left) {
    const Moment& moment = *moments[left - 1];
    const std::vector<MomentChange> changes = TRY(changes_of(blobs, moment));
    // Without changed files only the position of git moved, for example because its index is gone.
    if (changes.empty()) continue;
    if (!only_deletes(changes) || (later_ms != 0 && later_ms - moment.at_ms > deletion_ms_max)) break;
    number = moment.first_number - 1;
    later_ms = moment.at_ms;
  }
  for (; left > 0; --left) {
    const RecordedState state = TRY(state_after(timeline, blobs, number, stop));
    if (!state.empty()) break;
    number = moments[left - 1]->first_number - 1;
  }
  return number;
}

}  // namespace

Result<RecoveredFiles> recover_files(const RecoverQuery& query, std::int64_t now_ms,
                                     const std::stop_token& stop) {
  Timeline timeline = TRY(HistoryLog(query.copy_folder + "/history").read());
  const std::unique_ptr<BlobStore> blobs = TRY(open_segment_store(query.copy_folder + "/blobs"));
  drop_later_bases(timeline);
  RecoveredFiles recovered;
  if (query.target) {
    const HistoryTarget target = TRY(find_history_target(timeline, *query.target, now_ms));
    const std::shared_ptr<const Moment> first = timeline.find(target.first);
    recovered.state_number = (first ? first->first_number : target.first) - 1;
  } else {
    recovered.state_number = TRY(number_before_deletion(timeline, *blobs, stop));
  }
  recovered.state_ms = timeline.time_of(recovered.state_number);
  recovered.position = timeline.position_after(recovered.state_number);
  const RecordedState state = TRY(state_after(timeline, *blobs, recovered.state_number, stop));
  const NewTree tree = TRY(NewTree::open(query.destination));
  for (const auto& [path, file] : state) {
    if (stop.stop_requested()) return cancelled_call_error();
    if (file.is_left_out()) {
      recovered.left_out.push_back(path);
      continue;
    }
    const Result<std::string> content = blobs->get(file.blob);
    if (content && tree.add(path, file, *content)) {
      ++recovered.file_count;
    } else {
      recovered.lost.push_back(path);
    }
  }
  return recovered;
}

}  // namespace snapgen::core
