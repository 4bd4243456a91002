#pragma once
// TextEncodings converts the files of one tree, a work tree or a snapshot, whose encodings their bytes and
// the tree's declarations decide.
//
// A file that is valid UTF-8 is used as it is. Of any other file, a byte order mark decides, then a
// declaration: Python's `coding:`, then `charset` in `.editorconfig`, then git's `working-tree-encoding` in
// `.gitattributes`. Declarations are read only for such files, and those outside of the tree do not count.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/files/root.h"
#include "tools/engine/git/walk/attributes.h"
#include "tools/engine/text/editor_config.h"
#include "tools/engine/text/text_encoding.h"

namespace snapgen::core {

// Returns the content of a file that has declarations, by its path in the tree; nullopt if there is none.
// Larger ones have no effect.
inline constexpr std::uint64_t declaration_bytes_max = 1 << 20;
using DeclarationReader = std::function<std::optional<std::string>(const std::string& path)>;

// Reads the declarations of a work tree. They are not recorded as read. `root` must outlive the reader.
DeclarationReader declarations_in(const Root& root);

// A text that was changed, as the bytes of its file.
struct EncodedText {
  std::string bytes;
  TextEncoding encoding = TextEncoding::utf8;
  std::optional<UnencodableCharacter>
      missing;  // If set, `bytes` is empty: the encoding has no such character.
};

// Thread-safe. It reads each file of declarations once.
class TextEncodings {
 public:
  // Without `read` there are no declarations but Python's.
  explicit TextEncodings(DeclarationReader read = {}) : read_(std::move(read)) {}

  // Returns the text of a file in another encoding than UTF-8; nullopt for UTF-8, and for a binary content.
  std::optional<DecodedText> decode(std::string_view path, std::string_view bytes);
  // As decode(), but UTF-8 and a binary content are returned as they are.
  DecodedText text_of(std::string_view path, std::string bytes);

  // Returns true if a content that looks binary may be UTF-16. `bytes` is its beginning.
  bool may_be_utf16(std::string_view path, std::string_view bytes);

  // Returns the bytes for the new text of a file that had the text `before` in the encoding `current`; a new
  // file had an empty text in UTF-8. The encoding is unchanged, unless the change makes a Python source
  // declare another one. A file that had only ASCII characters gets Latin-1 or Windows-1252 if it is
  // declared. Content that is not UTF-8 is bytes, which are returned as they are.
  EncodedText encode(std::string_view path, std::string_view before, FileEncoding current, std::string after);

 private:
  // The declarations of one folder. Null: it has none of this kind.
  struct FolderDeclarations {
    std::unique_ptr<const EditorConfig> editor_config;
    std::unique_ptr<const git::AttributeRules> attributes;
  };

  // Returns the encoding that the file or the tree declares.
  std::optional<TextEncoding> declared(std::string_view path, std::string_view bytes);
  std::optional<TextEncoding> declared_in_tree(std::string_view path);
  FileEncoding encoding_after(std::string_view path, std::string_view before, FileEncoding current,
                              std::string_view after);
  const FolderDeclarations& declarations_of(std::string_view folder);  // Needs the mutex.

  DeclarationReader read_;
  std::mutex mutex_;
  std::map<std::string, FolderDeclarations, std::less<>> folders_;
};

}  // namespace snapgen::core
