// The imports that are found in a text, by language, with line and kind where these matter.
#include "tools/insight/imports/scan.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace snapgen::core {
namespace {

// Returns a line for each import in the order of the text: `name`, `name (type)`, `name (deferred)`,
// `(computed)`, `<name>`, `name: a, b` or `mod name = path`.
std::string imports_found(Language language, std::string_view text) {
  std::string out;
  for (const Import& import : scan_imports(language, text)) {
    std::string line = import.name;
    switch (import.kind) {
      case ImportKind::plain: break;
      case ImportKind::type_only: line += " (type)"; break;
      case ImportKind::deferred: line += " (deferred)"; break;
      case ImportKind::system: line = "<" + line + ">"; break;
      case ImportKind::type_names: line += " (type names)"; break;
      case ImportKind::submodule: line = "mod " + line; break;
      case ImportKind::computed: line = "(computed)"; break;
    }
    if (!import.path.empty()) line += " = " + import.path;
    for (std::size_t i = 0; i < import.members.size(); ++i)
      line += (i == 0 ? ": " : ", ") + import.members[i];
    out += line + "\n";
  }
  return out;
}

// Replaces `%` by `#`. The examples are written with `%`, so that no scanner treats them as includes of this
// file.
std::string with_hashes(std::string_view text) {
  std::string out(text);
  std::ranges::replace(out, '%', '#');
  return out;
}

struct Case {
  std::string_view name;
  std::string_view text;
  std::string_view expected;
};

void check(Language language, std::initializer_list<Case> cases) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(
        imports_found(language, language == Language::c ? with_hashes(one.text) : std::string(one.text)),
        one.expected);
  }
}

TEST(ScanImports, FindsImportsOfJavaScript) {
  check(Language::javascript,
        {
            {"every form of import", R"(
import a from './a';
import * as b from "./b"
import c, { d as e, "odd name" as f } from './c';
import { type G, h } from './g';
import './side-effect.css';
import type { I } from './i';
import type J, { K } from './j';
import type from './type';
import l = require('./l');
const m = require("./m"), n = await import(`./n`);
import('./o', { with: { type: 'json' } });
)",
             "./a\n./b\n./c\n./g\n./side-effect.css\n./i (type)\n./j (type)\n./type\n./l\n./m\n./n "
             "(deferred)\n./o (deferred)\n"},
            {"every form of export", R"(
export * from './a'; export * as b from './b'; export { c, d as e } from './c';
export type { F } from './f'; export type G = string; export { g };
export default from_there; export const h = from('./no');
)",
             "./a\n./b\n./c\n./f (type)\n"},
            {"names with the modifier type", R"(
import { type A, type B as C } from './a'; export { type D } from './d';
import { type as } from './e'; import { type as as F } from './f'; import { type "odd" as G } from './g';
import { type A, b } from './h'; import C, { type D } from './i'; import { type } from './j';
import { type as b } from './k'; import {} from './l'; import { type as as } from './m';
)",
             "./a (type names)\n./d (type names)\n./e (type names)\n./f (type names)\n./g (type names)\n"
             "./h\n./i\n./j\n./k\n./l\n./m\n"},
            {"many lines", "import {\n  a, // from './no'\n  b,\n} /* from */ from\n  './x'\n", "./x\n"},
            {"what only looks like one", R"(
// import './no'
/* import './no' */
const s = "import './no'", t = 'require("./no")', u = `import('./no') ${v} require('./no')`;
const r = /import '.\/no'[/'"]/g, q = a / b / require('./yes');
x.import('./no'); x.require('./no'); x?.require('./no'); import.meta.url; function require(name) {}
const y = { import: 1, require: 2, from: './no' };
)",
             "./yes\n"},
            {"computed names", R"(
import(variable); require(`./${v}`); import.meta.glob('./*.ts'); require.context('./a'); require(['a'], b);
import(/* webpackChunkName: "c" */ './c' + d); require(); require.resolve(e);
define(['f'], g); define('h', [ './i' ], j); define(k); x.define(['no']);
)",
             "(computed)\n(computed)\n(computed)\n(computed)\n(computed)\n(computed)\n(computed)\n(computed)"
             "\n(computed)\n"},
            {"modules that a call names", R"(
require.resolve('./a'); jest.mock('./b', () => 1); await vi.importActual<typeof C>('./c'); vi.mock(import('./d'));
jest.fn('./no'); x.mock('./no');
)",
             "./a (deferred)\n./b (deferred)\n./c (deferred)\n./d (deferred)\n"},
            {"within templates",
             "const s = `${`${require('./a')}`} import './no' ${await import('./b')}`; import './c'",
             "./a\n./b (deferred)\n./c\n"},
            {"spread", "f(...require('./a'), ...await import('./b'))", "./a\n./b (deferred)\n"},
            {"JSX",
             "const x = <div a='b'>don't import './no'</div>\nimport './a'\nconst y = <A/>; import './b'",
             "./a\n./b\n"},
            {"references", "/// <reference path=\"./a.d.ts\" />\n/// <reference types=\"node\" />\n",
             "./a.d.ts (type)\nnode (type)\n"},
            {"types of comments", R"(
/** @type {import('./a').A} */ let a; /** @param {Map<string, import("./b").B>} b import('./no') */
/**
 * @import { C, D } from './c'
 * @see {@link d} from './no'
 */ /re/.test("import './no'"); /**/ import './e'; /* {import('./no').F} */
)",
             "./a (type)\n./b (type)\n./c (type)\n./e\n"},
            {"comments within imports",
             "import /** {import('./no')} */\n/// <reference path='./no' />\na from './a'; import './b'",
             "./a\n./b\n"},
            {"additions to modules",
             "declare module './a' {}\ndeclare module \"b\";\ndeclare module C {}\ndeclare(module);",
             "./a (type)\nb (type)\n"},
            {"broken off", "import { a, b", ""},
            {"an unclosed string ends with its line", "const s = 'abc\nimport './a'", "./a\n"},
            {"a byte order mark and a hashbang", "\xEF\xBB\xBF#!/usr/bin/env node\nimport './a'", "./a\n"},
        });
}

