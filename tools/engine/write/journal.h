#pragma once
// Step and journal: a change of many files as a list of small steps. Each step can be detected as done,
// repeated, and undone, so that after a crash another process can finish or revert the change.
//
// A journal is one batch (file_record.h) of text: the description of the change, then a line for each step in
// order. The contents of the staged files that are not synced follow. Because they are in the journal, one
// sync makes the whole change durable, however many files it has.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/caches/file_record.h"
#include "tools/engine/store/snapshots/snapshot_files.h"

namespace snapgen::core {

// The bytes of a staged file, or the target of a symlink.
struct StagedBytes {
  std::string bytes;
  BlobId blob;

  bool operator==(const StagedBytes&) const = default;
};

struct Step {
  enum class Kind : std::uint8_t {
    move_to_staging,  // moves the file at the path to the staging folder
    remove_folder,    // removes an empty folder
    make_folder,
    move_from_staging,  // moves the staged file to the path, where no file exists
    exchange,           // exchanges the staged file and the file at the path
    chmod,
  };
  Kind kind = Kind::move_to_staging;
  std::string path;
  std::string staged_name;  // The file's name in the staging folder.
  // The folder in which it is staged, relative to the root; nullopt: the staging folder. A file must be
  // staged on its destination's file system.
  std::optional<std::string> outside_staging_folder;
  bool required = true;  // For remove_folder: a folder that is not empty is an error.
  // For chmod: the new permissions. For remove_folder: those of the folder. For steps that create something:
  // the maximum permissions (0 in older journals: any) or, with exact_permissions_flag, the exact ones.
  std::uint32_t mode = 0;
  std::optional<FileRecord> before;  // For move_to_staging, exchange and chmod: the expected file.
  FileStat after;                    // For move_from_staging and exchange: the stat of the staged file.
  // The content of the staged file; nullopt: the file was synced before the journal was written.
  std::optional<StagedBytes> content;

  bool operator==(const Step&) const = default;
};

// A change of a million files has a journal of 300 MB.
inline constexpr std::uint64_t journal_bytes_max = 1 << 30;

struct Journal {
  std::string boot;             // The value of boot_id() when it was written.
  std::int64_t written_ns = 0;  // When it was written, in nanoseconds since 1970.
  std::string note;             // Passed to Writer's listener when the change is made.
  // The undo snapshot of the replaced content; empty `hex`: none.
  SnapshotFiles undo;
  std::vector<Step> steps;

  // Whether the machine has not restarted since, so that no write was lost.
  bool is_of_this_boot() const;

  bool operator==(const Journal&) const = default;
};

std::string encoded_journal(const Journal& journal);
// Parses a journal. Returns nullopt if the bytes are torn or not a journal.
std::optional<Journal> parse_journal(std::string_view bytes);

// Identifies one boot of the machine; empty if the system does not provide it.
std::string boot_id();

}  // namespace snapgen::core
