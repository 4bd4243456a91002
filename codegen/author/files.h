#pragma once
// files: the command line's access to the disk. All later stages are pure functions of texts.
#include <filesystem>
#include <string>
#include <vector>

#include "codegen/front/load.h"

namespace snapgen::codegen {

// Returns a normalized path with `/`, such as "schemas/common".
std::string normalized_path(const std::filesystem::path& path);

// Adds every *.json below `folder`, which is relative to `root`. Skips folders named `meta`, which describe
// schema files to editors. Returns false if a file cannot be read.
bool read_folder(const std::filesystem::path& root, const std::string& folder, bool emitted,
                 std::vector<SourceText>& texts);

// Adds one file, relative to `root`. Returns false if it cannot be read.
bool read_file(const std::filesystem::path& root, const std::string& path, bool emitted,
               std::vector<SourceText>& texts);
// Adds every *.json below `folder` that `texts` lacks. Their code is not emitted. Returns false if a file
// cannot be read.
bool read_documents(const std::filesystem::path& root, const std::string& folder,
                    std::vector<SourceText>& texts);

// Adds every *.md directly in `folder`, relative to `root`. Returns false if a file cannot be read.
bool read_pages(const std::filesystem::path& root, const std::string& folder, std::vector<SourceText>& texts);

// Writes a file, unless it already has this content. Returns false if it cannot be written.
bool write_if_changed(const std::filesystem::path& path, const std::string& text);

}  // namespace snapgen::codegen
