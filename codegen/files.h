#pragma once
// files: the disk, for the compiler's command line. Everything behind it is a pure function of texts.
#include <filesystem>
#include <string>
#include <vector>

#include "codegen/load.h"

namespace snapgen::codegen {

// "schemas/common" of any spelling of that path.
std::string slashed(const std::filesystem::path& path);

// Adds every *.json below `folder`, which is seen from `root`, but for those in folders named `meta`, which
// describe schema files to editors. False if something can't be read.
bool read_folder(const std::filesystem::path& root, const std::string& folder, bool emitted,
                 std::vector<SourceText>& texts);

// Adds one file, seen from `root`. False if it can't be read.
bool read_file(const std::filesystem::path& root, const std::string& path, bool emitted,
               std::vector<SourceText>& texts);
// Adds every *.json below `folder` that is not there yet, not to be emitted. False if something can't be
// read.
bool read_documents(const std::filesystem::path& root, const std::string& folder,
                    std::vector<SourceText>& texts);

// Adds every *.md directly in `folder`, seen from `root`. False if something can't be read.
bool read_pages(const std::filesystem::path& root, const std::string& folder, std::vector<SourceText>& texts);

// False if it can't be written; a file that would not change is not touched.
bool write_if_changed(const std::filesystem::path& path, const std::string& text);

}  // namespace snapgen::codegen
