#pragma once
// PendingFile does replace_file() (durable.h) or make_new_file() (new_file.h) in two steps. The file is
// written durably first, while other threads sync the data that it refers to, and then renamed.
#include <string>
#include <string_view>
#include <utility>

#include "runtime/base/result.h"
#include "tools/engine/files/durable.h"

namespace snapgen::core {

class PendingFile {
 public:
  // Writes the temporary file. Errors: unavailable.
  static Result<PendingFile> write(const std::string& folder, std::string_view name, std::string_view bytes,
                                   Durability durability);
  PendingFile(PendingFile&& other) noexcept
      : folder_(std::move(other.folder_)),
        temporary_path_(std::exchange(other.temporary_path_, {})),
        path_(std::move(other.path_)),
        durability_(other.durability_) {}
  PendingFile& operator=(PendingFile&& other) noexcept {
    std::swap(folder_, other.folder_);
    std::swap(temporary_path_, other.temporary_path_);
    std::swap(path_, other.path_);
    std::swap(durability_, other.durability_);
    return *this;
  }
  ~PendingFile();  // Deletes the temporary file unless it was renamed.

  // Renames the temporary file. Call replace_target() or create_target(), once. Errors: unavailable.
  Result<Unit> replace_target();
  Result<bool> create_target();  // Returns false, and changes nothing, if the name is in use.

 private:
  PendingFile(std::string folder, std::string temporary, std::string path, Durability durability)
      : folder_(std::move(folder)),
        temporary_path_(std::move(temporary)),
        path_(std::move(path)),
        durability_(durability) {}

  Result<Unit> sync_as_required() const;

  std::string folder_, temporary_path_, path_;
  Durability durability_;
};

}  // namespace snapgen::core
