import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { packageRoot } from '../../contracts/document/package-root.ts';
import { withPropertiesWrittenOut } from './property-ranges.ts';
import { refusedPatterns } from './refused-patterns.ts';
import type { StandaloneContract } from './standalone-contract.ts';

/** Thrown when a bundle holds patterns that k6 would run wrong. */
export class UnfitForK6 extends Error {
  override readonly name = 'UnfitForK6';

  constructor(problems: readonly string[]) {
    super(`the script holds patterns that k6 runs wrong:\n${problems.join('\n')}`);
  }
}

/** Of the checkout. */
const LOAD = path.join(packageRoot(import.meta.url), 'load');

/**
 * Bundles the script that k6 runs.
 *
 * @param judge the module that exports `judge`, by which answers are judged
 * @param entry another script, for tests
 * @throws {UnfitForK6}
 */
export async function bundleForK6(
  judge: string,
  contract: StandaloneContract,
  entry: string = path.join(LOAD, 'k6/script/main.ts'),
): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    mainFields: ['module', 'main'],
    external: ['k6', 'k6/*'],
    minify: true,
    // Errors of rules name functions.
    keepNames: false,
    charset: 'utf8',
    // Of packages that are bundled: their licences ask for it.
    legalComments: 'eof',
    logLevel: 'silent',
    plugins: [generated(judge, contract)],
  });
  const script = result.outputFiles[0]?.text ?? '';
  const refused = refusedPatterns(script);
  if (refused.length > 0) {
    throw new UnfitForK6(refused.map(({ pattern, why }) => `  ${pattern.slice(0, 120)}: ${why}`));
  }
  return script;
}

/** Of a published contract alone, which no load is made on; 150 kB of parser would be in each VU. */
const STUBBED = /^yaml$/;

/** Resolves the modules that are made here. */
function generated(judge: string, contract: StandaloneContract): Plugin {
  return {
    name: 'assay',
    setup(plugin) {
      const namespace = 'assay';
      plugin.onResolve({ filter: /^assay:judge$/ }, () => ({ path: judge }));
      plugin.onResolve({ filter: /^assay:/ }, ({ path: name }) => ({ path: name, namespace }));
      plugin.onResolve({ filter: STUBBED }, ({ path: name }) => ({ path: name, namespace }));
      plugin.onLoad({ filter: /.*/, namespace }, ({ path: name }) => ({
        contents: moduleOf(name, contract),
        resolveDir: LOAD,
        loader: 'js',
      }));
      plugin.onLoad({ filter: /[\\/]contracts[\\/].*\.ts$/ }, ({ path: file }) => ({
        contents: withPropertiesWrittenOut(readFileSync(file, 'utf8')),
        loader: 'ts',
      }));
    },
  };
}

function moduleOf(name: string, { validators, operations }: StandaloneContract): string {
  if (STUBBED.test(name)) {
    return ['Composer', 'CST', 'isAlias', 'isMap', 'isPair', 'isScalar', 'isSeq', 'Lexer', 'Parser']
      .map((one) => `export const ${one} = undefined;`)
      .join('\n');
  }
  const number = /^assay:validator-(\d+)$/.exec(name)?.[1];
  if (number !== undefined) return validators[Number(number)] ?? '';
  const imports = validators.map((_, at) => `import v${at} from 'assay:validator-${at}';`);
  const table = JSON.stringify(operations, (_, value: unknown) =>
    typeof value === 'number' ? `$v${value}` : value,
  ).replaceAll(/"\$(v\d+)"/g, '$1');
  return `${imports.join('\n')}\nexport const OPERATIONS = ${table};`;
}
