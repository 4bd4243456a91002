#include "tools/insight/imports/graph.h"

#include <algorithm>
#include <mutex>

#include "tools/engine/base/parallel.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/file.h"

namespace snapgen::core {
namespace {

constexpr std::size_t scans_per_block = 16;  // A thread takes this many files at a time.

constexpr std::size_t configuration_bytes_max = 4 << 20;

// Returns whether a file has imports, can be imported without any, or configures how imports resolve.
bool is_in_graph(std::string_view path) {
  return language_of(path) != Language::none || path.ends_with(".json") || is_project_file(path);
}

bool has_typescript_ending(std::string_view path) {
  return path.ends_with(".ts") || path.ends_with(".tsx") || path.ends_with(".mts") || path.ends_with(".cts");
}

// Components import JavaScript, and are imported by it.
Language importer_language(Language language) {
  return language == Language::component ? Language::javascript : language;
}

}  // namespace

bool can_be_circular(Language language) { return language != Language::none && language != Language::rust; }

// Update does one update: it finds the content of each file and scans contents that are not cached.
class ImportGraph::Update {
 public:
  Update(ImportGraph& graph, FileView& view) : graph_(graph), view_(view) {}

  // Returns the files whose content changed, including new files. Errors: those of the view.
  Result<std::vector<FileIndex>> changed() {
    std::vector<FileIndex> unknown;
    for (std::size_t i = 0; i < graph_.nodes_.size(); ++i) {
      auto file = static_cast<FileIndex>(i);
      view_.mark_touched(graph_.listing_indexes_[i]);
      if (graph_.nodes_[i].language == Language::none) continue;
      std::optional<BlobId> blob = view_.known_blob(graph_.listing_indexes_[i]);
      if (!blob) {
        unknown.push_back(file);
      } else if (graph_.nodes_[i].blob != blob && !take_known(file, *blob)) {
        unknown.push_back(file);
      }
    }
    read(unknown);
    if (error_) return *std::move(error_);
    TRY(view_.check_stop());
    for (Fresh& one : fresh_) {
      Node& node = graph_.nodes_[one.file];
      if (one.blob && node.blob == one.blob) continue;
      if (one.blob) graph_.cache_.remember(node.language, *one.blob, one.scanned);
      node.blob = one.blob;
      node.scanned = std::move(one.scanned);
      changed_.push_back(one.file);
    }
    std::ranges::sort(changed_);
    return std::move(changed_);
  }

 private:
  struct Fresh {
    FileIndex file = 0;
    std::optional<BlobId> blob;  // The content; nullopt if the file cannot be read.
    ScannedImports scanned;
  };

  bool take_known(FileIndex file, const BlobId& blob) {
    Node& node = graph_.nodes_[file];
    ScannedImports scanned = graph_.cache_.find(node.language, blob);
    if (!scanned) return false;
    node.blob = blob;
    node.scanned = std::move(scanned);
    changed_.push_back(file);
    return true;
  }

  static ScannedImports nothing() {
    static const ScannedImports none = std::make_shared<std::vector<Import>>();
    return none;
  }

  void read(const std::vector<FileIndex>& files) {
    in_parallel(files.size(), scans_per_block, [&](std::size_t first, std::size_t last) {
      ReadBuffers buffers;
      std::vector<Fresh> fresh;
      std::optional<Error> error;
      for (std::size_t i = first; i < last && !view_.stop().stop_requested(); ++i) {
        Result<SearchCandidate> candidate = view_.read_candidate(graph_.listing_indexes_[files[i]], buffers);
        if (!candidate) {
          error = std::move(candidate).error();
          break;
        }
        Fresh one{.file = files[i], .blob = {}, .scanned = nothing()};
        if (candidate->kind == SearchCandidate::Kind::text) {
          one.blob = blob_id_of(candidate->bytes);
          one.scanned = std::make_shared<std::vector<Import>>(
              scan_imports(graph_.nodes_[files[i]].language, candidate->bytes));
        }
        fresh.push_back(std::move(one));
      }
      std::lock_guard lock(mutex_);
      std::ranges::move(fresh, std::back_inserter(fresh_));
      if (error && !error_) error_ = std::move(error);
    });
  }

