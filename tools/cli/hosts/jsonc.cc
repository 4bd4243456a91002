#include "tools/cli/hosts/jsonc.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/tree.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/json_comments.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view empty_object = "{}\n";

std::string place_of(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start = before.rfind('\n');
  const std::size_t column = offset - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

struct Member {
  std::string key;
  std::size_t key_begin = 0;
  std::size_t begin = 0, end = 0;  // The range of the member's value.
};

// An object or a list in the text. The functions below read it from `json`, the text as JSON with the same
// length.
struct Object {
  std::size_t begin = 0, end = 0;  // The positions of the brackets.
  std::vector<Member> members;     // The items of a list have no key, and begin where their value does.
};

Object object_at(std::string_view json, std::size_t begin) {
  Object found{.begin = begin};
  const std::string_view rest = json.substr(begin);
  json::Reader in(rest);
  std::size_t last = begin + 1;
  const auto add = [&](std::string_view key, std::optional<std::size_t> key_begin) {
    Member member{.key = std::string(key)};
    std::string_view value;
    in.raw(value);
    member.begin = begin + static_cast<std::size_t>(value.data() - rest.data());
    member.key_begin = key_begin.value_or(member.begin);
    member.end = last = member.begin + value.size();
    found.members.push_back(std::move(member));
  };
  const bool is_list = json[begin] == '[';
  std::string_view key;
  if (is_list && in.begin_array())
    while (in.next_element()) add({}, std::nullopt);
  else if (in.begin_object())
    while (in.next_key(key)) add(key, begin + in.key_offset());
  found.end = json.find(is_list ? ']' : '}', last);
  return found;
}

// The end of a path: the innermost object on it that exists, and the member there that the path selects.
struct PathEnd {
  Object object;
  std::size_t depth = 0;              // The number of names on the path before the object.
  std::optional<std::size_t> member;  // Without a value, the object lacks the next name of the path.
};

// Follows `path` from the root. `text` is for error messages. Errors: invalid_argument (a value on the path
// is not an object).
Result<PathEnd> follow(std::string_view text, std::string_view json, std::span<const std::string> path) {
  std::size_t at = json.find_first_not_of(core::json_white_space);
  for (std::size_t depth = 0;; ++depth) {
    if (json[at] != '{') {
      const std::string what = depth == 0 ? std::string("The file") : json::quoted(path[depth - 1]);
      return Error(ErrorCode::invalid_argument, what + " must be a JSON object (" + place_of(text, at) +
                                                    "). Correct it, and run the command again.");
    }
    PathEnd end{.object = object_at(json, at), .depth = depth, .member = std::nullopt};
    const auto member = std::ranges::find(end.object.members, path[depth], &Member::key);
    if (member == end.object.members.end()) return end;
    if (depth + 1 == path.size()) {
      end.member = static_cast<std::size_t>(member - end.object.members.begin());
      return end;
    }
    at = member->begin;
  }
}

// Returns the white space at the beginning of the line that has the position `at`.
std::string indent_of(std::string_view text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at);
  const std::size_t begin = line == std::string_view::npos || at == 0 ? 0 : line + 1;
  std::size_t end = begin;
  while (end < at && (text[end] == ' ' || text[end] == '\t')) ++end;
  return std::string(text.substr(begin, end - begin));
}

class Editor {
 public:
  Editor(std::string_view text, std::string json, Comments comments)
      : text_(text), json_(std::move(json)), commas_(text) {
    if (comments == Comments::allowed) core::blank_json_comments(commas_);
    line_end_ = text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
    const std::size_t begin = json_.find_first_not_of(core::json_white_space);
    if (json_[begin] != '{') return;
    const Object root = object_at(json_, begin);
    if (!root.members.empty()) {
      const std::string own = indent_of(text_, root.members.front().key_begin);
      if (!own.empty()) unit_ = own;
    }
  }

  std::string insert(const Object& object, std::span<const std::string> path, std::string_view value) const {
    const bool in_lines = text_.substr(object.begin, object.end - object.begin).find('\n') != text_.npos;
    // The position of the new member is behind the last member or comment.
    std::size_t at = object.end;
    while (at > object.begin + 1 && core::json_white_space.find(text_[at - 1]) != text_.npos) --at;
    std::string out;
    if (object.members.empty()) {
      const std::string outer = indent_of(text_, object.begin);
      out.append(text_.substr(0, at)).append(line_end_).append(outer + unit_);
      out.append(member(path, value, outer + unit_)).append(line_end_).append(outer);
      return out.append(text_.substr(object.end));
    }
    const Member& last = object.members.back();
    const std::string_view tail = std::string_view(commas_).substr(last.end, object.end - last.end);
    const bool has_comma = tail.find(',') != std::string_view::npos;
    const std::string indent = indent_of(text_, object.members.front().key_begin);
    out.append(text_.substr(0, last.end))
        .append(has_comma ? "" : ",")
        .append(text_.substr(last.end, at - last.end));
    if (in_lines)
      out.append(line_end_).append(indent);
    else
      out.append(" ");
    out.append(member(path, value, indent)).append(has_comma ? "," : "");
    return out.append(text_.substr(at));
  }

