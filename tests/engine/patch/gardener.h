#pragma once
// Gardener: generates and changes random trees from a seed.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>

#include "tests/engine/patch/tree.h"

namespace snapgen::core {

// There are few different names and lines, so that copies, renames, swaps and changes of type occur often.
class Gardener {
 public:
  explicit Gardener(std::uint32_t seed) : random_(seed) {}

  Tree planted() {
    Tree tree;
    for (int files = below(8); files >= 0; --files) put(tree, name(), {mode(), {}});
    for (auto& [path, file] : tree) file.bytes = content(file.mode);
    return tree;
  }

  Tree edited(const Tree& before) {
    Tree tree = before;
    for (int edits = below(6); edits >= 0; --edits) edit(tree);
    return tree;
  }

  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }

 private:
  static constexpr const char* names[] = {"a",        "b",           "a b",   "d/x",     "d/y",
                                          "d/e/z",    "tab\there",   "q\"uo", "back\\s", "new\nline",
                                          "\xc3\xa9", "\xff\xfe",    "~home", "-dash",   "a..b",
                                          ".hidden",  "b/c d/e f g", "a/b",   " lead",   "trail "};

  std::string name() { return names[below(std::size(names))]; }
  FileMode mode() {
    int kind = below(8);
    return kind == 0 ? FileMode::symlink : kind < 3 ? FileMode::executable : FileMode::plain;
  }

  std::string line() {
    static constexpr const char* lines[] = {
        "",     "{",  "}",      "int x;", "\t\treturn;", "\r",
        "-- ",  "++", "@@ -1 ", " lead",  "\xff bytes",  "\\ No newline at end of file",
        "diff", "+a", "-b",     "last\r", "--- a/x",     "+++ b/x"};
    return below(3) == 0 ? "line " + std::to_string(below(40)) : lines[below(std::size(lines))];
  }

  std::string content(FileMode mode) {
    if (mode == FileMode::symlink) return "target " + std::to_string(below(5));
    std::string bytes;
    switch (below(8)) {
      case 0: return bytes;
      case 1:
        for (int count = below(3000); count >= 0; --count) bytes += static_cast<char>(below(256));
        return bytes + '\0';
      case 2:
        for (int count = 20 + below(60); count >= 0; --count) bytes += line() + "\r\n";
        break;
      default:
        for (int count = below(60); count >= 0; --count) bytes += line() + "\n";
    }
    if (below(4) == 0 && !bytes.empty()) bytes.pop_back();
    return bytes;
  }

  // Writes a file at a path at which no file, folder or parent is in conflict.
  static bool put(Tree& tree, const std::string& path, TreeFile file) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      if (tree.contains(path.substr(0, slash))) return false;
    }
    auto below = tree.lower_bound(path + "/");
    if (below != tree.end() && below->first.starts_with(path + "/")) return false;
    tree[path] = std::move(file);
    return true;
  }

  std::string changed_lines(std::string bytes) {
    for (int changes = below(4); changes >= 0; --changes) {
      std::size_t at = bytes.empty() ? 0 : bytes.find('\n', random_() % bytes.size());
      at = at == std::string::npos ? bytes.size() : at + 1;
      std::size_t end = std::min(bytes.find('\n', at), bytes.size());
      switch (below(3)) {
        case 0: bytes.insert(std::min(at, bytes.size()), line() + "\n"); break;
        case 1: bytes.replace(std::min(at, bytes.size()), end - std::min(at, bytes.size()), line()); break;
        default: bytes.erase(std::min(at, bytes.size()), end - std::min(at, bytes.size()) + 1);
      }
    }
    return bytes;
  }

  void edit(Tree& tree) {
    if (tree.empty()) {
      put(tree, name(), {FileMode::plain, content(FileMode::plain)});
      return;
    }
    auto at = std::next(tree.begin(), below(static_cast<int>(tree.size())));
    auto [path, file] = *at;
    switch (below(9)) {
      case 0: tree.erase(at); break;
      case 1: {
        FileMode kind = mode();
        put(tree, name(), {kind, content(kind)});
        break;
      }
      case 2:
        tree.erase(at);
        if (!put(tree, name(), file)) put(tree, path, file);
        break;
      case 3: put(tree, name(), file); break;
      case 4:
        if (file.mode != FileMode::symlink)
          at->second.mode = file.mode == FileMode::plain ? FileMode::executable : FileMode::plain;
        break;
      case 5: {
        FileMode kind = mode();
        at->second = {kind, content(kind)};
        break;
      }
      case 6: {
        auto other = std::next(tree.begin(), below(static_cast<int>(tree.size())));
        std::swap(at->second, other->second);
        break;
      }
      case 7: {  // replaces a file with a folder
        tree.erase(at);
        put(tree, path + "/inside", file);
        break;
      }
      default:
        if (file.mode == FileMode::symlink) {
          at->second.bytes += "+";
        } else {
          at->second.bytes = changed_lines(file.bytes);
        }
    }
  }

  std::mt19937 random_;
};

}  // namespace snapgen::core
