// Small workspaces of TypeScript and JavaScript, with the file to which each import resolves.
//
// `edges` is what tsc resolves, as "importer -> file". Where the server deliberately differs, `server` has its edges and
// `because` the reason. `projects` are the configurations that tsc compiles, or with `files` alone, files that it
// compiles without any. `links` are symlinks, which package managers create in node_modules.
const config = (compilerOptions, rest = {}) => JSON.stringify({ compilerOptions, ...rest });
const manifest = (values) => JSON.stringify(values);
const toSource = { '@/*': ['./src/*'] };

export const typescriptLayouts = [
  {
    name: 'extends a file without .json',
    files: { 'tsconfig.json': config({}, { extends: './base/common' }), 'base/common.json': config({ paths: { '@/*': ['../src/*'] } }), 'main.ts': "import '@/x';", 'src/x.ts': '' },
    edges: ['main.ts -> src/x.ts'],
  },
  {
    name: 'extends a file with another ending',
    files: { 'tsconfig.json': config({}, { extends: './ts.jsonc' }), 'ts.jsonc': config({ paths: toSource }), 'main.ts': "import '@/x';", 'src/x.ts': '' },
    edges: ['main.ts -> src/x.ts'],
  },
  {
    name: 'extends a list, of which the last file wins',
    files: {
      'tsconfig.json': config({}, { extends: ['./a.json', './b.json'] }),
      'a.json': config({ paths: { '@/*': ['./old/*'] }, moduleSuffixes: ['.web', ''] }), 'b.json': config({ paths: toSource }),
      'main.ts': "import '@/x';", 'src/x.ts': '', 'src/x.web.ts': '', 'old/x.ts': '',
    },
    edges: ['main.ts -> src/x.web.ts'],
  },
  {
    name: 'extends a package without exports',
    files: {
      'tsconfig.json': config({}, { extends: '@l4/config/base' }), 'node_modules/@l4/config/package.json': manifest({ name: '@l4/config' }),
      'node_modules/@l4/config/base.json': config({ paths: { '@/*': ['${configDir}/src/*'] } }), 'main.ts': "import '@/x';", 'src/x.ts': '',
    },
    edges: ['main.ts -> src/x.ts'],
  },
  {
    name: 'extends a package by its name alone',
    files: {
      'tsconfig.json': config({}, { extends: '@l5/config' }), 'node_modules/@l5/config/package.json': manifest({ name: '@l5/config' }),
      'node_modules/@l5/config/tsconfig.json': config({ paths: { '@/*': ['${configDir}/src/*'] } }), 'main.ts': "import '@/x';", 'src/x.ts': '',
    },
    edges: ['main.ts -> src/x.ts'],
  },
  {
    name: 'extends a package with exports, which hide its other files',
    files: {
      'tsconfig.json': config({}, { extends: '@l6/config/strict' }),
      'node_modules/@l6/config/package.json': manifest({ name: '@l6/config', exports: { './*': './dist/*.json' } }),
      'node_modules/@l6/config/strict.json': config({ paths: { '@/*': ['${configDir}/old/*'] } }),
      'node_modules/@l6/config/dist/strict.json': config({ paths: { '@/*': ['${configDir}/src/*'] } }),
      'main.ts': "import '@/x';", 'src/x.ts': '', 'old/x.ts': '',
    },
    edges: ['main.ts -> src/x.ts'],
  },
  {
    name: 'extends a file that a package does not export',
    files: {
      'tsconfig.json': config({}, { extends: '@l7/config/base.json' }),
      'node_modules/@l7/config/package.json': manifest({ name: '@l7/config', exports: { './strict': './strict.json' } }),
      'node_modules/@l7/config/base.json': config({ paths: { '@/*': ['${configDir}/src/*'] } }),
      'main.ts': "import '@/x';", 'src/x.ts': '',
    },
    edges: [],
    server: ['main.ts -> src/x.ts'],
    because: 'TypeScript before version 5 reads files that a package does not export',
  },
  {
    name: 'extends the file that a package names as its tsconfig',
    files: {
      'tsconfig.json': config({}, { extends: 'l8-config' }), 'node_modules/l8-config/package.json': manifest({ name: 'l8-config', tsconfig: './sub/base.json' }),
      'node_modules/l8-config/sub/base.json': config({ paths: { '@/*': ['${configDir}/src/*'] } }), 'main.ts': "import '@/x';", 'src/x.ts': '',
    },
    edges: ['main.ts -> src/x.ts'],
  },
  {
    name: 'extends a package of node_modules in a folder above',
    files: {
      'app/tsconfig.json': config({}, { extends: 'l9-config/base.json' }), 'node_modules/l9-config/package.json': manifest({ name: 'l9-config' }),
      'node_modules/l9-config/base.json': config({ paths: { '@/*': ['${configDir}/src/*'] } }), 'app/main.ts': "import '@/x';", 'app/src/x.ts': '',
    },
    projects: ['app'],
    edges: ['app/main.ts -> app/src/x.ts'],
  },
  {
    name: 'extends an ignored file that a program generates',
    files: {
      'tsconfig.json': config({}, { extends: './.generated/tsconfig.json' }), '.gitignore': '.generated\n',
      '.generated/tsconfig.json': config({ paths: { '$lib/*': ['../src/lib/*'] } }, { include: ['../src'] }), 'src/main.ts': "import '$lib/x';", 'src/lib/x.ts': '',
    },
    edges: ['src/main.ts -> src/lib/x.ts'],
  },
  {
    name: 'extends a file of another folder, to which its paths are relative',
    files: {
      'tsconfig.base.json': config({ paths: { '@shop/*': ['./packages/*/src'] } }),
      'packages/web/tsconfig.json': config({}, { extends: '../../tsconfig.base.json' }), 'packages/web/main.ts': "import '@shop/cart';", 'packages/cart/src/index.ts': '',
    },
    projects: ['packages/web'],
    edges: ['packages/web/main.ts -> packages/cart/src/index.ts'],
  },
  {
    name: 'extends a workspace package through a symlink',
    files: {
      'packages/config/package.json': manifest({ name: '@l12/config' }), 'packages/config/base.json': config({ paths: { '@/*': ['${configDir}/src/*'] } }),
      'packages/web/tsconfig.json': config({}, { extends: '@l12/config/base.json' }), 'packages/web/main.ts': "import '@/x';", 'packages/web/src/x.ts': '',
    },
    links: { 'node_modules/@l12/config': '../../packages/config' },
    projects: ['packages/web'],
    edges: ['packages/web/main.ts -> packages/web/src/x.ts'],
  },
  {
    name: 'extends its own package by name',
    files: {
      'package.json': manifest({ name: '@l13/self', exports: { './base': './configs/base.json' } }), 'configs/base.json': config({ paths: { '@/*': ['${configDir}/src/*'] } }),
      'tsconfig.json': config({}, { extends: '@l13/self/base' }), 'main.ts': "import '@/x';", 'src/x.ts': '',
    },
    edges: ['main.ts -> src/x.ts'],
  },
  {
    name: 'paths without baseUrl, exact and with a pattern',
    files: {
      'tsconfig.json': config({ paths: { '@/*': ['./src/*'], '@/special': ['./one.ts'], 'plain': ['./plain.ts'] } }),
      'a.ts': "import '@/x/y';", 'b.ts': "import '@/special';", 'c.ts': "import 'plain';", 'd.ts': "import 'plain/y';",
      'src/x/y.ts': '', 'src/special.ts': '', 'one.ts': '', 'plain.ts': '', 'plain/y.ts': '',
    },
    edges: ['a.ts -> src/x/y.ts', 'b.ts -> one.ts', 'c.ts -> plain.ts'],
  },
  {
    name: 'the pattern with the longest part before * wins, and no other is tried',
    files: {
      'tsconfig.json': config({ paths: { '*': ['./any/*'], '@/*/suffix-long': ['./bad/*'], '@/foo/*': ['./good/*'], '@/gone/*': ['./gone/*'] } }),
      'a.ts': "import '@/foo/bar/suffix-long';", 'b.ts': "import '@/gone/x';", 'c.ts': "import 'x';",
      'good/bar/suffix-long.ts': '', 'bad/foo/bar.ts': '', 'any/@/gone/x.ts': '', 'any/x.ts': '',
    },
    edges: ['a.ts -> good/bar/suffix-long.ts', 'c.ts -> any/x.ts'],
  },
  {
    name: 'several targets, of which the first that exists wins',
    files: { 'tsconfig.json': config({ paths: { '@/*': ['./gen/*', './src/*', './old/*'] } }), 'main.ts': "import '@/x';", 'src/x.ts': '', 'old/x.ts': '' },
    edges: ['main.ts -> src/x.ts'],
  },
  {
    name: 'a pattern and a target with an ending',
    files: { 'tsconfig.json': config({ paths: { '@/*.js': ['./src/*.ts'], '*-page': ['./pages/*/page'] } }), 'a.ts': "import '@/x.js';", 'b.ts': "import 'home-page';", 'src/x.ts': '', 'pages/home/page.tsx': '' },
    edges: ['a.ts -> src/x.ts', 'b.ts -> pages/home/page.tsx'],
  },
  {
    name: 'a target with two asterisks, of which one is replaced, and an exact name with one',
    files: { 'tsconfig.json': config({ paths: { '@/*': ['./src/*/*'], 'exact': ['./src/*'] } }), 'a.ts': "import '@/x';", 'b.ts': "import 'exact';", 'src/x/x.ts': '', 'src/index.ts': '' },
    edges: ['b.ts -> src/index.ts'],
  },
  {
    name: 'a pattern that matches relative names applies to none',
    files: { 'tsconfig.json': config({ paths: { '*': ['./any/*'], './*': ['./other/*'] } }), 'main.ts': "import './x';", 'x.ts': '', 'any/x.ts': '', 'other/x.ts': '' },
    edges: ['main.ts -> x.ts'],
  },
  {
    name: 'baseUrl',
    files: { 'tsconfig.json': config({ baseUrl: './src' }), 'main.ts': "import 'x';", 'src/x.ts': '' },
    edges: [],
    server: ['main.ts -> src/x.ts'],
    because: 'TypeScript before version 7 resolves names in baseUrl',
  },
  {
    name: 'paths with baseUrl',
    files: { 'tsconfig.json': config({ baseUrl: './src', paths: { '@/*': ['*'] } }), 'main.ts': "import '@/x';", 'src/x.ts': '', 'x.ts': '' },
    edges: ['main.ts -> x.ts'],
    server: ['main.ts -> src/x.ts'],
    because: 'TypeScript before version 7 resolves names in baseUrl',
  },
  {
    name: 'rootDirs',
    files: { 'tsconfig.json': config({ rootDirs: ['./src', './gen/views'] }), 'src/a.ts': "import './in/view';", 'src/in/b.ts': "import '../own';", 'gen/views/in/view.ts': '', 'src/own.ts': '', 'gen/views/own.ts': '' },
    edges: ['src/a.ts -> gen/views/in/view.ts', 'src/in/b.ts -> src/own.ts'],
  },
  {
    name: 'moduleSuffixes, of which the first that exists wins',
    files: {
      'tsconfig.json': config({ moduleSuffixes: ['.ios', '.native', ''] }), 'a.ts': "import './x';", 'b.ts': "import './y.js';", 'c.ts': "import './z';", 'd.ts': "import './w';",
      'x.ts': '', 'x.ios.ts': '', 'x.native.ts': '', 'y.ts': '', 'y.native.ts': '', 'z/index.ios.ts': '', 'w.ios.tsx': '', 'w.ts': '',
    },
    edges: ['a.ts -> x.ios.ts', 'b.ts -> y.native.ts', 'c.ts -> z/index.ios.ts', 'd.ts -> w.ts'],
  },
  {
    name: 'moduleSuffixes without the empty one',
    files: { 'tsconfig.json': config({ moduleSuffixes: ['.ios'] }), 'a.ts': "import './x';", 'b.ts': "import './y';", 'x.ios.ts': '', 'y.ts': '' },
    edges: ['a.ts -> x.ios.ts'],
  },
  {
    name: 'references to configurations of the same folder',
    files: {
      'tsconfig.json': config({}, { files: [], references: [{ path: './tsconfig.app.json' }, { path: './tsconfig.node.json' }] }),
      'tsconfig.app.json': config({ composite: true, paths: toSource }, { include: ['src'] }),
      'tsconfig.node.json': config({ composite: true, paths: { '@/*': ['./scripts/*'] } }, { include: ['scripts', '*.ts'] }),
      'src/a.ts': "import '@/x';", 'scripts/a.ts': "import '@/x';", 'vite.config.ts': "import '@/x';", 'src/x.ts': '', 'scripts/x.ts': '',
    },
    projects: ['tsconfig.app.json', 'tsconfig.node.json'],
    edges: ['scripts/a.ts -> scripts/x.ts', 'src/a.ts -> src/x.ts', 'vite.config.ts -> scripts/x.ts'],
  },
  {
    name: 'references to a folder, and to a configuration of another name in it',
    files: {
      'tsconfig.json': config({}, { files: [], references: [{ path: './web' }, { path: './web/tsconfig.worker.json' }] }),
      'web/tsconfig.json': config({ composite: true, paths: { '@/*': ['./src/*'] } }, { include: ['src'] }),
      'web/tsconfig.worker.json': config({ composite: true, paths: { '@/*': ['./worker/*'] } }, { include: ['worker'] }),
      'web/src/a.ts': "import '@/x';", 'web/worker/a.ts': "import '@/x';", 'web/src/x.ts': '', 'web/worker/x.ts': '',
    },
    projects: ['web', 'web/tsconfig.worker.json'],
    edges: ['web/src/a.ts -> web/src/x.ts', 'web/worker/a.ts -> web/worker/x.ts'],
  },
  {
    name: 'a configuration above that references the one that covers a file',
    files: {
      'tsconfig.json': config({}, { files: [], references: [{ path: './config/tsconfig.app.json' }] }),
      'config/tsconfig.app.json': config({ composite: true, paths: { '@/*': ['../src/*'] } }, { include: ['../src'] }), 'src/a.ts': "import '@/x';", 'src/x.ts': '',
    },
    projects: ['config/tsconfig.app.json'],
    edges: ['src/a.ts -> src/x.ts'],
  },
  {
    name: 'files, include and exclude select the configuration',
    files: {
      'tsconfig.json': config({}, { files: [], references: [{ path: './a.json' }, { path: './b.json' }] }),
      'a.json': config({ paths: { '@/*': ['./a/*'] } }, { include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts', 'src/old'] }),
      'b.json': config({ paths: { '@/*': ['./b/*'] } }, { include: ['src/**/*.test.ts'], files: ['./src/old/c.ts'] }),
      'src/a.ts': "import '@/x';", 'src/in/a.test.ts': "import '@/x';", 'src/old/c.ts': "import '@/x';", 'a/x.ts': '', 'b/x.ts': '',
    },
    projects: ['a.json', 'b.json'],
    edges: ['src/a.ts -> a/x.ts', 'src/in/a.test.ts -> b/x.ts', 'src/old/c.ts -> b/x.ts'],
  },
  {
    name: 'include of a folder with a dot, ? and ** in patterns, and brackets in names',
    files: {
      'tsconfig.json': config({}, { files: [], references: [{ path: './a.json' }, { path: './b.json' }] }),
      'a.json': config({ paths: { '@/*': ['./a/*'] } }, { include: ['app/[id]', 'app/?.ts', '.storybook/*'] }),
      'b.json': config({ paths: { '@/*': ['./b/*'] } }, { include: ['app/**/*.spec.ts', 'app/(group)/*'] }),
      'app/[id]/a.ts': "import '@/x';", 'app/b.ts': "import '@/x';", '.storybook/c.ts': "import '@/x';", 'app/in/d.spec.ts': "import '@/x';", 'app/(group)/e.ts': "import '@/x';",
      'a/x.ts': '', 'b/x.ts': '',
    },
    projects: ['a.json', 'b.json'],
    edges: ['.storybook/c.ts -> a/x.ts', 'app/(group)/e.ts -> b/x.ts', 'app/[id]/a.ts -> a/x.ts', 'app/b.ts -> a/x.ts', 'app/in/d.spec.ts -> b/x.ts'],
  },
  {
    name: 'an inherited include is relative to its file, and ${configDir} in it to the other one',
    files: {
      'tsconfig.json': config({}, { files: [], references: [{ path: './web/a.json' }, { path: './web/b.json' }] }),
      'base/one.json': config({ paths: { '@/*': ['../one/*'] } }, { include: ['../lib'] }),
      'base/two.json': config({ paths: { '@/*': ['../two/*'] } }, { include: ['${configDir}/lib'] }),
      'web/a.json': config({}, { extends: '../base/one.json' }), 'web/b.json': config({}, { extends: '../base/two.json' }),
      'lib/a.ts': "import '@/x';", 'web/lib/a.ts': "import '@/x';", 'one/x.ts': '', 'two/x.ts': '',
    },
    projects: ['web/a.json', 'web/b.json'],
    edges: ['lib/a.ts -> one/x.ts', 'web/lib/a.ts -> two/x.ts'],
  },
  {
    name: 'files that no configuration covers',
    files: { 'tsconfig.json': config({ paths: toSource }, { include: ['src'] }), 'script.ts': "import './src/x'; import '@/y';", 'src/x.ts': '', 'src/y.ts': '' },
    projects: ['.', { files: ['script.ts'] }],
    edges: ['script.ts -> src/x.ts'],
    server: ['script.ts -> src/x.ts', 'script.ts -> src/y.ts'],
    because: 'test runners and bundlers use the configuration for files that it does not cover',
  },
  {
    name: 'a nested tsconfig.json does not inherit from the one above',
    files: { 'tsconfig.json': config({ paths: toSource }, { exclude: ['sub'] }), 'sub/tsconfig.json': config({}), 'main.ts': "import '@/x';", 'sub/a.ts': "import '@/x';", 'src/x.ts': '' },
    projects: ['.', 'sub'],
    edges: ['main.ts -> src/x.ts'],
  },
  {
    name: 'jsconfig.json',
    files: { 'jsconfig.json': config({ paths: toSource }), 'main.js': "import '@/x';", 'src/x.js': '' },
    projects: ['jsconfig.json'],
    edges: ['main.js -> src/x.js'],
  },
  {
    name: 'tsconfig.json beside jsconfig.json',
    files: { 'jsconfig.json': config({ paths: { '@/*': ['./old/*'] } }), 'tsconfig.json': config({ paths: toSource, allowJs: true }), 'main.js': "import '@/x';", 'src/x.js': '', 'old/x.js': '' },
    edges: ['main.js -> src/x.js'],
  },
  {
    name: 'a configuration with comments, commas too much, a byte order mark, and a name twice',
    files: {
      'tsconfig.json': '\uFEFF// first\n{ /* all */ "compilerOptions": { "paths": { "@/*": ["./old/*"], }, },\n  "compilerOptions": { "paths": { "@/*": ["./src/*"], }, }, }\n',
      'main.ts': "import '@/x';", 'src/x.ts': '', 'old/x.ts': '',
    },
    edges: ['main.ts -> src/x.ts'],
  },
  {
    name: 'names of compiled files',
    files: {
      'tsconfig.json': config({ module: 'nodenext', jsx: 'preserve' }), 'package.json': manifest({ type: 'module' }),
      'a.ts': "import './x.js';", 'b.ts': "import './y.js';", 'c.ts': "import './z.mjs';", 'd.ts': "import './w.cjs';", 'e.ts': "import './v.js';", 'f.ts': "import './u.jsx';",
      'x.ts': '', 'y.tsx': '', 'z.mts': '', 'w.cts': '', 'v.d.ts': '', 'u.tsx': '',
    },
    edges: ['a.ts -> x.ts', 'b.ts -> y.tsx', 'c.ts -> z.mts', 'd.ts -> w.cts', 'e.ts -> v.d.ts', 'f.ts -> u.tsx'],
  },
  {
    name: 'the name of a compiled file that is beside its source',
    files: { 'tsconfig.json': config({ module: 'nodenext' }), 'package.json': manifest({ type: 'module' }), 'a.ts': "import './x.js';", 'b.ts': "import './y.mjs';", 'x.ts': '', 'x.js': '', 'y.mts': '', 'y.mjs': '' },
    edges: ['a.ts -> x.ts', 'b.ts -> y.mts'],
    server: ['a.ts -> x.js', 'a.ts -> x.ts', 'b.ts -> y.mjs', 'b.ts -> y.mts'],
    because: 'a program that runs without a build loads the JavaScript',
  },
  {
    name: 'declarations beside JavaScript',
    files: {
      'tsconfig.json': config({}), 'a.ts': "import './x';", 'b.ts': "import './y.js';", 'c.mts': "import './z.mjs';", 'd.ts': "import './w';",
      'x.js': '', 'x.d.ts': '', 'y.js': '', 'y.d.ts': '', 'z.mjs': '', 'z.d.mts': '', 'w/index.js': '', 'w/index.d.ts': '',
    },
    edges: ['a.ts -> x.d.ts', 'b.ts -> y.d.ts', 'c.mts -> z.d.mts', 'd.ts -> w/index.d.ts'],
    server: ['a.ts -> x.d.ts', 'a.ts -> x.js', 'b.ts -> y.d.ts', 'b.ts -> y.js', 'c.mts -> z.d.mts', 'c.mts -> z.mjs', 'd.ts -> w/index.d.ts', 'd.ts -> w/index.js'],
    because: 'the program runs the JavaScript, whose types the declarations are',
  },
  {
    name: 'a file beside a folder of the same name, and the preference of endings',
    files: {
      'tsconfig.json': config({ allowJs: true, jsx: 'preserve' }), 'a.ts': "import './x';", 'b.ts': "import './y';", 'c.ts': "import './z';", 'd.ts': "import './x/';", 'e.ts': "import './w';",
      'x.ts': '', 'x/index.ts': '', 'y.tsx': '', 'y.jsx': '', 'y.js': '', 'z.js': '', 'z.jsx': '', 'w/index.tsx': '', 'w/index.js': '',
    },
    edges: ['a.ts -> x.ts', 'b.ts -> y.tsx', 'c.ts -> z.js', 'd.ts -> x/index.ts', 'e.ts -> w/index.tsx'],
  },
  {
    name: 'names of compiled files with JSX',
    files: { 'tsconfig.json': config({ allowJs: true, jsx: 'preserve' }), 'a.ts': "import './x.js';", 'b.ts': "import './y.jsx';", 'c.ts': "import './z.jsx';", 'x.jsx': '', 'y.ts': '', 'z.js': '' },
    edges: ['a.ts -> x.jsx', 'b.ts -> y.ts', 'c.ts -> z.js'],
  },
  {
    name: 'names with dots',
    files: { 'tsconfig.json': config({}), 'a.ts': "import './x.service'; import './y.config.js'; import './z.d'; import './w.test/v';", 'x.service.ts': '', 'y.config.ts': '', 'z.d.ts': '', 'w.test/v.ts': '', 'x.ts': '' },
    edges: ['a.ts -> w.test/v.ts', 'a.ts -> x.service.ts', 'a.ts -> y.config.ts', 'a.ts -> z.d.ts'],
  },
  {
    name: '. and .. mean the index of a folder',
    files: { 'tsconfig.json': config({}), 'in/a.ts': "import '.'; import '..';", 'in/b.ts': "import './'; import '../';", 'in/index.ts': '', 'index.ts': '', 'in.ts': '' },
    edges: ['in/a.ts -> in/index.ts', 'in/a.ts -> index.ts', 'in/b.ts -> in/index.ts', 'in/b.ts -> index.ts'],
  },
  {
    name: 'a folder with package.json',
    files: {
      'tsconfig.json': config({ allowJs: true }), 'a.ts': "import './x';", 'b.ts': "import './y';", 'c.ts': "import './z';",
      'x/package.json': manifest({ main: './lib/main.js' }), 'x/lib/main.ts': '', 'x/index.ts': '', 'y/package.json': manifest({ types: './types.d.ts', main: './main.js' }), 'y/types.d.ts': '', 'y/main.js': '',
      'z/package.json': manifest({ main: './gone' }), 'z/index.ts': '',
    },
    edges: ['a.ts -> x/lib/main.ts', 'b.ts -> y/types.d.ts', 'c.ts -> z/index.ts'],
    server: ['a.ts -> x/lib/main.ts', 'b.ts -> y/main.js', 'b.ts -> y/types.d.ts', 'c.ts -> z/index.ts'],
    because: 'the program runs the JavaScript, whose types the declarations are',
  },
  {
    name: 'files with the endings of modules and of CommonJS',
    files: {
      'tsconfig.json': config({ module: 'nodenext', allowJs: true }), 'a.mts': "import './x.mjs'; import './y.cjs';", 'b.cts': "import y = require('./y.cjs'); import z = require('./z');", 'c.mjs': "import './x.mjs';",
      'x.mts': '', 'y.cts': '', 'z.ts': '', 'z.mts': '',
    },
    edges: ['a.mts -> x.mts', 'a.mts -> y.cts', 'b.cts -> y.cts', 'b.cts -> z.ts', 'c.mjs -> x.mts'],
  },
  {
    name: 'modules of Node need endings',
    files: { 'tsconfig.json': config({ module: 'nodenext' }), 'package.json': manifest({ type: 'module' }), 'a.ts': "import './x'; import './y';", 'x.ts': '', 'y/index.ts': '' },
    edges: [],
    server: ['a.ts -> x.ts', 'a.ts -> y/index.ts'],
    because: 'tsc rejects the name and suggests the one with the ending, so that the two files belong together',
  },
  {
    name: 'modules with the ending .mts are found only by their ending',
    files: { 'tsconfig.json': config({}), 'a.ts': "import './x'; import './y';", 'x.mts': '', 'y.cts': '' },
    edges: [],
    server: ['a.ts -> x.mts', 'a.ts -> y.cts'],
    because: 'bundlers can be told to add these endings',
  },
  {
    name: 'allowImportingTsExtensions',
    files: { 'tsconfig.json': config({ allowImportingTsExtensions: true, jsx: 'preserve' }), 'a.ts': "import './x.ts'; import './y.tsx'; import './z.mts'; import './v.d.ts';", 'x.ts': '', 'y.tsx': '', 'z.mts': '', 'v.d.ts': '' },
    edges: ['a.ts -> v.d.ts', 'a.ts -> x.ts', 'a.ts -> y.tsx', 'a.ts -> z.mts'],
  },
  {
    name: 'JSON and other files',
    files: {
      'tsconfig.json': config({ resolveJsonModule: true, allowArbitraryExtensions: true }), 'a.ts': "import './x.json';", 'b.ts': "import './y';", 'c.ts': "import './z.css';",
      'x.json': '{}', 'y.json': '{}', 'z.css': '', 'z.d.css.ts': '',
    },
    edges: ['a.ts -> x.json', 'c.ts -> z.d.css.ts'],
    server: ['a.ts -> x.json', 'b.ts -> y.json', 'c.ts -> z.d.css.ts'],
    because: 'CommonJS adds the ending .json',
  },
  {
    name: 'the case of names counts',
    files: { 'tsconfig.json': config({}), 'a.ts': "import './X';", 'b.ts': "import './x';", 'x.ts': '' },
    edges: ['b.ts -> x.ts'],
  },
  {
    name: 'every form of import',
    files: {
      'tsconfig.json': config({ allowJs: true, module: 'preserve' }),
      'a.ts': "import type { T } from './x';", 'b.ts': "import { type T } from './x';", 'c.ts': "export * from './x';", 'd.ts': "export * as ns from './x';", 'e.ts': "export type { T } from './x';",
      'f.ts': "const x = await import('./x'); export {};", 'g.ts': "import x = require('./x');", 'h.js': "const { T } = require('./x');", 'i.ts': "type T = import('./x').T;", 'j.ts': '/// <reference path="x.ts" />',
      'k.ts': "const t: typeof import('./x') = null!;", 'l.ts': "declare module './x' { interface T { b: string } }\nexport {};", 'm.js': "/** @type {import('./x').T} */\nlet t;", 'n.ts': "import {\n  // first\n  T,\n} from /* here */ './x';",
      'o.ts': "export { default } from './x';", 'p.js': "/** @import { T } from './x' */\n/** @type {T} */\nlet t;", 'q.ts': "import x, * as all from './x';", 'r.ts': "import x from './x' with { type: 'json' };", 's.ts': "import defer * as x from './x';",
      'x.ts': 'export interface T { a: string }\nexport default 1;',
    },
    edges: 'abcdefgiklnoqrs'.split('').map((name) => `${name}.ts -> x.ts`).concat('hmp'.split('').map((name) => `${name}.js -> x.ts`), 'j.ts -> x.ts').sort(),
  },
  {
    name: 'a package with the folder of its name, in exports with conditions',
    files: {
      'tsconfig.json': config({ module: 'preserve' }), 'main.ts': "import '@l50/a'; import '@l50/a/sub'; import '@l50/a/deep';",
      'packages/a/package.json': manifest({ name: '@l50/a', exports: { '.': { types: './src/index.ts', default: './dist/index.js' }, './sub': { import: './src/sub.ts', require: './src/sub.cts' }, './deep': { node: { import: './src/deep.ts' } } } }),
      'packages/a/src/index.ts': '', 'packages/a/src/sub.ts': '', 'packages/a/src/sub.cts': '', 'packages/a/src/deep.ts': '',
    },
    links: { 'node_modules/@l50/a': '../../packages/a' },
    edges: ['main.ts -> packages/a/src/index.ts', 'main.ts -> packages/a/src/sub.ts'],
    server: ['main.ts -> packages/a/src/deep.ts', 'main.ts -> packages/a/src/index.ts', 'main.ts -> packages/a/src/sub.cts', 'main.ts -> packages/a/src/sub.ts'],
    because: 'the program may run under other conditions than those of tsc',
  },
  {
    name: 'exports with patterns, a null target, and a list',
    files: {
      'tsconfig.json': config({ module: 'preserve' }), 'a.ts': "import '@l51/a/x';", 'b.ts': "import '@l51/a/internal/y';", 'c.ts': "import '@l51/a/list';", 'd.ts': "import '@l51/a/src/x.ts';", 'e.ts': "import '@l51/a/features/f.js';",
      'packages/a/package.json': manifest({ name: '@l51/a', exports: { './*': './src/*.ts', './internal/*': null, './list': [{ never: './src/never.ts' }, './src/list.ts'], './features/*.js': './src/features/*.ts' } }),
      'packages/a/src/x.ts': '', 'packages/a/src/internal/y.ts': '', 'packages/a/src/list.ts': '', 'packages/a/src/never.ts': '', 'packages/a/src/features/f.ts': '',
    },
    links: { 'node_modules/@l51/a': '../../packages/a' },
    edges: ['a.ts -> packages/a/src/x.ts', 'c.ts -> packages/a/src/list.ts', 'e.ts -> packages/a/src/features/f.ts'],
    server: ['a.ts -> packages/a/src/x.ts', 'b.ts -> packages/a/src/internal/y.ts', 'c.ts -> packages/a/src/list.ts', 'c.ts -> packages/a/src/never.ts', 'd.ts -> packages/a/src/x.ts', 'e.ts -> packages/a/src/features/f.ts'],
    because: 'the program may run under other conditions than those of tsc, and an alias of a bundler may lead to a file that is not exported',
  },
  {
    name: 'exports with two asterisks in a target, and with patterns of which the longer one wins',
    files: {
      'tsconfig.json': config({ module: 'preserve' }), 'a.ts': "import 'l71/x';", 'b.ts': "import 'l71/icons/y.js';", 'c.ts': "import 'l71/icons/z';", 'd.ts': "import 'l71/main';",
      'lib/package.json': manifest({ name: 'l71', exports: { './*': './src/*/*.ts', './icons/*': './any/*.ts', './icons/*.js': './js/*.ts', './main': './main.ts' } }),
      'lib/src/x/x.ts': '', 'lib/any/y.js.ts': '', 'lib/js/y.ts': '', 'lib/any/z.ts': '', 'lib/src/main/main.ts': '', 'lib/main.ts': '',
    },
    links: { 'node_modules/l71': '../lib' },
    edges: ['a.ts -> lib/src/x/x.ts', 'b.ts -> lib/js/y.ts', 'c.ts -> lib/any/z.ts', 'd.ts -> lib/main.ts'],
  },
  {
    name: 'exports with a folder',
    files: {
      'tsconfig.json': config({ module: 'preserve' }), 'a.ts': "import 'l72/features/x.js';", 'lib/package.json': manifest({ name: 'l72', exports: { './features/': './lib/all/' } }), 'lib/lib/all/x.ts': '',
    },
    links: { 'node_modules/l72': '../lib' },
    edges: ['a.ts -> lib/lib/all/x.ts'],
  },
  {
    name: 'a main file that is a folder, or has no ending',
    files: {
      'tsconfig.json': config({ module: 'preserve', allowJs: true }), 'a.ts': "import 'l73';", 'b.ts': "import 'l73b';", 'lib/package.json': manifest({ name: 'l73', main: 'lib' }), 'lib/lib/index.ts': '',
      'other/package.json': manifest({ name: 'l73b', main: './code' }), 'other/code.js': '', 'other/index.js': '',
    },
    links: { 'node_modules/l73': '../lib', 'node_modules/l73b': '../other' },
    edges: ['a.ts -> lib/lib/index.ts', 'b.ts -> other/code.js'],
  },
  {
    name: 'a pattern that matches the scopes of packages',
    files: {
      'tsconfig.json': config({ module: 'preserve', paths: { '@*': ['./src/*'], 'no-dot': ['src/plain.ts'] } }), 'a.ts': "import '@helper';", 'b.ts': "import '@l74/b';", 'c.ts': "import 'no-dot';", 'packages/b/package.json': manifest({ name: '@l74/b', exports: './b.ts' }), 'packages/b/b.ts': '', 'src/helper.ts': '', 'src/plain.ts': '',
    },
    links: { 'node_modules/@l74/b': '../../packages/b' },
    edges: ['a.ts -> src/helper.ts', 'b.ts -> packages/b/b.ts', 'c.ts -> src/plain.ts'],
  },
  {
    name: 'exports of one condition, without paths',
    files: {
      'tsconfig.json': config({ module: 'preserve' }), 'main.ts': "import 'l52'; import 'l52/other'; import 'l52b';", 'packages/a/package.json': manifest({ name: 'l52', exports: { import: './src/a.ts' } }), 'packages/a/src/a.ts': '', 'packages/a/other.ts': '',
      'packages/b/package.json': manifest({ name: 'l52b', exports: './b.ts' }), 'packages/b/b.ts': '', 'packages/b/index.ts': '',
    },
    links: { 'node_modules/l52': '../packages/a', 'node_modules/l52b': '../packages/b' },
    edges: ['main.ts -> packages/a/src/a.ts', 'main.ts -> packages/b/b.ts'],
    server: ['main.ts -> packages/a/other.ts', 'main.ts -> packages/a/src/a.ts', 'main.ts -> packages/b/b.ts'],
    because: 'an alias of a bundler may lead to a file that is not exported',
  },
  {
    name: 'customConditions',
    files: {
      'tsconfig.json': config({ module: 'preserve', customConditions: ['@l53/source'] }), 'main.ts': "import '@l53/a';",
      'packages/a/package.json': manifest({ name: '@l53/a', exports: { '.': { '@l53/source': './src/index.ts', types: './types/index.d.ts', default: './lib/index.js' } } }),
      'packages/a/src/index.ts': '', 'packages/a/types/index.d.ts': '', 'packages/a/lib/index.js': '',
    },
    links: { 'node_modules/@l53/a': '../../packages/a' },
    edges: ['main.ts -> packages/a/src/index.ts'],
    server: ['main.ts -> packages/a/lib/index.js', 'main.ts -> packages/a/src/index.ts', 'main.ts -> packages/a/types/index.d.ts'],
    because: 'the program may run under other conditions than those of tsc',
  },
  {
    name: 'the first condition that applies wins',
    files: {
      'tsconfig.json': config({ module: 'preserve' }), 'main.ts': "import '@l54/a';",
      'packages/a/package.json': manifest({ name: '@l54/a', exports: { '.': { import: './esm.ts', types: './types.d.ts', require: './cjs.ts', default: './any.ts' } } }),
      'packages/a/esm.ts': '', 'packages/a/types.d.ts': '', 'packages/a/cjs.ts': '', 'packages/a/any.ts': '',
    },
    links: { 'node_modules/@l54/a': '../../packages/a' },
    edges: ['main.ts -> packages/a/esm.ts'],
    server: ['main.ts -> packages/a/any.ts', 'main.ts -> packages/a/cjs.ts', 'main.ts -> packages/a/esm.ts', 'main.ts -> packages/a/types.d.ts'],
    because: 'the program may run under other conditions than those of tsc',
  },
  {
    name: 'imports of package.json',
    files: {
      'tsconfig.json': config({ module: 'nodenext' }),
      'package.json': manifest({ type: 'module', imports: { '#own/*': './src/*.ts', '#one': { types: './src/one.ts', default: './dist/one.js' }, '#dep': 'l55-dep', '#js/*.js': './src/*.ts', '#off/*': null } }),
      'a.ts': "import '#own/x';", 'b.ts': "import '#one';", 'c.ts': "import '#dep';", 'd.ts': "import '#js/x.js';", 'in/e.ts': "import '#own/x';", 'f.ts': "import '#off/x';",
      'src/x.ts': '', 'src/one.ts': '', 'dep/package.json': manifest({ name: 'l55-dep', exports: './dep.ts' }), 'dep/dep.ts': '',
    },
    links: { 'node_modules/l55-dep': '../dep' },
    edges: ['a.ts -> src/x.ts', 'b.ts -> src/one.ts', 'c.ts -> dep/dep.ts', 'd.ts -> src/x.ts', 'in/e.ts -> src/x.ts'],
  },
  {
    name: 'imports of the nearest package.json alone',
    files: { 'tsconfig.json': config({ module: 'preserve' }), 'package.json': manifest({ imports: { '#x': './x.ts' } }), 'in/package.json': manifest({ name: 'l56' }), 'in/a.ts': "import '#x';", 'b.ts': "import '#x';", 'x.ts': '' },
    edges: ['b.ts -> x.ts'],
  },
  {
    name: 'a package that imports itself by name',
    files: {
      'tsconfig.json': config({ module: 'nodenext' }), 'package.json': manifest({ name: 'l57', type: 'module', exports: { '.': './index.js', './sub': './lib/sub.js' } }),
      'test/a.ts': "import 'l57'; import 'l57/sub';", 'index.ts': '', 'lib/sub.ts': '',
    },
    edges: ['test/a.ts -> index.ts', 'test/a.ts -> lib/sub.ts'],
  },
  {
    name: 'a package without exports cannot import itself by name',
    files: { 'tsconfig.json': config({ module: 'nodenext' }), 'package.json': manifest({ name: 'l58', type: 'module' }), 'a.ts': "import 'l58';", 'index.ts': '' },
    edges: [],
    server: ['a.ts -> index.ts'],
    because: 'a symlink, an alias of a bundler or another package manager may lead to the package',
  },
  {
    name: 'workspaces of npm, whose builds are ignored',
    files: {
      'package.json': manifest({ private: true, workspaces: ['packages/*'] }), '.gitignore': 'dist\n',
      'packages/a/package.json': manifest({ name: '@l59/a', main: './dist/index.js', types: './dist/index.d.ts' }), 'packages/a/src/index.ts': '', 'packages/a/dist/index.js': '', 'packages/a/dist/index.d.ts': '',
      'packages/b/tsconfig.json': config({ module: 'preserve' }), 'packages/b/main.ts': "import '@l59/a';",
    },
    links: { 'node_modules/@l59/a': '../../packages/a' },
    projects: ['packages/b'],
    edges: ['packages/b/main.ts -> packages/a/dist/index.d.ts'],
    server: ['packages/b/main.ts -> packages/a/src/index.ts'],
    because: 'the source of the ignored build is in src',
  },
  {
    name: 'workspaces of pnpm, whose packages link their own dependencies',
    files: {
      'pnpm-workspace.yaml': 'packages:\n  - apps/*\n  - libs/*\n', 'package.json': manifest({ private: true }),
      'libs/ui/package.json': manifest({ name: '@l60/ui', exports: { '.': './src/index.tsx', './*': './src/*.tsx' } }), 'libs/ui/src/index.tsx': '', 'libs/ui/src/button.tsx': '',
      'apps/web/package.json': manifest({ name: '@l60/web', dependencies: { '@l60/ui': 'workspace:*' } }), 'apps/web/tsconfig.json': config({ module: 'preserve', jsx: 'preserve' }), 'apps/web/main.ts': "import '@l60/ui'; import '@l60/ui/button';",
    },
    links: { 'apps/web/node_modules/@l60/ui': '../../../../libs/ui' },
    projects: ['apps/web'],
    edges: ['apps/web/main.ts -> libs/ui/src/button.tsx', 'apps/web/main.ts -> libs/ui/src/index.tsx'],
  },
  {
    name: 'a dependency under another name',
    files: {
      'tsconfig.json': config({ module: 'preserve' }), 'package.json': manifest({ dependencies: { 'l61-alias': 'workspace:@l61/real@*', 'l61-file': 'file:./real' } }), 'main.ts': "import 'l61-alias';", 'b.ts': "import 'l61-file';",
      'real/package.json': manifest({ name: '@l61/real', exports: './index.ts' }), 'real/index.ts': '',
    },
    links: { 'node_modules/l61-alias': '../real', 'node_modules/l61-file': '../real' },
    edges: ['b.ts -> real/index.ts', 'main.ts -> real/index.ts'],
  },
  {
    name: 'typesVersions',
    files: {
      'tsconfig.json': config({ module: 'preserve' }), 'a.ts': "import 'l62';", 'b.ts': "import 'l62/sub';", 'lib/package.json': manifest({ name: 'l62', main: './index.js', typesVersions: { '>=4.0': { '*': ['ts4/*'] } } }),
      'lib/ts4/index.d.ts': '', 'lib/ts4/sub.d.ts': '', 'lib/index.js': '', 'lib/sub.js': '',
    },
    links: { 'node_modules/l62': '../lib' },
    edges: ['a.ts -> lib/ts4/index.d.ts', 'b.ts -> lib/ts4/sub.d.ts'],
    server: ['a.ts -> lib/index.js', 'a.ts -> lib/ts4/index.d.ts', 'b.ts -> lib/sub.js', 'b.ts -> lib/ts4/sub.d.ts'],
    because: 'the program runs the JavaScript, whose types the declarations are',
  },
  {
    name: 'paths before packages, and packages if the paths lead nowhere',
    files: {
      'tsconfig.json': config({ module: 'preserve', paths: { '@l63/*': ['./src/*'] } }), 'a.ts': "import '@l63/a';", 'b.ts': "import '@l63/b';",
      'packages/a/package.json': manifest({ name: '@l63/a', exports: './a.ts' }), 'packages/a/a.ts': '', 'packages/b/package.json': manifest({ name: '@l63/b', exports: './b.ts' }), 'packages/b/b.ts': '', 'src/a.ts': '',
    },
    links: { 'node_modules/@l63/a': '../../packages/a', 'node_modules/@l63/b': '../../packages/b' },
    edges: ['a.ts -> src/a.ts', 'b.ts -> packages/b/b.ts'],
  },
  {
    name: 'a subpath of a package without exports',
    files: {
      'tsconfig.json': config({ module: 'preserve', allowJs: true }), 'a.ts': "import 'l64/sub';", 'b.ts': "import 'l64/folder';", 'c.ts': "import 'l64/x.js';", 'lib/package.json': manifest({ name: 'l64' }),
      'lib/sub.ts': '', 'lib/src/sub.ts': '', 'lib/folder/package.json': manifest({ main: '../other.ts' }), 'lib/other.ts': '', 'lib/x.ts': '',
    },
    links: { 'node_modules/l64': '../lib' },
    edges: ['a.ts -> lib/sub.ts', 'b.ts -> lib/other.ts', 'c.ts -> lib/x.ts'],
  },
  {
    name: 'a declared module, and types of a package in the tree',
    files: {
      'tsconfig.json': config({ module: 'preserve', types: [] }), 'main.ts': "/// <reference types=\"l65\" />\nexport {};", 'lib/package.json': manifest({ name: 'l65', types: './t.d.ts' }), 'lib/t.d.ts': '',
    },
    links: { 'node_modules/l65': '../lib' },
    edges: ['main.ts -> lib/t.d.ts'],
  },
];
