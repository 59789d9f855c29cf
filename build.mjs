/* global Buffer, process */
// `npm run build`, after tsc: bundles what is shipped from the sources into dist/cli, one file an entry and what they
// share in chunks beside them. Threads and processes of its own are started from files beside `import.meta.url`, so all
// stand in one folder. What tsc compiles into build/ is for tools and tests, and not shipped.
//
// A file that stays as it was is not written, so that a command that runs meanwhile finds what it loads.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative, resolve as resolvePath } from 'node:path';

/** File in dist/cli: source. */
const ENTRIES = {
  main: 'cli/main.ts',
  index: 'cli/exports/index.ts',
  reference: 'cli/exports/reference.ts',
  vitest: 'cli/exports/vitest.ts',
  'task-worker': 'cli/threads/task-worker.ts',
  'second-run': 'cli/check/second-run.ts',
  'judge-worker': 'load/judging/judge-worker.ts',
  'judged-service': 'contracts/service/index.ts',
  'control-server': 'load/trend/control/control-server.ts',
  'self-test-worker': 'suites/service/self-test/worker.ts',
};
/** What is loaded on demand comes in so many pieces: with each import apart there would be hundreds of small files. */
const TOGETHER = {
  'load-tasks': /^cli\/tasks\/(?:limits\.ts$|load\/|release\/|history\/)/,
  'judge-tasks':
    /^(?:cli\/(?:exports|tasks)\/(?!drive|limits)[^/]+|contracts\/document\/load-contract|contracts\/service\/observers\/observers)\.ts$/,
  drive: /^cli\/(?:tasks\/drive|driven-service)\.ts$/,
  commands:
    /^cli\/(?:check\/run-init|(?:load|judge|history|report|self-test|limits)\/(?:run-|find-|allure-))/,
  reference: /^(?:fixtures\/service\/reference\/|cli\/self-test\/serve-fault)/,
  configuration:
    /^(?:cli\/(?:own-rules|config|service|threads\/task-failed|check\/(?:explain\/[^/]+|render-clauses))|contracts\/plain-service|target\/(?:config|record)\/[^/]+)\.ts$/,
  formats:
    /^(?:reports\/(?:allure|forge|html|junit)\/|cli\/record\/page-file|contracts\/service\/clauses)/,
};

/** Modules of chunks that are smaller, and need no others, make up one chunk that each entry loads. */
const SMALL_CHUNK_BYTES = 16_000;

/** Started before it is known that the install is whole and Node is new enough: they need no other file. */
const LAUNCHER = /^cli\/(?:main|install|open-files)\.ts$/;

/**
 * Has each entry and each dynamic import load the small modules, and each dynamic import of a group the whole of it.
 *
 * @param small the paths of small modules
 * @returns the plugin of esbuild
 */
function together(small) {
  const root = process.cwd();
  const members = new Map(Object.keys(TOGETHER).map((name) => [name, new Set()]));
  for (const dir of ['cli', 'contracts', 'reports']) {
    for (const file of readdirSync(dir, { recursive: true })) {
      if (!/\.ts$/.test(file) || /\.(?:spec|testkit|d)\.ts$/.test(file)) continue;
      const text = readFileSync(join(dir, file), 'utf8');
      for (const [, to] of text.matchAll(/\bimport\(\s*'(\.[^']+)'\s*\)/g)) {
        const path = relative(root, resolvePath(dir, file, '..', to)).replaceAll('\\', '/');
        const group = Object.keys(TOGETHER).find((name) => TOGETHER[name].test(path));
        if (group !== undefined) members.get(group).add(path);
      }
    }
  }
  const bases = ({ kind, path, resolveDir }) =>
    kind === 'entry-point' ? root : kind === 'dynamic-import' && /^\./.test(path) && resolveDir;
  return {
    name: 'together',
    setup(building) {
      building.onResolve({ filter: /./ }, (asked) => {
        const base = bases(asked);
        if (!base) return undefined;
        const path = relative(root, resolvePath(base, asked.path)).replaceAll('\\', '/');
        if (LAUNCHER.test(path)) return undefined;
        const [group = path] = [...members].find(([, files]) => files.has(path)) ?? [];
        return { path: group, namespace: 'together' };
      });
      building.onLoad({ filter: /./, namespace: 'together' }, ({ path }) => ({
        contents: [
          ...small.map((file) => `import './${file}';`),
          ...[...(members.get(path) ?? [path])].map((file) => `export * from './${file}';`),
        ].join('\n'),
        resolveDir: root,
      }));
    },
  };
}

