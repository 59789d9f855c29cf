import { expect, test } from 'vitest';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { RULES } from '../../contracts/service/registry.ts';
import { CONTRACT_PROBE } from '../../contracts/judging/contract-probe.ts';
import { type At, CHAINS, error, PROVIDERS, runOf, untyped } from './served.testkit.ts';

const rows = (count: number, sketch: At): At[] => Array.from({ length: count }, () => sketch);
const SAYS = {
  '503': error(503, 'OUT'),
  '404': error(404),
  '401': error(401),
  '302': { status: 302 },
  '400': error(400),
};
/** Those that say what an error has to look like are not asked here. */
const few = RULES.filter(({ id }) => !/chains|errors|auth|served|no-server-error/.test(id));

test.each<[keyof typeof SAYS, number, RegExp]>([
  [
    '503',
    8,
    /from exchange x2 to x9, when it was asked last, only answered with errors of the server: the zap API/,
  ],
  [
    '404',
    20,
    /from exchange x2 to x21, when it was asked last, only answered 404, .*: the zap API/,
  ],
  ['401', 20, /only answered 401 or 403: the zap API/],
  ['302', 20, /only answered with redirects: the zap API/],
  ['400', 20, /every valid request was refused: the zap API/],
])(
  'what was served at first leaves the run undecided once it is not any more: %s, %i times in a row',
  (kind, least, words) => {
    const run = (count: number): RunJson =>
      runOf([PROVIDERS, ...rows(count, { ...PROVIDERS, ...SAYS[kind] })], {}, few);
    expect(run(least - 1).notices).toEqual([]);
    expect(run(least).outcome).toBe('undecided');
    expect(run(least).notices[0]).toMatch(words);
    expect(run(least).notices[0]).toContain(`${least} valid requests in a row; ${least} of them`);
  },
);

test('what ended is one operation alone where its API serves others', () => {
  const out = rows(8, { ...PROVIDERS, ...error(503) });
  const run = runOf([PROVIDERS, CHAINS, ...out, CHAINS], {}, few);
  expect(run.outcome).toBe('undecided');
  expect(run.notices[0]).toContain(': zap.providers (GET /v1/config/providers).');
});

test.each<[string, readonly At[]]>([
  ['it serves again', [...rows(30, { ...PROVIDERS, ...error(400) }), PROVIDERS]],
  ['it was never served', rows(30, { ...PROVIDERS, ...error(400) })],
  [
    'other requests were refused',
    rows(30, { ...PROVIDERS, path: '/v1/config/providers?a=1', ...error(400) }),
  ],
  [
    'wrong requests were refused',
    rows(30, { ...PROVIDERS, purpose: { kind: 'invalid', defect: 'x' }, ...error(400) }),
  ],
  ['a rate limit was met', rows(30, { ...PROVIDERS, ...error(429, 'RATE_LIMITED') })],
])('nothing has ended where %s', (why, sketches) => {
  const served = why === 'it was never served' ? [] : [PROVIDERS];
  const { notices } = runOf([...served, ...sketches], {}, few);
  expect(notices.filter((notice) => notice.startsWith('Served at first'))).toEqual([]);
});

test('an API that was out for a while is reported, and leaves the run undecided', () => {
  const short = runOf(
    [PROVIDERS, ...rows(19, { ...PROVIDERS, ...error(503) }), PROVIDERS],
    {},
    few,
  );
  expect(short.notices).toEqual([]);
  const run = runOf([PROVIDERS, ...rows(20, { ...PROVIDERS, ...error(503) }), PROVIDERS], {}, few);
  expect(short.outcome).toBe('conforms');
  expect(run.outcome).toBe('undecided');
  expect(run.notices[0]).toContain(
    'met 20 valid requests in a row with errors, from exchange x2 to x21, and served again',
  );
});

test('an operation that was out for a while is reported if its API served meanwhile', () => {
  const out = rows(20, { ...PROVIDERS, ...error(503) });
  const between = out.flatMap((one, at) => (at % 5 === 0 ? [CHAINS, one] : [one]));
  const run = runOf([PROVIDERS, ...between, PROVIDERS], {}, few);
  expect(run.outcome).toBe('undecided');
  expect(run.notices[0]).toMatch(/^zap\.providers \(GET .*\) met 20 valid requests in a row/);
});

