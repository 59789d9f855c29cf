import path from 'node:path';
import { build } from 'esbuild';
import { refusedPatterns } from './refused-patterns.ts';
import type { StandaloneContract } from './standalone-contract.ts';
import { generated } from './generated-modules.ts';

/** Thrown when a bundle holds patterns that k6 would run wrong. */
export class UnfitForK6 extends Error {
  override readonly name = 'UnfitForK6';

  constructor(problems: readonly string[]) {
    super(`the script holds patterns that k6 runs wrong:\n${problems.join('\n')}`);
  }
}

/**
 * Bundles the script that k6 runs.
 *
 * @param root folder of the checkout
 * @param judge the module that exports `judge`, by which answers are judged
 * @param entry another script, for tests
 * @throws {UnfitForK6}
 */
export async function bundleForK6(
  root: string,
  judge: string,
  contract: StandaloneContract,
  entry: string = path.join(root, 'load/k6/script/main.ts'),
): Promise<string> {
  const load = path.join(root, 'load');
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
    plugins: [generated(load, judge, contract)],
  });
  const script = result.outputFiles[0]?.text ?? '';
  const refused = refusedPatterns(script);
  if (refused.length > 0) {
    throw new UnfitForK6(refused.map(({ pattern, why }) => `  ${pattern.slice(0, 120)}: ${why}`));
  }
  return script;
}
