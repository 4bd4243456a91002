#pragma once
// ReportCache: the latest reports of checks, so that a client can list more of their findings without running
// the checks again. Thread-safe.
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/insight/check/report.h"

namespace snapgen::tools {

struct CachedReport {
  core::CheckReport report;  // The report, which is sorted.
  std::string title;         // The beginning of the report's summary; may be empty.
};

class ReportCache {
 public:
  // Stores a report and returns its id; equal reports have equal ids. Stores at most eight, and drops the
  // oldest.
  std::string add(const CachedReport& report);

  struct Position {
    std::string id;
    std::shared_ptr<const CachedReport> cached;
    std::size_t first = 0;  // The index of the finding in the report.
  };
  // Returns the report and the finding of a cursor. Errors: invalid_argument (not a cursor, or its report was
  // dropped).
  Result<Position> at(std::string_view cursor) const;

 private:
  struct Entry {
    std::string id;
    std::shared_ptr<const CachedReport> cached;
  };

  mutable std::mutex mutex_;
  std::deque<Entry> entries_;
};

// Returns the cursor of a finding. `id` is the id of its report.
std::string cursor_at(std::string_view id, std::size_t index);

}  // namespace snapgen::tools
