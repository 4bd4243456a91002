#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "codegen/emit/compile.h"
#include "codegen/pages/assets.h"
#include "codegen/pages/describe.h"
#include "codegen/pages/document.h"
#include "codegen/pages/manual.h"
#include "codegen/stages/stages.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {
namespace {

using namespace pages;

std::string stem_of(const std::string& path) {
  std::size_t slash = path.rfind('/');
  std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(begin, path.rfind('.') - begin);
}

class SiteMaker {
 public:
  SiteMaker(const StageResults& all, const Settings& settings, const std::vector<SourceText>& manual,
            std::string title)
      : all_(all), manual_(manual), describer_(all, settings, error_places(manual)) {
    site_.title = std::move(title);
  }

  Site run() {
    for (const SourceUnit& unit : all_.model.units) {
      if (!unit.file->emitted) continue;
      Page page = describer_.page(unit);
      std::size_t slash = page.path.rfind('/');
      std::string folder = slash == std::string::npos ? "" : page.path.substr(0, slash);
      families_[folder].push_back(site_.pages.size());
      site_.pages.push_back(std::move(page));
    }
    for (const SourceText& each : manual_) {
      std::string stem = stem_of(each.path);
      hand_written_[stem] = read_manual(each.text, stem, describer_.known());
    }
    NavigationGroup guide{.text = "Guide"};
    for (const auto& [stem, page] : hand_written_) {
      if (stem == "index" || families_.count(stem)) continue;
      guide.tools.push_back({.text = page.title, .target = stem});
      own_pages_.push_back(page);
    }
    // A group with a single page is not a heading over it, but the link to it.
    if (guide.tools.size() == 1) guide = {.text = guide.tools[0].text, .target = guide.tools[0].target};
    if (!guide.target.empty() || !guide.tools.empty()) site_.navigation.push_back(guide);
    // Families with tools come first.
    for (bool tools : {true, false})
      for (const auto& [folder, pages] : families_)
        if (has_tools(pages) == tools) family(folder, pages);
    index();
    for (Page& each : own_pages_) site_.pages.push_back(std::move(each));
    std::ranges::sort(site_.pages, [](const Page& a, const Page& b) { return a.path < b.path; });
    return std::move(site_);
  }

 private:
  static std::map<std::string, std::string> error_places(const std::vector<SourceText>& manual) {
    std::map<std::string, std::string> places;
    for (const SourceText& each : manual)
      if (each.text.find("\n## Errors\n") != std::string::npos)
        places[stem_of(each.path)] = stem_of(each.path) + "#errors";
    return places;
  }

  bool has_tools(const std::vector<std::size_t>& pages) const {
    return std::ranges::any_of(pages, [&](std::size_t each) { return site_.pages[each].kind == "Tool"; });
  }

  PageLinks entries(const std::vector<std::size_t>& pages, const std::string& kind) const {
    PageLinks found;
    for (std::size_t at : pages) {
      const Page& page = site_.pages[at];
      if (page.kind != kind) continue;
      bool tool = kind == "Tool";
      found.rows.push_back({.name = tool ? page.names[0] : page.title,
                            .target = page.path,
                            .title = tool && page.title != page.names[0] ? page.title : "",
                            .summary = spans_of(page.summary, describer_.known(), page.path)});
    }
    return found;
  }

  std::string family_title(const std::string& folder) const {
    auto found = hand_written_.find(folder);
    return found == hand_written_.end() ? name_in_words(folder.empty() ? "messages" : folder)
                                        : found->second.title;
  }

