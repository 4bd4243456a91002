#include "tools/engine/edit/failed_edits.h"

#include <algorithm>

#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

// Shorter common ends of two texts are a coincidence.
constexpr std::size_t common_bytes_min = 4;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Returns true if `first` ends as `second` begins.
bool may_overlap(std::string_view first, std::string_view second) {
  for (std::size_t size = std::min(first.size(), second.size()); size >= common_bytes_min; --size)
    if (first.substr(first.size() - size) == second.substr(0, size)) return true;
  return false;
}

bool is_about(std::string_view failed_path, std::string_view path) {
  return failed_path.empty() || failed_path == path;
}

}  // namespace

void FailedEdits::add_text(std::string path, std::string old_text, std::string new_text) {
  texts_.push_back(
      {.path = std::move(path), .old_text = std::move(old_text), .new_text = std::move(new_text)});
}

void FailedEdits::add_path(std::string path) { paths_.push_back(std::move(path)); }

bool FailedEdits::concern(std::string_view path) const {
  return std::ranges::any_of(paths_, [&](const std::string& failed) {
    return is_at_or_below_folder(path, failed) || is_at_or_below_folder(failed, path);
  });
}

bool FailedEdits::may_make(std::string_view path, std::string_view text) const {
  return std::ranges::any_of(texts_, [&](const FailedText& failed) {
    const std::string_view made = failed.new_text;
    return is_about(failed.path, path) && (made.empty() || contains(made, text) || contains(text, made) ||
                                           may_overlap(made, text) || may_overlap(text, made));
  });
}

bool FailedEdits::may_replace(std::string_view path, std::string_view text) const {
  return std::ranges::any_of(texts_, [&](const FailedText& failed) {
    return is_about(failed.path, path) && failed.old_text != text && contains(failed.old_text, text);
  });
}

}  // namespace snapgen::core
