// `snap snapshot diff`: prints the unified diff of the tool snapshot.diff, byte for byte.
#include "schemas/substrate/snapshot_diff.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/text.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/cli/diff_colours.h"
#include "tools/cli/path_words.h"
#include "tools/cli/snapshot_words.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"

namespace snapgen::tools {
namespace {

constexpr std::int64_t diff_bytes_max = 16 << 20;  // The maximum that the tool accepts.
constexpr std::int64_t diff_files_max = 10'000;
constexpr std::size_t diff_bar_columns = 40;

struct DiffOptions {
  std::string from = "head";
  std::string to;
  std::vector<std::string> paths;
  std::int64_t context = 3;
  bool untracked = false;
  bool stat = false;
};

// The members that both types of the tool's answer have.
struct Differences {
  std::string diff;
  std::vector<SnapshotDiffFile> files;
  bool truncated = false;
  std::int64_t untracked = 0;
};

Result<Differences> to_differences(SnapshotDiffOutput output) {
  Differences found;
  const auto take = [&](auto& from) {
    found.diff = std::move(from.diff);
    found.files = std::move(from.files);
    found.truncated = from.truncated;
  };
  if (auto* const of_worktree = std::get_if<SnapshotDiffWorktree>(&output)) {
    take(*of_worktree);
    found.untracked = of_worktree->untracked.value_or(0);
  } else {
    take(std::get<SnapshotDiffImmutable>(output));
  }
  found.diff = TRY(core::bytes_of_text(found.diff));
  return found;
}

std::string statistics(const std::vector<SnapshotDiffFile>& files, const Terminal& out) {
  std::int64_t most = 1;
  std::int64_t added = 0;
  std::int64_t removed = 0;
  for (const SnapshotDiffFile& each : files) most = std::max(most, each.added + each.removed);
  AlignedRows rows;
  for (const SnapshotDiffFile& each : files) {
    added += each.added;
    removed += each.removed;
    const auto columns = [&](std::int64_t lines) {
      if (lines == 0) return std::size_t{0};
      const auto all = static_cast<std::size_t>(most);
      const std::size_t scaled = static_cast<std::size_t>(lines) * std::min(all, diff_bar_columns) / all;
      return std::max<std::size_t>(scaled, 1);
    };
    rows.add({{std::string(text(each.status)), Colour::dim},
              {displayed_path(each.path)},
              {each.binary ? "binary" : "+" + std::to_string(each.added), Colour::green, true},
              {each.binary ? "" : "-" + std::to_string(each.removed), Colour::red, true},
              {std::string(columns(each.added), '+') + std::string(columns(each.removed), '-')}});
  }
  return rows.text(out) + core::count_with_noun(static_cast<std::int64_t>(files.size()), "file") + ", +" +
         std::to_string(added) + " -" + std::to_string(removed) + "\n";
}

bool is_id(std::string_view text) { return text.starts_with("snap_") || text.starts_with("sha256:"); }

// Checks FROM and TO, because the tool's error would show the user a regular expression.
Result<Unit> check_sides(const DiffOptions& options) {
  constexpr std::string_view bases[] = {"head", "index"};
  const bool is_base = std::find(std::begin(bases), std::end(bases), options.from) != std::end(bases);
  if (!is_base && !is_id(options.from)) {
    const std::optional<std::string_view> meant = nearest_name(options.from, bases);
    return Error(
        ErrorCode::invalid_argument,
        "Unknown FROM " + printable(options.from) + ": it must be head, index or a snapshot's id." +
            (meant ? " Did you mean " + std::string(*meant) + "?" : " snap snapshot list shows the ids."));
  }
  if (!options.to.empty() && !is_id(options.to))
    return Error(ErrorCode::invalid_argument,
                 "Unknown TO " + printable(options.to) +
                     ": it must be a snapshot's id. snap snapshot list shows the ids.");
  return Unit{};
}

Result<int> diff(const Invocation& invocation, const DiffOptions& options) {
  TRY(check_sides(options));
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  SnapshotDiffInput input{.against = options.from,
                          .context = options.context,
                          .max_bytes = diff_bytes_max,
                          .max_files = diff_files_max,
                          .untracked = options.untracked};
  if (!options.to.empty()) input.snapshot_id = options.to;
  caller->set_argument_names({{"against", "FROM"}, {"paths", "--path"}, {"snapshot_id", "TO"}});
  TRY(caller->resolve_paths(options.paths, input.paths));
  ToolAnswer<SnapshotDiffOutput> made = TRY(caller->call<SnapshotDiffOutput>(input));
  const std::string json = invocation.prints_json ? made.json() : std::string();
  Differences found = TRY(to_differences(std::move(made.output)));
  const std::string text = options.stat ? statistics(found.files, invocation.out)
                                        : coloured_diff(invocation.out.sanitized(found.diff), invocation.out);
  Result<int> outcome = print_answer(invocation, json, text);
  if (!outcome || invocation.prints_json) return outcome;
  if (found.untracked > 0 && invocation.error_output.is_terminal)
    static_cast<void>(invocation.error_output.print(
        invocation.error_output.paint(Colour::dim, core::count_with_noun(found.untracked, "untracked file") +
                                                       (found.untracked == 1 ? " is" : " are") +
                                                       " not shown (--untracked)") +
        "\n"));
  if (!found.truncated || options.stat) return outcome;
  std::string omitted;
  for (const SnapshotDiffFile& each : found.files)
    if (each.omitted.value_or(false)) omitted += " " + printable(displayed_path(each.path));
  if (omitted.empty()) omitted = " those beyond the first " + std::to_string(diff_files_max);
  return Error(ErrorCode::too_large,
               "The diff is too large to show completely; it lacks" + omitted + ". Name paths with --path.");
}

}  // namespace

void add_snapshot_diff_command(CLI::App& snapshot, Invocation& invocation) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App& command = add_command(
      snapshot, invocation,
      {.name = "diff",
       .description = "Show differences in the format of git: from a snapshot (or head, or index) to another "
                      "snapshot, or to the work tree.",
       .examples = {{"snap snapshot diff", "from the last commit to the work tree"},
                    {"snap snapshot diff snap_96b5c0893a", "from a snapshot to the work tree"},
                    {"snap snapshot diff snap_96b5 snap_3f21 --stat", "only the files between two snapshots"},
                    {"snap snapshot diff snap_96b5 --path src > my.patch", "git apply reads it"}},
       .exit_codes = "0 done; 1 it failed, or the diff is incomplete because it is too large; 2 the command "
                     "line is wrong."},
      [options](const Invocation& parsed) { return diff(parsed, *options); });
  command.add_option("FROM", options->from, "head, index, or a snapshot's id. Default: head.");
  command.add_option("TO", options->to, "A snapshot's id. Default: the work tree.");
  command
      .add_option("--path", options->paths,
                  "A file or folder; can be given several times. Default: everything.")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command.add_option("-U,--context", options->context, "Lines around each change.")
      ->check(CLI::Range(0, 1000))
      ->type_name("LINES")
      ->capture_default_str();
  command.add_flag("--untracked", options->untracked,
                   "Show untracked files as new ones, against head or index.");
  command.add_flag("--stat", options->stat, "Show only the files, and the number of changed lines in each.");
}

}  // namespace snapgen::tools
