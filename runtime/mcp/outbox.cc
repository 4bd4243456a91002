#include "runtime/mcp/outbox.h"

#include "runtime/json/writer.h"

namespace snapgen::mcp {

void Outbox::send_result(const ReplyTo& reply_to, std::string_view result_prefix, std::string_view members) {
  std::string& out = begin_message(reply_to.batch, {.request_stream = reply_to.request_stream, .last = true});
  out.append("{\"id\":").append(reply_to.id).append(result_prefix).append(members).append("}}");
  end_message(reply_to.batch);
}

void Outbox::send_error(const ReplyTo& reply_to, RpcCode code, std::string_view sentence,
                        std::string_view data) {
  std::string& out = begin_message(
      reply_to.batch,
      {.request_stream = reply_to.request_stream, .last = true, .code = static_cast<int>(code)});
  json::Writer writer(out);
  writer.text("{\"error\":{\"code\":");
  writer.integer(static_cast<int>(code));
  if (!data.empty()) {
    writer.text(",\"data\":");
    writer.text(data);
  }
  writer.text(",\"message\":");
  writer.string(sentence);
  writer.text("},\"id\":");
  writer.text(reply_to.id.empty() ? "null" : reply_to.id);
  writer.text(",\"jsonrpc\":\"2.0\"}");
  end_message(reply_to.batch);
}

void Outbox::send_notification(std::string_view method, std::string_view params,
                               RequestStream request_stream) {
  std::string& out = begin_message(nullptr, {.request_stream = request_stream});
  out.append("{\"jsonrpc\":\"2.0\",\"method\":\"").append(method).append("\"");
  if (!params.empty()) out.append(",\"params\":").append(params);
  out.append("}");
  end_message(nullptr);
}

void Outbox::send_request(std::int64_t id, std::string_view method, std::string_view params,
                          RequestStream request_stream) {
  std::string& out = begin_message(nullptr, {.request_stream = request_stream});
  out.append("{\"id\":")
      .append(std::to_string(id))
      .append(",\"jsonrpc\":\"2.0\",\"method\":\"")
      .append(method);
  out.append("\",\"params\":").append(params).append("}");
  end_message(nullptr);
}

std::string& Outbox::begin_message(Batch* batch, const Channel::Addressee& addressee) {
  if (!batch) {
    channel_.set_addressee(addressee);
    return channel_.outgoing_buffer();
  }
  if (!batch->answers.empty()) batch->answers += ',';
  return batch->answers;
}

void Outbox::end_message(Batch* batch) {
  if (batch) return finish_request_in(*batch);
  channel_.commit_outgoing();
  if (!reading_) work_.set();
}

void Outbox::report_unanswered(RequestStream request_stream) {
  channel_.report_unanswered(request_stream);
  if (!reading_) work_.set();
}

void Outbox::finish_request_in(Batch& batch) {
  if (--batch.open_request_count != 0) return;
  if (batch.answers.empty()) return report_unanswered(batch.request_stream);
  channel_.set_addressee({.request_stream = batch.request_stream, .last = true});
  channel_.outgoing_buffer().append("[").append(batch.answers).append("]");
  end_message(nullptr);
}

}  // namespace snapgen::mcp
