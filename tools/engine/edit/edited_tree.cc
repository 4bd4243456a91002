#include "tools/engine/edit/edited_tree.h"

#include <algorithm>

#include "tools/engine/files/path.h"
#include "tools/engine/patch/plan.h"
#include "tools/engine/patch/shown_lines.h"

namespace snapgen::core {

using NodeKind = TreeNode::Kind;

namespace {

FileMode mode_of(const FileBeingEdited& file) {
  if (file.node.kind == NodeKind::symlink) return FileMode::symlink;
  return file.executable ? FileMode::executable : FileMode::plain;
}

}  // namespace

Result<std::string> EditedTree::real_path(std::string_view path, bool follow_last) {
  if (files_.contains(path)) return std::string(path);
  for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above)) {
    const auto changed = files_.find(above);
    if (changed == files_.end()) continue;
    if (!changed->second) return std::string(path);  // The edits removed what may be on disk there.
    return Error(ErrorCode::invalid_argument,
                 path_in_sentence(above) + " is a file, so there can be no " + path_in_sentence(path) + ".");
  }
  return source_.real_path(path, follow_last);
}

Result<std::shared_ptr<FileBeingEdited>> EditedTree::find(const std::string& path, NodeKind& other) {
  other = NodeKind::missing;
  if (const auto changed = files_.find(path); changed != files_.end()) return changed->second;
  const TreeNode node = TRY(source_.tree().node_at(path));
  if (node.kind != NodeKind::file && node.kind != NodeKind::symlink) {
    other = node.kind;
    return std::shared_ptr<FileBeingEdited>();
  }
  auto file = std::make_shared<FileBeingEdited>();
  file->origin = path;
  file->node = node;
  file->executable = node.executable;
  files_[path] = file;
  return file;
}

Result<EditedText*> EditedTree::load(FileBeingEdited& file) {
  if (file.text) return &*file.text;
  const std::int64_t bytes_max = PatchPlanOptions().file_bytes_max;
  if (file.node.size > bytes_max)
    return Error(ErrorCode::too_large, path_in_sentence(file.origin) + " exceeds the limit of " +
                                           std::to_string(bytes_max) + " bytes.");
  std::string bytes = TRY(source_.tree().read(file.origin));
  std::optional<DecodedText> decoded;
  if (encodings_ != nullptr && file.node.kind == NodeKind::file)
    decoded = encodings_->decode(file.origin, bytes);
  if (!decoded) return &file.text.emplace(std::move(bytes));
  file.encoding = decoded->encoding;
  return &file.text.emplace(std::move(decoded->text), blob_id_of(bytes));
}

void EditedTree::put(const std::string& path, std::shared_ptr<FileBeingEdited> file) {
  files_[path] = std::move(file);
}

Result<EditedTree::Outcome> EditedTree::outcome(std::int64_t context_lines) {
  Outcome outcome;
  for (const auto& [path, file] : files_) {
    if (file) {
      TRY(add_file(path, *file, context_lines, outcome));
    } else {
      TRY(add_removed(path, outcome));
    }
  }
  return outcome;
}

// Adds what becomes of a path whose file was deleted, or moved away.
Result<Unit> EditedTree::add_removed(const std::string& path, Outcome& outcome) {
  const TreeNode node = TRY(source_.tree().node_at(path));
  if (node.kind == NodeKind::missing) {  // It was created and deleted.
    outcome.unchanged.push_back(path);
    return Unit{};
  }
  outcome.changes.push_back({.kind = TreeChange::Kind::remove, .path = path});
  const bool is_moved = std::ranges::any_of(
      files_, [&](const auto& entry) { return entry.second && entry.second->origin == path; });
  if (is_moved) return Unit{};
  outcome.files.push_back({.path = path, .status = EditedFile::Status::deleted});
  return Unit{};
}

// Replaces the text of a file by its bytes on disk.
void EditedTree::encode(const FileBeingEdited& file, EditedFile& answer, std::string& bytes,
                        Outcome& outcome) {
  const bool is_new = file.origin.empty();
  const std::string_view before = is_new ? std::string_view() : file.text->original();
  EncodedText encoded =
      encodings_->encode(is_new ? answer.path : file.origin, before, file.encoding, std::move(bytes));
  answer.encoding = encoded.encoding;
  bytes = std::move(encoded.bytes);
  if (encoded.missing)
    outcome.unencodable.push_back(
        {.path = answer.path, .encoding = encoded.encoding, .missing = *std::move(encoded.missing)});
}

Result<Unit> EditedTree::add_file(const std::string& path, FileBeingEdited& file, std::int64_t context_lines,
                                  Outcome& outcome) {
  const bool is_new = file.origin.empty();
  const TreeNode on_disk = TRY(source_.tree().node_at(path));
  const bool replaces = on_disk.kind == NodeKind::file || on_disk.kind == NodeKind::symlink;
  TreeChange change{.path = path, .mode = mode_of(file)};
  std::string bytes;
  bool is_same = false;  // As the file on disk at this path.
  if (file.text) {
    bytes = file.text->bytes();
    is_same = !is_new && bytes == file.text->original();
    if (is_new && on_disk.kind == NodeKind::file && on_disk.size == static_cast<std::int64_t>(bytes.size())) {
      const std::string before = TRY(source_.tree().read(path));
      is_same = bytes == before;
    }
  } else {
    is_same = true;
  }
  const bool is_moved = !is_new && file.origin != path;
  if (is_same && !is_moved && file.executable == on_disk.executable && replaces) {
    if (file.text && (is_new || file.text->has_edits())) outcome.unchanged.push_back(path);
    return Unit{};
  }
  EditedFile answer{.path = path,
                    .from = is_moved ? file.origin : std::string(),
                    .status = is_moved   ? EditedFile::Status::renamed
                              : replaces ? EditedFile::Status::modified
                                         : EditedFile::Status::added};
  if (!file.text) {
    bytes = TRY(source_.tree().read(file.origin));
  } else {
    answer.changed_lines = is_new ? all_lines(bytes) : file.text->changed_lines();
  }
  if (context_lines > 0) answer.shown = lines_around(bytes, answer.changed_lines, context_lines);
  if (file.text && file.is_text && encodings_ != nullptr) encode(file, answer, bytes, outcome);
  answer.blob = blob_id_of(bytes);
  if (is_same && is_moved) {
    change.kind = TreeChange::Kind::copy;
    change.from = file.origin;
  } else if (is_same) {
    change.kind = TreeChange::Kind::chmod;
  } else {
    change.bytes = std::move(bytes);
    if (is_moved) change.from = file.origin;
  }
  outcome.changes.push_back(std::move(change));
  outcome.files.push_back(std::move(answer));
  return Unit{};
}

}  // namespace snapgen::core