TEST(ScanImports, FindsUrlsThatAreRelativeToTheModule) {
  check(Language::javascript,
        {{"a worker", "new Worker(new URL('./w.ts', import.meta.url), { type: 'module' });",
          "./w.ts (deferred)\n"},
         {"without a dot", "new URL(`w.js`, import.meta.url)", "./w.js (deferred)\n"},
         {"other URLs",
          "new URL('./a', base); new URL('https://x.example/a', import.meta.url); x.URL('./a', "
          "import.meta.url); new URL('/a', import.meta.url); new URL(",
          ""},
         {"an import after it", "new URL('a.b', c); import './d'", "./d\n"}});
}

TEST(ScanImports, FindsImportsInTheScriptsOfComponents) {
  check(
      Language::component,
      {{"Vue", R"(<!-- <script>import './no'</script> -->
<script lang="ts">
import './a'
</script>
<script setup lang='ts' generic="T extends Record<string, 1>">
import './b'
</script>
<script src="./c.ts"></script>
<script src='./d.ts' />
<template><p>import './no' &lt; {{ "<scripture>" }}</p></template>)",
        "./a\n./b\n./c.ts\n./d.ts\n"},
       {"Astro", "\n---\nimport A from './a.astro'\n---\n<A /> import './no'\n<script>import './b'</script>",
        "./a.astro\n./b\n"},
       {"an open script", "<p>\n<script>import './a'", "./a\n"},
       {"an open tag", "<script src=\"", ""},
       {"only markup", "<scripts>import './no'</scripts>\n---\nimport './no'\n---", ""}});
  EXPECT_EQ(scan_imports(Language::component, "<p>\n</p>\n<script>\nimport './a'\n</script>")[0].line, 4);
}

TEST(ScanImports, FindsImportsOfPython) {
  check(Language::python, {
                              {"every form", R"(
import a, b.c as d
import e . f
from g import h, i as j
from . import k
from ..l.m import (n,  # import no
                   o as p,
)
from q import *
if x: import r
try: from s import t
except ImportError: import u; import v
from w \
    import x
from.y import z
)",
                               "a\nb.c\ne.f\ng: h, i\n.: k\n..l.m: n, o\nq\nr\ns: t\nu\nv\nw: x\n.y: z\n"},
                              {"what only looks like one", R"(
"""
import no
"""
s = 'import no'; t = f"{x}\
import no"
u = (1,
import_no,
)
# import no
v = r'\'; import no'
w = rb"""
import no
"""
def f(): return "x"; import yes
)",
                               "yes (deferred)\n"},
                              {"in functions", R"(
def f():
    import a
    if x:
        from b import c
class D:
    import e
    async def g(self):
        import h

    import i
if x: import j
)",
                               "a (deferred)\nb (deferred): c\ne\nh (deferred)\ni\nj\n"},
                              {"functions that import", R"(
import importlib
a = importlib.import_module("b.c"); import_module('.d', package=__package__)
import_module('.d', package="k"); import_module("..d", 'k.l')
x = [__import__("e")]
importlib.import_module(f"f.{g}"); import_module("h" + i); import_module(j)
def import_module(name): pass
)",
                               "importlib\nb.c (deferred)\n.d (deferred)\nk.d (deferred)\n"
                               "k.d (deferred)\ne (deferred)\n"
                               "(computed)\n(computed)\n(computed)\n"},
                              {"types alone", R"(
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import a

    # more
    from b import c
import d
if typing.TYPE_CHECKING:
  import e
else:
  import f
)",
                               "typing: TYPE_CHECKING\na (type)\nb (type): c\nd\ne (type)\nf\n"},
                              {"broken off", "from a import (b, c", "a: b, c\n"},
                              {"carriage returns", "import a\r\nfrom b import c\r\n", "a\nb: c\n"},
                          });
}

