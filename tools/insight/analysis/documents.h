#pragma once
// Documents that name what has changed after them: a file by its path, or something that a changed line
// defines.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"
#include "tools/insight/analysis/change_set.h"

namespace snapgen::core {

class Workspace;

struct DocumentFinding {
  std::string document;
  std::int64_t line = 0;  // From 1.
  std::string name;       // As the document has it.
  std::string file;       // Where it was changed.
  bool gone = false;      // There is no such file, or nothing of that name in it, any more.

  bool operator==(const DocumentFinding&) const = default;
};

struct DocumentReport {
  std::int64_t documents = 0;             // That were read.
  std::int64_t changed = 0;               // That changed themselves, and so count as up to date.
  std::vector<DocumentFinding> findings;  // What is gone first; then by document and line. Each name once.
  bool truncated = false;                 // There are more, or history was not followed to its end.
};

// Whether a file of this name is a document: Markdown, reStructuredText, AsciiDoc, plain text.
bool is_document(std::string_view path);

// Documents that are not among the changes and name one of them. Errors: those of the view.
Result<DocumentReport> documents_behind(View& view, const ChangeSet& changes);

// Documents that name a file which was committed, or edited, later than they. Where there is no git, the
// times of the files tell. Errors: those of the view; unavailable (git is needed for its history).
Result<DocumentReport> documents_behind_history(Workspace& workspace, const std::stop_token& stop);

}  // namespace snapgen::core
