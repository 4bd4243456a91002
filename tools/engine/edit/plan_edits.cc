#include "tools/engine/edit/plan_edits.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/edit/failed_edits.h"
#include "tools/engine/edit/pattern.h"
#include "tools/engine/edit/text_edits.h"
#include "tools/engine/files/path.h"
#include "tools/engine/patch/path_conflicts.h"
#include "tools/engine/read/observe.h"

namespace snapgen::core {
namespace {

using NodeKind = TreeNode::Kind;

// Similar texts are searched only for so many faults, because each search reads a whole file.
constexpr std::size_t detailed_faults_max = 50;
// From so many edits of a file on, their texts are searched together.
constexpr std::size_t indexed_edits_min = 8;
constexpr std::size_t shown_matches_max = 50;

// A fault of a path, for an error of the engine; nullopt for an error that ends the call.
std::optional<EditFault> fault_of_error(const Error& error) {
  EditFault fault;
  fault.message = error.message;
  switch (error.code) {
    case ErrorCode::permission_denied: fault.reason = EditFaultReason::forbidden_path; break;
    case ErrorCode::invalid_argument: fault.reason = EditFaultReason::wrong_kind; break;
    case ErrorCode::not_found: fault.reason = EditFaultReason::missing; break;
    case ErrorCode::too_large: fault.reason = EditFaultReason::too_large; break;
    default: return std::nullopt;
  }
  return fault;
}

// Returns the path that an edit names; empty for a pattern.
std::string_view path_of(const Edit& edit) {
  return std::visit(
      [](const auto& each) -> std::string_view {
        if constexpr (requires { each.path; })
          return each.path;
        else
          return {};
      },
      edit);
}

// Returns the text that an edit writes; empty for one that writes none.
std::string_view written_text(const Edit& edit) {
  return std::visit(
      [](const auto& each) -> std::string_view {
        if constexpr (requires { each.new_text; })
          return each.new_text;
        else if constexpr (requires { each.content; })
          return each.content;
        else
          return {};
      },
      edit);
}

class EditPlanner {
 public:
  EditPlanner(const std::vector<Edit>& edits, EditSource& source, const EditPlanOptions& options,
              std::stop_token stop)
      : edits_(edits),
        source_(source),
        tree_(source, options.encodings),
        options_(options),
        stop_(std::move(stop)) {
    for (const Edit& edit : edits)
      if (const auto* replace = std::get_if<TextEdit>(&edit)) text_edits_[replace->path].push_back(replace);
  }

  Result<EditPlan> run() {
    for (; index_ < edits_.size(); ++index_) {
      if (stop_.stop_requested()) return cancelled_write_error();
      TRY(std::visit([&](const auto& edit) { return make(edit); }, edits_[index_]));
    }
    if (!plan_.faults.empty()) {
      plan_.notes.clear();
      return std::move(plan_);
    }
    EditedTree::Outcome outcome = TRY(tree_.outcome(options_.context_lines));
    if (!outcome.unencodable.empty()) {
      for (const UnencodableText& text : outcome.unencodable) add_fault_of(text);
      plan_.notes.clear();
      return std::move(plan_);
    }
    TRY(check_size(outcome.changes));
    plan_.changes = std::move(outcome.changes);
    plan_.files = std::move(outcome.files);
    if (!outcome.unchanged.empty())
      plan_.notes.push_back({.edit = std::nullopt,
                             .message = "the edits of " + some_of(outcome.unchanged, 5) +
                                        " cancel out, so nothing was written there"});
    return std::move(plan_);
  }

 private:
  using FilePointer = std::shared_ptr<FileBeingEdited>;

  // ---- Faults

  void add_fault(EditFault fault, std::string_view path) {
    fault.edit = static_cast<std::int64_t>(index_);
    fault.path = path;
    plan_.faults.push_back(std::move(fault));
  }

  void add_fault(EditFaultReason reason, std::string_view path, std::string message) {
    EditFault fault;
    fault.reason = reason;
    fault.message = std::move(message);
    add_fault(std::move(fault), path);
  }

  // Adds a fault for an error about the path, or returns the error.
  Result<Unit> add_fault_of(Error error, std::string_view path) {
    std::optional<EditFault> fault = fault_of_error(error);
    if (!fault) return error;
    if (!failed_.concern(path)) add_fault(*std::move(fault), path);
    failed_.add_path(std::string(path));
    return Unit{};
  }

  // Adds a fault of the edit whose text has a character that the encoding of the file lacks: the first one of
  // this path, or else of a pattern, or of a symlink to the file.
  void add_fault_of(const UnencodableText& text) {
    const auto has_character = [&](const Edit& edit) {
      return written_text(edit).find(text.missing.character) != std::string_view::npos;
    };
    auto edit = std::ranges::find_if(
        edits_, [&](const Edit& each) { return path_of(each) == text.path && has_character(each); });
    if (edit == edits_.end()) edit = std::ranges::find_if(edits_, has_character);
    index_ = edit == edits_.end() ? edits_.size() - 1 : static_cast<std::size_t>(edit - edits_.begin());
    add_fault(EditFaultReason::encoding, text.path,
              unencodable_message(text.missing, text.encoding, text.path) + ".");
  }

