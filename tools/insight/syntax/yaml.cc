#include "tools/insight/syntax/yaml.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <yaml.h>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

// libyaml has no limit for nested collections, and its work for each token grows with their number.
constexpr int yaml_depth_max = 100;

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

// Replaces NEL, LS and PS by other characters of the same length. libyaml takes them for line breaks, which
// they are in YAML 1.1, but not in 1.2.
std::string with_lines_of_yaml_1_2(std::string_view text) {
  std::string out(text);
  for (std::string_view mark : {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"})
    for (std::size_t at = out.find(mark); at != out.npos; at = out.find(mark, at + mark.size()))
      out.replace(at, mark.size(), mark.size(), 'x');
  return out;
}

// Returns the line with a number, counted from 0. libyaml also counts a lone CR as a line break, so the line
// may not exist.
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
      std::optional<SyntaxFault> found = undefined_alias(event);
      if (is_too_deep(event)) found = fault_at_mark(event.start_mark, "the value is nested too deeply");
      yaml_event_delete(&event);
      if (found) return found;
    }
    return std::nullopt;
  }

 private:
  bool is_too_deep(const yaml_event_t& event) {
    if (event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT) ++depth_;
    if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) --depth_;
    return depth_ > yaml_depth_max;
  }

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
  int depth_ = 0;                  // The number of collections that are open.
  std::set<std::string> anchors_;  // The anchors of the document so far.
};

bool is_yaml_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// YamlRewriter writes what YAML 1.2 allows, and libyaml rejects, as YAML 1.1: names of anchors with any
// character, unknown directives, and in a flow mapping a key without a value, a value directly behind the
// colon of a quoted key, and a line break between them. Other texts keep their meaning. Of anchors, scalars
// and lines only the number is the same afterwards.
class YamlRewriter {
 public:
  explicit YamlRewriter(std::string_view text) : text_(text) {}

  std::string run() && {
    while (at_ < text_.size()) {
      if (flows_.empty() && before() == '\n' && text_[at_] == '%')
        directive();
      else if (!token())
        take(1);
    }
    return std::move(out_);
  }

 private:
  char before() const { return at_ == 0 ? '\n' : text_[at_ - 1]; }
  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\n'; }
  bool in_flow() const { return !flows_.empty(); }
  static bool ends_flow_word(char c) {
    return is_yaml_blank(c) || std::string_view(",[]{}").find(c) != std::string_view::npos;
  }

  void take(std::size_t count) {
    const std::string_view part = text_.substr(at_, count);
    out_ += part;
    at_ += part.size();
    if (!std::ranges::all_of(part, is_yaml_blank)) ends_key_ = false;
  }

  // Takes `%YAML 1.1`, `%TAG` and malformed directives; changes the version 1.3, and replaces each unknown
  // directive by one that has no meaning, so that `---` must follow.
  void directive() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end;
    std::string_view version = line;
    if (take_prefix(version, "%YAML 1.") && !version.empty() &&
        version.find_first_not_of("0123456789 \r") == version.npos)
      line = "%YAML 1.1";
    if (line.starts_with("%YAML") || line.starts_with("%TAG"))
      out_ += line;
    else
      out_ += "%TAG !x" + std::to_string(out_.size()) + "! x";
  }

  // Takes a quoted text, a comment, an anchor or a part of a flow collection. Returns false if there is none.
  bool token() {
    const char c = text_[at_];
    const bool begins = is_yaml_blank(before()) ||
                        (in_flow() && std::string_view("[{,").find(before()) != std::string_view::npos);
    if ((c == '"' || c == '\'') && (begins || (in_flow() && before() == ':'))) return quoted(c);
    if (c == '#' && is_yaml_blank(before())) {
      take(std::min(text_.find('\n', at_), text_.size()) - at_);
      return true;
    }
    if ((c == '&' || c == '*') && begins) return anchor();
    if ((c == '[' || c == '{') && (begins || in_flow())) {
      flows_ += c;
      take(1);
      return true;
    }
    return in_flow() && flow(c, begins);
  }

  bool quoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size()) {
      const bool is_doubled = quote == '\'' && text_.substr(end).starts_with("''");
      if (text_[end] == quote && !is_doubled) break;
      end += is_doubled || (quote == '"' && text_[end] == '\\') ? 2 : 1;
    }
    end = std::min(end + 1, text_.size());
    std::string all(text_.substr(at_, end - at_));
    // A key of a flow mapping may have several lines.
    if (flows_.ends_with('{')) std::ranges::replace(all, '\n', ' ');
    out_ += all;
    at_ = end;
    ends_key_ = true;
    return true;
  }

  bool anchor() {
    std::string_view name = text_.substr(at_ + 1);
    name =
        name.substr(0, static_cast<std::size_t>(std::ranges::find_if(name, ends_flow_word) - name.begin()));
    if (name.ends_with(':')) name.remove_suffix(1);  // The alias is a key.
    if (name.empty()) return false;
    constexpr std::string_view digits = "0123456789abcdef";
    out_ += text_[at_];
    out_ += 'x';
    for (const char c : name) {
      out_ += digits[static_cast<unsigned char>(c) >> 4];
      out_ += digits[static_cast<unsigned char>(c) & 0xf];
    }
    at_ += 1 + name.size();
    ends_key_ = false;
    return true;
  }

  bool flow(char c, bool begins) {
    if (c == ']' || c == '}') {
      take(1);
      flows_.pop_back();
      ends_key_ = in_flow();
      return true;
    }
    if (c == ':' && (ends_key_ || ends_flow_word(next()))) {
      colon();
      return true;
    }
    // A plain scalar may begin with these characters.
    if ((c == ':' || c == '?' || c == '-') && begins && !ends_flow_word(next())) {
      out_ += 'x';
      ++at_;
      ends_key_ = false;
      return true;
    }
    return false;
  }

  void colon() {
    if (ends_key_ && flows_.ends_with('{'))
      while (out_.ends_with(' ') || out_.ends_with('\n')) out_.pop_back();
    const std::size_t last = out_.find_last_not_of(" \n");
    const bool is_key_empty =
        last != out_.npos && std::string_view("[{,").find(out_[last]) != std::string_view::npos;
    out_ += is_key_empty ? " ~ : " : " : ";
    ++at_;
    ends_key_ = false;
    if (at_ < text_.size() && (text_[at_] == ':' || text_[at_] == '?')) {
      out_ += 'x';
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  std::string flows_;      // The brackets of the flow collections that are open.
  bool ends_key_ = false;  // A quoted text or a collection ended, and only blanks followed.
};

}  // namespace

std::optional<SyntaxFault> yaml_fault(std::string_view written) {
  const std::string text = with_lines_of_yaml_1_2(written);
  std::optional<SyntaxFault> fault = YamlParser(text).run();
  if (!fault) return fault;
  const std::string rewritten = YamlRewriter(text).run();
  std::optional<SyntaxFault> later = YamlParser(rewritten).run();
  if (!later || later->line <= fault->line) return later ? fault : later;
  // The first fault was none. The columns of the rewritten text are others, and the names of its anchors.
  later->column = 0;
  if (later->message.starts_with("the alias ")) later->message = "an alias has no anchor of its name";
  return later;
}

}  // namespace snapgen::core
