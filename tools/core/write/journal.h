#pragma once
// Step and journal: a change of many files as a list of small steps, each of which can be seen to be done,
// done again, and undone, so that whoever comes after a crash can finish the change or take it back.
//
// A journal is one batch (file_record.h) of text: the change's note, if it has one, then a line for each
// step, in the order in which they are done.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/core/store/file_record.h"

namespace snapgen::core {

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
  bool required = true;    // Of drop_folder: it is an error if the folder is not empty.
  std::uint32_t mode = 0;  // Permissions: of chmod the new ones, of drop_folder those of the folder.
  std::optional<FileRecord> before;  // Of take, swap and chmod: what must stand at the path.
  FileStat after;                    // Of put and swap: of the staged file.

  bool operator==(const Step&) const = default;
};

// `note`: what is told when the change is made (Writer::tell()).
std::string encoded_journal(const std::vector<Step>& steps, std::string_view note = {});
// None: torn, or not a journal.
std::optional<std::vector<Step>> decoded_journal(std::string_view bytes);
// Of a journal that can be decoded; empty: it has none.
std::string note_of_journal(std::string_view bytes);

}  // namespace snapgen::core
