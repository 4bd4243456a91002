#pragma once
// Replacement does replace_file() (durable.h) or make_new_file() (new_file.h) in two steps. The file is
// written durably first, while other threads sync the data that it refers to, and then renamed.
#include <string>
#include <string_view>
#include <utility>

#include "runtime/base/result.h"
#include "tools/engine/files/durable.h"

namespace snapgen::core {

class Replacement {
 public:
  // Writes the temporary file. Errors: unavailable.
  static Result<Replacement> write(const std::string& folder, std::string_view name, std::string_view bytes,
                                   Durability durability);
  Replacement(Replacement&& other) noexcept
      : folder_(std::move(other.folder_)),
        temporary_(std::exchange(other.temporary_, {})),
        path_(std::move(other.path_)),
        durability_(other.durability_) {}
  Replacement& operator=(Replacement&& other) noexcept {
    std::swap(folder_, other.folder_);
    std::swap(temporary_, other.temporary_);
    std::swap(path_, other.path_);
    std::swap(durability_, other.durability_);
    return *this;
  }
  ~Replacement();  // Deletes the temporary file unless it was renamed.

  // Renames the temporary file. Call take_place() or take_free_place(), once. Errors: unavailable.
  Result<Unit> take_place();
  Result<bool> take_free_place();  // Returns false, and changes nothing, if the name is in use.

 private:
  Replacement(std::string folder, std::string temporary, std::string path, Durability durability)
      : folder_(std::move(folder)),
        temporary_(std::move(temporary)),
        path_(std::move(path)),
        durability_(durability) {}

  Result<Unit> made_durable() const;

  std::string folder_, temporary_, path_;
  Durability durability_;
};

}  // namespace snapgen::core
