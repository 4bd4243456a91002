#include <algorithm>
#include <string_view>

#include "runtime/base/ascii.h"
#include "runtime/cli/pages.h"
#include "runtime/cli/roff.h"
#include "runtime/cli/shells.h"

namespace snapgen::cli {
namespace {

constexpr std::string_view examples_word = "Example";  // Also the beginning of "Examples".
constexpr std::string_view exit_word = "Exit codes";
constexpr std::size_t values_max = 40;  // Columns for the allowed values in an option's title.

// The paragraphs of a CLI11 footer, sorted by topic.
struct Footer {
  std::string notes, examples, exit_codes;
};

void append(std::string& to, std::string_view paragraph) {
  if (!to.empty()) to += "\n\n";
  to += paragraph;
}

Footer parse_footer(std::string_view footer) {
  Footer out;
  std::string* at = &out.notes;
  while (!footer.empty()) {
    const std::size_t end = std::min(footer.find("\n\n"), footer.size());
    std::string_view paragraph = footer.substr(0, end);
    footer.remove_prefix(std::min(end + 2, footer.size()));
    paragraph.remove_prefix(std::min(paragraph.find_first_not_of('\n'), paragraph.size()));
    while (paragraph.ends_with('\n')) paragraph.remove_suffix(1);
    if (paragraph.empty()) continue;
    const std::size_t colon = std::min(paragraph.find(':'), paragraph.size());
    if (paragraph.starts_with(examples_word) && paragraph.substr(colon).starts_with(":\n")) {
      at = &out.examples;
      paragraph.remove_prefix(colon + 2);
    } else if (paragraph.starts_with(exit_word)) {
      at = &out.exit_codes;
      // "Exit codes: " is removed, because the section has this title. "Exit codes of generate: " is not.
      if (colon == exit_word.size()) paragraph.remove_prefix(colon + 1);
      while (paragraph.starts_with(' ')) paragraph.remove_prefix(1);
    } else if (!paragraph.starts_with(' ')) {
      at = &out.notes;
    }
    append(*at, paragraph);
  }
  return out;
}

std::string page_name(const Command& command) {
  std::string name = command.path;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string reference(const std::string& page) { return bold(page) + "(1)"; }

// Whether the allowed values are listed in the description. Only a few fit after an option's name, and none
// after a positional, because a long line cannot be broken there.
bool lists_values(const Parameter& parameter) {
  return !parameter.values.empty() &&
         (parameter.names.empty() || value_placeholder(parameter).size() > values_max);
}

// Returns a parameter's title in roff, such as "-h, --help" or "--workspace DIR".
std::string tag_of(const Parameter& parameter) {
  std::string out;
  for (const std::string& name : parameter.names) out += (out.empty() ? "" : ", ") + bold(name);
  const std::string value = lists_values(parameter) ? parameter.placeholder : value_placeholder(parameter);
  if (parameter.names.empty()) return italic(parameter.placeholder) + (parameter.is_repeatable ? " ..." : "");
  // A placeholder in brackets, such as "[[HOST:]PORT]", is already marked as optional.
  if (!value.empty())
    out += parameter.value_optional && !value.starts_with('[') ? " [" + italic(value) + "]"
                                                               : " " + italic(value);
  return out;
}

std::string item_text(const Parameter& parameter) {
  std::string out = parameter.description;
  const auto add = [&](const std::string& sentence) {
    if (!out.empty() && !out.ends_with('.')) out += '.';
    out += (out.empty() ? "" : " ") + sentence;
  };
  if (lists_values(parameter)) {
    std::string values;
    for (const std::string& value : parameter.values) values += (values.empty() ? "" : ", ") + value;
    add("One of " + values + ".");
  }
  if (!parameter.names.empty() && parameter.required) add("Required.");
  if (!parameter.default_text.empty())
    add("Default: " + parameter.default_text + (parameter.default_text.ends_with('.') ? "" : "."));
  return out;
}

std::string synopsis(const Command& command, std::string_view name) {
  std::string out = bold(name);
  if (!command.subcommands.empty())
    out += command.requires_subcommand ? " " + italic("COMMAND") : " [" + italic("COMMAND") + "]";
  if (!command.options.empty()) out += " [" + italic("OPTIONS") + "]";
  for (const Parameter& each : command.positionals) {
    const std::string shown = italic(each.placeholder) + (each.is_repeatable ? " ..." : "");
    out += each.required ? " " + shown : " [" + shown + "]";
  }
  return out;
}

void add_items(RoffWriter& page, const std::vector<Parameter>& parameters) {
  for (const Parameter& each : parameters) page.add_item(tag_of(each), item_text(each));
}

void add_section(RoffWriter& page, std::string_view title, std::string_view text) {
  if (text.empty()) return;
  page.add_heading(title);
  page.add_text(text);
}

// Returns the options that all commands of a page share.
std::vector<Parameter> common_options(const std::vector<const Command*>& commands) {
  std::vector<Parameter> common;
  if (commands.size() < 2) return common;
  for (const Parameter& each : commands.front()->options)
    if (std::ranges::all_of(
            commands, [&](const Command* command) { return std::ranges::count(command->options, each) > 0; }))
      common.push_back(each);
  return common;
}

// Adds one command's section to a page. Footer parts that the page itself has (`above`) are not repeated.
void add_command_section(RoffWriter& page, const Command& command, const std::vector<Parameter>& common,
                         const Footer& above) {
  page.add_subheading(command.path);
  page.add_paragraph(synopsis(command, command.path));
  page.add_text(command.description);
  add_items(page, command.positionals);
  for (const Parameter& each : command.options)
    if (std::ranges::count(common, each) == 0) page.add_item(tag_of(each), item_text(each));
  const Footer footer = parse_footer(command.footer);
  if (footer.notes != above.notes) page.add_text(footer.notes);
  if (!footer.examples.empty() && footer.examples != above.examples)
    page.add_text((footer.examples.find('\n') == std::string::npos ? "Example:\n" : "Examples:\n") +
                  footer.examples);
  if (!footer.exit_codes.empty() && footer.exit_codes != above.exit_codes)
    page.add_text("Exit codes: " + footer.exit_codes);
}

// Collects the leaf commands below `command`.
void collect_leaf_commands(const Command& command, std::vector<const Command*>& out) {
  for (const Command& each : command.subcommands) {
    if (each.subcommands.empty())
      out.push_back(&each);
    else
      collect_leaf_commands(each, out);
  }
}

struct Related {
  const Command* program;
  const ManualMetadata* text;
  std::vector<std::string> groups;  // Names of the groups' pages.
};

// Returns a page's title for lists of pages: the command's description up to its colon.
std::string title_of(const Command& command) {
  const std::string& what = command.description;
  return short_description(std::string_view(what).substr(0, what.find(": ")));
}

void add_head(RoffWriter& page, const Command& command, const Related& see_also) {
  std::string title = page_name(command);
  std::string names = roff_escaped(title);
  if (&command == see_also.program)
    for (const std::string& other : see_also.text->other_names) names += ", " + roff_escaped(other);
  std::ranges::transform(title, title.begin(), to_upper);
  page.add_line(".TH \"" + roff_escaped(title) + "\" 1 \"" + see_also.text->date + "\" \"" +
                roff_escaped(see_also.text->product) + "\"");
  page.add_line(".nh\n.ad l");
  page.add_heading("NAME");
  page.add_line(names + " \\- " + roff_escaped(title_of(command)));
}

void add_see_also(RoffWriter& page, const std::string& own, const Related& see_also) {
  std::vector<std::string> pages = {page_name(*see_also.program)};
  pages.insert(pages.end(), see_also.groups.begin(), see_also.groups.end());
  pages.insert(pages.end(), see_also.text->see_also.begin(), see_also.text->see_also.end());
  std::erase(pages, own);
  if (pages.empty()) return;
  std::ranges::sort(pages);
  page.add_heading("SEE ALSO");
  for (std::size_t i = 0; i < pages.size(); ++i)
    page.add_line(reference(pages[i]) + (i + 1 < pages.size() ? "," : ""));
}

// Returns the manual page of a program or of a group of commands.
ManualPage page_of(const Command& command, const Related& see_also) {
  RoffWriter page;
  const std::string name = page_name(command);
  const bool is_program = &command == see_also.program;
  add_head(page, command, see_also);
  const Footer footer = parse_footer(command.footer);
  std::vector<const Command*> commands, elsewhere;
  if (is_program) {
    for (const Command& each : command.subcommands)
      (each.subcommands.empty() ? commands : elsewhere).push_back(&each);
  } else {
    collect_leaf_commands(command, commands);
  }

  page.add_heading("SYNOPSIS");
  page.add_line(synopsis(command, command.path));
  page.add_heading("DESCRIPTION");
  page.add_text(command.description);
  if (is_program)
    for (const std::string& other : see_also.text->other_names)
      page.add_paragraph(bold(other) + " is the same program.");
  page.add_text(footer.notes);
  if (!elsewhere.empty()) {
    page.add_heading("GROUPS OF COMMANDS");
    for (const Command* each : elsewhere) {
      std::string what = short_description(each->description) + ":";
      for (const Command& below : each->subcommands) what += (what.ends_with(':') ? " " : ", ") + below.name;
      page.add_item(reference(page_name(*each)), what + ".");
    }
  }
  const std::vector<Parameter> common = common_options(commands);
  if (!commands.empty()) {
    page.add_heading("COMMANDS");
    for (const Command* each : commands) add_command_section(page, *each, common, footer);
  }
  if (!common.empty()) {
    page.add_heading("OPTIONS OF EVERY COMMAND");
    add_items(page, common);
  }
  std::vector<Parameter> own = command.positionals;
  for (const Parameter& each : command.options)
    if (std::ranges::count(common, each) == 0) own.push_back(each);
  if (!own.empty()) {
    page.add_heading("OPTIONS");
    add_items(page, own);
  }
  add_section(page, "EXAMPLES", footer.examples);
  add_section(page, "EXIT STATUS", footer.exit_codes);
  add_see_also(page, name, see_also);
  return {.name = name, .text = page.take()};
}

}  // namespace

std::vector<ManualPage> manual_pages(const Command& program, const ManualMetadata& text) {
  Related see_also{.program = &program, .text = &text};
  for (const Command& each : program.subcommands)
    if (!each.subcommands.empty()) see_also.groups.push_back(page_name(each));
  std::vector<ManualPage> pages = {page_of(program, see_also)};
  for (const Command& each : program.subcommands)
    if (!each.subcommands.empty()) pages.push_back(page_of(each, see_also));
  for (const std::string& other : text.other_names)
    pages.push_back({.name = other, .text = pages.front().text});
  return pages;
}

}  // namespace snapgen::cli
