#include "codegen/files.h"

#include <algorithm>
#include <cstddef>
#include <fstream>

namespace snapgen::codegen {

namespace fs = std::filesystem;

namespace {

bool read(const fs::path& path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  text.clear();
  constexpr std::size_t step = std::size_t{64} * 1024;
  while (file) {
    const std::size_t size = text.size();
    text.resize(size + step);
    file.read(text.data() + size, static_cast<std::streamsize>(step));
    text.resize(size + static_cast<std::size_t>(file.gcount()));
  }
  return !file.bad();
}

}  // namespace

std::string normalized_path(const fs::path& path) { return path.lexically_normal().generic_string(); }

bool read_folder(const fs::path& root, const std::string& folder, bool emitted,
                 std::vector<SourceText>& texts) {
  std::error_code error;
  fs::recursive_directory_iterator at(root / folder, error), end;
  if (error) return false;
  for (; at != end; at.increment(error)) {
    if (error) return false;
    if (at->is_directory() && at->path().filename() == "meta") at.disable_recursion_pending();
    if (!at->is_regular_file() || at->path().extension() != ".json") continue;
    std::string text;
    if (!read(at->path(), text)) return false;
    texts.push_back({.path = normalized_path(at->path().lexically_relative(root)),
                     .text = std::move(text),
                     .emitted = emitted});
  }
  return true;
}

bool read_file(const fs::path& root, const std::string& path, bool emitted, std::vector<SourceText>& texts) {
  std::string text;
  if (!read(root / path, text)) return false;
  texts.push_back({.path = path, .text = std::move(text), .emitted = emitted});
  return true;
}

bool read_documents(const fs::path& root, const std::string& folder, std::vector<SourceText>& texts) {
  std::error_code error;
  fs::recursive_directory_iterator at(root / folder, error), end;
  if (error) return false;
  for (; at != end; at.increment(error)) {
    if (error) return false;
    if (!at->is_regular_file() || at->path().extension() != ".json") continue;
    const std::string path = normalized_path(at->path().lexically_relative(root));
    const bool there =
        std::any_of(texts.begin(), texts.end(), [&](const SourceText& each) { return each.path == path; });
    if (!there && !read_file(root, path, false, texts)) return false;
  }
  return true;
}

bool read_pages(const fs::path& root, const std::string& folder, std::vector<SourceText>& texts) {
  std::error_code error;
  fs::directory_iterator at(root / folder, error), end;
  if (error) return false;
  for (; at != end; at.increment(error)) {
    if (error) return false;
    if (!at->is_regular_file() || at->path().extension() != ".md") continue;
    std::string text;
    if (!read(at->path(), text)) return false;
    texts.push_back({.path = normalized_path(at->path().lexically_relative(root)), .text = std::move(text)});
  }
  return true;
}

bool write_if_changed(const fs::path& path, const std::string& text) {
  std::string old;
  if (read(path, old) && old == text) return true;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  return bool(file);
}

}  // namespace snapgen::codegen