/** Modules of Node for bundled packages that ask for them by `require`, which modules of ECMAScript do not have. */
const builtin = {
  name: 'builtin',
  setup(building) {
    building.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    );
    building.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

/** Writes a file in one step, if it is other than what stands there. */
function write(file, content) {
  const bytes = Buffer.from(content);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, bytes);
  renameSync(`${file}.part`, file);
}

/** Writes the files of a folder, which then has no others. */
function writeAll(dir, files) {
  for (const [name, content] of files) write(join(dir, name), content);
  const written = new Set(files.map(([name]) => name));
  for (const name of readdirSync(dir))
    if (!written.has(name)) rmSync(join(dir, name), { recursive: true });
}

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
/**
 * Packages that an install has beside the bundle: those that few runs load. All others are a part of it, as a thread
 * reads one file sooner than the hundred of a package.
 */
const BESIDE = Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => [
  name,
  `${name}/*`,
]);

const SHARED = {
  ...{ bundle: true, platform: 'node', target: 'node20.19', logLevel: 'warning', write: false },
  // Packages go by where they stand below this folder.
  ...{ sourcemap: true, sourcesContent: false, preserveSymlinks: true },
  // V8 keeps the text of a file for each thread, and at twice its size for one letter beyond Latin-1 in a comment.
  ...{ minifyWhitespace: true, lineLimit: 120, legalComments: 'none' },
};

/** The modules of small chunks that need nothing but each other and Node. */
function smallModules({ outputs }) {
  const isOfNode = ({ external, path }) => external === true && path.startsWith('node:');
  let names = Object.keys(outputs).filter(
    (name) => /chunk-.*\.js$/.test(name) && outputs[name].bytes < SMALL_CHUNK_BYTES,
  );
  for (let before = -1; before !== names.length;) {
    before = names.length;
    names = names.filter((name) =>
      outputs[name].imports.every((one) => isOfNode(one) || names.includes(one.path)),
    );
  }
  return names
    .flatMap((name) => Object.keys(outputs[name].inputs))
    .filter((input) => !/^builtin:|^node_modules\//.test(input));
}

async function bundle() {
  const options = {
    ...{ ...SHARED, entryPoints: ENTRIES, outdir: 'dist/cli', external: BESIDE },
    ...{ format: 'esm', splitting: true, chunkNames: '[name]-[hash]' },
  };
  const { metafile } = await build({
    ...options,
    plugins: [together([]), builtin],
    metafile: true,
  });
  const plugins = [together(smallModules(metafile)), builtin];
  const { outputFiles: modules, metafile: bundled } = await build({
    ...{ ...options, plugins, metafile: true },
  });
  // Some test runners load CommonJS alone, packages too.
  const { outputFiles: common } = await build({
    ...{ ...SHARED, entryPoints: ['cli/exports/vitest.ts'], outfile: 'dist/cli/vitest.cjs' },
    ...{ format: 'cjs', external: ['vitest'], define: { 'import.meta.url': 'moduleUrl' } },
    // All of it a second time: what reads well is beside it.
    minify: true,
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  credit(bundled);
  const files = [...modules, ...common].map(({ path, contents }) => [
    relative('dist/cli', path),
    contents,
  ]);
  // What a file imports stands there before it, and stays until nothing imports it.
  const isEntry = ([name]) => !/-[0-9A-Z]{8}\.js(?:\.map)?$/.test(name);
  writeAll(
    'dist/cli',
    files.toSorted((a, b) => isEntry(a) - isEntry(b)),
  );
}

/** What is bundled of other packages, for whoever lists them, and the licences that come with each. */
function credit({ inputs }) {
  const folders = Object.keys(inputs).flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [],
  );
  const packages = [...new Set(folders)].sort();
  const texts = packages.map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((one) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(one));
    const text =
      file === undefined ? `License: ${license}\n` : readFileSync(join(folder, file), 'utf8');
    return `${name} ${version}\n\n${text}`;
  });
  write('build/bundled.json', JSON.stringify(packages));
  write('dist/licenses.txt', texts.join(`\n${'-'.repeat(80)}\n`));
}