  ImportGraph& graph_;
  FileView& view_;
  std::vector<FileIndex> changed_;
  std::mutex mutex_;  // Guards the members below.
  std::vector<Fresh> fresh_;
  std::optional<Error> error_;
};

Result<Unit> ImportGraph::update(FileView& view) {
  const Listing* listing = TRY(view.listing());
  listing_indexes_.clear();
  unscanned_endings_.clear();
  for (std::size_t i = 0; i < listing->size(); ++i) {
    if (listing->is_symlink(i)) continue;
    const std::string_view path = listing->path(i);
    if (is_in_graph(path)) listing_indexes_.push_back(i);
    if (const Language language = unscanned_importer_of(path); language != Language::none)
      unscanned_endings_[language].emplace(path.substr(path.rfind('.')));
  }
  auto listed_path = [&](std::size_t index) { return std::string(listing->path(index)); };
  bool same = resolver_ != nullptr && std::ranges::equal(listing_indexes_, files_->paths(), {}, listed_path);
  if (!same) {
    resolver_.reset();
    std::vector<std::string> paths;
    paths.reserve(listing_indexes_.size());
    std::ranges::transform(listing_indexes_, std::back_inserter(paths), listed_path);
    files_ = std::make_unique<FileSet>(std::move(paths));
    nodes_.clear();
    nodes_.resize(files_->size());
    importers_.assign(files_->size(), {});
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].language = language_of(files_->path(static_cast<FileIndex>(i)));
    }
  }
  Update reading(*this, view);
  Result<std::vector<FileIndex>> changed = reading.changed();
  if (!changed) {
    // Without a resolver, the next update resolves all imports; some nodes may be newer than their edges.
    resolver_.reset();
    return std::move(changed).error();
  }
  const bool is_configured = same && has_current_inputs(view) && has_current_ignored_inputs(view);
  if (is_configured && changed->empty()) return Unit{};
  if (is_configured) {
    for (FileIndex file : *changed) resolve(file, view.stop());
  } else {
    read_configuration(view);
    resolve_all(view.stop());
  }
  if (const Result<Unit> stopped = view.check_stop(); !stopped) {
    resolver_.reset();
    return stopped.error();
  }
  collect_importers();
  for (const Node& node : nodes_) {
    if (node.blob && node.language != Language::none) cache_.find(node.language, *node.blob);
  }
  cache_.write_if_due();
  return Unit{};
}

// Returns the content's id; nullopt if there is no such file, or if it is unreadable.
std::optional<BlobId> ImportGraph::blob_of(FileView& view, const std::string& path) const {
  if (const std::optional<FileIndex> file = files_->find(path))
    if (std::optional<BlobId> known = view.known_blob(listing_indexes_[*file])) return known;
  Result<FileAnswer> answer = read_file(view, {.path = path, .bytes_max = configuration_bytes_max});
  return answer ? std::optional(answer->blob) : std::nullopt;
}

bool ImportGraph::has_current_inputs(FileView& view) const {
  return std::ranges::all_of(inputs_,
                             [&](const Input& each) { return blob_of(view, each.path) == each.blob; });
}

bool ImportGraph::has_current_ignored_inputs(FileView& view) const {
  return std::ranges::all_of(ignored_inputs_,
                             [&](const Input& each) { return blob_of(view, each.path) == each.blob; });
}

void ImportGraph::read_configuration(FileView& view) {
  inputs_.clear();
  ignored_inputs_.clear();
  project_ = read_project(*files_, [&](std::string_view path) -> std::optional<std::string> {
    if (view.stop().stop_requested()) return std::nullopt;
    Result<FileAnswer> answer =
        read_file(view, {.path = std::string(path), .bytes_max = configuration_bytes_max});
    std::vector<Input>& inputs = files_->find(path) ? inputs_ : ignored_inputs_;
    inputs.push_back(
        {.path = std::string(path), .blob = answer ? std::optional(answer->blob) : std::nullopt});
    if (!answer || answer->truncated) return std::nullopt;
    return std::move(answer->content);
  });
}

ImportGraph ImportGraph::with_deleted(std::vector<std::string> paths) const {
  ImportGraph before("");
  const std::vector<std::string>& existing = files_->paths();
  paths.insert(paths.end(), existing.begin(), existing.end());
  std::ranges::sort(paths);
  paths.erase(std::ranges::unique(paths).begin(), paths.end());
  before.files_ = std::make_unique<FileSet>(std::move(paths));
  before.project_ = project_;
  before.unscanned_endings_ = unscanned_endings_;
  for (const std::string& path : before.files_->paths()) {
    const std::optional<FileIndex> file = files_->find(path);
    before.nodes_.push_back(file ? nodes_[*file] : Node{.language = language_of(path)});
  }
  before.resolve_all({});
  before.collect_importers();
  before.resolver_.reset();  // The resolver refers to members of `before`, which may move.
  return before;
}

UnscannedFiles ImportGraph::unscanned(Language language) const {
  UnscannedFiles unscanned;
  const Language importers = importer_language(language);
  if (const auto kind = unscanned_endings_.find(importers); kind != unscanned_endings_.end())
    unscanned.endings = kind->second;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (importers == Language::none || importer_language(nodes_[i].language) != importers) continue;
    const std::string& path = files_->path(static_cast<FileIndex>(i));
    if (!nodes_[i].blob)
      unscanned.unreadable.push_back(path);
    else if (std::ranges::count(*nodes_[i].scanned, ImportKind::computed, &Import::kind) > 0)
      unscanned.computed.push_back(path);
  }
  return unscanned;
}