TEST(ScanImports, FindsIncludesOfC) {
  check(Language::c, {
                         {"every form", R"(
%include "a.h"
  %  include <b/c.h>
%include_next <d.h>
%import "e.h"
%include "f.h" // and more
import "g.h";
import <h>;
%if 0
%include "i.h"
%endif
%include MACRO
)",
                          "a.h\n<b/c.h>\n<d.h>\ne.h\nf.h\ng.h\n<h>\ni.h\n(computed)\n"},
                         {"what only looks like one", R"x(
// #include "no.h" \
%include "no.h"
/*
%include "no.h"
*/
const char* s = "\
%include \"no.h\"";
const char* t = R"y(
%include "no.h"
)y";
int n = 1'000; x %include "no.h"
)x",
                          ""},
                         {"behind a comment", "/* a */ %include \"a.h\"\n", "a.h\n"},
                         {"broken off", "%include \"a.h\n%include <b\n%include <c>", "a.h\n<c>\n"},
                     });
}

TEST(ScanImports, FindsImportsOfGo) {
  check(Language::go, {
                          {"every form", R"(
// Package p: import "no"
package p /* import "no" */

import "a"
import b "x/b"; import . "c"
import (
	_ "d" // import "no"
	"e/f"
	`g`
)
import ()
func f() { s := `import "no"` }
import "no"
)",
                           "a\nx/b\nc\nd\ne/f\ng\n"},
                          {"nothing", "", ""},
                          {"broken off", "package p\nimport (\n\"a\"\n", "a\n"},
                      });
}

TEST(ScanImports, FindsModulesOfRust) {
  check(Language::rust,
        {
            {"modules", R"(
mod a;
pub(crate) mod b;
mod c { mod d; mod e { mod f; } }
#[path = "other/g.rs"] mod g;
#[cfg(test)] mod tests { use super::*; }
include!("h.rs");
)",
             "mod a\nmod b\nmod c::d\nmod c::e::f\nmod g = other/g.rs\nsuper\nmod  = h.rs\n"},
            {"use trees", R"(
use crate::a::{b, c::{self, d as e}, f::*};
use super::super::g;
use ::std::fmt;
pub use self::h::r#type;
extern crate i as j;
let x = crate::k::l(crate::m::N);
)",
             "crate::a::b\ncrate::a::c\ncrate::a::c::d\ncrate::a::f\nsuper::super::g\nstd::fmt\n"
             "self::h::type\ni\ncrate::k::l\ncrate::m::N\n"},
            {"what only looks like one", R"x(
// mod no;
/* mod no; /* nested */ mod no; */
let s = "mod no;"; let t = r#"mod "no";"#; let u = 'm'; let v = '\''; fn f<'a>(x: &'a str) {}
let w = b"mod no;"; x::crate::no;
mod yes;
)x",
             "x::crate::no\nmod yes\n"},
            {"broken off", "use a::{b, c", "a::b\na::c\n"},
            {"paths in code", "fn f() { a::b::c(); std::mem::drop(1); Vec::new(); let x: d::E = d::e(); }",
             "a::b::c\nd::E\nd::e\n"},
        });
}

TEST(ScanImports, LinesAreCountedFromOne) {
  std::vector<Import> imports =
      scan_imports(Language::javascript, "import 'a'\n\n/*\n*/ import {\n b } from 'b'");
  ASSERT_EQ(imports.size(), 2U);
  EXPECT_EQ(imports[0].line, 1);
  EXPECT_EQ(imports[1].line, 4);
}

// A scanner that rereads text repeatedly would need seconds for each of these texts, and a recursive one
// would overflow its stack.
TEST(ScanImports, HostileTextsAreReadInOnePass) {
  auto repeated = [](std::string_view piece) {
    std::string text;
    while (text.size() < (2U << 20)) text += piece;
    return text;
  };
  for (std::string_view piece :
       {"import ",   "import { a,", "export {",        "require(", "/[",        "`${",
        "import a;", "a;",          "if x: ",          "(",        "#include ", "/*",
        "use a::{",  "mod a {",     "crate::a::",      "'",        "\"",        "\\\n",
        "R\"",       "r#",          "from . import (", "`",        "/* ",       "URL(",
        "URL(`",     "<script>",    "<script src='>",  "<!--",     "<",         "declare ",
        "@import ",  "/** {import("}) {
    SCOPED_TRACE(piece);
    std::string text = repeated(piece);
    for (Language language : {Language::javascript, Language::python, Language::c, Language::go,
                              Language::rust, Language::component}) {
      EXPECT_LE(scan_imports(language, text).size(), text.size());
    }
  }
}

TEST(Language, IsDeterminedByTheFileExtension) {
  EXPECT_EQ(language_of("a/b.tsx"), Language::javascript);
  EXPECT_EQ(language_of("a.d.ts"), Language::javascript);
  EXPECT_EQ(language_of("x.pyi"), Language::python);
  EXPECT_EQ(language_of("x.hpp"), Language::c);
  EXPECT_EQ(language_of("x.go"), Language::go);
  EXPECT_EQ(language_of("x.rs"), Language::rust);
  EXPECT_EQ(language_of("x.vue"), Language::component);
  EXPECT_EQ(language_of("Makefile"), Language::none);
  EXPECT_EQ(language_of(".ts"), Language::none);
  EXPECT_EQ(language_of("ts"), Language::none);
}

}  // namespace
}  // namespace snapgen::core
