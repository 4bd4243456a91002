#include "tools/work/memory/records.h"

#include <array>
#include <map>

#include "runtime/base/ascii.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/base/random.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::array<std::string_view, 5> learning_kinds = {"pattern", "pitfall", "efficiency", "discovery",
                                                            "workflow"};

// Returns the text in lower case (ASCII only), with each run of white space as one space.
std::string normalized(std::string_view text) {
  std::string out;
  for (char c : text) {
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    if (space && (out.empty() || out.back() == ' ')) continue;
    out += space ? ' ' : to_lower(c);
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

// ObjectWriter writes members in canonical order and omits those without a value.
class ObjectWriter {
 public:
  void add(std::string_view key, std::string_view value) {
    if (!value.empty()) members_[std::string(key)] = json::quoted(value);
  }
  void add(std::string_view key, std::int64_t value) { members_[std::string(key)] = std::to_string(value); }
  void add_true(std::string_view key) { members_[std::string(key)] = "true"; }
  void add(std::string_view key, const std::vector<std::string>& values) {
    std::string list;
    for (const std::string& each : values) list += (list.empty() ? "" : ",") + json::quoted(each);
    if (!list.empty()) members_[std::string(key)] = "[" + list + "]";
  }
  std::string take() const {
    std::string text = "{";
    for (const auto& [key, value] : members_)
      text += (text.size() > 1 ? "," : "") + json::quoted(key) + ":" + value;
    return text + "}";
  }

 private:
  std::map<std::string, std::string> members_;
};

// Decodes a path from its JSON form. Lines written by hand may contain a plain path. A text that cannot be a
// path (with `..`) is returned unchanged.
std::string path_from_json(std::string text) {
  Result<std::string> path = path_from_text(text);
  if (!path) path = path_from_text(text_of_path(text));
  return path ? *std::move(path) : std::move(text);
}
std::string path_to_json(const std::string& path) {
  std::string text = text_of_path(path);
  return path_from_text(text) ? text : path;
}

// Reads members of a line as json::read_members() does. Returns false if the line is not a JSON object or a
// member has the wrong type.
template <class... Members>
bool read_line(std::string_view line, Members&&... members) {
  if (!json::valid_utf8(line)) return false;
  json::Reader in(line);
  json::read_members(in, members...);
  in.end();
  return in.ok();
}

}  // namespace

std::string_view text(LearningKind kind) { return learning_kinds[static_cast<std::size_t>(kind)]; }

std::string learning_id(const Learning& learning) {
  const std::string digest = sha256_hex(std::string(text(learning.kind)) + "\n" +
                                        normalized(learning.trigger) + "\n" + normalized(learning.action));
  std::string id = "learn_";
  // A letter stands for five bits, which are taken from two hexadecimal digits.
  for (std::size_t i = 0; i < 16; i += 2)
    id += name_letters[std::stoul(digest.substr(i, 2), nullptr, 16) & 31];
  return id;
}

std::string json_line(const Learning& learning) {
  ObjectWriter out;
  out.add("id", learning.id);
  out.add("type", text(learning.kind));
  out.add("trigger", learning.trigger);
  out.add("action", learning.action);
  std::vector<std::string> files;
  for (const std::string& each : learning.files) files.push_back(path_to_json(each));
  out.add("files", files);
  out.add("keywords", learning.keywords);
  out.add("task", learning.task_id);
  out.add("at_ms", learning.at_ms);
  return out.take();
}

std::string json_line(const Violation& violation) {
  ObjectWriter out;
  out.add("type", violation.type);
  out.add("file", violation.file);
  out.add("description", violation.description);
  out.add("prevention", violation.prevention);
  out.add("task", violation.task_id);
  out.add("at_ms", violation.at_ms);
  return out.take();
}

std::string json_line(const Revert& revert) {
  ObjectWriter out;
  out.add("file", path_to_json(revert.file));
  out.add("snapshot", revert.snapshot_id);
  out.add("at_ms", revert.at_ms);
  if (revert.was_deleted) out.add_true("removed");
  return out.take();
}

std::optional<Learning> parse_learning(std::string_view line) {
  Learning found;
  std::string kind;
  const bool read =
      read_line(line, "id", found.id, "type", kind, "trigger", found.trigger, "action", found.action, "files",
                found.files, "keywords", found.keywords, "task", found.task_id, "at_ms", found.at_ms);
  for (std::size_t i = 0; i < learning_kinds.size(); ++i)
    if (learning_kinds[i] == kind) found.kind = static_cast<LearningKind>(i);
  if (!read || found.action.empty()) return std::nullopt;
  for (std::string& each : found.files) each = path_from_json(std::move(each));
  // A line that was written by hand may have no id.
  if (found.id.empty()) found.id = learning_id(found);
  return found;
}

std::optional<Violation> parse_violation(std::string_view line) {
  Violation found;
  const bool read = read_line(line, "type", found.type, "file", found.file, "description", found.description,
                              "prevention", found.prevention, "task", found.task_id, "at_ms", found.at_ms);
  if (!read || found.type.empty()) return std::nullopt;
  return found;
}

std::optional<Revert> parse_revert(std::string_view line) {
  Revert found;
  const bool read = read_line(line, "file", found.file, "snapshot", found.snapshot_id, "at_ms", found.at_ms,
                              "removed", found.was_deleted);
  if (!read || found.file.empty()) return std::nullopt;
  found.file = path_from_json(std::move(found.file));
  return found;
}

}  // namespace snapgen::core