  std::string remove(const Object& object, std::size_t index) const {
    const Member& member = object.members[index];
    const bool is_last = index + 1 == object.members.size();
    const std::size_t next = is_last ? object.end : object.members[index + 1].key_begin;
    const std::size_t before = index == 0 ? object.begin + 1 : object.members[index - 1].end;
    const std::size_t comma_behind = commas_.substr(0, next).find(',', member.end);
    const std::size_t comma_before = commas_.substr(0, member.key_begin).find(',', before);
    std::string out(text_);
    // The edits are made from the end to the beginning, so that offsets remain valid.
    std::size_t end = member.end;
    if (comma_behind != std::string::npos) {
      out.erase(comma_behind, 1);
      if (text_.substr(end, comma_behind - end).find_first_not_of(core::json_white_space) == text_.npos)
        end = comma_behind;
    }
    // Removes the whole line if nothing else is on it, or else the blanks beside the member.
    std::size_t begin = member.key_begin;
    while (begin > before && (out[begin - 1] == ' ' || out[begin - 1] == '\t')) --begin;
    const bool begins_line = begin > 0 && (out[begin - 1] == '\n');
    std::size_t line_end = end;
    while (line_end < out.size() && (out[line_end] == ' ' || out[line_end] == '\t')) ++line_end;
    const bool ends_line = out.compare(line_end, 1, "\n") == 0 || out.compare(line_end, 2, "\r\n") == 0;
    if (begins_line && ends_line) {
      end = out.find('\n', line_end) + 1;
    } else if (begins_line) {
      begin = member.key_begin;
      end = line_end;
    } else if (!is_last) {
      begin = member.key_begin;
      end = line_end;
    }
    out.erase(begin, end - begin);
    if (is_last && comma_behind == std::string::npos && comma_before != std::string::npos)
      out.erase(comma_before, 1);
    return out;
  }

  std::string replace(const Member& member, std::string_view value) const {
    return std::string(text_.substr(0, member.begin)).append(value).append(text_.substr(member.end));
  }

 private:
  // Returns a member such as "a": {"b": value} on several lines, or the value alone for an empty path.
  std::string member(std::span<const std::string> path, std::string_view value,
                     const std::string& indent) const {
    if (path.empty()) return std::string(value);
    std::string out = json::quoted(path.front()) + ": ";
    if (path.size() == 1) return out.append(value);
    const std::string inner = indent + unit_;
    out.append("{").append(line_end_).append(inner).append(member(path.subspan(1), value, inner));
    return out.append(line_end_).append(indent).append("}");
  }

  std::string_view text_;
  std::string json_;
  std::string commas_;  // The text without comments, but with its trailing commas.
  std::string_view line_end_;
  std::string unit_ = "  ";
};

}  // namespace

bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(core::json_white_space) == std::string_view::npos;
}

std::string without_comments(std::string_view text, Comments comments) {
  return comments == Comments::allowed ? core::without_json_comments(text) : std::string(text);
}

Result<std::string> checked_json(std::string_view text, Comments comments) {
  std::string out = without_comments(text, comments);
  if (!json::valid_utf8(out))
    return Error(ErrorCode::invalid_argument, "It is not valid UTF-8. Save it as UTF-8.");
  json::Tree tree(out);
  if (tree.problems().empty() && tree.is_json()) return out;
  const json::Problem& problem = tree.problems().back();
  return Error(ErrorCode::invalid_argument, "It is not JSON at " + place_of(text, problem.offset) + ": " +
                                                std::string(problem.message) + ". Correct it there.");
}

Result<std::string> with_member(std::string_view text, std::span<const std::string> path,
                                std::string_view value, Comments comments) {
  if (is_blank_text(text)) text = empty_object;
  std::string json = TRY(checked_json(text, comments));
  const Editor editor(text, json, comments);
  const PathEnd end = TRY(follow(text, json, path));
  if (!end.member) return editor.insert(end.object, path.subspan(end.depth), value);
  const Member& member = end.object.members[*end.member];
  const json::Tree is(std::string_view(json).substr(member.begin, member.end - member.begin));
  const json::Tree wanted(value);
  return json::equal(is.root(), wanted.root()) ? std::string(text) : editor.replace(member, value);
}

Result<std::string> without_member(std::string_view text, std::span<const std::string> path,
                                   Comments comments) {
  if (is_blank_text(text)) return std::string(text);
  std::string json = TRY(checked_json(text, comments));
  const Editor editor(text, json, comments);
  const Result<PathEnd> end = follow(text, json, path);
  if (!end || !end->member) return std::string(text);
  return editor.remove(end->object, *end->member);
}

Result<std::string> with_item(std::string_view text, std::span<const std::string> path,
                              std::string_view value, Comments comments) {
  if (is_blank_text(text)) text = empty_object;
  std::string json = TRY(checked_json(text, comments));
  const Editor editor(text, json, comments);
  const PathEnd end = TRY(follow(text, json, path));
  if (!end.member) return editor.insert(end.object, path.subspan(end.depth), "[" + std::string(value) + "]");
  const std::size_t at = end.object.members[*end.member].begin;
  if (json[at] != '[')
    return Error(ErrorCode::invalid_argument, json::quoted(path.back()) + " must be a JSON array (" +
                                                  place_of(text, at) +
                                                  "). Correct it, and run the command again.");
  return editor.insert(object_at(json, at), {}, value);
}

Result<std::string> without_item(std::string_view text, std::span<const std::string> path, std::size_t index,
                                 Comments comments) {
  if (is_blank_text(text)) return std::string(text);
  std::string json = TRY(checked_json(text, comments));
  const Editor editor(text, json, comments);
  const Result<PathEnd> end = follow(text, json, path);
  if (!end || !end->member) return std::string(text);
  const std::size_t at = end->object.members[*end->member].begin;
  if (json[at] != '[') return std::string(text);
  const Object list = object_at(json, at);
  return index < list.members.size() ? editor.remove(list, index) : std::string(text);
}

}  // namespace snapgen::tools
