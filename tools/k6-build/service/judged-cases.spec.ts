import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../contracts/document/package-root.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import { loadCases } from '../../../fixtures/service/cases/load-cases.ts';
import { CARD_RULES } from '../../../load/service/card-rules.ts';
import { bundleForK6 } from '../bundle.ts';
import { standaloneContract } from '../standalone-contract.ts';
import { judgePath, LOADED_DOCUMENTS } from '../../../load/service/k6-judge/judge-path.ts';

const root = packageRoot(import.meta.url);

test('what is bundled judges the mocked cases as Node does, without what Node has', async () => {
  const contract = await standaloneContract(LOADED_DOCUMENTS);
  const entry = path.join(root, 'tools/k6-build/service/judged-cases.testkit.ts');
  const script = await bundleForK6(judgePath('all'), contract, entry);
  const own = new Set(
    RULES.filter(({ scope, level }) => scope === 'exchange' && level !== 'observe').map(
      ({ id }) => id,
    ),
  );
  const cases = (await loadCases()).filter(
    ({ exchange: { api } }) => api === 'zap' || api === 'trade',
  );
  expect(cases.length).toBeGreaterThan(100);
  const engine: Record<string, unknown> = {
    CASES: JSON.stringify(cases.map(({ exchange }) => exchange)),
  };
  // It exports what k6 runs, which a script may not.
  runInContext(script.replace(/export\s*\{[^}]*\};?\s*$/, ''), createContext(engine));
  const broken = JSON.parse(String(engine.BROKEN)) as string[][];
  const found = broken.map((rules, at) => [
    cases[at]?.name,
    ...rules.filter((rule) => own.has(rule) || rule.includes(' ')),
  ]);
  const expected = cases.map((one) => [
    one.name,
    ...[...new Set(one.expect.broken.map(({ rule }) => rule))].sort(),
  ]);
  expect(found).toEqual(expected);
  expect(broken.flat().length).toBeGreaterThan(100);
});

test('the card has its rules', () => {
  expect(CARD_RULES.map(({ scope }) => scope)).toEqual(CARD_RULES.map(() => 'exchange'));
});
