#include "schemas/bridge/bridge_batch.h"

#include "schemas/bridge/batch_command.h"
#include "schemas/bridge/batch_result.h"
#include "tools/bridge/common.h"

namespace snapgen::tools {
namespace {

CommandName command_name(const BatchStep& step) {
  // The alternatives of the variant have the same order as the enumerators of CommandName.
  return static_cast<CommandName>(step.index());
}
static_assert(std::variant_size_v<BatchStep> == bridge::permissions_count);
static_assert(
    std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(CommandName::read_project), BatchStep>,
                   ReadProjectStep>);
static_assert(std::is_same_v<
              std::variant_alternative_t<static_cast<std::size_t>(CommandName::execute_script), BatchStep>,
              ExecuteScriptStep>);

template <class Payload>
Result<json::Raw> checked(const json::Raw& raw, std::string_view pointer) {
  Payload payload;
  TRY(bridge::read_payload(raw, payload, pointer));
  return json::Raw{json::to_json(payload)};
}

// Validates the payload, which the answer has at `pointer`, with the command's schema.
Result<json::Raw> checked(CommandName command, const json::Raw& raw, std::string_view pointer) {
  switch (command) {
    case CommandName::create_blocks: return checked<CreateBlocksResult>(raw, pointer);
    case CommandName::create_custom_block: return checked<CreateCustomBlockResult>(raw, pointer);
    case CommandName::delete_blocks: return checked<DeleteBlocksResult>(raw, pointer);
    case CommandName::execute_script: return checked<ExecuteScriptResult>(raw, pointer);
    case CommandName::export_project: return checked<ExportProjectResult>(raw, pointer);
    case CommandName::highlight_blocks: return checked<HighlightBlocksResult>(raw, pointer);
    case CommandName::inspect_state: return checked<InspectStateResult>(raw, pointer);
    case CommandName::read_project: break;
  }
  return checked<ReadProjectResult>(raw, pointer);
}

// Reads the payload of a batch's answer into `result`, and returns the outcome for the host.
Result<BatchOutcome> batch_outcome(const std::vector<BatchStep>& steps, const json::Raw& payload_text,
                                   BatchResult& result) {
  TRY(bridge::read_payload(payload_text, result));
  if (result.results.size() != steps.size())
    return bridge::failure(BridgeFailureCode::invalid_response,
                           "The browser's answer has " + std::to_string(result.results.size()) +
                               " results for " + std::to_string(steps.size()) + " commands.");
  BatchOutcome out{.rolled_back = result.rolled_back};
  for (std::size_t i = 0; i != steps.size(); ++i) {
    BatchStepOutcome one{.command = command_name(steps[i]), .status = BatchStepStatus::skipped};
    if (StepDone* done = std::get_if<StepDone>(&result.results[i])) {
      json::Raw payload =
          TRY(checked(one.command, done->payload, "/payload/results/" + std::to_string(i) + "/payload"));
      one.status = BatchStepStatus::success;
      done->payload = payload;
      one.payload = std::move(payload);
    } else if (const StepFailed* failed = std::get_if<StepFailed>(&result.results[i])) {
      one.status = BatchStepStatus::error;
      one.error = failed->error;
    }
    out.results.push_back(std::move(one));
  }
  return out;
}

// Returns an error if a command has too many blocks.
std::optional<Error> check_sizes(const BridgeBatchInput& in) {
  for (const BatchStep& each : in.commands) {
    std::optional<Error> too_large;
    if (const CreateBlocksStep* step = std::get_if<CreateBlocksStep>(&each))
      too_large = bridge::check_block_count(json::to_json(step->payload.scripts));
    if (const CreateCustomBlockStep* step = std::get_if<CreateCustomBlockStep>(&each))
      too_large = bridge::check_block_count(json::to_json(step->payload.definition));
    if (too_large) return too_large;
  }
  return std::nullopt;
}

}  // namespace

Task<BridgeBatchOutput> bridge_batch(App& app, mcp::Call& call, const BridgeBatchInput& in) {
  std::optional<Error> too_large = check_sizes(in);
  if (too_large) co_return *std::move(too_large);
  core::Permissions permissions = 0;
  for (const BatchStep& each : in.commands)
    permissions |= bridge::permission_bit(bridge::permission_for(command_name(each)));
  bridge::Request request = bridge::request_of(in, "batch", permissions, in.require_confirmation);
  request.count = static_cast<std::int64_t>(in.commands.size());
  BridgeBatchCommand message;
  message.commands = in.commands;
  BatchOptions options{.execute_sequentially = in.execute_sequentially,
                       .stop_on_error = in.stop_on_error,
                       .timeout_ms = request.timeout_ms};
  if (in.require_confirmation) options.require_confirmation = true;
  if (in.rollback_on_error) options.rollback_on_error = true;
  message.options = options;
  BatchResult result;
  BatchOutcome outcome;
  request.read_payload = [&](const json::Raw& raw) -> Result<Unit> {
    outcome = TRY(batch_outcome(in.commands, raw, result));
    return Unit{};
  };
  request.payload_text = [&result] { return json::to_json(result); };
  Task<bridge::Reply> sending = bridge::send(app, call, request, message);
  Result<bridge::Reply> reply = co_await std::move(sending);
  if (!reply) co_return std::move(reply).error();
  co_return bridge::output_of<BridgeBatchOutput, BatchDone>(*std::move(reply), std::move(outcome));
}

}  // namespace snapgen::tools
