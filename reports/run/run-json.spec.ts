/** Long because a summary says many things of a run, each of which is tried. */

import { describe, expect, test } from 'vitest';
import { exchangeOf, type ExchangeSketch } from '../../contracts/judging/exchange.testkit.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import type { View } from '../../contracts/judging/view.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { RULES } from '../../contracts/service/registry.ts';
import { choose, EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import type { RunFacts } from './run-facts.ts';
import { FACTS } from './run-facts.testkit.ts';
import { runJsonOf } from './run-json.ts';

const contract = await loadContract();

const PROVIDERS: ExchangeSketch = {
  path: '/v1/config/providers',
  answered: { status: 'success', data: {} },
};
const BROKEN: ExchangeSketch = { ...PROVIDERS, answered: { data: 'none' } };

function runOf(sketches: readonly ExchangeSketch[], facts: Partial<RunFacts> = {}): RunJson {
  const judge = new Judge(RULES, contract);
  sketches.forEach((sketch, at) => {
    judge.add(exchangeOf({ id: `x${at}`, ...sketch }));
  });
  return runJsonOf(judge, { ...FACTS, ...facts });
}

test('answers that took too much to be judged leave a run undecided, and are reported', () => {
  const isSlow = (text: string): boolean => text.includes('slow');
  const rules = RULES.filter(({ id }) => id === 'zap.providers.response-shape').map((rule) => ({
    ...rule,
    ...(rule.scope === 'exchange'
      ? { judge: (view: View) => (isSlow(view.text) ? ('too much' as const) : rule.judge(view)) }
      : {}),
  }));
  const outcomeOf = (answered: unknown): unknown => {
    const judge = new Judge(rules, contract);
    judge.add(exchangeOf({ id: 'x1', ...PROVIDERS }));
    judge.add(exchangeOf({ id: 'x2', ...PROVIDERS, answered }));
    const { outcome, notices } = runJsonOf(judge, FACTS);
    return [outcome, ...notices];
  };
  expect(outcomeOf(PROVIDERS.answered)).toEqual(['conforms']);
  expect(outcomeOf('slow')).toEqual([
    'undecided',
    expect.stringContaining('1 by zap.providers.response-shape'),
  ]);
});

test('a fault if Assay replaced a secret leaves a run undecided, and names the variable', () => {
  const served = { status: 'success', data: { '1': '$ASSAY_SECRET_BOOKS00' } };
  const credentials = ['ASSAY_SECRET_BOOKS'];
  const { outcome, rules, notices } = runOf([{ ...PROVIDERS, answered: served }], {
    target: { ...FACTS.target, credentials },
  });
  expect([outcome, rules.find(({ id }) => id === 'zap.providers.response-shape')?.verdict]).toEqual(
    ['undecided', 'inconclusive'],
  );
  expect(notices[0]).toMatch(
    /^The service serves as data what ASSAY_SECRET_BOOKS holds,.*response-shape/,
  );
});

test('a secret of the run that a success holds is named though no rule is broken', () => {
  const served = { status: 'success', data: { '1': [{ name: '$ASSAY_SECRET_BOOKS' }] } };
  const target = { ...FACTS.target, credentials: ['ASSAY_SECRET_BOOKS'] };
  const none = { ...FACTS.target, credentials: [] };
  const noticesOf = (status: number, of = target): readonly string[] =>
    runOf([{ ...PROVIDERS, status, answered: served }], { target: of }).notices.filter((notice) =>
      notice.startsWith('Successes hold what ASSAY_SECRET_BOOKS holds'),
    );
  expect(noticesOf(200)).toHaveLength(1);
  expect(noticesOf(400)).toEqual([]);
  // The target itself may have written the name.
  expect(noticesOf(200, none)).toEqual([]);
});

describe('what a user chooses of the rules', () => {
  const WARNED: ExchangeSketch = { ...PROVIDERS, headers: { 'content-type': 'text/plain' } };

  test('is not said if nothing was chosen', () => {
    expect(runOf([PROVIDERS])).not.toHaveProperty('choice');
  });

  test('is reported with what it leaves out', () => {
    const choice = { ...EVERY_RULE, skip: ['trade'] };
    const { leftOut } = choose(RULES, choice);
    expect(runOf([PROVIDERS], { choice, leftOut }).choice).toEqual({ ...choice, leftOut });
    expect(leftOut.must).toBeGreaterThan(5);
  });

  test('lets a warning fail the run, which it does not by itself', () => {
    const failOn = { choice: { ...EVERY_RULE, failOn: 'should' as const } };
    expect(runOf([WARNED]).outcome).toBe('conforms');
    expect(runOf([WARNED], failOn).outcome).toBe('does-not-conform');
    expect(runOf([PROVIDERS], failOn).outcome).toBe('conforms');
  });
});

test('a finding names the operation that shows it, if the contract has it', () => {
  const findings = runOf([BROKEN]).rules.flatMap((rule) => rule.findings);
  expect(findings.length).toBeGreaterThan(0);
  expect(new Set(findings.map(({ operation }) => operation))).toEqual(new Set(['zap.providers']));
});

describe('the outcome', () => {
  test('conforms when the run was through and no must was broken', () => {
    expect(runOf([PROVIDERS])).toMatchObject({ outcome: 'conforms', complete: true });
  });

  test('does not conform with a broken must, also when the run was cut short', () => {
    expect(runOf([PROVIDERS, BROKEN]).outcome).toBe('does-not-conform');
    expect(runOf([BROKEN], { cutShort: true })).toMatchObject({
      outcome: 'does-not-conform',
      complete: false,
    });
  });

  test('is undecided when the run was cut short', () => {
    expect(runOf([PROVIDERS], { cutShort: true }).outcome).toBe('undecided');
  });

  test('is undecided when an API answered, and nothing with success', () => {
    const refusal = { status: 400, code: 'BAD', message: 'no', requestId: 'r' };
    const purpose = { kind: 'probe', about: 'x' } as const;
    const run = runOf([{ status: 400, answered: refusal, purpose }]);
    expect(run.outcome).toBe('undecided');
    expect(run.notices).toEqual([
      expect.stringMatching(/^The zap API answered no request with success/),
    ]);
  });

  test('names what was denied, and the variable for the credential, if nothing else was answered', () => {
    const purpose = { kind: 'probe', about: 'x' } as const;
    const run = runOf([{ status: 401, purpose }], { keyVariables: { zap: 'ASSAY_ZAP_KEY' } });
    expect(run.notices[0]).toMatch(/1 of 1 answers were 401.*known of zap\.quote.*ASSAY_ZAP_KEY/);
  });

  test('is undecided when one of several APIs is silent', () => {
    const urls = { zap: 'http://127.0.0.1:1', trade: 'http://127.0.0.1:2' };
    const target = { ...FACTS.target, urls };
    const run = runOf([PROVIDERS, { api: 'trade', failure: 'connect' }], { target });
    expect(run.outcome).toBe('undecided');
    const reasons = run.rules.filter(({ api }) => api === 'trade').map(({ reason }) => reason);
    expect([...new Set(reasons)]).toEqual(['no response of the trade API was recorded']);
  });

  test('is undecided if this machine could not send all, and says so', () => {
    const run = runOf([PROVIDERS, { failure: 'machine' }]);
    expect(run.outcome).toBe('undecided');
    expect(run.notices).toEqual([
      expect.stringMatching(/^This machine failed, .* One request was not sent: no answer/),
    ]);
    expect(run.counts).toMatchObject({ exchanges: 2, failed: 0, unsent: 1 });
    expect(runOf([PROVIDERS, BROKEN, { failure: 'machine' }]).outcome).toBe('does-not-conform');
  });

  test('is undecided without a single exchange', () => {
    expect(runOf([]).outcome).toBe('undecided');
  });

  test('an API of which nothing must be need not serve anything', () => {
    const urls = { zap: 'http://127.0.0.1:1', ai: 'http://127.0.0.1:2' };
    const run = runOf([PROVIDERS], { target: { ...FACTS.target, urls } });
    expect(run.outcome).toBe('conforms');
  });
});

describe('waivers', () => {
  const waiver = { rule: 'zap.providers.response-shape', reason: 'known', owner: 'me' };
  /** The break of the shape may break other rules too; here it is the only one that is looked at. */
  const verdictIn = (run: RunJson): string | undefined =>
    run.rules.find(({ id }) => id === waiver.rule)?.verdict;

  test('hold through the day on which the run began', () => {
    const day = (expires: string): string | undefined =>
      verdictIn(runOf([BROKEN], { waivers: [{ ...waiver, expires }] }));
    expect(day('2026-05-10')).toBe('waived');
    expect(day('2026-05-09')).toBe('fail');
  });

  test('of rules that the run did not judge stand there, and nothing is said of them', () => {
    const waivers = [{ ...waiver, rule: 'zap.nothing', expires: '2026-05-10' }];
    const run = runOf([PROVIDERS], { waivers });
    expect(run.waivers).toEqual(waivers);
    expect(runOf([PROVIDERS])).not.toHaveProperty('waivers');
    expect(run.notices).toEqual([]);
  });

  test('that nothing needs are listed', () => {
    const run = runOf([PROVIDERS], { waivers: [{ ...waiver, expires: '2027-05-10' }] });
    expect(run.notices).toEqual([`Waivers that nothing in this run needs: ${waiver.rule}.`]);
  });

  test('for another operation than those that break the rule are listed', () => {
    const noticesAt = (operation: string): readonly string[] =>
      runOf([BROKEN], { waivers: [{ ...waiver, operation, expires: '2027-05-10' }] }).notices;
    expect(noticesAt('zap.chains')).toEqual([
      `Waivers that nothing in this run needs: ${waiver.rule} of zap.chains.`,
    ]);
    expect(noticesAt('zap.providers')).toEqual([]);
  });

  test.each([
    ['2026-05-25', undefined],
    ['2026-05-24', 'has 14 days left, until 2026-05-24'],
    ['2026-05-10', 'has its last day today, 2026-05-10'],
    ['2026-05-09', 'expired on 2026-05-09'],
  ])('that end on %s give the days left, which are those of UTC', (expires, words) => {
    const { notices } = runOf([BROKEN], { waivers: [{ ...waiver, expires }] });
    const line = `The waiver for ${waiver.rule} (me) ${words ?? ''}; days are those of UTC.`;
    expect(notices).toEqual(words === undefined ? [] : [line]);
  });
});

test('a rule that is not reached says why: its API is not configured, or nothing showed it', () => {
  const { rules } = runOf([PROVIDERS]);
  const reasonOf = (wanted: string): string | undefined =>
    rules.find(({ id }) => id === wanted)?.reason;
  expect(reasonOf('trade.build-tx.served')).toBe('the trade API is not configured');
  expect(reasonOf('zap.quote.served')).toBe('no exchange of the run shows it');
  expect(reasonOf('zap.providers.served')).toBeUndefined();
});

test('a finding carries the request that shows it, and all counts add up', () => {
  const run = runOf([PROVIDERS, BROKEN, { failure: 'timeout' }, { status: 429 }]);
  const row = run.rules.find(({ id }) => id === 'zap.providers.response-shape');
  expect(row?.findings).toMatchObject([{ pointer: '/data', exchanges: ['x1'], count: 1 }]);
  expect(row?.findings[0]?.curl).toContain('curl');
  expect(row?.findings[0]?.curl).toContain('/v1/config/providers');
  expect(run.counts).toMatchObject({ exchanges: 4, answered: 2, throttled: 1, failed: 1 });
});

const ONCE = { times: 1, of: 1 };

describe('a replay', () => {
  const RULE = 'zap.providers.response-shape';
  const replay = `${RULE}@requests:abc`;
  const then = { pointer: '/data', expected: 'an object', actual: '"none"' };

  test('says what became of its finding, and nothing of the service', () => {
    const shown = runOf([BROKEN], { replay, replayed: { then } });
    expect(shown).toMatchObject({ outcome: 'does-not-conform', replayed: { then } });
    expect(shown.replayed?.verdict).toBe('shown');
    const gone = runOf([PROVIDERS], { replay, replayed: { then } });
    expect(gone).toMatchObject({ outcome: 'undecided', complete: true });
    expect(gone.replayed).toEqual({ then, verdict: 'not-shown' });
    const unsent = runOf([], { replay, cutShort: true });
    expect(unsent.replayed).toEqual({ verdict: 'unclear' });
  });

  test('has a whole line, with the choices of the run if the requests are not in it', () => {
    const lineOf = (word: string, facts: Partial<RunFacts> = {}): string | undefined => {
      const found = { exchanges: ['x0'], curl: ['curl'], differsIn: [], reproduced: ONCE };
      const run = runOf([BROKEN], {
        command: 'npx assay check --zap-url http://127.0.0.1:1',
        counterexamples: [{ rule: RULE, ...found, replay: word }],
        ...facts,
      });
      return run.rules.find(({ id }) => id === RULE)?.counterexample?.command;
    };
    const base = 'npx assay check --zap-url http://127.0.0.1:1';
    expect(lineOf(replay)).toBe(`${base} --replay ${replay}`);
    expect(lineOf(`${RULE}@drive:7`, { seed: 9 })).toBe(
      `${base} --seed 9 --replay ${RULE}@drive:7`,
    );
    expect(lineOf(`${RULE}@drive:7`, { profile: 'nightly' })).toContain('--profile nightly --seed');
    expect(lineOf('ai.get-{id}.a@requests:b')).toContain(`--replay 'ai.get-{id}.a@requests:b'`);
  });
});

test('a rule that is not reached since answers were too large says so', () => {
  const { rules } = runOf([
    { ...PROVIDERS, failure: 'too-large' },
    { ...PROVIDERS, failure: 'too-large' },
    { path: '/v1/config/chains', failure: 'timeout' },
    { path: '/v1/pools', failure: 'too-large' },
    { path: '/v1/pools', answered: { status: 'success', data: { pools: [] } } },
  ]);
  const reasonOf = (id: string): unknown => rules.find((rule) => rule.id === id)?.reason;
  expect(reasonOf('zap.providers.response-shape')).toBe(
    '2 answers were larger than --max-body-bytes, and not read',
  );
  expect(reasonOf('zap.chains.response-shape')).toBe('no exchange of the run shows it');
  expect(reasonOf('zap.pools.response-shape')).toBeUndefined();
});
