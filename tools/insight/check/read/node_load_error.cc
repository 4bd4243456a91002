#include "tools/insight/check/read/node_load_error.h"

#include "runtime/base/ascii.h"

namespace snapgen::core {
namespace {

// Parses a line that consists of a path or URL and a line number.
std::optional<OutputLocation> whole_location(std::string_view line) {
  if (!line.starts_with('/') && !line.starts_with("file://") && !line.starts_with("node:"))
    return std::nullopt;
  const std::size_t colon = line.rfind(':');
  std::string_view number = line.substr(colon + 1);
  const std::optional<std::int64_t> at = take_number(number);
  if (!at || !number.empty()) return std::nullopt;
  return OutputLocation{.path = line.substr(0, colon), .line = *at};
}

bool is_mark(std::string_view text) {
  return !text.empty() && text.find_first_not_of('^') == std::string_view::npos;
}

bool states_error(std::string_view line) {
  return !line.empty() && is_ascii_word_character(line[0]) && line.find("Error") != std::string_view::npos &&
         line.find(": ") != std::string_view::npos;
}

}  // namespace

void NodeLoadError::read_line(std::string_view line) {
  // A program may print errors before it ends with the one that counts.
  if (const std::optional<OutputLocation> at = whole_location(line)) {
    reset();
    at_ = *at;
    return;
  }
  const std::string_view text = trimmed(line);
  if (text.empty()) return;
  if (message_.empty()) {
    if (is_mark(text)) {
      after_mark_ = true;
    } else if (after_mark_ || states_error(line)) {
      message_ = text;
      wants_next_ = text.ends_with(':');
      constexpr std::string_view introduction = " imported from ";
      if (const std::size_t from = text.find(introduction); from != std::string_view::npos)
        importer_ = text.substr(from + introduction.size());
    }
    return;
  }
  const bool is_stack = text.starts_with("at ");
  if (wants_next_ && !is_stack) message_.append(" ").append(text);
  wants_next_ = false;
  if (is_stack && !stack_) stack_ = first_workspace_location(text, *places_);
}

OutputLocation NodeLoadError::location() const {
  if (is_in_workspace(at_.path)) {
    const bool has_column =
        stack_ && stack_->line == at_.line && places_->resolve(stack_->path) == places_->resolve(at_.path);
    return has_column ? *stack_ : at_;
  }
  if (stack_) return *stack_;
  if (is_in_workspace(importer_)) return {.path = importer_};
  return {};
}

bool NodeLoadError::is_in_workspace(std::string_view path) const {
  if (path.empty() || path.starts_with("node:") || path.find("node_modules/") != std::string_view::npos)
    return false;
  return !places_->resolve(path).starts_with('/');
}

}  // namespace snapgen::core
