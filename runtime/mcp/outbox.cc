#include "runtime/mcp/outbox.h"

#include "runtime/json/writer.h"

namespace snapgen::mcp {

void Outbox::result(const Asker& asker, std::string_view frame, std::string_view members) {
  std::string& out = begin(asker.batch);
  out.append("{\"id\":").append(asker.id).append(frame).append(members).append("}}");
  end(asker.batch);
}

void Outbox::error(const Asker& asker, RpcCode code, std::string_view sentence, std::string_view data) {
  std::string& out = begin(asker.batch);
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
  writer.text(asker.id.empty() ? "null" : asker.id);
  writer.text(",\"jsonrpc\":\"2.0\"}");
  end(asker.batch);
}

void Outbox::notify(std::string_view method, std::string_view params) {
  std::string& out = begin(nullptr);
  out.append("{\"jsonrpc\":\"2.0\",\"method\":\"").append(method).append("\"");
  if (!params.empty()) out.append(",\"params\":").append(params);
  out.append("}");
  end(nullptr);
}

void Outbox::request(std::int64_t id, std::string_view method, std::string_view params) {
  std::string& out = begin(nullptr);
  out.append("{\"id\":")
      .append(std::to_string(id))
      .append(",\"jsonrpc\":\"2.0\",\"method\":\"")
      .append(method);
  out.append("\",\"params\":").append(params).append("}");
  end(nullptr);
}

std::string& Outbox::begin(Batch* batch) {
  if (!batch) return channel_.outgoing();
  if (!batch->answers.empty()) batch->answers += ',';
  return batch->answers;
}

void Outbox::end(Batch* batch) {
  if (batch) return settle(*batch);
  channel_.sent();
  if (!reading_) work_.set();
}

void Outbox::settle(Batch& batch) {
  if (--batch.open != 0 || batch.answers.empty()) return;
  channel_.outgoing().append("[").append(batch.answers).append("]");
  end(nullptr);
}

}  // namespace snapgen::mcp
