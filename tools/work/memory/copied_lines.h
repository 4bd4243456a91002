#pragma once
// CopiedLines: records of one kind as JSON lines in the store, with a copy in the work tree that people read,
// edit and share.
//
// A record is written to the store first and then to the copy. Lines that are in the copy only were written
// by hand, by an earlier version of the server, or came with a commit: they are added to the store. A line
// that is missing in the copy remains in the store, because `git clean` and `git checkout` remove lines, too.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/json_lines.h"
#include "tools/work/memory/record_folders.h"

namespace snapgen::core {

// Returns a line in the form in which the store has it: without likely secrets and unknown members. Returns
// nullopt if it is not a record.
using NormalizeLine = std::optional<std::string> (*)(std::string_view line);

// The difference between a copy and the records.
struct CopyDifference {
  std::string only_in_copy;     // Normalized lines, without a line break at the end.
  std::string only_in_records;  // Lines, without a line break at the end.
  std::int64_t unreadable = 0;  // The number of lines of the copy that are not records.
  bool is_torn =
      false;  // The last line of the copy is incomplete, because a process was killed while it wrote.
  std::int64_t records_end = 0;
};

// Not thread-safe; several processes may use the same files.
class CopiedLines {
 public:
  // `name` is the name of both files, such as "violations.jsonl".
  CopiedLines(const RecordFolders& folders, std::string_view name, NormalizeLine normalize);

  const JsonLinesFile& records() const { return records_; }
  // The number of lines of the copy that are not records, at the last import_new_lines().
  std::int64_t unreadable_lines() const { return state_.unreadable; }

  // Adds the lines of the copy that the store lacks to it. If the copy is missing, writes it. Errors: those
  // of JsonLinesFile for a copy that cannot be read, and for records that cannot be written.
  Result<Unit> import_new_lines();
  // Adds the lines of the copy that the store lacks to it, and writes nothing else. Returns the number of
  // lines of the copy that are not records. Errors: as import_new_lines().
  Result<std::int64_t> import_lines() const;
  // Adds a record that `make_line` returns under the lock of the records, and completes the copy. Errors: as
  // JsonLinesFile::append_made(), for the records. A copy that cannot be written is left incomplete.
  Result<Unit> append(const std::function<Result<std::string>()>& make_line);

  // Calls `take` with each record, and then with each line of the copy that the store lacks. Writes nothing.
  // Returns the number of lines of the copy that are not records, also an incomplete one. Errors: as
  // compare().
  Result<std::int64_t> for_each_line(const std::function<void(std::string_view line)>& take) const;

  // Compares both files. Errors: as JsonLinesFile::for_each_line().
  Result<CopyDifference> compare() const;

 private:
  // What is known of the copy. It is stored, so that a new process need not compare the files.
  struct State {
    JsonLinesStat copy;
    std::int64_t copied_to = -1;  // The copy has all records up to this offset; -1: unknown.
    std::int64_t unreadable = 0;
  };

  bool is_copy_known();
  Result<Unit> complete_copy();
  void load_state();
  void save_state(State state);

  RecordFolders folders_;
  JsonLinesFile records_, copy_;
  std::string state_name_;
  NormalizeLine normalize_;
  State state_;
};

// The lines of all kinds.
struct RecordLines {
  explicit RecordLines(const RecordFolders& folders);

  CopiedLines learnings;   // user-learnings.jsonl
  CopiedLines violations;  // violations.jsonl
  CopiedLines reverts;     // reverts.jsonl
};

}  // namespace snapgen::core