  void family(const std::string& folder, const std::vector<std::size_t>& pages) {
    std::string path = folder.empty() ? "messages" : folder;
    Page page;
    if (auto found = hand_written_.find(folder); found != hand_written_.end()) page = found->second;
    page.path = path;
    page.kind = "Family";
    page.title = family_title(folder);
    std::vector<Block> lists;
    NavigationGroup group{.text = page.title, .target = path};
    for (const char* kind : {"Tool", "Message"}) {
      PageLinks found = entries(pages, kind);
      if (found.rows.empty()) continue;
      std::string words = std::string(kind) + "s";
      lists.emplace_back(Heading{.level = 2, .text = words, .anchor = anchor_of(words) + "-of-this-family"});
      for (const PageLink& each : found.rows) {
        NavigationItem item{.text = each.name, .target = each.target};
        (kind[0] == 'T' ? group.tools : group.messages).push_back(item);
      }
      lists.emplace_back(std::move(found));
    }
    page.blocks.insert(page.blocks.end(), lists.begin(), lists.end());
    site_.navigation.push_back(std::move(group));
    own_pages_.push_back(std::move(page));
  }

  void index() {
    Page page;
    if (auto found = hand_written_.find("index"); found != hand_written_.end()) page = found->second;
    page.path = "index";
    page.kind = "Index";
    if (page.title.empty()) page.title = site_.title;
    for (bool tools : {true, false}) {
      for (const auto& [folder, pages] : families_) {
        if (has_tools(pages) != tools) continue;
        std::string target = folder.empty() ? "messages" : folder;
        if (tools) {
          page.add(
              Heading{.level = 2, .text = family_title(folder), .anchor = anchor_of("family " + target)});
          page.add(entries(pages, "Tool"));
        } else {
          others_.rows.push_back(
              {.name = family_title(folder),
               .target = target,
               .title = std::to_string(pages.size()) + (pages.size() == 1 ? " message" : " messages"),
               .code = false});
        }
      }
    }
    if (!others_.rows.empty()) {
      page.add(Heading{.level = 2, .text = "Messages", .anchor = "all-messages"});
      page.add(others_);
    }
    own_pages_.push_back(std::move(page));
  }

  const StageResults& all_;
  const std::vector<SourceText>& manual_;
  Describer describer_;
  Site site_;
  std::map<std::string, Page> hand_written_;
  // The indices of pages, by folder below the schemas folder.
  std::map<std::string, std::vector<std::size_t>> families_;
  std::vector<Page> own_pages_;  // Pages without a schema file.
  PageLinks others_;
};

// Returns the search index. It is a script, because pages that are opened from disk cannot read other files.
std::string search_index(const Site& site) {
  std::string text = "window.snapgenPages=[";
  for (const Page& page : site.pages) {
    const auto joined = [](const std::vector<std::string>& all, const char* separator) {
      std::string list;
      for (const std::string& each : all) list += (list.empty() ? "" : separator) + each;
      return json::quoted(list);
    };
    std::string heads;
    bool written = page.kind != "Tool" && page.kind != "Message";
    for (const Block& each : page.blocks)
      if (const auto* heading = std::get_if<Heading>(&each); heading && written)
        heads += heading->text + "\n";
    text += std::string(&page == &site.pages.front() ? "" : ",") +
            "\n{\"title\":" + json::quoted(page.title) + ",\"names\":" + joined(page.names, " ") +
            ",\"terms\":" + joined(page.terms, "\n") + ",\"kind\":" + json::quoted(page.kind) +
            ",\"url\":" + json::quoted(page.path + ".html") +
            ",\"summary\":" + json::quoted(text_of(spans_of(page.summary, {}))) +
            ",\"heads\":" + json::quoted(heads) + ",\"words\":" + json::quoted(page.search_words) + "}";
  }
  return text + "\n];\n";
}

}  // namespace

CompiledFiles compile_pages(std::vector<SourceText> texts, const std::vector<SourceText>& manual,
                            const Settings& settings, const std::string& title) {
  CompiledFiles result;
  const StageResults all = run_stages(std::move(texts), settings);
  result.findings = all.findings.lines();
  if (!result.findings.empty()) return result;
  const Site site = SiteMaker(all, settings, manual, title).run();
  for (const Page& page : site.pages) {
    result.files[page.path + ".html"] = html_page(page, site);
    result.files["markdown/" + page.path + ".md"] = markdown_page(page);
  }
  result.files["site.css"] = assets::site_css;
  result.files["site.js"] = assets::site_js;
  result.files["search.js"] = search_index(site);
  return result;
}

}  // namespace snapgen::codegen
