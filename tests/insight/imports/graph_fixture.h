#pragma once
// Import graphs of small trees in memory.
#include <atomic>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/folder.h"
#include "tools/insight/imports/graph.h"

namespace snapgen::core {

using Files = std::map<std::string, std::string>;

class MemoryContent final : public FileContent {
 public:
  explicit MemoryContent(std::string_view text) : text_(text), rest_(text) {}
  Result<std::string_view> next() override { return std::exchange(rest_, {}); }
  Result<BlobId> finish() override { return blob_id_of(text_); }

 private:
  std::string_view text_, rest_;
};

// A tree in memory. `reads` counts how often a listed file was read for its imports.
class MemoryView final : public FileView {
 public:
  explicit MemoryView(const Files& files, bool blobs_known = true, Files ignored = {},
                      std::stop_token stop = {})
      : FileView(std::move(stop)), blobs_known_(blobs_known), ignored_(std::move(ignored)) {
    for (const auto& [path, text] : files) {
      FileStat stat;
      stat.mode = S_IFREG;
      listing_.add(path, stat, false);
      texts_.push_back(text);
    }
  }
  Result<const Listing*> listing() override { return &listing_; }
  std::optional<std::int64_t> size_of(std::size_t index) override {
    return static_cast<std::int64_t>(texts_[index].size());
  }
  std::optional<BlobId> known_blob(std::size_t index) override {
    if (!blobs_known_) return std::nullopt;
    return blob_id_of(texts_[index]);
  }
  Result<SkippedCounts> skipped_below(std::string_view, bool) override { return SkippedCounts{}; }
  Result<std::unique_ptr<FileContent>> open(std::string_view path) override {
    if (on_open) on_open(path);
    const std::size_t index = listing_.find(path);
    const auto ignored = ignored_.find(std::string(path));
    if (index == listing_.size() && ignored == ignored_.end())
      return Error(ErrorCode::not_found, "There is no such file.");
    std::unique_ptr<FileContent> content =
        std::make_unique<MemoryContent>(index < listing_.size() ? texts_[index] : ignored->second);
    return content;
  }
  Result<SearchCandidate> read_candidate(std::size_t index, ReadBuffers&) override {
    ++reads;
    if (texts_[index].find('\0') != std::string::npos) {
      return SearchCandidate{.kind = SearchCandidate::Kind::binary, .bytes = {}};
    }
    return SearchCandidate{.kind = SearchCandidate::Kind::text, .bytes = texts_[index]};
  }
  void mark_touched(std::size_t) override { ++touched; }
  void mark_shown(std::size_t) override { ++touched; }

  std::function<void(std::string_view path)> on_open;
  std::atomic<int> reads = 0;
  int touched = 0;

 private:
  bool blobs_known_;
  Listing listing_;
  std::vector<std::string> texts_;
  Files ignored_;
};

class ImportGraphTest : public ::testing::Test {
 protected:
  ImportGraph graph_of(const Files& files) {
    ImportGraph graph(folder_.path());
    MemoryView view(files);
    Result<Unit> updated = graph.update(view);
    EXPECT_TRUE(updated);
    return graph;
  }

  // Returns each edge once, as a line `from -> to`.
  static std::string edges(const ImportGraph& graph) {
    std::string out;
    for (std::size_t i = 0; i < graph.files().size(); ++i) {
      auto file = static_cast<FileIndex>(i);
      std::string last;
      for (const ImportEdge& edge : graph.edges(file)) {
        std::string line = graph.files().path(file) + " -> " + graph.files().path(edge.to) +
                           (edge.is_deferred ? " (deferred)" : "") + "\n";
        if (line != last) out += line;
        last = line;
      }
    }
    return out;
  }

  static std::string affected(const ImportGraph& graph, const std::string& path) {
    std::string out;
    for (const AffectedFile& one : graph.affected_by({*graph.files().find(path)})) {
      out += std::to_string(one.distance) + " " + graph.files().path(one.file) + " via " +
             graph.files().path(one.via) + "\n";
    }
    return out;
  }

  static std::string cycles(const ImportGraph& graph) {
    std::string out;
    for (const ImportCycle& cycle : graph.cycles()) {
      for (FileIndex file : cycle.files) out += graph.files().path(file) + " > ";
      out += "(" + std::to_string(cycle.component_size) + ")\n";
    }
    return out;
  }

  Folder folder_;
};

}  // namespace snapgen::core
