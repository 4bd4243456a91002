#pragma once
// DiffBuilder: builds a diff within its limits. Files must be added in path order.
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/diff/section.h"

namespace snapgen::core {

class DiffBuilder {
 public:
  DiffBuilder(const DiffQuery& query, HashKind kind, std::stop_token stop)
      : query_(query), kind_(kind), stop_(std::move(stop)) {}

  // Whether the file limit is reached; a further differing file is omitted and sets `truncated`.
  bool is_full() const { return answer_.files.size() == query_.files_max; }

  // Compares a pair and adds it if it differs. Errors: those of reading; unavailable; cancelled.
  Result<Unit> add(const DiffPair& pair, bool unmerged = false);
  // Adds a finished section, for example one that git printed.
  void add(DiffedFile file, std::string_view text);

  DiffAnswer finish() { return std::move(answer_); }
  DiffAnswer& answer() { return answer_; }

 private:
  const DiffQuery& query_;
  HashKind kind_;
  std::stop_token stop_;
  DiffAnswer answer_;
};

// The error for a snapshot's file whose content cannot be read.
Error cannot_compare_error(const ManifestEntry& entry, Error why);

// Makes the side of a pair from a captured file, or from a file in git. `entry` must outlive its side.
DiffSide side_of(Workspace& workspace, const ManifestEntry& entry);
DiffSide side_of(const Repository& repository, const GitFile& file);
std::uint32_t git_mode(FileMode mode);

}  // namespace snapgen::core
