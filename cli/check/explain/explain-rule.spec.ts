import { expect, test } from 'vitest';
import { SERVICE } from '../../service.ts';
import { explainRule } from './explain-rule.ts';

async function explained(id: string): Promise<string> {
  const rule = SERVICE.rules.all.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`there is no rule ${id}`);
  return explainRule(rule);
}

/** The lines below a heading. */
function below(heading: string, text: string): string[] {
  const [, rest = ''] = text.split(`\n${heading}\n`);
  return (rest.split('\n\n')[0] ?? '').trimEnd().split('\n');
}

test('what belongs to a rule is reported: clauses, faults, variants, cases and commands', async () => {
  const text = await explained('zap.pools.within-limit');
  expect(text).toMatch(/^ {2}Written in {2}contracts\/service\/rules\/limits\/\S+\.ts:\d+$/m);
  expect(below('Clauses', text)).toContainEqual(expect.stringMatching(/^ {2}§8 {2}The limit/));
  expect(below('Faults that it is known to catch', text)).toContainEqual(
    expect.stringMatching(
      /^ {2}limit-plus-one: .* \(fixtures\/service\/faults\/pools\/\S+\.ts:\d+\)$/,
    ),
  );
  expect(below('Correct services near it, by their words', text)).toContainEqual(
    expect.stringMatching(
      /^ {2}[a-z-]+: .*pool.* \(fixtures\/service\/variants\/pools\/\S+\.ts:\d+\)$/i,
    ),
  );
  expect(below('Mocked cases that break it', text)).toContainEqual(
    expect.stringMatching(/^ {2}zap\.pools: \w/),
  );
  expect(below('Specs that name it', text)).toContainEqual(
    expect.stringMatching(/^ {2}contracts\/service\/rules\/limits\/\S+\.spec\.ts$/),
  );
  expect(below('To run it alone', text).slice(0, 2)).toEqual([
    '  npm run -s assay -- check --embedded --only zap.pools.within-limit',
    '  npm run -s assay -- self-test --only zap.pools.within-limit',
  ]);
});

test.each([
  ['zap.limits.wait-suffices', 'limits --embedded', '--limits --only zap-limits-'],
  ['zap.limits.herd-drains', 'load --embedded --only zap.limits.herd-drains', '--load --only zap-'],
])('%s is run by what measures it: %s', async (id, command, selfTest) => {
  const [first = '', second = ''] = below('To run it alone', await explained(id));
  expect(first).toBe(`  npm run -s assay -- ${command}`);
  expect(second).toContain(` self-test ${selfTest}`);
});
