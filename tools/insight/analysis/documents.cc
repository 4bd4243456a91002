#include "tools/insight/analysis/documents.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <compare>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "runtime/base/ascii.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/delegate.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/workspace/live_view.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/insight/analysis/change_set.h"
#include "tools/insight/analysis/definition.h"
#include "tools/insight/analysis/wanted_names.h"
#include "tools/insight/imports/cursor.h"
#include "tools/insight/imports/language.h"

namespace snapgen::core {
namespace {

constexpr std::size_t documents_per_block = 8;
constexpr std::size_t sources_per_block = 16;
constexpr std::size_t findings_max = 2000;
constexpr int commits_max = 3000;                // The number of commits that are read from the history.
constexpr std::size_t dated_documents_max = 50;  // Documents of which the age of single lines is read.

bool is_in_path(char c) {
  return is_ascii_word_character(c) || c == '.' || c == '/' || c == '-' || c == '+' || c == '@' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Returns whether a word in prose looks like an identifier of a program.
bool looks_like_code(std::string_view word) {
  for (std::size_t i = 1; i < word.size(); ++i)
    if (word[i] == '_' || (is_upper(word[i]) && is_lower(word[i - 1]))) return true;
  return false;
}

// Returns whether the text of a code span is a command line, such as `git add`: several words without a sign
// or a keyword of a programming language.
bool is_command_line(std::string_view span) {
  static constexpr std::array<std::string_view, 24> keywords = {
      "async",  "await",  "class",    "const",    "def",       "enum", "export", "fn",
      "from",   "func",   "function", "import",   "interface", "let",  "new",    "public",
      "return", "static", "struct",   "template", "type",      "use",  "using",  "var"};
  span = trimmed(span);
  const std::size_t blank = span.find(' ');
  return blank != std::string_view::npos && span.find_first_of("(){}=;") == std::string_view::npos &&
         !is_one_of(keywords, span.substr(0, blank));
}

// Returns whether a block of code with this language has command lines.
bool is_shell_language(std::string_view language) {
  static constexpr std::array<std::string_view, 7> names = {"bash",  "console",       "powershell", "sh",
                                                            "shell", "shell-session", "zsh"};
  return is_one_of(names, language.substr(0, language.find_first_of(" {")));
}

// Returns whether a line of the text defines the name.
bool defines(std::string_view text, std::string_view name, Language language) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    if (defined_name(text.substr(begin, text.find('\n', at) - begin), language) == name) return true;
  }
  return false;
}

// Whether the finding is about the path of a file, and not about a name that the file defines.
bool names_file(const DocumentFinding& one) { return one.name.ends_with(base_name(one.file)); }

// DocumentReader scans one document from beginning to end.
// -
class DocumentReader {
 public:
  DocumentReader(const WantedNames& names, std::string_view path) : names_(names), path_(path) {}

  std::vector<DocumentFinding> read(std::string_view text) && {
    std::int64_t number = 0;
    bool fenced = false, is_shell = false;
    std::string_view line;
    while (next_line(text, line)) {
      ++number;
      std::string_view rest = trimmed(line);
      if (rest.starts_with("```") || rest.starts_with("~~~")) {
        fenced = !fenced;
        is_shell = fenced && is_shell_language(rest.substr(3));
      } else {
        read_line(line, number, fenced && !is_shell && !rest.starts_with("$ "));
      }
    }
    return std::move(found_);
  }

 private:
  void read_line(std::string_view line, std::int64_t number, bool fenced) {
    bool quoted = false, is_code = fenced;
    std::size_t at = 0;
    while (at < line.size()) {
      if (line[at] == '`') {
        quoted = !quoted;
        ++at;
        is_code = fenced || (quoted && !is_command_line(line.substr(at, line.find('`', at) - at)));
        continue;
      }
      if (!is_in_path(line[at])) {
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < line.size() && is_in_path(line[end])) ++end;
      const std::string_view token = line.substr(at, end - at);
      const WantedNames::Target* target = names_.find_path(token, parent_path(path_));
      const std::string_view name = token.substr(0, token.find_last_not_of('.') + 1);
      if (target != nullptr)  // Leaves out the full stop that ends a sentence.
        add_path(name, number, *target);
      else if (language_of(name) == Language::none && !is_document(name))  // No word of a file's name counts.
        read_words(token, end < line.size() ? line[end] : '\0', is_code, number);
      at = end;
    }
  }

