#include "tests/json/tool_call.h"

namespace fixture {

namespace json = snapgen::json;

namespace {

constexpr std::string_view mode_names[] = {"start", "check", "context"};
constexpr std::string_view tool_call_keys[] = {"mode", "task", "files", "keywords", "compact"};
constexpr std::string_view tree_keys[] = {"weight", "child"};

}  // namespace

std::string_view text(Mode value) { return mode_names[static_cast<std::size_t>(value)]; }

void read(json::Reader& in, Mode& out) {
  const std::size_t at = in.offset();
  std::string_view found;
  if (!in.string(found)) return;
  for (std::size_t i = 0; i < std::size(mode_names); ++i) {
    if (found != mode_names[i]) continue;
    out = static_cast<Mode>(i);
    return;
  }
  in.report_not_in_enum(at, found, mode_names, std::size(mode_names));
}

void read(json::Reader& in, ToolCall& out) {
  const std::size_t at = in.offset();
  if (!in.begin_object()) return;
  std::uint32_t seen = 0;
  const auto once = [&seen](std::uint32_t bit) {
    const bool is_new = (seen & bit) == 0;
    seen |= bit;
    return is_new;
  };
  std::string_view key;
  while (in.next_key(key)) {
    if (key == "mode") {
      if (once(1))
        read(in, out.mode);
      else
        in.report_duplicate_key(key);
    } else if (key == "task") {
      if (once(2))
        read(in, out.task);
      else
        in.report_duplicate_key(key);
    } else if (key == "files") {
      if (once(4))
        read(in, out.files);
      else
        in.report_duplicate_key(key);
    } else if (key == "keywords") {
      if (once(8))
        read(in, out.keywords);
      else
        in.report_duplicate_key(key);
    } else if (key == "compact") {
      if (once(16))
        read(in, out.compact);
      else
        in.report_duplicate_key(key);
    } else {
      in.report_unknown_key(key, tool_call_keys, std::size(tool_call_keys));
    }
  }
  if ((seen & 1) == 0) in.report_violation(at, "required", "missing property \"mode\"");
  if ((seen & 2) == 0) out.task.reset();
  if ((seen & 4) == 0) out.files.reset();
  if ((seen & 8) == 0) out.keywords.reset();
  if ((seen & 16) == 0) out.compact = false;
}

void write(json::Writer& out, const ToolCall& value) {
  out.text("{\"compact\":");
  write(out, value.compact);
  if (value.files) {
    out.text(",\"files\":");
    write(out, *value.files);
  }
  if (value.keywords) {
    out.text(",\"keywords\":");
    write(out, *value.keywords);
  }
  out.text(",\"mode\":\"");
  out.text(text(value.mode));
  out.text("\"");
  if (value.task) {
    out.text(",\"task\":");
    write(out, *value.task);
  }
  out.text("}");
}

void read(json::Reader& in, Tree& out) {
  const std::size_t at = in.offset();
  if (!in.begin_object()) return;
  bool has_weight = false;
  bool has_child = false;
  std::string_view key;
  while (in.next_key(key)) {
    if (key == "weight" && !has_weight) {
      has_weight = true;
      read(in, out.weight);
    } else if (key == "child" && !has_child) {
      has_child = true;
      read(in, out.child);
    } else if (key == "weight" || key == "child") {
      in.report_duplicate_key(key);
    } else {
      in.report_unknown_key(key, tree_keys, std::size(tree_keys));
    }
  }
  if (!has_weight) in.report_violation(at, "required", "missing property \"weight\"");
  if (!has_child) out.child.reset();
}

void write(json::Writer& out, const Tree& value) {
  out.text("{");
  if (value.child) {
    out.text("\"child\":");
    write(out, *value.child);
    out.text(",");
  }
  out.text("\"weight\":");
  write(out, value.weight);
  out.text("}");
}

}  // namespace fixture
