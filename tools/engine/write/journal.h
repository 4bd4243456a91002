#pragma once
// Step and journal: a change of many files as a list of small steps, each of which can be seen to be done,
// done again, and undone, so that whoever comes after a crash can finish the change or take it back.
//
// A journal is one batch (file_record.h) of text: what the change is, a line for each step in the order in
// which they are done; and then the contents of the files that are staged and not synced, one after the
// other. Where they are in the journal, one sync makes the whole change durable, however many files it is of.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/file_record.h"
#include "tools/engine/store/snapshot_files.h"

namespace snapgen::core {

// The bytes of a staged file, or the target of a symlink.
struct StagedBytes {
  std::string bytes;
  BlobId blob;

  bool operator==(const StagedBytes&) const = default;
};

struct Step {
  enum class Kind : std::uint8_t {
    take,         // what stands at the path goes to the staging folder
    drop_folder,  // an empty folder goes away
    make_folder,
    put,   // the staged file goes to the path, where nothing stands
    swap,  // the staged file and what stands at the path change places
    chmod,
  };
  Kind kind = Kind::take;
  std::string path;
  std::string staged;  // The file's name while it is staged.
  // The folder in which it is staged, relative to the root; none: the staging folder. Files can only be
  // staged on the file system that they go to.
  std::optional<std::string> beside;
  bool required = true;  // Of drop_folder: it is an error if the folder is not empty.
  // Permissions: of chmod the new ones, of drop_folder those of the folder, of all that make
  // something those that it may have at the most (0 in older journals: all) or, with exact_permissions, must
  // have.
  std::uint32_t mode = 0;
  std::optional<FileRecord> before;  // Of take, swap and chmod: what must stand at the path.
  FileStat after;                    // Of put and swap: of the staged file.
  // The same; none: the staged file was synced before the journal was written.
  std::optional<StagedBytes> content;

  bool operator==(const Step&) const = default;
};

struct Journal {
  std::string boot;             // See this_boot(); of the system that it was written under.
  std::int64_t written_ns = 0;  // since 1970
  std::string note;             // What is told when the change is made (Writer::set_listener()).
  // The undo snapshot of what the change replaces; empty `hex`: none.
  SnapshotFiles undo;
  std::vector<Step> steps;

  // Whether all that was written since is still known to the system, on the disk or not: it has not gone
  // down.
  bool is_of_this_boot() const;

  bool operator==(const Journal&) const = default;
};

std::string encoded_journal(const Journal& journal);
// None: torn, or not a journal.
std::optional<Journal> decoded_journal(std::string_view bytes);

// What tells one start of the machine from another; empty if the system does not say.
std::string this_boot();

}  // namespace snapgen::core
