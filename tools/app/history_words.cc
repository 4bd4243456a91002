#include "tools/app/history_words.h"

#include "tools/engine/base/phrase.h"
#include "tools/engine/base/utc.h"

namespace snapgen::tools {

std::string file_count_words(std::size_t listed, const std::optional<std::int64_t>& count) {
  return core::count_with_noun(count.value_or(static_cast<std::int64_t>(listed)), "file");
}

std::string lines_in_words(const std::optional<std::vector<std::string>>& lines) {
  std::string text;
  if (lines)
    for (const std::string& each : *lines) text += (text.empty() ? " lines " : ", ") + each;
  return text;
}

std::string change_words(const HistoryListChange& change) {
  std::string words(text(change.change));
  if (change.last_recorded)
    words += ": changes too much, last recorded " +
             core::local_time(core::ms_of_iso_time(*change.last_recorded).value_or(0));
  return words;
}

namespace {

// Returns "HEAD is now main 96b5c0893a".
std::string head_words(const HistoryListHead& head) {
  constexpr std::size_t digits = 10;
  return "HEAD is now " + head.branch.value_or("detached") +
         (head.commit ? " " + head.commit->substr(0, digits) : "");
}

}  // namespace

std::string moment_words(const HistoryListMoment& moment, const std::string& changes) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (!moment.changes.empty() || moment.change_count)
    add(file_count_words(moment.changes.size(), moment.change_count) + ": " + changes);
  if (moment.head) add(head_words(*moment.head));
  if (moment.moved)
    for (const HistoryListMomentMovedItem part : *moment.moved)
      add(part == HistoryListMomentMovedItem::branches ? "branches moved" : "the index changed");
  return text;
}

std::string paused_sentence(std::int64_t since_ms) {
  return "The history is paused since " + core::local_time(since_ms) +
         "; snap history --resume continues it.";
}

std::vector<std::string> git_lines(const HistoryRewound& rewound, bool dry_run, std::string_view option) {
  if (!rewound.git) return {};
  const HistoryRewindGit& git = *rewound.git;
  std::vector<std::string> lines = git.moved;
  if (git.unmoved)
    for (const std::string& each : *git.unmoved) lines.push_back(each + ", so it does not move");
  if (git.moved_back) {
    lines.emplace_back("git was moved back");
  } else if (git.failure) {
    lines.push_back("git was not moved back: " + *git.failure);
  } else {
    lines.push_back(std::string(option) + (dry_run ? " would move" : " moves") + " it back");
  }
  return lines;
}

}  // namespace snapgen::tools
