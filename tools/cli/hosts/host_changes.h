#pragma once
// The record of what `snap init` changed in the files of hosts, .snapback/hosts.json. With it `--remove`
// restores each file byte for byte if nothing else changed it since.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::tools {

// A file of a host as it was before our entry was in it.
struct FileBefore {
  std::string text;
  bool exists = true;
  bool folder_exists = true;  // The folder that the file is in.
};

// Replaces `now`, the file's text, by `after`, and records the text before: the one that an earlier change
// recorded, if the file was not changed since, else `base`, the text without our entry. Errors: as
// write_host_file().
Result<Unit> change_host_file(const std::string& workspace, const std::string& file,
                              std::optional<std::string_view> now, std::string_view base,
                              std::string_view after);

// The recorded file as it was before the change; nullopt if there is none, or something else changed the file
// since.
std::optional<FileBefore> host_file_before(const std::string& workspace, const std::string& file,
                                           std::string_view now);

// Restores the file as it was before, which may mean to remove it together with its folder, and drops the
// record. Errors: as write_host_file().
Result<Unit> restore_host_file(const std::string& workspace, const std::string& file,
                               const FileBefore& before);

}  // namespace snapgen::tools
