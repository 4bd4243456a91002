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

// An object in the text. The functions below read it from `json`, the text as JSON with the same length.
struct Object {
  std::size_t begin = 0, end = 0;  // The positions of the brackets.
  std::vector<Member> members;
};

Object object_at(std::string_view json, std::size_t begin) {
  Object found{.begin = begin};
  const std::string_view rest = json.substr(begin);
  json::Reader in(rest);
  std::string_view key;
  std::size_t last = begin + 1;
  if (in.begin_object()) {
    while (in.next_key(key)) {
      Member member{.key = std::string(key), .key_begin = begin + in.key_offset()};
      std::string_view value;
      in.raw(value);
      member.begin = begin + static_cast<std::size_t>(value.data() - rest.data());
      member.end = last = member.begin + value.size();
      found.members.push_back(std::move(member));
    }
  }
  found.end = json.find('}', last);
  return found;
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
  // Returns a member such as "a": {"b": value} on several lines.
  std::string member(std::span<const std::string> path, std::string_view value,
                     const std::string& indent) const {
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
  constexpr std::string_view empty = "{}\n";
  if (text.find_first_not_of(core::json_white_space) == std::string_view::npos) text = empty;
  std::string json = TRY(checked_json(text, comments));
  const Editor editor(text, json, comments);
  std::size_t at = json.find_first_not_of(core::json_white_space);
  for (std::size_t depth = 0;; ++depth) {
    if (json[at] != '{') {
      const std::string what = depth == 0 ? std::string("The file") : json::quoted(path[depth - 1]);
      return Error(ErrorCode::invalid_argument, what + " must be a JSON object (" + place_of(text, at) +
                                                    "). Correct it, and run the command again.");
    }
    const Object object = object_at(json, at);
    const auto member = std::find_if(object.members.begin(), object.members.end(),
                                     [&](const Member& each) { return each.key == path[depth]; });
    if (member == object.members.end()) return editor.insert(object, path.subspan(depth), value);
    if (depth + 1 == path.size()) {
      const json::Tree is(std::string_view(json).substr(member->begin, member->end - member->begin));
      const json::Tree wanted(value);
      return json::equal(is.root(), wanted.root()) ? std::string(text) : editor.replace(*member, value);
    }
    at = member->begin;
  }
}

Result<std::string> without_member(std::string_view text, std::span<const std::string> path,
                                   Comments comments) {
  if (text.find_first_not_of(core::json_white_space) == std::string_view::npos) return std::string(text);
  std::string json = TRY(checked_json(text, comments));
  const Editor editor(text, json, comments);
  std::size_t at = json.find_first_not_of(core::json_white_space);
  for (std::size_t depth = 0; json[at] == '{'; ++depth) {
    const Object object = object_at(json, at);
    const auto member = std::find_if(object.members.begin(), object.members.end(),
                                     [&](const Member& each) { return each.key == path[depth]; });
    if (member == object.members.end()) break;
    if (depth + 1 == path.size())
      return editor.remove(object, static_cast<std::size_t>(member - object.members.begin()));
    at = member->begin;
  }
  return std::string(text);
}

}  // namespace snapgen::tools
