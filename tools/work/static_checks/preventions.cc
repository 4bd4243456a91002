#include "tools/work/static_checks/preventions.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/work/memory/memory.h"

namespace snapgen::core {
namespace {

constexpr std::size_t prevention_bytes_max = 300;

}  // namespace

void add_preventions(LearningStore& memory, CheckReport& report, RecordedBy by) {
  std::map<std::string, std::string> known;  // The preventions, keyed by code or file.
  for (const CheckFinding& each : report.findings)
    if (each.prevention.empty()) known[by == RecordedBy::code ? each.code : each.path];
  known.erase("");
  std::vector<FindingKey> asked;
  for (const auto& [name, prevention] : known)
    asked.push_back(by == RecordedBy::code ? FindingKey{.code = name, .file = {}}
                                           : FindingKey{.code = {}, .file = name});
  if (asked.empty()) return;
  const Result<std::vector<std::string>> found = memory.preventions(asked);
  if (!found) return;
  std::size_t next = 0;
  for (auto& [name, prevention] : known)
    prevention = shortened(in_one_line((*found)[next++]), prevention_bytes_max);
  for (CheckFinding& each : report.findings) {
    const auto at = known.find(by == RecordedBy::code ? each.code : each.path);
    if (each.prevention.empty() && at != known.end()) each.prevention = at->second;
  }
}

}  // namespace snapgen::core
