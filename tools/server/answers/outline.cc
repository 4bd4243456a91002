#include "tools/server/answers/outline.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/phrase.h"
#include "tools/server/answers/words.h"

namespace snapgen::tools {
namespace {

struct OutlineMember {
  std::string name;
  std::string_view value;  // The value as JSON text.
};

std::vector<OutlineMember> members_of_object(std::string_view text) {
  std::vector<OutlineMember> members;
  json::Reader in(text);
  if (!in.begin_object()) return members;
  std::string_view name;
  bool has_snapshot_id = false;
  while (in.next_key(name)) {
    OutlineMember& member = members.emplace_back();
    member.name = name;
    in.raw(member.value);
    has_snapshot_id = has_snapshot_id || name == "snapshot_id";
  }
  // The outline shows the snapshot's id in its short form, which is the alias.
  if (has_snapshot_id) std::erase_if(members, [](const OutlineMember& each) { return each.name == "alias"; });
  return members;
}

std::vector<std::string_view> elements_of_array(std::string_view text) {
  std::vector<std::string_view> elements;
  json::Reader in(text);
  if (!in.begin_array()) return elements;
  while (in.next_element()) in.raw(elements.emplace_back());
  return elements;
}

json::Kind kind_of(std::string_view text) {
  json::Reader in(text);
  return in.peek();
}

bool is_empty(std::string_view text) { return text == "\"\"" || text == "[]" || text == "{}"; }

bool is_scalar(std::string_view text) {
  const json::Kind kind = kind_of(text);
  return kind != json::Kind::object && kind != json::Kind::array;
}

bool is_id(std::string_view text) {
  constexpr std::string_view prefix = "sha256:";
  constexpr std::size_t digits = 64;
  return text.starts_with(prefix) && text.size() == prefix.size() + digits;
}

// Returns a scalar for display. Ids of snapshots and blobs, which the member's name shows, are shortened.
std::string shown_scalar(std::string_view name, std::string_view text) {
  if (kind_of(text) != json::Kind::string) return std::string(text);
  std::string value;
  json::Reader in(text);
  in.string(value);
  if (!is_id(value)) return value;
  if (name.ends_with("snapshot_id") || name == "undo") return core::short_snapshot_id(value);
  return name.ends_with("blob") ? short_blob_id(value) : value;
}

bool has_line_feed(std::string_view text) { return text.find('\n') != std::string_view::npos; }

// Returns whether an object fits on one line: all its members are scalars without line breaks.
bool is_flat(const std::vector<OutlineMember>& members) {
  return std::ranges::all_of(members, [](const OutlineMember& each) {
    return is_empty(each.value) ||
           (is_scalar(each.value) && !has_line_feed(shown_scalar(each.name, each.value)));
  });
}

// Returns whether a text would be read as part of the "=" before it: ">=61", "=1", "~1.2".
bool begins_like_operator(std::string_view text) {
  return !text.empty() && std::string_view("=<>!~^").find(text.front()) != std::string_view::npos;
}

// Returns an object on one line, such as "path=a.ts, line=1".
std::string flat_object(const std::vector<OutlineMember>& members) {
  std::string line;
  for (const OutlineMember& each : members) {
    if (is_empty(each.value)) continue;
    if (!line.empty()) line += ", ";
    const std::string shown = shown_scalar(each.name, each.value);
    line += each.name + "=" + (begins_like_operator(shown) ? json::quoted(shown) : shown);
  }
  return line;
}

class OutlineWriter {
 public:
  OutlineWriter(std::string& out, std::string_view shown) : out_(out), shown_(shown) {}

  void members(const std::vector<OutlineMember>& all, std::size_t depth) {
    for (const OutlineMember& each : all) {
      if (is_empty(each.value) || is_said(each)) continue;
      indent(depth);
      out_ += each.name + ":";
      value(each.name, each.value, depth);
    }
  }

 private:
  // Returns whether the member is a sentence that the reader has already seen.
  bool is_said(const OutlineMember& member) const {
    if (shown_.empty() || kind_of(member.value) != json::Kind::string) return false;
    const std::string shown = shown_scalar(member.name, member.value);
    return shown.ends_with('.') && shown.find(' ') != std::string::npos &&
           shown_.find(shown) != std::string_view::npos;
  }

  void indent(std::size_t depth) { out_.append(2 * depth, ' '); }

  // Writes a text whose lines are all indented.
  void block(std::string_view text, std::size_t depth) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      indent(depth);
      out_.append(text.substr(0, end)) += '\n';
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  // Writes the value after "name:" or after the "-" of a list.
  void value(std::string_view name, std::string_view text, std::size_t depth) {
    const json::Kind kind = kind_of(text);
    if (kind == json::Kind::array) return array(name, text, depth);
    if (kind == json::Kind::object) return object(text, depth);
    const std::string shown = shown_scalar(name, text);
    if (!has_line_feed(shown)) {
      out_ += " " + shown + "\n";
      return;
    }
    out_ += "\n";
    block(shown, depth + 1);
  }

  void array(std::string_view name, std::string_view text, std::size_t depth) {
    const std::vector<std::string_view> elements = elements_of_array(text);
    constexpr std::size_t line_bytes_max = 200;
    const bool is_line =
        text.size() <= line_bytes_max && std::ranges::all_of(elements, [&](std::string_view each) {
          const std::string shown = is_scalar(each) ? shown_scalar(name, each) : "\n";
          return !has_line_feed(shown) && shown.find(',') == std::string::npos;
        });
    for (const std::string_view& each : elements) {
      if (is_line) {
        out_ += (&each == &elements.front() ? " " : ", ") + shown_scalar(name, each);
        continue;
      }
      if (&each == &elements.front()) out_ += "\n";
      indent(depth);
      out_ += "-";
      value(name, each, depth);
    }
    if (is_line) out_ += "\n";
  }

  void object(std::string_view text, std::size_t depth) {
    const std::vector<OutlineMember> inner = members_of_object(text);
    const bool has_said = std::ranges::any_of(inner, [&](const auto& each) { return is_said(each); });
    if (is_flat(inner) && !has_said) {
      out_ += " " + flat_object(inner) + "\n";
      return;
    }
    out_ += "\n";
    members(inner, depth + 1);
  }

  std::string& out_;
  const std::string_view shown_;
};

}  // namespace

void append_outline(std::string& out, std::string_view object, std::span<const std::string_view> left_out,
                    std::string_view shown) {
  if (kind_of(object) != json::Kind::object) return;
  std::vector<OutlineMember> members = members_of_object(object);
  std::erase_if(members, [&](const OutlineMember& each) {
    return std::ranges::find(left_out, each.name) != left_out.end();
  });
  OutlineWriter(out, shown).members(members, 0);
}

}  // namespace snapgen::tools