  void read_words(std::string_view token, char behind, bool is_code, std::int64_t number) {
    std::size_t at = 0;
    while (at < token.size()) {
      if (!is_ascii_word_character(token[at])) {
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < token.size() && is_ascii_word_character(token[end])) ++end;
      const std::string_view word = token.substr(at, end - at);
      const WantedNames::Target* target = names_.find_word(word);
      const bool called = end == token.size() && behind == '(';
      if (target != nullptr && (is_code || called || looks_like_code(word))) add(word, number, *target);
      at = end;
    }
  }

  // The text and the target of a link, [a.ts](src/a.ts), name a file once.
  void add_path(std::string_view name, std::int64_t line, const WantedNames::Target& target) {
    const auto is_on_line = [&](const DocumentFinding& one) {
      return one.line == line && one.file == target.file && names_file(one);
    };
    if (std::ranges::none_of(found_, is_on_line)) add(name, line, target);
  }

  void add(std::string_view name, std::int64_t line, const WantedNames::Target& target) {
    if (target.file == path_ || !seen_.insert(target.file + '\0' + std::string(name)).second) return;
    found_.push_back({.document = std::string(path_),
                      .line = line,
                      .name = std::string(name),
                      .file = target.file,
                      .is_deleted = target.deleted});
  }

  const WantedNames& names_;
  std::string_view path_;
  std::vector<DocumentFinding> found_;
  std::unordered_set<std::string> seen_;
};

// Calls read(index, text), which returns a Found, for each of these listed files that is a text, on several
// threads, and add(found) on one at a time. Errors: as FileView::read_candidate().
template <class Found, class Read, class Add>
Result<Unit> read_texts(FileView& view, const std::vector<std::size_t>& indexes, std::size_t block, Read read,
                        Add add) {
  std::mutex mutex;
  std::optional<Error> failure;
  in_parallel(indexes.size(), block, [&](std::size_t first, std::size_t last) {
    ReadBuffers buffers;
    for (std::size_t i = first; i < last && !view.stop().stop_requested(); ++i) {
      Result<SearchCandidate> candidate = view.read_candidate(indexes[i], buffers);
      Found found;
      if (candidate && candidate->kind == SearchCandidate::Kind::text)
        found = read(indexes[i], candidate->bytes);
      std::lock_guard lock(mutex);
      if (!candidate && !failure) failure = std::move(candidate).error();
      add(std::move(found));
    }
  });
  if (failure) return *std::move(failure);
  return view.check_stop();
}

// Whether the document tells of earlier states, so that it may name what is gone.
bool tells_history(std::string_view path) {
  const std::string name = to_lower(base_name(path));
  for (const std::string_view each : {"changelog", "changes", "history", "news", "release"})
    if (name.starts_with(each)) return true;
  return false;
}

Result<DocumentReport> read_documents(FileView& view, const WantedNames& names) {
  DocumentReport report;
  const Listing* listing = TRY(view.listing());
  std::vector<std::size_t> documents;
  for (std::size_t i = 0; i < listing->size(); ++i) {
    const std::string_view path = listing->path(i);
    if (is_document(path) && !tells_history(path) && !listing->is_symlink(i)) documents.push_back(i);
  }
  report.document_count = static_cast<std::int64_t>(documents.size());
  if (names.empty()) return report;
  TRY(read_texts<std::vector<DocumentFinding>>(
      view, documents, documents_per_block,
      [&](std::size_t index, std::string_view text) {
        return DocumentReader(names, listing->path(index)).read(text);
      },
      [&](std::vector<DocumentFinding> found) {
        std::ranges::move(found, std::back_inserter(report.findings));
      }));
  std::ranges::sort(report.findings, [](const DocumentFinding& a, const DocumentFinding& b) {
    if (a.is_deleted != b.is_deleted) return a.is_deleted;
    return std::tie(a.document, a.line, a.name, a.file) < std::tie(b.document, b.line, b.name, b.file);
  });
  return report;
}

// The source files of the view that define each of some names, and the ambiguous names that they have at all.
struct Definitions {
  std::map<std::string, std::set<std::string>> files;
  std::set<std::string, std::less<>> mentioned;
};
Result<Definitions> definitions_of(FileView& view, const std::set<std::string>& names,
                                   const std::set<std::string, std::less<>>& ambiguous) {
  Definitions defined;
  if (names.empty()) return defined;
  const Listing* listing = TRY(view.listing());
  std::vector<std::size_t> sources;
  for (std::size_t i = 0; i < listing->size(); ++i)
    if (language_of(listing->path(i)) != Language::none && !listing->is_symlink(i)) sources.push_back(i);
  struct Found {
    std::string path;
    std::vector<std::string> defined, mentioned;
  };
  TRY(read_texts<Found>(
      view, sources, sources_per_block,
      [&](std::size_t index, std::string_view text) {
        Found found{.path = std::string(listing->path(index)), .defined = {}, .mentioned = {}};
        const Language language = language_of(found.path);
        for (const std::string& name : names) {
          if (defines(text, name, language)) found.defined.push_back(name);
          if (ambiguous.contains(name) && contains_word(text, name)) found.mentioned.push_back(name);
        }
        return found;
      },
      [&](const Found& found) {
        for (const std::string& name : found.defined) defined.files[name].insert(found.path);
        defined.mentioned.insert(found.mentioned.begin(), found.mentioned.end());
      }));
  return defined;
}

// Removes the findings about deleted names that another file defines now, unless the document also names the
// file that no longer defines them. If that file is deleted, the finding about its path is enough. An
// ambiguous name is not gone if any source has it.
Result<Unit> remove_moved_names(FileView& view, const std::set<std::string, std::less<>>& ambiguous,
                                DocumentReport& report) {
  const auto is_word = [](const DocumentFinding& one) {
    return one.is_deleted && one.name.find_first_of("./") == std::string::npos;
  };
  std::set<std::string> deleted;
  // Pairs of a document and a file that it names, and whether the file is deleted.
  std::map<std::pair<std::string, std::string>, bool> named_files;
  for (const DocumentFinding& one : report.findings) {
    if (is_word(one))
      deleted.insert(one.name);
    else if (names_file(one))
      named_files.try_emplace({one.document, one.file}, one.is_deleted);
  }
  const auto [defined, mentioned] = TRY(definitions_of(view, deleted, ambiguous));
  std::erase_if(report.findings, [&](const DocumentFinding& one) {
    if (is_word(one) && mentioned.contains(one.name)) return true;
    if (!is_word(one) || !defined.contains(one.name)) return false;
    if (defined.at(one.name).contains(one.file)) return true;  // It had two definitions there.
    const auto named = named_files.find({one.document, one.file});
    return named == named_files.end() || named->second;
  });
  for (DocumentFinding& one : report.findings)
    if (is_word(one) && defined.contains(one.name)) one.now_in = *defined.at(one.name).begin();
  return Unit{};
}

bool is_new_line(const ChangedFile& file, std::int64_t line) {
  return std::ranges::any_of(file.new_lines,
                             [&](const LineRange& each) { return each.first <= line && line <= each.last; });
}

void limit_findings(DocumentReport& report) {
  if (report.findings.size() <= findings_max) return;
  report.findings.resize(findings_max);
  report.truncated = true;
}

// Returns how many files of the listing have each base name.
std::unordered_map<std::string_view, int> base_names_of(const Listing& listing) {
  std::unordered_map<std::string_view, int> count;
  for (std::size_t i = 0; i < listing.size(); ++i) ++count[base_name(listing.path(i))];
  return count;
}

// The commits that changed a path.
struct PathHistory {
  std::int64_t last = 0;  // 0 for the latest commit, -1 for the one before it, etc.
  std::int64_t count = 0;
};
struct Histories {
  std::unordered_map<std::string, PathHistory> of_path;
  std::unordered_map<std::string, std::int64_t>
      order_of_commit;  // As PathHistory::last, by the commit's hash.
};

// Whether a line `:100644 100755 <id before> <id after> M<tab><path>` of a raw diff is more than a change of
// mode.
bool changes_content(std::string_view line) {
  const std::size_t before = line.find(' ', line.find(' ') + 1);
  const std::size_t after = line.find(' ', before + 1);
  const std::size_t end = line.find(' ', after + 1);
  if (line.find('\t') == std::string_view::npos || end == std::string_view::npos) return false;
  return line.substr(before + 1, after - before) != line.substr(after + 1, end - after);
}

// Numbers the commits by their order in the log, because their times may be equal or wrong.
Result<Histories> path_histories(const Workspace& workspace, bool& truncated, const std::stop_token& stop) {
  const Repository& repository = repository_of(workspace);
  git::GitAnswer log = TRY(
      git::run_git(repository.git_dir(), repository.root(), environment_of(workspace),
                   {"-c", "core.quotePath=false", "log", "-n", std::to_string(commits_max), "--format=%x01%H",
                    "--raw", "--no-abbrev", "--no-renames", "--no-show-signature", "HEAD", "--"},
                   "the history of documents", stop));
  Histories histories;
  if (log.exit_code != 0) return histories;  // The branch has no commit yet.
  std::string_view rest = log.output;
  std::int64_t commits = 0;
  std::string_view line;
  while (next_line(rest, line)) {
    if (line.starts_with('\x01')) {
      histories.order_of_commit.emplace(line.substr(1), -commits);
      ++commits;
    } else if (changes_content(line)) {
      std::optional<std::string> path = to_workspace_path(workspace, line.substr(line.find('\t') + 1));
      if (path)
        ++histories.of_path.try_emplace(*std::move(path), PathHistory{.last = 1 - commits})
              .first->second.count;
    }
  }
  truncated = commits == commits_max;
  return histories;
}

// The time when a file last changed. A change that is not committed is later than every commit.
struct ChangeTime {
  bool is_uncommitted = false;
  // For an uncommitted change, the file's time in seconds since 1970; otherwise PathHistory::last.
  std::int64_t order = 0;

