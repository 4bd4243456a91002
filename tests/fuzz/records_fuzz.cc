// Any bytes as a line or a file below `.snapback/`: tasks, learnings, violations, reverts, notes of checks
// and risks. An accepted record must read back unchanged after it was written, and no path in it may lead out
// of the workspace. Any text must give a valid audit line.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tests/fuzz/target.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/files/path.h"
#include "tools/work/history/work_note.h"
#include "tools/work/log/audit_line.h"
#include "tools/work/memory/records.h"
#include "tools/work/task/task.h"

namespace snapgen::core {
namespace {

template <class Record>
void expect_same_again(const std::optional<Record>& record, std::optional<Record> (*read)(std::string_view)) {
  if (!record) return;
  const std::string written = json_line(*record);
  FUZZ_EXPECT(json::valid_utf8(written));
  FUZZ_EXPECT(written.find('\n') == std::string::npos);
  const std::optional<Record> again = read(written);
  FUZZ_EXPECT(again.has_value());
  FUZZ_EXPECT(json_line(*again) == written);
}

void use_task(std::string_view bytes) {
  const std::optional<Task> task = parse_task(bytes);
  if (!task) return;
  for (const std::string& path : task->files) {
    FUZZ_EXPECT(!path.starts_with('/') && ("/" + path + "/").find("/../") == std::string::npos);
    const Result<std::string> same = path_from_text(text_of_path(path));
    FUZZ_EXPECT(same && *same == path);
  }
  const std::string written = json_of(*task);
  const std::optional<Task> again = parse_task(written);
  FUZZ_EXPECT(again.has_value());
  FUZZ_EXPECT(json_of(*again) == written);
}

}  // namespace
}  // namespace snapgen::core

FUZZ_TARGET(records) {
  using namespace snapgen;
  using namespace snapgen::core;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  expect_same_again(parse_learning(bytes), &parse_learning);
  expect_same_again(parse_violation(bytes), &parse_violation);
  expect_same_again(parse_revert(bytes), &parse_revert);
  expect_same_again(parse_check_note(bytes), &parse_check_note);
  expect_same_again(parse_risk_note(bytes), &parse_risk_note);
  use_task(bytes);
  const std::string shown = redact(bytes);
  FUZZ_EXPECT(redact(shown).size() <= shown.size() + 32);
  if (json::valid_utf8(bytes)) {
    FUZZ_EXPECT(json::valid_utf8(shown));
    const std::string line = audit_line("e", "audit_1", AuditMembers().add("reason", bytes).add("z", 1));
    FUZZ_EXPECT(line.find('\n') == std::string::npos);
    const Result<std::string> canonical = json::canonical(line);
    FUZZ_EXPECT(canonical && *canonical == line);
  }
  return 0;
}