test('of an API nothing is said where one operation fails, and another was not asked since', () => {
  const run = runOf([CHAINS, PROVIDERS, ...rows(8, { ...PROVIDERS, ...error(503) })], {}, few);
  expect(run.notices.join()).toContain(': zap.providers (GET /v1/config/providers).');
  expect(run.notices.join()).not.toContain('the zap API');
});

test('what was deleted since is not known to have been served', () => {
  const thing: At = { ...PROVIDERS, path: '/v1/config/providers?of=7' };
  const deleted: At = {
    ...thing,
    method: 'DELETE',
    path: '/v1/config/providers',
    purpose: { kind: 'invalid', defect: 'method' },
  };
  const out = rows(30, { ...thing, ...error(503) });
  const words = (sketches: readonly At[]): string => runOf(sketches, {}, few).notices.join();
  expect(words([thing, ...out])).toContain('Served at first');
  expect(words([thing, deleted, ...out])).not.toContain('Served at first');
});

test.each(['400', '403'] as const)(
  'what is made by a contract of others may be refused with %s from some time on',
  (status) => {
    const made: At = { ...PROVIDERS, method: 'POST', path: '/v1/quote', sent: {} };
    const asked = { kind: 'probe', about: CONTRACT_PROBE } as const;
    const refused = status === '400' ? error(400) : error(403);
    const words = (purpose: At['purpose']): string => {
      const one = purpose === undefined ? made : { ...made, purpose };
      return runOf([one, ...rows(30, { ...one, ...refused })], {}, few).notices.join();
    };
    expect(words(undefined)).toContain('Served at first');
    expect(words(asked)).not.toContain('Served at first');
  },
);

test('what an API gives since it ended breaks no rule; what it gave before does', () => {
  const out = rows(8, { ...PROVIDERS, ...untyped(503) });
  const docs = { api: 'docs', path: '/llms.txt' } as const;
  const ended = runOf([PROVIDERS, { ...docs }, ...out, ...rows(8, { ...docs, ...untyped(500) })]);
  expect(broken(ended)).toEqual([]);
  expect(ended.outcome).toBe('undecided');
  const typed = ended.rules.find(({ id }) => id === 'zap.errors.typed-body');
  expect(typed?.reason).toContain('served nothing any more from exchange x3 on');
  const before = { ...PROVIDERS, ...untyped(400) };
  expect(broken(runOf([PROVIDERS, before, ...out]))).toEqual(['zap.errors.typed-body']);
  expect(broken(runOf([PROVIDERS, ...out, PROVIDERS]))).toContain('zap.errors.typed-body');
});

test('what was broken under load only since an API ended breaks no threshold either', () => {
  const rule = 'zap.errors.typed-body';
  const violation = { rule, count: 5, firstStep: 0, firstExchange: 'x2', bySteps: [] };
  const load: RunLoad = {
    ...EXAMPLE_LOAD,
    violations: [violation],
    thresholds: [
      { expression: 'violations==0', measured: 5, held: false },
      { expression: 'dropped==0', measured: 0, held: true },
    ],
  };
  const out = rows(8, { ...PROVIDERS, ...untyped(503) });
  const ended = runOf([PROVIDERS, ...out], { load });
  expect(ended.rules.find(({ id }) => id === rule)?.verdict).toBe('not-reached');
  expect(ended.load?.violations).toEqual([{ ...violation, isSetAside: true }]);
  expect(ended.load?.thresholds).toEqual([
    { expression: 'violations==0', measured: 0, held: true },
    { expression: 'dropped==0', measured: 0, held: true },
  ]);
  expect([ended.outcome, ended.brokenBy]).toEqual(['undecided', undefined]);
  expect(ended.notices[0]).toMatch(/served nothing any more from exchange x2 on: rules/);
  // One that is over still counts, for the rule and for the threshold.
  const over = runOf([PROVIDERS, ...out, PROVIDERS], { load });
  expect(over.rules.find(({ id }) => id === rule)?.verdict).toBe('fail');
  expect(over.load).toEqual(load);
  // What a waiver accepts was never counted.
  const waiver = { rule, reason: 'known', owner: 'us', expires: '9999-12-31' };
  const waived = {
    ...load,
    thresholds: [{ expression: 'violations==0', measured: 0, held: true }],
  };
  const accepted = runOf([PROVIDERS, ...out], { load: waived, waivers: [waiver] });
  expect(accepted.load?.thresholds).toEqual(waived.thresholds);
});

function broken({ rules: all }: RunJson): string[] {
  return all
    .filter(({ verdict, level }) => verdict === 'fail' && level === 'must')
    .map(({ id }) => id);
}
