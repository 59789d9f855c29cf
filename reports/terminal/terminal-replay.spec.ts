import { expect, test } from 'vitest';
import type { RegressionRow, RunJson } from '../../contracts/run/run.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { renderTerminal } from './terminal.ts';

const then = { pointer: '/data', expected: 'at least 5', actual: '4' };

function text(run: Partial<RunJson>): string {
  const whole = { ...EXAMPLE_RUN, rules: [], notices: [], ...run };
  return renderTerminal(whole, { color: false, width: 100 });
}

const finding = {
  ...then,
  actual: '3',
  ...{ exchanges: ['x00001'], curl: 'curl -i http://127.0.0.1', count: 1 },
};

test('a finding that shows again is reported with then and now', () => {
  const said = text({
    replay: 'zap.a@requests:abc',
    replayed: { then, verdict: 'shown' },
    outcome: 'does-not-conform',
    rules: [ruleRow({ id: 'zap.a', verdict: 'fail', findings: [finding] })],
  });
  expect(said).toMatch(/^✗ shown again: zap\.a, by \d+ requests\n/);
  expect(said).toContain('  then       expected at least 5, was 4\n');
  expect(said).toContain('  now        expected at least 5, was 3\n');
  expect(said).not.toContain('conform');
});

test('of one that does not, that is said, and nothing of the service', () => {
  const said = text({
    replay: 'zap.a@requests:abc',
    replayed: { then, verdict: 'not-shown' },
    outcome: 'undecided',
  });
  expect(said).toMatch(/^✓ not shown again: zap\.a/);
  expect(said).toContain('then       expected at least 5, was 4');
  expect(said).toContain('now        the same requests do not show it');
  expect(said).not.toMatch(/conforms|undecided/);
});

test('one that could not be asked for is neither', () => {
  const replayed = { verdict: 'unclear' } as const;
  const said = text({ replay: 'zap.a@requests:abc', replayed, notices: ['No key.'] });
  expect(said).toMatch(/^\? nothing can be said: zap\.a/);
  expect(said).toContain('! No key.');
});

test('earlier counterexamples are reported, those that still show first, many of them folded', () => {
  const rows: RegressionRow[] = [
    ...Array.from({ length: 7 }, (_, at): RegressionRow => {
      return { name: `zap.b.${at}`, rule: 'zap.b', verdict: 'not-shown' };
    }),
    { name: 'zap.a.1', rule: 'zap.a', verdict: 'shown' },
    { name: 'zap.c.1', rule: 'zap.c', verdict: 'not-sent', reason: 'the ai API has no base URL' },
  ];
  const said = text({ regressions: rows });
  expect(said).toContain(
    'Earlier counterexamples\n  ✗ still shown     zap.a.1\n  ✓ no longer shown zap.b.0\n',
  );
  expect(said).toContain('  and 4 more: 3 no longer shown, 1 not sent\n');
  expect(said).not.toContain('zap.b.4');
  const whole = renderTerminal(
    { ...EXAMPLE_RUN, regressions: rows },
    { color: false, width: 100, detail: 'verbose' },
  );
  expect(whole).toContain('zap.c.1 (the ai API has no base URL)');
});