  EditReport new_report() const {
    return {.wants_details = plan_.faults.size() < detailed_faults_max, .note = {}};
  }

  void add_note(std::string note) {
    if (!note.empty())
      plan_.notes.push_back({.edit = static_cast<std::int64_t>(index_), .message = std::move(note)});
  }

  // ---- Files

  // Returns the real path that the edit changes, or nullopt after it added a fault.
  Result<std::optional<std::string>> writable_path(const std::string& path, bool follow_last) {
    Result<std::string> real = tree_.real_path(path, follow_last);
    Result<Unit> writable = real ? source_.check_writable(*real) : Result<Unit>(Unit{});
    if (real && writable) return std::optional(*std::move(real));
    TRY(add_fault_of(real ? std::move(writable).error() : std::move(real).error(), path));
    return std::optional<std::string>();
  }

  // Returns the file that exists at the path, or null after it added a fault.
  Result<FilePointer> existing_file(const std::string& path, const std::string& real, bool accepts_symlink) {
    NodeKind other = NodeKind::missing;
    Result<FilePointer> found = tree_.find(real, other);
    if (!found) {
      TRY(add_fault_of(std::move(found).error(), path));
      return FilePointer();
    }
    if (*found && (accepts_symlink || (*found)->node.kind != NodeKind::symlink)) return found;
    if (failed_.concern(path)) return FilePointer();
    if (*found) {
      add_fault(EditFaultReason::wrong_kind, path, path_in_sentence(path) + " is a symlink, not a file.");
    } else if (other == NodeKind::missing) {
      add_fault(EditFaultReason::missing, path,
                "there is no " + path_in_sentence(path) + ". Send create to make it.");
    } else {
      add_fault(EditFaultReason::wrong_kind, path,
                path_in_sentence(path) + " is " + std::string(noun(other)) +
                    ", and an edit changes files. Name the files in it, or call workspace_delete.");
    }
    return FilePointer();
  }

  // Loads the text of a file, and prepares it for the edits that follow.
  Result<EditedText*> text_of(FileBeingEdited& file, const std::string& path) {
    const bool is_loaded = file.text.has_value();
    Result<EditedText*> text = tree_.load(file);
    if (!text) {
      TRY(add_fault_of(std::move(text).error(), path));
      return static_cast<EditedText*>(nullptr);
    }
    const auto edits = text_edits_.find(path);
    if (is_loaded || edits == text_edits_.end() || edits->second.size() < indexed_edits_min) return text;
    std::vector<std::string_view> texts;
    for (const TextEdit* edit : edits->second)
      texts.push_back(searched_texts_.emplace_back(with_line_ends_of(**text, edit->old_text)));
    (*text)->prepare_search(texts);
    return text;
  }

  // Returns the text that the edit changes, or null after it added a fault.
  Result<EditedText*> text_at(const std::string& path) {
    const std::optional<std::string> real = TRY(writable_path(path, true));
    if (!real) return static_cast<EditedText*>(nullptr);
    const FilePointer file = TRY(existing_file(path, *real, false));
    if (!file) return static_cast<EditedText*>(nullptr);
    return text_of(*file, path);
  }

  // ---- One function for each kind of edit

  Result<Unit> make(const InvalidEdit& edit) {
    add_fault(edit.reason, edit.path, edit.message);
    if (!edit.path.empty()) failed_.add_path(edit.path);
    return Unit{};
  }

  Result<Unit> make(const TextEdit& edit) {
    EditedText* const text = TRY(text_at(edit.path));
    if (text == nullptr) return Unit{};
    EditReport report = new_report();
    std::optional<EditFault> fault = apply_text_edit(edit, *text, report);
    if (!fault) {
      add_note(std::move(report.note));
      return Unit{};
    }
    const bool is_missing = fault->reason == EditFaultReason::context_mismatch ||
                            fault->reason == EditFaultReason::already_applied;
    const bool may_be_right =
        failed_.concern(edit.path) || (is_missing && failed_.may_make(edit.path, edit.old_text)) ||
        (fault->reason == EditFaultReason::ambiguous && failed_.may_replace(edit.path, edit.old_text));
    if (!may_be_right) add_fault(*std::move(fault), edit.path);
    failed_.add_text(edit.path, edit.old_text, edit.new_text);
    return Unit{};
  }

