#pragma once
// The record of changes by `snap init` to hosts' files, .snapback/hosts.json. With it, `--remove` restores a
// file byte for byte if nothing else changed it since.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::tools {

// A host's file before our entry was added.
struct FileBefore {
  std::string text;
  bool exists = true;
  bool folder_exists = true;  // The folder that the file is in.
};

// Replaces `now`, the file's text, by `after`, and records the original text. That is the one recorded by an
// earlier change if the file is unchanged since, else `base`, the text without our entry. Errors: as
// write_host_file().
Result<Unit> change_host_file(const std::string& workspace, const std::string& file,
                              std::optional<std::string_view> now, std::string_view base,
                              std::string_view after);

// The recorded file before the change; nullopt if there is none, or something else changed the file since.
std::optional<FileBefore> host_file_before(const std::string& workspace, const std::string& file,
                                           std::string_view now);

// Restores the file, or deletes it together with its folder if they did not exist, and deletes the record.
// Errors: as write_host_file().
Result<Unit> restore_host_file(const std::string& workspace, const std::string& file,
                               const FileBefore& before);

}  // namespace snapgen::tools
