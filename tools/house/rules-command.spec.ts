import { expect, test } from 'vitest';
import { assay, listedRules } from '../../suites/self/command-line.ts';

test('the clauses are listed with what covers them, and none is uncovered', async () => {
  const { code, stdout } = await assay(['rules', '--clauses']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Section 7$/m);
  expect(stdout).toMatch(/^ {2}errors\.codes \(observe\)\n.*\n {4}ledger: .*zap\.errors\.codes/m);
  expect(stdout).toMatch(/^ {4}waived until \d{4}-\d\d-\d\d: \w/m);
  expect(stdout).toMatch(/No clause is uncovered\.\n$/);
});

test('a rule is explained', async () => {
  const { code, stdout } = await assay(['rules', 'explain', 'zap.throttled.retry-after']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}Level +must: /m);
  expect(stdout).toMatch(/^ {2}Source +§7$/m);
  expect(stdout).toMatch(/^ {2}Operations +everything under the zap API$/m);
  expect(stdout).toMatch(/^ {2}Evidence +at least 1 exchange$/m);
  expect(stdout).toMatch(/^ {2}§7 {2}retryAfter/m);
  expect(stdout).toMatch(/^ {2}Written in +contracts\/service\/rules\/errors\/.*\.ts:\d+$/m);
  expect(stdout).toContain('  zap-throttled-negative-wait (subtle): ');
  expect(stdout).toMatch(
    /^ {2}npm run -s assay -- check --embedded --only zap\.throttled\.retry-after$/m,
  );
});

test('every rule can be explained by the id that is listed', async () => {
  const ids = await listedRules();
  expect(ids.length).toBeGreaterThan(60);
  const id = String(ids.at(-1));
  const { code, stdout } = await assay(['rules', 'explain', id]);
  expect([code, stdout.split('\n')[0]]).toEqual([0, id]);
});

test('an unknown rule is wrong use, and the near ones are named', async () => {
  const { code, stdout, said } = await assay(['rules', 'explain', 'zap.throttled.retryafter']);
  expect([code, stdout]).toEqual([2, '']);
  expect(said).toContain(
    'there is no rule zap.throttled.retryafter. Did you mean zap.throttled.retry-after',
  );
  expect((await assay(['rules', 'explain'])).code).toBe(2);
});