  Result<Unit> make(const LinesEdit& edit) {
    EditedText* const text = TRY(text_at(edit.path));
    if (text == nullptr) return Unit{};
    std::optional<std::string> stored;
    if (!has_blob_of(edit, *text) && new_report().wants_details)
      stored = source_.stored_content(edit.path, edit.blob_prefix);
    if (stored && options_.encodings != nullptr)
      stored = options_.encodings->text_of(edit.path, *std::move(stored)).text;
    EditReport report = new_report();
    std::optional<EditFault> fault = apply_lines_edit(edit, *text, stored, report);
    if (!fault) {
      add_note(std::move(report.note));
      return Unit{};
    }
    if (!failed_.concern(edit.path)) add_fault(*std::move(fault), edit.path);
    failed_.add_text(edit.path, {}, edit.new_text);
    return Unit{};
  }

  Result<Unit> make(const CreateEdit& edit) {
    const std::optional<std::string> real = TRY(writable_path(edit.path, true));
    if (!real) return Unit{};
    auto file = std::make_shared<FileBeingEdited>();
    file->executable = edit.executable;
    file->is_text = edit.is_text;
    file->text.emplace(edit.content);
    return put_new(edit.path, *real, std::move(file), "Edit it with old and new, or delete it first");
  }

  Result<Unit> make(const DeleteEdit& edit) {
    const std::optional<std::string> real = TRY(writable_path(edit.path, false));
    if (!real) return Unit{};
    const FilePointer file = TRY(existing_file(edit.path, *real, true));
    if (file)
      tree_.remove(*real);
    else
      failed_.add_path(edit.path);
    return Unit{};
  }

  Result<Unit> make(const MoveEdit& edit) {
    const std::optional<std::string> from = TRY(writable_path(edit.path, false));
    const std::optional<std::string> to = TRY(writable_path(edit.target, false));
    FilePointer file;
    if (from) {
      file = TRY(existing_file(edit.path, *from, true));
    }
    if (!file || !to) {
      failed_.add_path(edit.path);
      failed_.add_path(edit.target);
      return Unit{};
    }
    if (*from == *to) {
      add_fault(EditFaultReason::exists, edit.path, "move_to is the path of the file itself.");
      return Unit{};
    }
    tree_.remove(*from);
    const std::size_t faults = plan_.faults.size();
    TRY(put_new(edit.target, *to, file, "Delete it first, or choose another path"));
    if (plan_.faults.size() == faults && !failed_.concern(edit.target)) return Unit{};
    tree_.put(*from, file);
    failed_.add_path(edit.path);
    return Unit{};
  }

  // Puts a file at a path where there must be nothing.
  Result<Unit> put_new(const std::string& path, const std::string& real, FilePointer file,
                       std::string_view advice) {
    NodeKind other = NodeKind::missing;
    const FilePointer present = TRY(tree_.find(real, other));
    if (!present && other == NodeKind::missing) {
      tree_.put(real, std::move(file));
      return Unit{};
    }
    if (!failed_.concern(path))
      add_fault(EditFaultReason::exists, path,
                path_in_sentence(path) + " already exists: it is " +
                    std::string(noun(present ? present->node.kind == NodeKind::symlink ? NodeKind::symlink
                                                                                       : NodeKind::file
                                             : other)) +
                    ". " + std::string(advice) + ".");
    failed_.add_path(path);
    return Unit{};
  }

  // ---- Patterns

  // The files that a pattern changes, and its matches in them.
  struct FileMatches {
    std::string path;
    EditedText* text = nullptr;
    PatternMatches matches;
  };

  Result<Unit> make(const PatternEdit& edit) {
    Result<Replacement> replacement = Replacement::make(edit);
    Result<std::vector<std::string>> paths =
        replacement ? searched_paths(edit) : Result<std::vector<std::string>>(std::move(replacement).error());
    if (!paths) {
      EditFault fault = TRY(pattern_fault(std::move(paths).error()));
      add_fault(std::move(fault), {});
      failed_.add_text({}, {}, edit.new_text);
      return Unit{};
    }
    std::vector<FileMatches> found;
    for (const std::string& path : *paths) {
      if (stop_.stop_requested()) return cancelled_write_error();
      TRY(add_matches(path, *replacement, found));
    }
    if (!has_expected_count(edit, found)) {
      failed_.add_text({}, {}, edit.new_text);
      return Unit{};
    }
    if (is_made(found)) {
      EditFault fault{.reason = EditFaultReason::already_applied};
      fault.message = "each match is already a part of the new text. Leave the edit out.";
      add_fault(std::move(fault), {});
      return Unit{};
    }
    for (FileMatches& file : found) {
      Result<Unit> writable = source_.check_writable(file.path);
      if (writable) {
        file.text->replace(file.matches.spans, file.matches.new_texts);
      } else {
        TRY(add_fault_of(std::move(writable).error(), file.path));
      }
    }
    return Unit{};
  }

