#include "tools/core/snapshot/snapshot_files.h"

#include <string>
#include <utility>

#include <fcntl.h>

#include "runtime/base/fd.h"
#include "tools/core/store/durable.h"

namespace snapgen::core {

Result<Unit> make_durable(const std::string& folder, const SnapshotFiles& files) {
  Result<Unit> made = make_folders(folder);
  if (!made) return made;
  // The note first: a snapshot is there once its head is.
  for (const auto& [name, text] :
       {std::pair(files.hex + ".note", files.note), std::pair(files.hex, files.head)}) {
    const std::string path = folder + "/" + name;
    const Result<std::string> found = read_whole(path);
    // Another process may have added to the note since.
    const bool is_whole = found && (name == files.hex ? *found == text : !found->empty());
    const Fd fd(is_whole ? ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1);
    Result<Unit> done = fd ? sync_file(fd.get()) : replace_file(folder, name, text, Durability::machine);
    if (!done) return done;
  }
  return sync_folder(folder);
}

}  // namespace snapgen::core