bool ImportGraph::is_root_of_project(FileIndex file) const {
  const std::string& path = files_->path(file);
  if (nodes_[file].language == Language::rust)
    return std::ranges::any_of(project_.crates, [&](const RustCrate& crate) {
      return crate.library_path == path ||
             std::ranges::find(crate.program_paths, path) != crate.program_paths.end();
    });
  const TypescriptConfig* config = project_.typescript_of(path);
  return config != nullptr && config->covers(path) &&
         (config->reads_javascript || has_typescript_ending(path));
}

bool ImportGraph::is_in_project(FileIndex file) const {
  const Language language = nodes_[file].language;
  if (language != Language::javascript && language != Language::rust) return true;
  if (language == Language::javascript && !has_typescript_ending(files_->path(file))) {
    const TypescriptConfig* config = project_.typescript_of(files_->path(file));
    if (config == nullptr || !config->reads_javascript) return false;
  }
  std::vector<bool> reached(nodes_.size());
  std::vector<FileIndex> queue = {file};
  reached[file] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (is_root_of_project(queue[i])) return true;
    for (const FileIndex importer : importers_[queue[i]]) {
      if (!reached[importer]) queue.push_back(importer);
      reached[importer] = true;
    }
  }
  return false;
}

void ImportGraph::resolve_all(const std::stop_token& stop) {
  resolver_ = std::make_unique<Resolver>(*files_, project_);
  for (std::size_t i = 0; i < nodes_.size(); ++i) resolve(static_cast<FileIndex>(i), stop);
}

void ImportGraph::resolve(FileIndex file, const std::stop_token& stop) {
  Node& node = nodes_[file];
  node.edges.clear();
  if (!node.scanned) return;
  std::vector<FileIndex> targets;
  for (const Import& import : *node.scanned) {
    if (stop.stop_requested()) return;
    targets.clear();
    resolver_->resolve(file, node.language, import, targets);
    for (FileIndex to : targets) {
      if (to == file) continue;
      node.edges.push_back(
          ImportEdge{.to = to, .line = import.line, .is_deferred = is_deferred(file, import)});
    }
  }
}

bool ImportGraph::is_deferred(FileIndex from, const Import& import) const {
  if (import.kind != ImportKind::type_names)
    return import.kind == ImportKind::type_only || import.kind == ImportKind::deferred;
  const TypescriptConfig* config = resolver_->typescript_of(from);
  return config == nullptr || !config->keeps_type_names;
}

void ImportGraph::collect_importers() {
  importers_.assign(nodes_.size(), {});
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (const ImportEdge& edge : nodes_[i].edges) importers_[edge.to].push_back(static_cast<FileIndex>(i));
  }
}

template <class F>
void ImportGraph::for_each_dependent(FileIndex file, F reach) const {
  if (nodes_[file].language == Language::go) {
    std::string_view folder = parent_path(files_->path(file));
    auto [first, last] = files_->below(folder);
    for (FileIndex other = first; other < last; ++other) {
      const std::string& path = files_->path(other);
      const bool is_in_package = nodes_[other].language == Language::go && parent_path(path) == folder;
      // Only tests contain the files of tests.
      if (is_in_package && (is_go_test(path) || !is_go_test(files_->path(file)))) reach(other);
    }
  }
  for (FileIndex importer : importers_[file]) reach(importer);
}

std::size_t ImportGraph::count_affected(FileIndex changed, std::size_t limit) const {
  std::vector<bool> reached(nodes_.size());
  std::vector<FileIndex> queue = {changed};
  reached[changed] = true;
  for (std::size_t i = 0; i < queue.size() && queue.size() <= limit; ++i) {
    for_each_dependent(queue[i], [&](FileIndex other) {
      if (!reached[other]) queue.push_back(other);
      reached[other] = true;
    });
  }
  return std::min(queue.size() - 1, limit);
}

std::vector<AffectedFile> ImportGraph::affected_by(const std::vector<FileIndex>& changed) const {
  std::vector<bool> reached(nodes_.size());
  std::vector<AffectedFile> affected;
  std::vector<FileIndex> now;
  std::vector<FileIndex> next;
  std::uint32_t distance = 0;
  auto reach = [&](FileIndex file, FileIndex via) {
    if (reached[file]) return;
    reached[file] = true;
    next.push_back(file);
    if (distance > 0) affected.push_back(AffectedFile{.file = file, .distance = distance, .via = via});
  };
  for (FileIndex file : changed) reach(file, file);
  while (!next.empty()) {
    now = std::exchange(next, {});
    std::ranges::sort(now);
    ++distance;
    auto ring = static_cast<std::ptrdiff_t>(affected.size());
    for (FileIndex file : now) {
      for_each_dependent(file, [&](FileIndex other) { reach(other, file); });
    }
    std::sort(affected.begin() + ring, affected.end(),
              [](const AffectedFile& a, const AffectedFile& b) { return a.file < b.file; });
  }
  return affected;
}

