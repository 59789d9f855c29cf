import { readFileSync } from 'node:fs';
import { type Plugin } from 'esbuild';
import { withPropertiesWrittenOut } from './property-ranges.ts';
import type { StandaloneContract } from './standalone-contract.ts';

/** Of a published contract alone, which no load is made on; 150 kB of parser would be in each VU. */
const STUBBED = /^yaml$/;

/** Resolves the modules that are made here. */
export function generated(load: string, judge: string, contract: StandaloneContract): Plugin {
  return {
    name: 'assay',
    setup(plugin) {
      const namespace = 'assay';
      plugin.onResolve({ filter: /^assay:judge$/ }, () => ({ path: judge }));
      plugin.onResolve({ filter: /^assay:/ }, ({ path: name }) => ({ path: name, namespace }));
      plugin.onResolve({ filter: STUBBED }, ({ path: name }) => ({ path: name, namespace }));
      plugin.onLoad({ filter: /.*/, namespace }, ({ path: name }) => ({
        contents: moduleOf(name, contract),
        resolveDir: load,
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
