// `snap snapshot export`: writes files as a tar archive or a bundle, to a file or to standard output.
#include "schemas/substrate/snapshot_export.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/cli/output_file.h"
#include "tools/cli/snapshot_words.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/export/export.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::tools {
namespace {

struct ExportOptions {
  std::string id;
  std::vector<std::string> paths;
  std::string format = "tar";
  std::string output;
  bool force = false;
};

struct Packed {
  std::string bytes;
  std::string json;  // The tool's answer as JSON; empty if it would be too large.
};

// Takes the archive or bundle out of the tool's answer.
Result<Packed> packed_of(ToolAnswer<SnapshotExportOutput> answer, bool tar) {
  std::string json = answer.json();
  auto& packed_files = std::get<SnapshotExportImmutable>(answer.output);
  Packed packed{.bytes = std::move(packed_files.bundle.text), .json = std::move(json)};
  if (!tar) return packed;
  json::Reader in(packed.bytes);
  std::string text;
  in.string(text);
  packed.bytes = TRY(core::bytes_of_text(text));
  return packed;
}

// Packs the files without the size limit of tool answers.
Result<Packed> pack_large(ToolCaller& caller, const SnapshotExportInput& input) {
  core::Workspace* workspace = TRY(caller.app().workspace());
  std::shared_ptr<const core::Snapshot> snapshot = TRY(snapshots_of(*workspace).load(*input.snapshot_id));
  std::vector<std::string> paths = TRY(core::paths_of_texts(input.paths));
  core::ExportSource files =
      TRY(core::export_source(*workspace, *snapshot, core::PathScope(std::move(paths))));
  constexpr std::uint64_t endless = std::numeric_limits<std::int64_t>::max();
  std::string bytes = TRY(input.format == SnapshotExportInputFormat::tar
                              ? core::tar_of(files, endless, caller.stop())
                              : core::bundle_of(files, snapshot->fingerprint, endless, caller.stop()));
  return Packed{.bytes = std::move(bytes), .json = {}};
}

Result<int> export_files(const Invocation& invocation, const ExportOptions& options) {
  const bool tar = options.format == "tar";
  const bool to_file = !options.output.empty() && options.output != "-";
  if (!to_file && tar && !invocation.prints_json && invocation.out.is_terminal)
    return Error(
        ErrorCode::invalid_argument,
        "An archive is not written to a terminal. Name a file with --output, or redirect standard output.");
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  SnapshotExportInput input{
      .format = tar ? SnapshotExportInputFormat::tar : SnapshotExportInputFormat::bundle,
      .max_bytes = static_cast<std::int64_t>(core::export_bytes_limit),
      .snapshot_id = options.id};
  caller->set_argument_names({{"paths", "PATH"}, {"snapshot_id", "ID"}});
  TRY(caller->resolve_paths(options.paths, input.paths));
  Result<ToolAnswer<SnapshotExportOutput>> made = caller->call<SnapshotExportOutput>(input);
  const bool too_large = !made && made.error().code == ErrorCode::too_large;
  if (!made && (!too_large || (invocation.prints_json && !to_file))) return std::move(made).error();
  Packed packed = TRY(too_large ? pack_large(*caller, input) : packed_of(*std::move(made), tar));
  if (!to_file) {
    if (invocation.prints_json) return print_answer(invocation, packed.json, "");
    return print_answer(invocation, "", packed.bytes + (tar ? "" : "\n"));
  }
  TRY(write_output(caller->app(), {.path = options.output, .force = options.force}, packed.bytes));
  const std::string size = std::to_string(packed.bytes.size());
  const std::string sha256 = core::sha256_hex(packed.bytes);
  return print_answer(invocation,
                      "{\"bytes\":" + size + ",\"format\":\"" + options.format +
                          "\",\"path\":" + json::quoted(core::text_of_bytes(options.output)) +
                          ",\"sha256\":\"" + sha256 + "\"}",
                      options.output + "  " + size_text(packed.bytes.size()) + "  sha256:" + sha256 + "\n");
}

}  // namespace

void add_snapshot_export_command(CLI::App& snapshot, Invocation& invocation) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App& command =
      add_command(snapshot, invocation,
                  {.name = "export",
                   .description = "Pack the files of a snapshot with their contents, the same bytes on every "
                                  "machine: a tar archive, or "
                                  "a bundle in JSON.",
                   .examples = {{"snap snapshot export snap_96b5c0893a -o work.tar", ""},
                                {"snap snapshot export snap_96b5 src | tar -x -C /tmp/before", "one folder"},
                                {"snap snapshot export snap_96b5 --format bundle | jq .manifest", ""}}},
                  [options](const Invocation& parsed) { return export_files(parsed, *options); });
  command.add_option("ID", options->id, snapshot_id_help)->required();
  command.add_option("PATH", options->paths, "Files or folders of the snapshot. Default: everything.");
  command.add_option("--format", options->format, "The format of the output.")
      ->check(CLI::IsMember({"tar", "bundle"}))
      ->type_name("tar|bundle")
      ->capture_default_str();
  command
      .add_option("-o,--output", options->output, "The file to write. Default, or with -: standard output.")
      ->type_name("FILE");
  command.add_flag("--force", options->force, "Overwrite an existing file.");
}

}  // namespace snapgen::tools
