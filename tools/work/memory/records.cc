#include "tools/work/memory/records.h"

#include <array>

#include "runtime/base/ascii.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/base/random.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::array<std::string_view, 5> learning_kinds = {"pattern", "pitfall", "efficiency", "discovery",
                                                            "workflow"};

// Returns the text in lower case (ASCII only), with each run of white space as one space.
std::string normalized(std::string_view text) { return to_lower(in_one_line(text)); }

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
  std::vector<std::string> files;
  for (const std::string& each : learning.files) files.push_back(path_to_json(each));
  return JsonObject()
      .add_if_any("action", learning.action)
      .add("at_ms", learning.at_ms)
      .add_if_any("files", files)
      .add_if_any("id", learning.id)
      .add_if_any("keywords", learning.keywords)
      .add_if_any("task", learning.task_id)
      .add_if_any("tree", learning.tree)
      .add_if_any("trigger", learning.trigger)
      .add("type", text(learning.kind))
      .finish();
}

std::string json_line(const Violation& violation) {
  return JsonObject()
      .add("at_ms", violation.at_ms)
      .add_if_any("description", violation.description)
      .add_if_any("file", violation.file)
      .add_if_any("prevention", violation.prevention)
      .add_if_any("task", violation.task_id)
      .add_if_any("tree", violation.tree)
      .add_if_any("type", violation.type)
      .finish();
}

std::string json_line(const Revert& revert) {
  JsonObject out;
  out.add("at_ms", revert.at_ms).add_if_any("file", path_to_json(revert.file));
  if (revert.was_deleted) out.add_json("removed", "true");
  return out.add_if_any("snapshot", revert.snapshot_id).add_if_any("tree", revert.tree).finish();
}

std::string json_line(const Withdrawal& withdrawal) {
  return JsonObject().add("at_ms", withdrawal.at_ms).add_if_any("withdrawn", withdrawal.of).finish();
}

std::optional<Learning> parse_learning(std::string_view line) {
  Learning found;
  std::string kind;
  const bool read = read_line(line, "id", found.id, "type", kind, "trigger", found.trigger, "action",
                              found.action, "files", found.files, "keywords", found.keywords, "task",
                              found.task_id, "tree", found.tree, "at_ms", found.at_ms);
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
  const bool read =
      read_line(line, "type", found.type, "file", found.file, "description", found.description, "prevention",
                found.prevention, "task", found.task_id, "tree", found.tree, "at_ms", found.at_ms);
  if (!read || found.type.empty()) return std::nullopt;
  return found;
}

std::optional<Revert> parse_revert(std::string_view line) {
  Revert found;
  const bool read = read_line(line, "file", found.file, "snapshot", found.snapshot_id, "tree", found.tree,
                              "at_ms", found.at_ms, "removed", found.was_deleted);
  if (!read || found.file.empty()) return std::nullopt;
  found.file = path_from_json(std::move(found.file));
  return found;
}

std::optional<Withdrawal> parse_withdrawal(std::string_view line) {
  Withdrawal found;
  if (!read_line(line, "withdrawn", found.of, "at_ms", found.at_ms) || found.of.empty()) return std::nullopt;
  return found;
}

bool redact_texts(Learning& learning) {
  bool is_redacted = redact_in_place(learning.trigger);
  is_redacted = redact_in_place(learning.action) || is_redacted;
  for (std::string& each : learning.keywords) is_redacted = redact_in_place(each) || is_redacted;
  return is_redacted;
}

bool redact_texts(Violation& violation) {
  bool is_redacted = redact_in_place(violation.type);
  is_redacted = redact_in_place(violation.description) || is_redacted;
  return redact_in_place(violation.prevention) || is_redacted;
}

std::optional<std::string> normalized_learning_line(std::string_view line) {
  if (std::optional<Withdrawal> withdrawal = parse_withdrawal(line)) return json_line(*withdrawal);
  std::optional<Learning> learning = parse_learning(line);
  if (!learning) return std::nullopt;
  if (redact_texts(*learning)) learning->id = learning_id(*learning);
  return json_line(*learning);
}

std::optional<std::string> normalized_violation_line(std::string_view line) {
  if (std::optional<Withdrawal> withdrawal = parse_withdrawal(line)) return json_line(*withdrawal);
  std::optional<Violation> violation = parse_violation(line);
  if (!violation) return std::nullopt;
  redact_texts(*violation);
  return json_line(*violation);
}

std::optional<std::string> normalized_revert_line(std::string_view line) {
  const std::optional<Revert> revert = parse_revert(line);
  return revert ? std::optional(json_line(*revert)) : std::nullopt;
}

}  // namespace snapgen::core
