#include "tools/app/history_words.h"

#include "tools/engine/base/phrase.h"

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

std::string head_words(const std::optional<HistoryListHead>& head) {
  constexpr std::size_t digits = 10;
  if (!head) return {};
  return ", HEAD is now " + head->branch.value_or("detached") +
         (head->commit ? " " + head->commit->substr(0, digits) : "");
}

}  // namespace snapgen::tools
