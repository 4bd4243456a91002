#pragma once
// EarlierFindings tells which errors of programs an earlier check of this work tree had found: in a task, the
// last one before it began; without a task, the previous one.
//
// Each program has a file below `findings/` in the folder of the work tree, with a line for each of its last
// runs, the latest first: when it ended and when its task began, in ms (0: no task), and a name of each
// error, which does not depend on the error's place in its file.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/insight/check/command.h"
#include "tools/insight/check/report.h"

namespace snapgen::core {

class Workspace;

class EarlierFindings {
 public:
  // `workspace` must outlive this. `task_began_ms`: the time; nullopt without a task.
  EarlierFindings(const Workspace& workspace, std::optional<std::int64_t> task_began_ms);

  // Sets CheckFinding::age of what the program reports now, and then records it, unless the program checked
  // only some files, or did not run. What cannot be read or written is not known to the next check.
  void compare(const CheckCommand& command, CheckReport& report) const;

 private:
  // What a program found in one run.
  struct Run {
    std::int64_t at_ms = 0;
    std::int64_t task_began_ms = 0;
    std::vector<std::string> errors;  // Sorted names. Equal errors are there more than once.
  };
  std::vector<Run> runs_in(const std::string& file) const;
  bool is_earlier(const Run& run) const;

  const Workspace& workspace_;
  std::string folder_;
  std::optional<std::int64_t> task_began_ms_;
};

}  // namespace snapgen::core