  // Returns true if each match has its new text around it.
  static bool is_made(const std::vector<FileMatches>& found) {
    return !found.empty() && std::ranges::all_of(found, [](const FileMatches& file) {
      for (std::size_t i = 0; i < file.matches.spans.size(); ++i) {
        const TextSpan span = file.matches.spans[i];
        if (!has_around(*file.text, span.begin, file.text->bytes_in(span), file.matches.new_texts[i]))
          return false;
      }
      return true;
    });
  }

  static Result<EditFault> pattern_fault(Error error) {
    std::optional<EditFault> fault = fault_of_error(error);
    if (!fault) return error;
    if (error.code == ErrorCode::invalid_argument) fault->reason = EditFaultReason::malformed;
    return *std::move(fault);
  }

  // Returns the paths of all files that may have matches: those on disk, and those that edits have changed.
  Result<std::vector<std::string>> searched_paths(const PatternEdit& edit) {
    std::vector<std::string> on_disk = TRY(source_.search(edit));
    std::set<std::string> paths;
    for (std::string& path : on_disk)
      if (!tree_.known_files().contains(path)) paths.insert(std::move(path));
    for (const auto& [path, file] : tree_.known_files()) {
      if (!file || file->node.kind == NodeKind::symlink) continue;
      bool is_searched = TRY(source_.is_searched(edit, path));
      if (is_searched) paths.insert(path);
    }
    return std::vector<std::string>(paths.begin(), paths.end());
  }

  Result<Unit> add_matches(const std::string& path, const Replacement& replacement,
                           std::vector<FileMatches>& found) {
    NodeKind other = NodeKind::missing;
    const FilePointer file = TRY(tree_.find(path, other));
    if (!file) return changed_while_read_error(path);
    EditedText* const text = TRY(tree_.load(*file));
    const std::string bytes = text->bytes();
    if (looks_binary(bytes)) return Unit{};
    PatternMatches matches = replacement.matches_in(bytes);
    if (!matches.spans.empty()) found.push_back({.path = path, .text = text, .matches = std::move(matches)});
    return Unit{};
  }

  // Returns true if the matches, or the lines with matches, are as many as expected. Otherwise adds a fault.
  bool has_expected_count(const PatternEdit& edit, const std::vector<FileMatches>& found) {
    std::int64_t count = 0;
    std::vector<MatchPlace> places;  // Each line once.
    std::int64_t lines = 0;
    for (const FileMatches& file : found) {
      count += static_cast<std::int64_t>(file.matches.spans.size());
      std::int64_t last = 0;
      for (const std::int64_t line : file.matches.lines) {
        if (std::exchange(last, line) == line) continue;
        ++lines;
        if (places.size() < shown_matches_max) places.push_back({.path = file.path, .line = line});
      }
    }
    if (count == edit.expected_count) return true;
    const std::string matches = std::to_string(count) + (count == 1 ? " match" : " matches");
    if (lines == edit.expected_count) {
      add_note("expect is the number of lines; they have " + matches);
      return true;
    }
    EditFault fault;
    fault.reason = EditFaultReason::count;
    fault.message = "pattern has " + matches +
                    (count == lines ? std::string() : " in " + count_with_noun(lines, "line")) +
                    (edit.expected_count ? ", not " + std::to_string(*edit.expected_count)
                                         : std::string(", and expect is missing")) +
                    (count == 0 ? ". Search for it with snapshot_grep."
                                : ". If all of them are meant, send expect: " + std::to_string(count) + ".");
    fault.matches = std::move(places);
    fault.matches_total = lines;
    add_fault(std::move(fault), {});
    return false;
  }

  Result<Unit> check_size(const std::vector<TreeChange>& changes) const {
    std::int64_t bytes = 0;
    for (const TreeChange& change : changes) bytes += static_cast<std::int64_t>(change.bytes.size());
    if (bytes <= options_.total_bytes_max) return Unit{};
    return Error(ErrorCode::too_large, "The edits write more than the limit of " +
                                           std::to_string(options_.total_bytes_max) +
                                           " bytes in all. Nothing was written; send fewer edits.");
  }

  const std::vector<Edit>& edits_;
  EditSource& source_;
  EditedTree tree_;
  const EditPlanOptions& options_;
  std::stop_token stop_;
  std::size_t index_ = 0;  // The current edit.
  std::map<std::string, std::vector<const TextEdit*>, std::less<>> text_edits_;
  std::deque<std::string> searched_texts_;  // The texts that files are prepared to be searched for.
  FailedEdits failed_;
  EditPlan plan_;
};

}  // namespace

Result<EditPlan> plan_edits(const std::vector<Edit>& edits, EditSource& source,
                            const EditPlanOptions& options, const std::stop_token& stop) {
  return EditPlanner(edits, source, options, stop).run();
}

}  // namespace snapgen::core
