#pragma once
// EditedTree is a tree of files in memory, as the edits of one call make it. It reads a file when the first
// edit needs it.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/edit/edit.h"
#include "tools/engine/edit/edited_text.h"
#include "tools/engine/files/file_tree.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/text/text_encodings.h"

namespace snapgen::core {

// What a plan of edits needs to know of the tree on disk. Paths are real paths, except in real_path().
class EditSource {
 public:
  virtual ~EditSource() = default;

  virtual FileTree& tree() = 0;
  // Returns the path with all symlinks resolved; the last component only if `follow_last`. Errors: as
  // find_write_target() (write/write_target.h).
  virtual Result<std::string> real_path(std::string_view path, bool follow_last) = 0;
  // Checks that a tool may change the file. Errors: permission_denied.
  virtual Result<Unit> check_writable(std::string_view path) = 0;
  // Returns the paths of the files that may have matches of the pattern, sorted. Errors: as grep()
  // (read/grep.h), for invalid globs and paths.
  virtual Result<std::vector<std::string>> search(const PatternEdit& edit) = 0;
  // Returns true if search(), which the caller has called with this edit, would search the file. It need not
  // exist.
  virtual Result<bool> is_searched(const PatternEdit& edit, std::string_view path) = 0;
  // Returns a stored content of the file by the first digits of its blob, or nullopt if there is none.
  virtual std::optional<std::string> stored_content(std::string_view path, std::string_view blob_prefix) = 0;
};

// A file while edits change and move it.
struct FileBeingEdited {
  std::string origin;  // Its path on disk; empty for a new file.
  TreeNode node;       // The file on disk.
  bool executable = false;
  std::optional<EditedText> text;  // Set by EditedTree::load(). A new file always has it.
  FileEncoding encoding;           // That of the bytes on disk, if `text` was converted from them.
  bool is_text = true;             // False: a new file whose `text` is bytes, which are not converted.
};

// A new text that cannot be written in the encoding of its file.
struct UnencodableText {
  std::string path;
  TextEncoding encoding = TextEncoding::utf8;
  UnencodableCharacter missing;
};

class EditedTree {
 public:
  // `source` and `encodings` must outlive this object. `encodings` converts files that are not in UTF-8;
  // null: their bytes are edited.
  EditedTree(EditSource& source, TextEncodings* encodings) : source_(source), encodings_(encodings) {}

  // Returns the real path that an edit of `path` changes; `follow_last` as EditSource::real_path(). Errors:
  // as real_path(); invalid_argument (an edit made a file of a folder above).
  Result<std::string> real_path(std::string_view path, bool follow_last);

  // Returns the file or symlink at a real path, or null if there is none. `other` receives what is there
  // instead: nothing, a folder or another kind.
  Result<std::shared_ptr<FileBeingEdited>> find(const std::string& path, TreeNode::Kind& other);

  // Reads the content of a file. Errors: as FileTree::read(); too_large.
  Result<EditedText*> load(FileBeingEdited& file);

  // Each of these changes what find() returns. A removed file may be put at another path.
  void put(const std::string& path, std::shared_ptr<FileBeingEdited> file);
  void remove(const std::string& path) { files_[path] = nullptr; }

  // Returns the files that the edits have inspected or changed, by path; null: none is there any more.
  const std::map<std::string, std::shared_ptr<FileBeingEdited>, std::less<>>& known_files() const {
    return files_;
  }

  // Returns the changes of the tree, sorted by path, and what they do to each file. Edits that cancel out
  // make no change; their paths are in `unchanged`.
  struct Outcome {
    std::vector<TreeChange> changes;
    std::vector<EditedFile> files;
    std::vector<std::string> unchanged;
    std::vector<UnencodableText> unencodable;
  };
  Result<Outcome> outcome(std::int64_t context_lines);

 private:
  Result<Unit> add_removed(const std::string& path, Outcome& outcome);
  void encode(const FileBeingEdited& file, EditedFile& answer, std::string& bytes, Outcome& outcome);
  Result<Unit> add_file(const std::string& path, FileBeingEdited& file, std::int64_t context_lines,
                        Outcome& outcome);

  EditSource& source_;
  TextEncodings* encodings_;
  std::map<std::string, std::shared_ptr<FileBeingEdited>, std::less<>> files_;
};

}  // namespace snapgen::core
