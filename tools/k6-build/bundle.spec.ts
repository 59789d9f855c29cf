import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleForK6 } from './bundle.ts';
import { refusedPatterns } from './refused-patterns.ts';
import { standaloneContract, type StandaloneContract } from './standalone-contract.ts';
import { judgePath, LOADED_DOCUMENTS } from '../../load/service/k6-judge/judge-path.ts';

describe('the script that k6 runs', () => {
  let contract: StandaloneContract;
  let script = '';
  beforeAll(async () => {
    contract = await standaloneContract(LOADED_DOCUMENTS);
    // It holds all that the smaller one does.
    script = await bundleForK6(judgePath('all'), contract);
  });

  test('holds no pattern that k6 runs wrong', () => {
    expect(script.length).toBeGreaterThan(100_000);
    expect(refusedPatterns(script)).toEqual([]);
  });

  test('imports what k6 has, and nothing else', () => {
    const source = ts.createSourceFile('script.js', script, ts.ScriptTarget.ES2022);
    const imports = source.statements.flatMap((statement) =>
      ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)
        ? [statement.moduleSpecifier.text]
        : [],
    );
    expect(new Set(imports)).toEqual(
      new Set(['k6', 'k6/crypto', 'k6/data', 'k6/execution', 'k6/http', 'k6/metrics']),
    );
  });

  test('is small enough for a ConfigMap, with room for a plan', () => {
    expect(Buffer.byteLength(script)).toBeLessThan(600_000);
  });

  test('judges by every operation of the document', () => {
    const ids = contract.operations.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['zap.quote', 'zap.pools', 'trade.build-tx']));
    expect(ids).toHaveLength(8);
    for (const { responses } of contract.operations) expect(responses.length).toBeGreaterThan(0);
  });

  test('a pattern that k6 runs wrong is refused, not bundled', async () => {
    const named = 'export default (value) => /(?<all>.*)/.test(value);';
    const broken = { ...contract, validators: contract.validators.map(() => named) };
    await expect(bundleForK6(judgePath('card'), broken)).rejects.toThrow(/named groups/);
  });
});
