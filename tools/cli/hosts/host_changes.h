#pragma once
// Records the changes that `snap init` makes to hosts' files, in .snapback/hosts.json. With this record,
// `--remove` restores a file byte for byte if nothing else has changed it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::tools {

// A host's file before our entry was added.
struct FileBefore {
  std::string text;
  bool exists = true;
  std::int64_t folders_made = 0;  // The number of folders around the file that did not exist.
};

// Replaces `now`, the file's text, by `after`, and records the original text for the removal. If nothing else
// has changed the file since an earlier call, the original is the text that the earlier call recorded.
// Otherwise it is `base`, the text without our entry.
// Errors: as write_host_file().
Result<Unit> change_host_file(const std::string& workspace, const std::string& file,
                              std::optional<std::string_view> now, std::string_view base,
                              std::string_view after);

// Returns the recorded file before the change; nullopt if there is none, or something else has changed the
// file since.
std::optional<FileBefore> host_file_before(const std::string& workspace, const std::string& file,
                                           std::string_view now);

// Restores the file, or deletes it (and the folders made for it, if they are empty) if it did not exist
// before, and deletes the record. Errors: as write_host_file().
Result<Unit> restore_host_file(const std::string& workspace, const std::string& file,
                               const FileBefore& before);

}  // namespace snapgen::tools