  auto operator<=>(const ChangeTime&) const = default;
};

// LineAges reads from git when single lines of documents last changed.
class LineAges {
 public:
  LineAges(const Workspace& workspace, const Histories& histories, const std::stop_token& stop)
      : workspace_(workspace), histories_(histories), stop_(stop) {}

  // Returns whether the finding's line is older than the change; false if that is unknown.
  bool is_older(const DocumentFinding& one, const ChangeTime& change) {
    if (failure_) return false;
    if (!lines_.contains(one.document)) {
      if (lines_.size() >= dated_documents_max) {
        truncated_ = true;
        return false;
      }
      Result<Lines> lines = read(one.document);
      if (!lines) failure_ = std::move(lines).error();
      lines_[one.document] = lines ? *std::move(lines) : Lines();
    }
    const Lines& lines = lines_[one.document];
    const auto at = lines.find(one.line);
    return at != lines.end() && at->second < change;
  }

  bool truncated() const { return truncated_; }
  Result<Unit> failure() const { return failure_ ? Result<Unit>(*failure_) : Result<Unit>(Unit{}); }

 private:
  using Lines = std::unordered_map<std::int64_t, ChangeTime>;  // By number.

  Result<Lines> read(const std::string& document) const {
    const Repository& repository = repository_of(workspace_);
    git::GitAnswer blame =
        TRY(git::run_git(repository.git_dir(), repository.root(), environment_of(workspace_),
                         {"-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "--no-textconv", "--",
                          to_repository_path(workspace_, document)},
                         "the history of documents", stop_));
    Lines lines;
    if (blame.exit_code != 0) return lines;  // A new document.
    std::string_view rest = blame.output;
    std::string_view line;
    while (next_line(rest, line)) {
      // A line of the document has a header `<commit> <number before> <number>`; the other lines begin with a
      // word or a tab.
      const std::size_t hash_end = line.find(' ');
      if (hash_end == std::string_view::npos || hash_end < hash_digits_min || line.starts_with('\t'))
        continue;
      const std::string hash(line.substr(0, hash_end));
      std::string_view numbers = line.substr(hash_end + 1);
      numbers.remove_prefix(std::min(numbers.find(' ') + 1, numbers.size()));
      std::int64_t number = 0;
      std::from_chars(numbers.data(), numbers.data() + numbers.size(), number);
      const bool is_uncommitted = hash.find_first_not_of('0') == std::string::npos;
      const auto commit = histories_.order_of_commit.find(hash);
      lines[number] = {.is_uncommitted = is_uncommitted,
                       .order = is_uncommitted                               ? latest
                                : commit == histories_.order_of_commit.end() ? oldest
                                                                             : commit->second};
    }
    return lines;
  }

