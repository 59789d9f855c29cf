/** Long because every kind of service of which parts are not served is a case of its own. */

import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import { describe, expect, test } from 'vitest';
import { choose, EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import { exchangeRule, type Level, type Rule } from '../../contracts/judging/rule.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { AtTimesRow, RunJson } from '../../contracts/run/run.ts';
import { unreachableNotice } from '../../contracts/run/unreachable.ts';
import { headlineOf } from '../headline.ts';
import { renderMarkdown } from '../forge/markdown.ts';
import { renderJUnit } from '../junit/junit.ts';
import { sourceOf } from '../source.testkit.ts';
import { renderTerminal } from '../terminal/terminal.ts';
import type { RunFacts } from './run-facts.ts';
import { FACTS } from './run-facts.testkit.ts';
import { type At, CHAINS, error, PROVIDERS, runOf, untyped } from './served.testkit.ts';

/** The formats that begin with what a run came to. */
function saidBy(run: RunJson): string[] {
  const [markdown = ''] = renderMarkdown([sourceOf(run)]).split('\n\n');
  return [markdown, renderTerminal(run, { color: false, width: 100 }), renderJUnit(run)];
}

const brokenIn = ({ rules }: RunJson): string[] =>
  rules.filter(({ findings }) => findings.length > 0).map(({ id }) => id);

describe('an operation that was asked and never served', () => {
  // A trade build that is refused breaks no rule: which fields it needs is not shown.
  const build = (more: At): At => ({
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx', sent: {}, base: 'http://127.0.0.1:2' },
    ...more,
  });
  const target = {
    ...FACTS.target,
    urls: { ...FACTS.target.urls, trade: 'http://127.0.0.1:2' },
  };
  const quotes: At = build({ path: '/v1/quotes', purpose: { kind: 'probe', about: 'quotes' } });

  test.each<[string, readonly At[], RegExp]>([
    ['401', [build(error(401)), build(error(403))], /only answered 401 or 403.*trade\.build-tx/],
    ['422', [build(error(422, 'NO_GO'))], /every valid request was refused.*422 .*NO_GO/],
    ['410', [build(error(410))], /only answered 404, 405, 410 or 501/],
    ['429', [build(error(429, 'RATE_LIMITED'))], /every request met a rate limit/],
    ['no answer', [build({ failure: 'timeout' })], /no request was answered/],
    ['a redirect', [build(error(302))], /only answered with redirects/],
    [
      'several things',
      [build(error(422)), build(error(409)), build({ failure: 'closed' })],
      /^Never served: trade\.build-tx/,
    ],
  ])('leaves the run undecided, with the reason: %s', (_, sketches, words) => {
    // What an error has to look like is not asked here.
    const rules = RULES.filter(({ id }) => !/\.(?:throttled|auth|errors)\./.test(id));
    const run = runOf([PROVIDERS, quotes, ...sketches], { target }, rules);
    expect(run.outcome).toBe('undecided');
    expect(run.notices[0]).toMatch(words);
    expect(headlineOf(run).words).toContain('undecided: Never served');
  });

  test('is reported with the variable that gives the credential', () => {
    const keyVariables = { trade: 'ASSAY_TRADE_KEY' };
    const run = runOf([PROVIDERS, quotes, build(error(401))], { target, keyVariables });
    expect(run.notices[0]).toContain('give one with ASSAY_TRADE_KEY');
  });

  test.each<[string, readonly At[], Partial<RunFacts>]>([
    ['it served once', [build(error(422)), build({ answered: {} })], {}],
    [
      'it was asked by wrong requests alone',
      [build({ ...error(422), purpose: { kind: 'invalid', defect: 'x' } })],
      {},
    ],
    ['the traffic is recorded', [build({ ...error(422), purpose: { kind: 'unknown' } })], {}],
    [
      'its user left it out',
      [build(error(422))],
      { choice: { ...EVERY_RULE, skip: ['trade.build-tx'] } },
    ],
    [
      'its user asked about another one',
      [build(error(422))],
      { choice: { ...EVERY_RULE, only: ['trade.quotes'] } },
    ],
  ])('is none if %s', (_, sketches, facts) => {
    const { rules } = choose(RULES, facts.choice ?? EVERY_RULE);
    const { notices } = runOf([PROVIDERS, quotes, ...sketches], { target, ...facts }, rules);
    expect(notices.filter((notice) => notice.startsWith('Never served'))).toEqual([]);
  });

  test('is said once if a record is judged again', () => {
    const sketches = [PROVIDERS, quotes, build(error(422))];
    const { notices } = runOf(sketches, { target });
    expect(runOf(sketches, { target, notices }).notices).toEqual(notices);
  });
});

describe('a host that serves nothing', () => {
  test.each<[string, readonly At[]]>([
    [
      'errors of the server',
      [
        { ...CHAINS, ...untyped(500) },
        { ...PROVIDERS, ...untyped(503) },
      ],
    ],
    [
      'errors and silence',
      [
        { ...CHAINS, ...untyped(503) },
        { ...CHAINS, failure: 'timeout' },
      ],
    ],
    [
      'errors, and what a server in front refuses by its size',
      [
        { ...CHAINS, ...untyped(503) },
        { ...CHAINS, ...untyped(413), purpose: { kind: 'invalid', defect: 'large' } },
      ],
    ],
  ])('is out, and breaks no rule: %s', (_, sketches) => {
    const run = runOf(sketches);
    expect(brokenIn(run)).toEqual([]);
    expect(run.outcome).toBe('undecided');
    expect(run.notices).toHaveLength(1);
    expect(run.notices[0]).toMatch(/^http:\/\/127\.0\.0\.1:1 \(the zap API\) served nothing/);
    const rules = run.rules.filter(({ api, id }) => api === 'zap' && !id.includes('.throttled.'));
    const reasons = rules.map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(
      new Set(['http://127.0.0.1:1 served nothing in the whole run']),
    );
  });

  test.each<[string, At]>([
    ['a success', PROVIDERS],
    ['a refusal', { ...PROVIDERS, ...untyped(400) }],
    [
      'a success of another API of the host',
      { api: 'trade', method: 'POST', path: '/v1/quotes', sent: {} },
    ],
  ])('is none with %s: what is broken stays so', (_, other) => {
    const run = runOf([{ ...CHAINS, ...untyped(500) }, other]);
    expect(brokenIn(run)).toContain('zap.errors.typed-body');
    expect(run.outcome).toBe('does-not-conform');
  });

  test('leaves what another host breaks', () => {
    const trade: At = {
      api: 'trade',
      method: 'POST',
      path: '/v1/buildTx',
      sent: {},
      base: 'http://127.0.0.1:2',
    };
    const run = runOf([
      { ...CHAINS, ...untyped(500) },
      { ...trade, ...untyped(400) },
    ]);
    expect(brokenIn(run)).toContain('trade.errors.typed-body');
    expect(brokenIn(run).filter((id) => id.startsWith('zap.'))).toEqual([]);
    expect(run.outcome).toBe('does-not-conform');
  });

  test('is reported in one line, whatever the drive said of its APIs', () => {
    const silent: At[] = [
      { ...CHAINS, failure: 'connect' },
      { api: 'docs', path: '/llms.txt', failure: 'connect' },
    ];
    const notices = ['zap', 'docs'].map((api) => unreachableNotice(api, 3, 'no answer: connect'));
    const run = runOf(silent, { notices, cutShort: true });
    expect(run.notices).toEqual([
      'http://127.0.0.1:1 (the zap and docs APIs) did not answer any of 2 requests. The last: no answer: connect. Check its base URL and whether it is up.',
    ]);
  });

  test('breaks what its rules say of an API of which nothing must be', () => {
    const up = (level: Level): Rule =>
      exchangeRule({
        ...{ id: 'zap.up', level, source: '§1', protects: 'It is up.', rulesOut: 'It is down.' },
        ...{ api: 'zap', operations: '*', answer: 'any', leastEvidence: 1 },
        judge: ({ status }) =>
          status < 500 ? [] : [{ pointer: '', expected: 'up', actual: 'down' }],
      });
    const sketches: At[] = [{ ...CHAINS, ...error(503) }];
    expect(brokenIn(runOf(sketches, {}, [up('must')]))).toEqual([]);
    expect(brokenIn(runOf(sketches, {}, [up('should')]))).toEqual(['zap.up']);
    // Beside another API that is out as well, as under maintenance, it is a part of the outage.
    const docs = { ...up('must'), id: 'docs.up', api: 'docs' };
    const both: At[] = [
      ...sketches,
      { api: 'docs', path: '/llms.txt', ...error(503), base: 'http://127.0.0.1:2' },
    ];
    expect(brokenIn(runOf(both, {}, [up('should'), docs]))).toEqual([]);
  });

  test('breaks nothing in the record of a load, which shows hosts alone', () => {
    const out: At = { ...CHAINS, ...untyped(503), base: 'http://127.0.0.1:2', api: 'trade' };
    const load = { ...EXAMPLE_LOAD, violations: [], thresholds: [] };
    const run = runOf([PROVIDERS, out, out, PROVIDERS], { load });
    expect(brokenIn(run).filter((id) => id.startsWith('trade.'))).toEqual([]);
    expect(run.outcome).toBe('undecided');
    expect(run.notices.join()).toContain('127.0.0.1:2');
    expect(run.notices.join()).not.toContain('Never served');
  });

  test('is judged as it is in a replay, in recorded traffic and in a probe of limits', () => {
    const sketch: At = { ...CHAINS, ...untyped(500) };
    expect(brokenIn(runOf([sketch], { replay: 'zap.errors.typed-body@drive' }))).not.toEqual([]);
    expect(brokenIn(runOf([{ ...sketch, purpose: { kind: 'unknown' } }]))).not.toEqual([]);
    expect(brokenIn(runOf([sketch], { limits: [] }))).not.toEqual([]);
  });
});

describe('a base URL under which nothing is served', () => {
  const HTML = '<!doctype html><title>Welcome</title>';

  test.each<[string, readonly At[], RegExp]>([
    [
      'that ends in what all paths begin with',
      [{ ...CHAINS, ...untyped(404), base: 'http://127.0.0.1:1/api/v1' }],
      /GET http:\/\/127\.0\.0\.1:1\/api\/v1\/v1\/config\/chains gave 404 .* begin with \/v1\/config\/chains|begin with \/v1: leave that out/,
    ],
    [
      'that ends in what some paths begin with',
      ['/.well-known/api-catalog', '/llms.txt'].map((path) => ({
        ...{ api: 'docs', path, base: 'http://127.0.0.1:1/.well-known' },
        ...untyped(404),
      })),
      /begin with \/\.well-known: leave that out/,
    ],
    [
      'of 404',
      [
        { ...CHAINS, ...untyped(404) },
        { ...PROVIDERS, ...untyped(405) },
      ],
      /right base URL\?$/,
    ],
    [
      'of 404, behind something that denies credentials that nobody issued',
      [
        { ...CHAINS, ...untyped(404) },
        { ...PROVIDERS, ...untyped(401), purpose: { kind: 'probe', about: 'a made-up key' } },
        { ...PROVIDERS, ...untyped(403), purpose: { kind: 'invalid', defect: 'a made-up key' } },
      ],
      /right base URL\?$/,
    ],
    [
      'of web pages',
      [
        { ...CHAINS, text: HTML },
        { ...PROVIDERS, ...untyped(404) },
      ],
      /web pages in place of JSON/,
    ],
    [
      'of refused web pages',
      [{ ...CHAINS, text: HTML, status: 403 }],
      /web pages in place of JSON/,
    ],
    [
      'of redirects',
      [{ ...CHAINS, status: 301, headers: { location: 'https://zap.example/' } }],
      /here https:\/\/zap\.example\//,
    ],
    [
      'of TLS that was asked in plain HTTP',
      [{ ...CHAINS, status: 400, text: 'Client sent an HTTP request to an HTTPS server.\n' }],
      /speaks TLS there/,
    ],
  ])('breaks no rule and is reported: one %s', (_, sketches, words) => {
    const run = runOf(sketches);
    expect(brokenIn(run)).toEqual([]);
    expect(run.outcome).toBe('undecided');
    expect(run.notices).toHaveLength(1);
    expect(run.notices[0]).toMatch(words);
    for (const said of saidBy(run)) expect(said).toContain('undecided');
  });

  test('is reported if nothing but a place answers that another API has as well', () => {
    const build: At = { method: 'POST', path: '/v1/buildTx', sent: {}, ...untyped(400) };
    const trade: At = { ...build, api: 'trade' };
    const run = runOf(
      [
        { ...CHAINS, ...untyped(404) },
        build,
        trade,
        { ...trade, path: '/v1/quotes', answered: {} },
      ],
      {},
      RULES.filter(({ api }) => api === 'zap'),
    );
    expect(run.outcome).toBe('undecided');
    expect(run.notices).toEqual([
      expect.stringMatching(/It is that of the trade API as well\. Is it the right base URL\?$/),
    ]);
  });

  test('is reported if only such a place answers, though nobody named the other API', () => {
    const build: At = { method: 'POST', path: '/v1/buildTx', sent: {}, ...untyped(400) };
    const run = runOf(
      [{ ...CHAINS, ...untyped(404) }, build],
      {},
      RULES.filter(({ api }) => api === 'zap'),
    );
    expect(run.outcome).toBe('undecided');
    expect(run.notices).toEqual([expect.stringMatching(/Is it the right base URL\?$/)]);
  });

  test.each<[string, At]>([
    ['a refusal', { ...PROVIDERS, ...untyped(400) }],
    ['a demand for a credential', { ...PROVIDERS, ...untyped(401) }],
    ['an error of the server', { ...PROVIDERS, ...untyped(500) }],
    ['a success', PROVIDERS],
  ])('is none with %s: what is broken stays so', (_, other) => {
    const run = runOf([{ ...CHAINS, ...untyped(404) }, other]);
    expect(brokenIn(run)).toContain('zap.errors.typed-body');
    expect(run.outcome).toBe('does-not-conform');
  });
});

test('what a few tries met by chance is not said to be refused each time', () => {
  const row = { api: 'zap', operation: 'zap.providers', kind: 'refused', count: 2, of: 9 } as const;
  const refused = [1, 2, 3].map((at) => ({
    ...{ ...PROVIDERS, path: `/v1/config/providers?chainId=${at}` },
    ...error(404),
  }));
  const linesOf = (times: number, refusedAtTimes: readonly AtTimesRow[]): number =>
    runOf(
      [PROVIDERS, ...Array<readonly At[]>(times).fill(refused).flat()],
      { refusedAtTimes },
      [],
    ).notices.filter((notice) => notice.startsWith('Refused by')).length;
  expect([linesOf(1, []), linesOf(5, [row]), linesOf(6, [row])]).toEqual([1, 0, 1]);
});

test('valid requests that an operation refuses each time are reported in a line, with what they share', () => {
  const built = (at: number, estimateGas: boolean, answer: Partial<At>): At => ({
    ...{ method: 'POST', path: '/v1/buildTx', sent: { amount: String(at), estimateGas } },
    ...answer,
  });
  const refused = [1, 2, 3].map((at) => built(at, true, error(400, 'NO')));
  const served = built(4, false, { answered: {} });
  const linesOf = (sketches: readonly At[]): string[] =>
    runOf(sketches, {}, []).notices.filter((notice) => notice.startsWith('Refused by'));
  expect(linesOf([served, ...refused])).toEqual([
    'Refused by zap.build-tx (POST /v1/buildTx), which serves others: 3 different valid requests (each sent once), 3 of them with 400 NO. Every request with estimateGas: true was refused (3, most with 400 NO); others were served. Whether it must serve them is not known.',
  ]);
  expect(linesOf([built(4, true, { answered: {} }), ...refused])[0]).not.toContain('estimateGas');
  // What is refused for another reason hides none, nor is a value named that is no reason of its own.
  const other = { ...{ method: 'POST', path: '/v1/buildTx' }, ...error(400, 'ELSE') };
  const one = { ...other, sent: { estimateGas: false } };
  const both = { ...other, sent: { amount: '9', estimateGas: true, odd: true } };
  const oddServed = { ...served, sent: { estimateGas: false, odd: false } };
  expect(linesOf([served, oddServed, one, ...refused, both])[0]).toMatch(
    /NO\. Every request with estimateGas: true was refused \(4, most with 400 NO\); others were served\. Whether/,
  );
  expect(linesOf([served, ...refused, built(5, true, error(500, 'NO'))])[0]).not.toContain('Every');
  const twice = (times: number): string | undefined =>
    linesOf([served, ...refused, ...refused.slice(0, times)])[0];
  expect(twice(1)).toContain('(1 sent again)');
  expect(twice(3)).toContain('(all sent again)');
  // One was served at another time, or nothing was.
  expect(linesOf([served, ...refused, built(3, true, { answered: {} })])).toEqual([]);
  expect(linesOf(refused)).toEqual([]);
});