namespace {

// Finds strongly connected components with Tarjan's algorithm, without recursion.
class Components {
 public:
  explicit Components(const std::vector<std::vector<FileIndex>>& targets)
      : targets_(targets), order_(targets.size()), low_(targets.size()), on_stack_(targets.size()) {}

  // Returns the components with more than one file; each is sorted.
  std::vector<std::vector<FileIndex>> run() && {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (order_[i] == 0) visit(static_cast<FileIndex>(i));
    }
    return std::move(found_);
  }

 private:
  struct Step {
    FileIndex file;
    std::size_t next = 0;
  };

  void enter(FileIndex file) {
    order_[file] = low_[file] = ++count_;
    stack_.push_back(file);
    on_stack_[file] = true;
    steps_.push_back(Step{.file = file});
  }

  void visit(FileIndex root) {
    enter(root);
    while (!steps_.empty()) {
      Step& step = steps_.back();
      FileIndex file = step.file;
      if (step.next < targets_[file].size()) {
        FileIndex to = targets_[file][step.next++];
        if (order_[to] == 0) {
          enter(to);
        } else if (on_stack_[to]) {
          low_[file] = std::min(low_[file], order_[to]);
        }
        continue;
      }
      steps_.pop_back();
      if (!steps_.empty()) low_[steps_.back().file] = std::min(low_[steps_.back().file], low_[file]);
      if (low_[file] == order_[file]) leave(file);
    }
  }

  void leave(FileIndex root) {
    std::vector<FileIndex> component;
    while (true) {
      FileIndex file = stack_.back();
      stack_.pop_back();
      on_stack_[file] = false;
      component.push_back(file);
      if (file == root) break;
    }
    if (component.size() < 2) return;
    std::ranges::sort(component);
    found_.push_back(std::move(component));
  }

  const std::vector<std::vector<FileIndex>>& targets_;
  std::vector<std::size_t> order_;  // The order in which the nodes were visited; 0: not visited.
  std::vector<std::size_t> low_;
  std::vector<bool> on_stack_;
  std::vector<FileIndex> stack_;
  std::vector<Step> steps_;
  std::vector<std::vector<FileIndex>> found_;
  std::size_t count_ = 0;
};

// Returns the shortest cycle through the first file of a component.
std::vector<FileIndex> shortest_cycle(const std::vector<std::vector<FileIndex>>& targets,
                                      const std::vector<FileIndex>& component) {
  FileIndex start = component.front();
  std::vector<FileIndex> queue = {start};
  std::vector<std::size_t> from(component.size());
  std::vector<bool> seen(component.size());
  auto place_of = [&](FileIndex file) -> std::optional<std::size_t> {
    auto found = std::ranges::lower_bound(component, file);
    if (found == component.end() || *found != file) return std::nullopt;
    return static_cast<std::size_t>(found - component.begin());
  };
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (FileIndex to : targets[queue[i]]) {
      if (to == start) {
        std::vector<FileIndex> cycle;
        for (FileIndex file = queue[i]; file != start; file = component[from[*place_of(file)]])
          cycle.push_back(file);
        cycle.push_back(start);
        std::ranges::reverse(cycle);
        return cycle;
      }
      std::optional<std::size_t> index = place_of(to);
      if (!index || seen[*index]) continue;
      seen[*index] = true;
      from[*index] = *place_of(queue[i]);
      queue.push_back(to);
    }
  }
  return {};
}

}  // namespace

std::vector<ImportCycle> ImportGraph::cycles() const {
  std::vector<std::vector<FileIndex>> targets(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!can_be_circular(nodes_[i].language)) continue;
    for (const ImportEdge& edge : nodes_[i].edges) {
      if (!edge.is_deferred && can_be_circular(nodes_[edge.to].language)) targets[i].push_back(edge.to);
    }
    std::ranges::sort(targets[i]);
    auto same = std::ranges::unique(targets[i]);
    targets[i].erase(same.begin(), same.end());
  }
  std::vector<ImportCycle> cycles;
  for (const std::vector<FileIndex>& component : Components(targets).run()) {
    cycles.push_back(
        ImportCycle{.files = shortest_cycle(targets, component), .component_size = component.size()});
  }
  std::ranges::sort(cycles, {}, [](const ImportCycle& cycle) { return cycle.files.front(); });
  return cycles;
}

}  // namespace snapgen::core
