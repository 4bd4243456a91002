#include "tools/insight/syntax/yaml.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <yaml.h>

namespace snapgen::core {
namespace {

// Converts a column from characters, which libyaml counts, to bytes. Both are counted from 0.
std::size_t bytes_before(std::string_view line, std::size_t characters) {
  std::size_t at = 0;
  while (at < line.size() && characters > 0) {
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80) ++at;
    --characters;
  }
  return at;
}

// Returns the line with a number, counted from 0. libyaml also counts NEL, LS and PS as line breaks, so the
// line may not exist.
std::string_view line_at(std::string_view text, std::size_t number) {
  for (; number > 0; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

class YamlParser {
 public:
  explicit YamlParser(std::string_view text) : text_(text) {
    works_ = yaml_parser_initialize(&parser_) != 0;
    if (works_)
      yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                   text.size());
  }
  YamlParser(YamlParser&&) = delete;
  ~YamlParser() {
    if (works_) yaml_parser_delete(&parser_);
  }

  std::optional<SyntaxFault> run() {
    bool ended = !works_;
    while (!ended) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser_, &event) == 0) return fault();
      ended = event.type == YAML_STREAM_END_EVENT;
      std::optional<SyntaxFault> undefined = undefined_alias(event);
      yaml_event_delete(&event);
      if (undefined) return undefined;
    }
    return std::nullopt;
  }

 private:
  // Returns the fault if the event is an alias of an anchor that the document has not defined, which libyaml
  // does not check.
  std::optional<SyntaxFault> undefined_alias(const yaml_event_t& event) {
    const auto define = [&](const yaml_char_t* anchor) {
      if (anchor) anchors_.emplace(reinterpret_cast<const char*>(anchor));
    };
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT: anchors_.clear(); break;
      case YAML_SCALAR_EVENT: define(event.data.scalar.anchor); break;
      case YAML_SEQUENCE_START_EVENT: define(event.data.sequence_start.anchor); break;
      case YAML_MAPPING_START_EVENT: define(event.data.mapping_start.anchor); break;
      case YAML_ALIAS_EVENT: {
        const std::string name = reinterpret_cast<const char*>(event.data.alias.anchor);
        if (!anchors_.contains(name))
          return fault_at_mark(event.start_mark, "the alias *" + name + " has no anchor &" + name);
        break;
      }
      default: break;
    }
    return std::nullopt;
  }
  SyntaxFault fault_at_mark(const yaml_mark_t& mark, std::string message) const {
    const std::size_t column = bytes_before(line_at(text_, mark.line), mark.column);
    return {.line = static_cast<std::int64_t>(mark.line) + 1,
            .column = static_cast<std::int64_t>(column) + 1,
            .message = std::move(message)};
  }
  std::optional<SyntaxFault> fault() const {
    if (parser_.error == YAML_MEMORY_ERROR) return std::nullopt;
    std::string message = parser_.problem ? parser_.problem : "not YAML";
    if (parser_.error == YAML_READER_ERROR)
      return fault_at(text_, std::min(parser_.problem_offset, text_.size()), std::move(message));
    return fault_at_mark(parser_.problem_mark, std::move(message));
  }

  std::string_view text_;
  yaml_parser_t parser_;
  bool works_ = false;
  std::set<std::string> anchors_;  // The anchors of the document so far.
};

}  // namespace

std::optional<SyntaxFault> yaml_fault(std::string_view text) { return YamlParser(text).run(); }

}  // namespace snapgen::core
