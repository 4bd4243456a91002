#pragma once
// Finds documents that mention a file, or a name, that changed later than the document.
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
  std::int64_t line = 0;    // The first line is 1.
  std::string name;         // The name as the document writes it.
  std::string file;         // The changed file that the name means.
  bool is_deleted = false;  // The file, or the name in it, no longer exists.
  std::string now_in = {};  // If the name is a definition that was moved: the file that has it now.

  bool operator==(const DocumentFinding&) const = default;
};

struct DocumentReport {
  std::int64_t document_count = 0;  // Number of documents read.
  // Documents that changed themselves. Of these only unchanged lines that name a deleted file or definition
  // are outdated.
  std::int64_t changed_document_count = 0;
  // Gone names first, then by document and line. Each name is listed once.
  std::vector<DocumentFinding> findings;
  bool truncated = false;  // Some findings are left out, or only a part of the history was read.
};

// Returns whether a file of this name is a document: Markdown, reStructuredText, AsciiDoc or plain text.
bool is_document(std::string_view path);

// Returns documents that mention a changed definition or a deleted file. Errors: those of the view.
Result<DocumentReport> outdated_documents(FileView& view, const ChangeSet& changes);

// Which files outdated_documents_by_history() searches for in documents: `deleted` selects deleted files,
// `all` also sources that changed.
enum class HistoryFiles : bool { deleted, all };

// Returns documents that mention a file which was changed later than the document, or deleted later than the
// line that mentions it. Without git, it compares the times of the files, and knows no deleted file. Errors:
// those of the view; unavailable (git is needed for its history).
Result<DocumentReport> outdated_documents_by_history(Workspace& workspace, HistoryFiles files,
                                                     const std::stop_token& stop);

}  // namespace snapgen::core
