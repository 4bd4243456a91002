#pragma once
// host_text() returns the text of an answer for hosts whose models read text. Each substrate tool has an
// overload for its input and output; the compiler chooses it. The text of a reading tool is a header line,
// and then contents, matches or paths, unchanged. If something does not fit, the text says how to continue.
//
// fit_to_limit() cuts an output that is sent as JSON to what the host shows. Returns whether it cut
// something. Tools whose answers are short have no overload.
//
// Both may change the output. They expect the output of a handler that succeeded, so no variant of a failure.
#include <string>
#include <string_view>

#include "schemas/substrate/history_list.h"
#include "schemas/substrate/history_rewind.h"
#include "schemas/substrate/history_undo.h"
#include "schemas/substrate/snapshot_changes.h"
#include "schemas/substrate/snapshot_create.h"
#include "schemas/substrate/snapshot_diff.h"
#include "schemas/substrate/snapshot_export.h"
#include "schemas/substrate/snapshot_file.h"
#include "schemas/substrate/snapshot_grep.h"
#include "schemas/substrate/snapshot_info.h"
#include "schemas/substrate/snapshot_list.h"
#include "schemas/substrate/workspace_apply_patch.h"
#include "schemas/substrate/workspace_delete.h"
#include "schemas/substrate/workspace_edit.h"
#include "schemas/substrate/workspace_write_file.h"
#include "tools/server/answers/text_limit.h"

namespace snapgen::tools {

// What the text of an answer depends on besides the input and the output.
struct TextForm {
  TextLimit limit;           // There is no limit if the call itself sets a maximum length.
  std::string_view summary;  // The summary of the handler, which may be empty.
};

std::string host_text(const SnapshotFileInput& in, SnapshotFileOutput& out, const TextForm& form);
std::string host_text(const SnapshotGrepInput& in, SnapshotGrepOutput& out, const TextForm& form);
std::string host_text(const SnapshotListInput& in, SnapshotListOutput& out, const TextForm& form);
std::string host_text(const SnapshotDiffInput& in, SnapshotDiffOutput& out, const TextForm& form);
std::string host_text(const SnapshotChangesInput& in, SnapshotChangesOutput& out, const TextForm& form);
std::string host_text(const SnapshotCreateInput& in, SnapshotCreateOutput& out, const TextForm& form);
std::string host_text(const SnapshotInfoInput& in, SnapshotInfoOutput& out, const TextForm& form);
std::string host_text(const SnapshotExportInput& in, SnapshotExportOutput& out, const TextForm& form);
std::string host_text(const WorkspaceApplyPatchInput& in, WorkspaceApplyPatchOutput& out,
                      const TextForm& form);
std::string host_text(const WorkspaceEditInput& in, WorkspaceEditOutput& out, const TextForm& form);
std::string host_text(const WorkspaceWriteFileInput& in, WorkspaceWriteFileOutput& out, const TextForm& form);
std::string host_text(const WorkspaceDeleteInput& in, WorkspaceDeleteOutput& out, const TextForm& form);
std::string host_text(const HistoryListInput& in, HistoryListOutput& out, const TextForm& form);
std::string host_text(const HistoryRewindInput& in, HistoryRewindOutput& out, const TextForm& form);
std::string host_text(const HistoryUndoInput& in, HistoryUndoOutput& out, const TextForm& form);

bool fit_to_limit(const SnapshotFileInput& in, SnapshotFileOutput& out, TextLimit limit);
bool fit_to_limit(const SnapshotGrepInput& in, SnapshotGrepOutput& out, TextLimit limit);
bool fit_to_limit(const SnapshotListInput& in, SnapshotListOutput& out, TextLimit limit);
bool fit_to_limit(const SnapshotDiffInput& in, SnapshotDiffOutput& out, TextLimit limit);
bool fit_to_limit(const SnapshotChangesInput& in, SnapshotChangesOutput& out, TextLimit limit);
bool fit_to_limit(const HistoryListInput& in, HistoryListOutput& out, TextLimit limit);

}  // namespace snapgen::tools