  static constexpr std::size_t hash_digits_min = 40;
  static constexpr std::int64_t oldest = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();

  const Workspace& workspace_;
  const Histories& histories_;
  std::stop_token stop_;
  std::unordered_map<std::string, Lines> lines_;
  std::optional<Error> failure_;
  bool truncated_ = false;
};

// Adds the deleted files: the paths in the history that are not in the listing.
void add_gone_paths(WantedNames& names, const Histories& histories,
                    const std::unordered_map<std::string_view, std::size_t>& listed,
                    const std::unordered_map<std::string_view, int>& listed_names) {
  std::unordered_map<std::string_view, int> gone_names;
  for (const auto& [path, history] : histories.of_path)
    if (!listed.contains(path)) ++gone_names[base_name(path)];
  for (const auto& [path, history] : histories.of_path) {
    if (listed.contains(path)) continue;
    names.add_path(path, true);
    const std::string_view name = base_name(path);
    if (!listed_names.contains(name) && gone_names.at(name) == 1) names.add_base_name(path, true);
  }
}

}  // namespace

bool is_document(std::string_view path) {
  const std::string_view name = base_name(path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return name == "README" || name == "INSTALL" || name == "HACKING";
  const std::string_view ending = name.substr(dot + 1);
  for (std::string_view each : {"md", "markdown", "mdx", "rst", "adoc", "asciidoc", "txt"})
    if (ending == each) return !name.starts_with("CMakeLists") && !name.starts_with("requirements");
  return false;
}

Result<DocumentReport> outdated_documents(FileView& view, const ChangeSet& changes) {
  const Listing* listing = TRY(view.listing());
  const std::unordered_map<std::string_view, int> named = base_names_of(*listing);
  WantedNames names;
  std::set<std::string, std::less<>> ambiguous;
  std::unordered_map<std::string_view, const ChangedFile*> changed;
  for (const ChangedFile& file : changes.files) {
    changed.emplace(file.path, &file);
    if (file.is_added || (is_document(file.path) && !file.is_deleted)) continue;
    names.add_path(file.path, file.is_deleted);
    const auto same = named.find(base_name(file.path));
    const int others = (same == named.end() ? 0 : same->second) - (file.is_deleted ? 0 : 1);
    if (others == 0) names.add_base_name(file.path, file.is_deleted);
    for (const ChangedName& one : file.defined_names) {
      names.add_word(one.name, file.path, one.is_deleted);
      if (one.is_ambiguous) ambiguous.insert(one.name);
    }
  }
  DocumentReport report = TRY(read_documents(view, names));
  for (const auto& [path, file] : changed)
    if (is_document(path) && !tells_history(path) && !file->is_deleted) ++report.changed_document_count;
  std::erase_if(report.findings, [&](const DocumentFinding& one) {
    const auto at = changed.find(one.document);
    return at != changed.end() && (!one.is_deleted || is_new_line(*at->second, one.line));
  });
  TRY(remove_moved_names(view, ambiguous, report));
  // That a document names a changed file does not make it outdated.
  std::erase_if(report.findings,
                [](const DocumentFinding& one) { return !one.is_deleted && names_file(one); });
  limit_findings(report);
  return report;
}

Result<DocumentReport> outdated_documents_by_history(Workspace& workspace, HistoryFiles files,
                                                     const std::stop_token& stop) {
  LiveView view(workspace, false, stop);
  const Listing* listing = TRY(view.listing());
  const std::unordered_map<std::string_view, int> named = base_names_of(*listing);
  const bool has_git = repository_of(workspace).is_git();
  Histories histories;
  std::unordered_set<std::string> dirty;
  bool truncated = false;
  if (has_git) {
    histories = TRY(path_histories(workspace, truncated, stop));
    std::vector<std::string> uncommitted = TRY(dirty_files(workspace, stop));
    dirty.insert(uncommitted.begin(), uncommitted.end());
  }
  WantedNames names;
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < listing->size(); ++i) {
    const std::string path(listing->path(i));
    index.emplace(listing->path(i), i);
    if (files == HistoryFiles::deleted || language_of(path) == Language::none) continue;
    names.add_path(path, false);
    if (named.at(base_name(path)) == 1) names.add_base_name(path, false);
  }
  add_gone_paths(names, histories, index, named);
  DocumentReport report = TRY(read_documents(view, names));

  // Returns the time when a file last changed, or nullopt if that was before the oldest commit that was read.
  auto changed_at = [&](const std::string& path) -> std::optional<ChangeTime> {
    if (!has_git || dirty.contains(path)) {
      const auto listed = index.find(path);
      // The time of an uncommitted deletion is unknown. With the time 0, any edited document counts as up to
      // date.
      const std::int64_t edited =
          listed == index.end() ? 0 : view.stat_of(listed->second).mtime_ns / 1'000'000'000;
      return ChangeTime{.is_uncommitted = true, .order = edited};
    }
    const auto at = histories.of_path.find(path);
    return at == histories.of_path.end()
               ? std::nullopt
               : std::optional(ChangeTime{.is_uncommitted = false, .order = at->second.last});
  };
  // Whether the file is as it was added. A document may name a file before it exists.
  const auto is_only_added = [&](const std::string& path) {
    const auto at = histories.of_path.find(path);
    return !truncated && !dirty.contains(path) && at != histories.of_path.end() && at->second.count == 1;
  };
  LineAges ages(workspace, histories, stop);
  std::erase_if(report.findings, [&](const DocumentFinding& one) {
    const std::optional<ChangeTime> file = changed_at(one.file);
    const bool is_later = file && file > changed_at(one.document);
    if (!one.is_deleted) return !is_later || is_only_added(one.file);
    // A document that was changed since may still have a line from before.
    if (!is_later && (!has_git || !file || !ages.is_older(one, *file))) return true;
    // A path that is not in the listing may exist: it may be an ignored file, or in a submodule.
    const Result<FileStat> stat = root_of(workspace).lstat(one.file);
    return stat || stat.error().code != ErrorCode::not_found;
  });
  TRY(ages.failure());
  limit_findings(report);
  report.truncated |= truncated || ages.truncated();
  return report;
}

}  // namespace snapgen::core
