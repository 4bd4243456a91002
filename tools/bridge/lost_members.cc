#include "tools/bridge/lost_members.h"

#include <map>

#include "runtime/json/pointer.h"
#include "runtime/json/tree.h"

namespace snapgen::tools::bridge {
namespace {

constexpr std::size_t lost_members_max = 10;

void collect_lost(json::Value sent, json::Value accepted, const std::string& pointer,
                  std::vector<std::string>& out) {
  if (sent.kind() != accepted.kind()) return;
  if (sent.kind() == json::Kind::array) {
    json::Value other = accepted.first_child();
    std::size_t index = 0;
    for (json::Value each = sent.first_child(); each.exists() && other.exists(); each = each.next_sibling()) {
      collect_lost(each, other, pointer + "/" + std::to_string(index++), out);
      other = other.next_sibling();
    }
  }
  if (sent.kind() != json::Kind::object) return;
  std::map<std::string_view, json::Value> members;
  for (json::Value each = accepted.first_child(); each.exists(); each = each.next_sibling())
    members.emplace(each.key(), each);
  for (json::Value each = sent.first_child(); each.exists(); each = each.next_sibling()) {
    if (out.size() == lost_members_max) return;
    std::string inner = pointer;
    json::append_pointer_token(inner, each.key());
    const auto found = members.find(each.key());
    if (found != members.end())
      collect_lost(each, found->second, inner, out);
    else if (each.kind() != json::Kind::null)
      out.push_back(std::move(inner));
  }
}

}  // namespace

std::vector<std::string> lost_members(std::string_view sent, std::string_view accepted) {
  const json::Tree sent_tree(sent);
  const json::Tree accepted_tree(accepted);
  std::vector<std::string> out;
  collect_lost(sent_tree.root(), accepted_tree.root(), {}, out);
  return out;
}

}  // namespace snapgen::tools::bridge
