/* global process */
// `npm run build`, after tsc: bundles what is shipped from the sources into dist/cli, one file an entry and what they
// share in chunks beside them. Threads and processes of its own are started from files beside `import.meta.url`, so all
// stand in one folder. What tsc compiles into build/ is for tools and tests, and not shipped.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve as resolvePath } from 'node:path';

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
  'self-test-load-worker': 'suites/service/self-test/load-worker.ts',
  'self-test-limits-worker': 'suites/service/self-test/limits-worker.ts',
};
/** What is loaded on demand comes in so many pieces: with each import apart there would be hundreds of small files. */
const TOGETHER = {
  'load-tasks': /^cli\/tasks\/load\//,
  'release-tasks': /^cli\/tasks\/release\//,
  'judge-tasks': /^cli\/tasks\/(?:judge|page|read-report|compare-runs|operation-lines)\.ts$/,
  'load-commands': /^cli\/load\/run-/,
  'record-commands': /^cli\/(?:judge|history|report)\/(?:run-|find-|allure-)/,
  'self-test-commands': /^cli\/self-test\/run-/,
  'rule-commands': /^(?:cli\/check\/(?:explain|render-clauses)|contracts\/plain-service)/,
  formats: /^(?:reports\/|cli\/record\/page-file|contracts\/service\/clauses)/,
};

/** Has each dynamic import of a group load the whole of it. @returns the plugin of esbuild */
function together() {
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
  return {
    name: 'together',
    setup(building) {
      building.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const asked = relative(root, resolvePath(resolveDir, path)).replaceAll('\\', '/');
        const group = [...members].find(([, files]) => files.has(asked));
        return group === undefined ? undefined : { path: group[0], namespace: 'together' };
      });
      building.onLoad({ filter: /./, namespace: 'together' }, ({ path }) => ({
        contents: [...members.get(path)].map((file) => `export * from './${file}';`).join('\n'),
        resolveDir: root,
      }));
    },
  };
}

const SHARED = {
  ...{ bundle: true, platform: 'node', target: 'node20.19', logLevel: 'warning' },
  ...{ sourcemap: true, sourcesContent: false },
};

async function bundle() {
  rmSync('dist/cli', { recursive: true, force: true });
  await build({
    ...{ ...SHARED, entryPoints: ENTRIES, outdir: 'dist/cli', packages: 'external' },
    ...{ format: 'esm', splitting: true, chunkNames: '[name]-[hash]', plugins: [together()] },
  });
  // Some test runners load CommonJS alone, packages too.
  await build({
    ...{ ...SHARED, entryPoints: ['cli/exports/vitest.ts'], outfile: 'dist/cli/vitest.cjs' },
    ...{ format: 'cjs', external: ['vitest'], define: { 'import.meta.url': 'moduleUrl' } },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
}

/** The declarations of each entry that programs import, in one file. */
async function declare() {
  const { rollup } = await import('rollup');
  const { dts } = await import('rollup-plugin-dts');
  for (const name of ['index', 'reference', 'vitest']) {
    const bundled = await rollup({
      ...{ input: `build/cli/exports/${name}.d.ts`, plugins: [dts()] },
      external: (id) => !/^[./]/.test(id),
    });
    await bundled.write({ file: `dist/types/${name}.d.ts`, format: 'es' });
    await bundled.close();
  }
  copyFileSync('dist/types/vitest.d.ts', 'dist/types/vitest.d.cts');
}

/** In which file each rule is written, for who has no sources. */
async function placeRules() {
  const { rulePlaces, PLACES_FILE } = await import('./build/cli/check/explain/rule-place.js');
  const { SERVICE } = await import('./build/cli/service.js');
  const placeOf = rulePlaces(process.cwd());
  const places = SERVICE.rules.all.map(({ id }) => [id, placeOf(id)]);
  writeFileSync(PLACES_FILE, JSON.stringify(Object.fromEntries(places)));
}

/** The documents that the service brings along, as data: parsing them takes each thread longer than all else. */
async function parseDocuments() {
  const { parsedOf, PARSED_FILE } = await import('./build/contracts/document/parsed-file.js');
  const { fetchContractFiles } = await import('./build/contracts/document/fetch-contract.js');
  const { BUILT_IN } = await import('./build/contracts/service/load-contract.js');
  rmSync(PARSED_FILE, { force: true });
  const contracts = await fetchContractFiles(BUILT_IN.documents);
  const parsed = contracts.flatMap(({ source, files }) =>
    files.flatMap((file) => {
      const { value, longNumbers } = parsedOf(source, file);
      return longNumbers.size === 0 ? [[file.sha256, value]] : [];
    }),
  );
  writeFileSync(PARSED_FILE, JSON.stringify(Object.fromEntries(parsed)));
}

mkdirSync('dist/types', { recursive: true });
await Promise.all([bundle(), declare(), placeRules(), parseDocuments()]);
