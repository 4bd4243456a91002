#pragma once
// Report: a diff in the making, within its limits. Files come in the order of their paths.
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/diff/section.h"

namespace snapgen::core {

class Report {
 public:
  Report(const DiffQuery& query, HashKind kind, std::stop_token stop)
      : query_(query), kind_(kind), stop_(std::move(stop)) {}

  // No more files are taken; one more that differs is left out, and the answer says so.
  bool is_full() const { return answer_.files.size() == query_.files_max; }

  // Compares a pair and takes what differs. Errors: those of reading; unavailable; cancelled.
  Result<Unit> add(const DiffPair& pair, bool unmerged = false);
  // Takes a part that somebody else has made.
  void add(DiffedFile file, std::string_view text);

  DiffAnswer finish() { return std::move(answer_); }
  DiffAnswer& answer() { return answer_; }

 private:
  const DiffQuery& query_;
  HashKind kind_;
  std::stop_token stop_;
  DiffAnswer answer_;
};

// The content of a file of a snapshot cannot be had.
Error cannot_be_compared(const ManifestEntry& entry, Error why);

// Sides of a pair. An entry must outlive its side.
DiffSide side_of(Workspace& workspace, const ManifestEntry& entry);
DiffSide side_of(const Repository& repository, const GitFile& file);
std::uint32_t git_mode(FileMode mode);

}  // namespace snapgen::core
