#include "tools/engine/operations/write_file.h"

#include "runtime/json/writer.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/change_worktree.h"
#include "tools/engine/patch/path_conflicts.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/read/view.h"
#include "tools/engine/text/text_encodings.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/engine/write/inspected_worktree.h"
#include "tools/engine/write/write_target.h"

namespace snapgen::core {
namespace {

Error not_as_expected_error(std::string_view path, const ExpectedContent& expected,
                            const std::optional<BlobId>& found) {
  ErrorDetails details;
  details
      .add_json("expected_blob",
                expected.blob_prefix.empty() ? "null" : json::quoted("sha256:" + expected.blob_prefix))
      .add_json("found_blob", found ? json::quoted(found->text()) : "null")
      .add("path", text_of_path(path));
  std::string wanted = !expected.blob_prefix.empty() ? "not the blob that was expected"
                                                     : "although nothing was expected there";
  std::string message = found ? path_in_sentence(path) + " has the blob " + found->text() + ", " + wanted
                              : path_in_sentence(path) + " does not exist, but a blob was expected";
  return Error(ErrorCode::repo_changed,
               message + "; nothing was written. Read the file again, and pass its blob.",
               std::move(details));
}

class WritePlanner {
 public:
  WritePlanner(Workspace& workspace, const WriteFileQuery& query, const std::stop_token& stop,
               MissingPaths& missed)
      : root_(workspace.root()),
        rules_(workspace.writer().rules()),
        query_(query),
        stop_(stop),
        missed_(missed),
        tree_(root_, stop) {}

  Result<ProposedChange<WrittenFile>> run() {
    Result<WriteTarget> target = find_write_target(root_, query_.path, true);
    if (!target && target.error().code == ErrorCode::not_found) missed_.push_back(query_.path);
    if (!target) return std::move(target).error();
    const std::string& path = target->path;
    // The write rules are checked even if the write would change nothing.
    TRY(rules_.check(path));
    TreeNode node = TRY(tree_.node_at(path));
    bool created = node.kind == TreeNode::Kind::missing;
    if (!created && node.kind != TreeNode::Kind::file) {
      return Error(ErrorCode::invalid_argument,
                   path_in_sentence(path) + " is " + std::string(noun(node.kind)) + ", not a file.");
    }
    const std::optional<std::string> before = TRY(content_before(path, node));
    const EncodedText content = TRY(encoded_content(path, node, before));
    TRY(check_expected(path, created, before));
    bool same = before && *before == content.bytes;
    ProposedChange<WrittenFile> proposal;
    proposal.answer = {.path = path,
                       .blob = blob_id_of(content.bytes),
                       .bytes = static_cast<std::int64_t>(content.bytes.size()),
                       .was_created = created,
                       .encoding = content.encoding};
    bool executable = query_.executable.value_or(node.executable);
    FileMode mode = executable ? FileMode::executable : FileMode::plain;
    std::vector<TreeChange> changes;
    if (!same) {
      changes.push_back({.path = path, .mode = mode, .bytes = content.bytes});
    } else if (executable != node.executable) {
      changes.push_back({.kind = TreeChange::Kind::chmod, .path = path, .mode = mode});
    }
    proposal.answer.was_changed = !changes.empty();
    proposal.plan.writes = tree_.writes_of(std::move(changes));
    proposal.plan.undo = {.is_wanted = !query_.discard_contents, .message = "before writing " + path};
    proposal.plan.inspected_files = tree_.inspected_files();
    for (const std::string& link : target->followed_symlinks) {
      Result<FileRecord> record = observe_file(root_, link, stop_);
      if (!record) return changed_while_read_error(link);
      proposal.plan.inspected_files.push_back(*std::move(record));
    }
    return proposal;
  }

 private:
  // Whether the encoding of the file decides that of the content.
  bool is_encoded_as_before(const TreeNode& node) const {
    return query_.is_text && node.size <= search_bytes_max;
  }

  // Returns the content of the file; nullopt if there is none, or it is not needed: for its encoding, for
  // what is expected, and if it may be the new one. A content that may not be read is replaced, unless a
  // state is expected.
  Result<std::optional<std::string>> content_before(const std::string& path, const TreeNode& node) {
    const bool has_same_size = node.size == static_cast<std::int64_t>(query_.content.size());
    const bool is_needed = query_.expected || has_same_size || is_encoded_as_before(node);
    if (node.kind == TreeNode::Kind::missing || !is_needed) return std::optional<std::string>();
    Result<std::string> bytes = tree_.read(path);
    if (bytes) return std::optional(*std::move(bytes));
    if (!query_.expected && bytes.error().code == ErrorCode::permission_denied)
      return std::optional<std::string>();
    return std::move(bytes).error();
  }

  Result<Unit> check_expected(const std::string& path, bool is_missing,
                              const std::optional<std::string>& before) {
    const std::optional<ExpectedContent>& expected = query_.expected;
    if (!expected) return Unit{};
    if (is_missing) {
      if (expected->blob_prefix.empty()) return Unit{};
      missed_.push_back(path);
      return not_as_expected_error(path, *expected, std::nullopt);
    }
    const BlobId found = blob_id_of(*before);
    if (!expected->blob_prefix.empty() && found.hex().starts_with(expected->blob_prefix)) return Unit{};
    return not_as_expected_error(path, *expected, found);
  }

  // Returns the bytes to write: the content, in the encoding of the file that it replaces, or that the tree
  // declares for a new file.
  Result<EncodedText> encoded_content(const std::string& path, const TreeNode& node,
                                      const std::optional<std::string>& before) const {
    EncodedText content{.bytes = query_.content, .encoding = TextEncoding::utf8, .missing = {}};
    const bool is_unreadable = node.kind != TreeNode::Kind::missing && !before;
    if (!is_encoded_as_before(node) || is_unreadable) return content;
    TextEncodings encodings(declarations_in(root_));
    const DecodedText old_text = before ? encodings.text_of(path, *before) : DecodedText();
    content = encodings.encode(path, old_text.text, old_text.encoding, query_.content);
    if (!content.missing) return content;
    return Error(
        ErrorCode::invalid_argument,
        "Nothing was written: " + unencodable_message(*content.missing, content.encoding, path) + ".");
  }

  const Root& root_;
  const WriteRules& rules_;
  const WriteFileQuery& query_;
  std::stop_token stop_;
  MissingPaths& missed_;
  InspectedWorktree tree_;
};

}  // namespace

Result<ChangeResult<WrittenFile>> write_file(Workspace& workspace, const std::optional<std::string>& lease_id,
                                             const WriteFileQuery& query, const std::stop_token& stop) {
  return change_worktree(workspace, lease_id, stop, [&](MissingPaths& missed) {
    return WritePlanner(workspace, query, stop, missed).run();
  });
}

}  // namespace snapgen::core