/** The declarations of the entries that programs import, which share their types. */
async function declare() {
  const { rollup } = await import('rollup');
  const { dts } = await import('rollup-plugin-dts');
  const names = ['index', 'reference', 'vitest'];
  const bundled = await rollup({
    input: Object.fromEntries(names.map((name) => [name, `build/cli/exports/${name}.d.ts`])),
    plugins: [dts()],
    external: (id) => !/^[./]/.test(id),
  });
  const chunkFileNames = 'shared-[hash].d.ts';
  const { output } = await bundled.generate({
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames,
    manualChunks: (id, { getModuleInfo }) => (getModuleInfo(id)?.isEntry ? undefined : 'shared'),
  });
  await bundled.close();
  const files = output.map(({ fileName, code }) => [fileName, code]);
  // Of a CommonJS module the types are the same ones, else two of one name would stand beside each other.
  const from = "'./vitest.js' with { 'resolution-mode': 'import' };";
  const values = Object.keys(await import('./build/cli/exports/vitest.js'));
  const declared = values.map((name) => `export declare const ${name}: typeof module.${name};`);
  const common = [
    `import type * as module from ${from}`,
    `export type * from ${from}`,
    ...declared,
  ];
  writeAll('dist/types', [...files, ['vitest.d.cts', `${common.join('\n')}\n`]]);
}

/** In which file each rule is written, for who has no sources. */
async function placeRules() {
  const { rulePlaces, PLACES_FILE } = await import('./build/cli/check/explain/rule-place.js');
  const { SERVICE } = await import('./build/cli/service.js');
  const placeOf = rulePlaces(process.cwd());
  const places = SERVICE.rules.all.map(({ id }) => [id, placeOf(id)]);
  write(PLACES_FILE, JSON.stringify(Object.fromEntries(places)));
}

/** The documents that the service brings along, as data: parsing them takes each thread longer than all else. */
async function parseDocuments() {
  const { parsedNow, PARSED_FILE } = await import('./build/contracts/document/parsed-file.js');
  const { fetchContractFiles } = await import('./build/contracts/document/fetch-contract.js');
  const { BUILT_IN } = await import('./build/contracts/service/load-contract.js');
  const contracts = await fetchContractFiles(BUILT_IN.documents);
  const parsed = contracts.flatMap(({ source, files }) =>
    files.flatMap((file) => {
      const { value, longNumbers } = parsedNow(source, file);
      return longNumbers.size === 0 ? [[file.sha256, value]] : [];
    }),
  );
  const { clausesNow } = await import('./build/contracts/service/clauses.js');
  const { sha256, value } = clausesNow();
  write(PARSED_FILE, JSON.stringify(Object.fromEntries([...parsed, [sha256, value()]])));
}

/** The published schema of run.json as code, which each command would compile anew otherwise. */
async function compileSchema() {
  const { compiledModule } = await import('./build/cli/record/run-schema.js');
  const { name, text } = compiledModule();
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: process.cwd() },
    ...{ ...SHARED, format: 'cjs', minify: true, sourcemap: false },
  });
  writeAll(dirname(name), [[basename(name), outputFiles[0].contents]]);
}

const STAMP = 'build/.bundled';

/** A hash of what the bundles are made of, which tsc has hashed for the most part, and of the names of what is there. */
function stampNow() {
  const hash = createHash('sha256');
  const files = ['build.mjs', 'package.json', 'package-lock.json', 'build/.tsbuildinfo'];
  for (const dir of ['contracts', 'reports'])
    for (const file of readdirSync(dir, { recursive: true }))
      if (/\.(?:yaml|schema\.json)$/.test(file)) files.push(join(dir, file));
  for (const file of files) hash.update(readFileSync(file));
  for (const dir of ['cli', 'schemas', 'types'].map((name) => join('dist', name)))
    if (existsSync(dir)) hash.update(readdirSync(dir).join());
  return hash.digest('hex');
}

if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stampNow()) {
  await Promise.all([bundle(), declare(), placeRules(), parseDocuments(), compileSchema()]);
  writeFileSync(STAMP, stampNow());
}
