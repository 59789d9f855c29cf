import { expect, test } from 'vitest';
import { exchangeRule } from '../../contracts/judging/rule.ts';
import { type At, CHAINS, PROVIDERS, runOf } from './served.testkit.ts';

const RULE = exchangeRule({
  ...({ id: 'zap.test', level: 'must', source: 'card', protects: 'Nothing.' } as const),
  ...({ api: 'zap', operations: '*', answer: 'answered', leastEvidence: 1 } as const),
  judge: ({ status }) =>
    status < 500 ? [] : [{ pointer: '', expected: 'no error', actual: String(status) }],
});
const VALID = { purpose: { kind: 'valid' } } as const;
const served: readonly At[] = [
  { ...CHAINS, ...VALID },
  { ...PROVIDERS, ...VALID },
];
const out = served.map((one): At => ({ ...one, status: 503, text: 'busy' }));
const times = (count: number, of: readonly At[]): At[] =>
  Array.from({ length: count }, () => of).flat();

test('an outage within a run is one line, with what it alone broke, which counts', () => {
  const run = runOf([...served, ...times(4, out), ...served], {}, [RULE]);
  expect(run.outcome).toBe('does-not-conform');
  expect(run.notices).toEqual([
    'The zap API gave errors alone to 8 requests in a row, from exchange x3 to x10, the last of them 503 busy. Broken by an outage of the zap API alone, and counted: zap.test.',
  ]);
});

test('an outage of one operation is one line of that operation, and no rate', () => {
  const ways = ['a', 'b', 'c'].map((of): At => ({
    ...CHAINS,
    ...VALID,
    path: `${CHAINS.path}?of=${of}`,
  }));
  const outs = times(
    4,
    ways.map((one): At => ({ ...one, status: 503, text: 'busy' })),
  );
  const beside = times(4, served);
  const run = runOf([...beside, ...ways, ...outs, ...ways, ...beside, ...out.slice(1)], {}, [RULE]);
  expect(run.outages).toEqual(['zap.chains']);
  const mixed = outs.flatMap((one) => [one, ...out.slice(1)]);
  expect(runOf([...beside, ...ways, ...mixed, ...ways, ...beside], {}, [RULE]).outages).toEqual([
    'zap',
  ]);
  expect(run.atTimes?.map(({ operation }) => operation)).toEqual(['zap.providers']);
  expect(run.notices).toEqual([
    'zap.chains gave errors alone to 12 requests in a row, from exchange x12 to x23, the last of them 503 busy.',
    'Errors of the service among what was served: 1 of 9 answers, 11 % (0.28 % to 48 %) (zap.providers 1 of 9).',
  ]);
});

test('a few errors among what is served are a line with their rate and operations', () => {
  const run = runOf([...times(20, served), ...out, ...served, ...out.slice(1)], {}, [RULE]);
  expect(run.notices).toEqual([
    'Errors of the service among what was served: 3 of 45 answers, 6.7 % (1.4 % to 18 %) (zap.providers 2 of 23, zap.chains 1 of 22).',
  ]);
});

test('what was refused at times is a line with its rate, interval and operation, and is no error of the service', () => {
  const row = { api: 'docs', operation: 'docs.openapi', kind: 'refused', count: 2, of: 4 } as const;
  const rows = [{ ...row, said: '404 none' }];
  const run = runOf(served, { refusedAtTimes: rows }, [RULE]);
  expect(run.notices).toEqual([
    'Requests that were served at one time were refused at another: 2 of 4 answers, 50 % (6.8 % to 93 %) (docs.openapi 2 of 4). One was 404 none.',
  ]);
  expect(run.atTimes).toEqual(rows);
  expect(run.outcome).toBe('conforms');
});

test('of what fails more often than it serves no line is said beside the rules', () => {
  const run = runOf(
    [...served, ...out.slice(1), ...served, ...out, ...times(4, out.slice(1))],
    {},
    [],
  );
  expect(run.atTimes).toBe(undefined);
  expect(run.notices.join()).not.toContain('among what was served');
});
