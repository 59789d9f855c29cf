/** Long because it holds two whole reports, as a person reads them. */

import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { renderTerminal } from './terminal.ts';

const PLAIN = { color: false, width: 80 };

describe('renderTerminal', () => {
  test('says in its outcome what the choice of rules leaves out, and which levels it changes', () => {
    const choice = { only: [], skip: ['docs'], levels: [], failOn: 'should' } as const;
    const leftOut = { must: 2, should: 1, observe: 0 };
    const changed = ruleRow({ id: 'zap.a', level: 'should', statedLevel: 'must' });
    const run = { ...EXAMPLE_RUN, choice: { ...choice, leftOut }, rules: [changed] };
    const text = renderTerminal(run, PLAIN);
    expect(text.replace(/\s+/g, ' ')).toContain(
      '1 of 1 rule passes, 2 must-rules left out by choice, warnings fail the run',
    );
    expect(text).toContain('1 changed by the configuration: zap.a');
    expect(renderTerminal(run, { ...PLAIN, detail: 'verbose' })).toContain(
      'zap.a is must, taken as should',
    );
  });

  test('reads like this', () => {
    const text = renderTerminal(EXAMPLE_RUN, { ...PLAIN, record: 'runs/2026-01-02' });
    expect(text).toMatchInlineSnapshot(`
      "✗ does not conform: 1 must-rule broken, 1 warning, 3 of 8 rules pass, 1 waived
        assay 0.1.0, limits, seed 42, 12.4 s, 812 exchanges, 4 of them throttled, 2
        unanswered
        zap http://127.0.0.1:4001, trade http://127.0.0.1:4002, docs and ai not
        configured

        ! The docs API is not configured: its rules were not reached.

      ✗ FAIL zap.path.min-return-within-amount  card: a fixed promise
        protects   The amount that a user is sure to get is never above the amount
                   that is quoted.
        at         /data/path/0/output/0/minReturn
        expected   at most amount, 1000000000000000000
        actual     "1000000000000000001"
        seen       at 12 places; 412 exchanges or groups judged, first in x00017
        smallest   differs in body/slippage
                   curl -i -X POST http://127.0.0.1:4001/v1/quote -H 'Content-Type: application/json' --data-raw '{"srcChainId":1,"slippage":3}'
        answer     200 {"status":"success","data":{}}
        replay     reproduced 3 of 3 times
                   assay check --seed 42 --replay zap.path.min-return-within-amount@drive:17

      ! WARN zap.errors.duplicate-keys  RFC 8259 section 4
        protects   All parsers read the same error.
        at         /code
        expected   once
        actual     twice
        seen       at 1 place; 31 exchanges or groups judged, first in x00102
        try        this request once more:
                   curl -i http://127.0.0.1:4001/v1/pools?limit=x

      Rate limits
        · zap, per client address: identified
          limit            60 requests in 60 s
          comes back       fixed window from the first request
          retryAfter       true: announced 41 s, admitted after 40.7 s
          not known        whose it is (--depth normal); whether a client at that pace
                           gets through (--depth thorough)

      inconclusive  1 (in 3 comparisons the service's answers moved meanwhile):
                    trade.quotes.stable
      waived        1 (provider migration (J. Doe, until 2026-02-01)):
                    trade.build.pair-key
      more          all of it with --verbose, or in run.json

      ✗ must   zap.path.min-return-within-amount  minReturn was "1000000000000000001"
      ! should zap.errors.duplicate-keys          code was twice
      record runs/2026-01-02
      "
    `);
  });

  test('reads like this when everything is asked for', () => {
    const options = { ...PLAIN, detail: 'verbose', record: 'runs/2026-01-02' } as const;
    expect(renderTerminal(EXAMPLE_RUN, options)).toMatchInlineSnapshot(`
      "✗ does not conform: 1 must-rule broken, 1 warning, 3 of 8 rules pass, 1 waived
        assay 0.1.0, limits, seed 42, 12.4 s, 812 exchanges, 4 of them throttled, 2
        unanswered
        zap http://127.0.0.1:4001, trade http://127.0.0.1:4002, docs and ai not
        configured

        ! The docs API is not configured: its rules were not reached.

      zap: 1 fail, 1 warn, 3 pass                                             evidence
        §2.2     ✓ pass         zap.quote.shape                                     40
                 ✓ pass         zap.asset.decimals                                 380
        card     ✗ fail         zap.path.min-return-within-amount                  412
        §4.1     ✓ pass         zap.pools.limit-default                              9
        RFC 8259 ! warn         zap.errors.duplicate-keys                           31

      trade: 1 inconclusive, 1 waived, 1 observed                             evidence
        card     ~ waived       trade.build.pair-key                                40
        §4.2     · observed     trade.idempotency.replay                             6
        §2.4     ? inconclusive trade.quotes.stable                                  0

      ✗ FAIL zap.path.min-return-within-amount  card: a fixed promise
        protects   The amount that a user is sure to get is never above the amount
                   that is quoted.
        at         /data/path/0/output/0/minReturn
        expected   at most amount, 1000000000000000000
        actual     "1000000000000000001"
        seen       at 12 places; 412 exchanges or groups judged, first in x00017
        smallest   differs in body/slippage
                   curl -i -X POST http://127.0.0.1:4001/v1/quote -H 'Content-Type: application/json' --data-raw '{"srcChainId":1,"slippage":3}'
        answer     200 {"status":"success","data":{}}
        replay     reproduced 3 of 3 times
                   assay check --seed 42 --replay zap.path.min-return-within-amount@drive:17

      ! WARN zap.errors.duplicate-keys  RFC 8259 section 4
        protects   All parsers read the same error.
        at         /code
        expected   once
        actual     twice
        seen       at 1 place; 31 exchanges or groups judged, first in x00102
        try        this request once more:
                   curl -i http://127.0.0.1:4001/v1/pools?limit=x

      Waived
        ~ provider migration (J. Doe, until 2026-02-01):
            trade.build.pair-key

      Inconclusive
        ? in 3 comparisons the service's answers moved meanwhile:
            trade.quotes.stable

      Not stated by the document, and seen
        · errors.status-type (§7 type of status): a number in 31 of 31 errors

      Above all
        ✗ fail         zap.path.min-return-within-amount  The amount that a user is s…
        ~ waived       trade.build.pair-key               A client finds the quote of…

      Rate limits
        · zap, per client address: identified
          limit            60 requests in 60 s
          comes back       fixed window from the first request
          retryAfter       true: announced 41 s, admitted after 40.7 s
          took             97 requests in 122.5 s
          not known        whose it is (--depth normal); whether a client at that pace
                           gets through (--depth thorough)

      ✗ must   zap.path.min-return-within-amount  minReturn was "1000000000000000001"
      ! should zap.errors.duplicate-keys          code was twice
      record runs/2026-01-02
      "
    `);
  });

  test('is one sentence when that is asked for', () => {
    const text = renderTerminal(EXAMPLE_RUN, { ...PLAIN, detail: 'quiet' });
    expect(text).toBe(
      '✗ does not conform: 1 must-rule broken, 1 warning, 3 of 8 rules pass, 1 waived\n',
    );
  });

  test('says, however short, why a run is undecided, in one line', () => {
    const why = `${'The budget of requests ended before all was asked, '.repeat(3)}so there.`;
    const run = { ...EXAMPLE_RUN, outcome: 'undecided', notices: [why] } as const;
    const [, second] = renderTerminal(run, { ...PLAIN, detail: 'quiet' }).split('\n');
    expect(second).toBe(`  ${why.slice(0, -1)}`);
    const failed = renderTerminal({ ...run, failure: 'no disk' }, { ...PLAIN, detail: 'quiet' });
    expect(failed.split('\n')[1]).toBe(
      '  Assay itself failed, which says nothing of the target: no disk',
    );
  });

  test('keeps to a terminal of 40 columns, and to no fewer', () => {
    for (const width of [40, 20]) {
      const text = renderTerminal(EXAMPLE_RUN, { ...PLAIN, width });
      const [head = ''] = text.split('FAIL');
      const widest = Math.max(...head.split('\n').map((line) => line.length));
      expect(widest).toBeLessThanOrEqual(40);
      expect(widest).toBeGreaterThan(30);
    }
  });

  test('keeps to it whatever is asked for, but for what is there to be copied', () => {
    const times = { p50Ms: 4.2, p95Ms: 812.5, p99Ms: 1204.8, worstMs: 10_000 };
    const latencies = [{ api: 'zap', operation: 'zap.quote', count: 412, ...times }] as const;
    const options = { ...PLAIN, width: 40, detail: 'verbose' } as const;
    const text = renderTerminal({ ...EXAMPLE_RUN, latencies }, options);
    const wide = text.split('\n').filter((line) => line.length > 40 && !/curl|replay/.test(line));
    expect(wide).toEqual([]);
    expect(text).toContain(
      '  card     ✗ fail                    412\n    zap.path.min-return-within-amount',
    );
    expect(text).toContain('      412    4.2  812.5   1205  10000');
  });

  test('says, however short, that it is of the embedded service', () => {
    const target = { ...EXAMPLE_RUN.target, kind: 'reference' } as const;
    const text = renderTerminal({ ...EXAMPLE_RUN, target }, { ...PLAIN, detail: 'quiet' });
    expect(text.split('\n')[1]).toBe('  of the embedded reference service: no target was named');
  });

  test('ends with a line for each broken rule, and the record', () => {
    const text = renderTerminal(EXAMPLE_RUN, { ...PLAIN, record: 'runs/x' });
    const last = text.trimEnd().split('\n').slice(-3).join('\n');
    expect(last).toMatch(
      /^✗ must .*zap\.path\.min-return-within-amount.*\n! should .*\nrecord runs\/x$/,
    );
  });

  test('names the page last of all, if there is one', () => {
    const text = renderTerminal(EXAMPLE_RUN, { ...PLAIN, record: 'runs/x', page: 'runs/x/a.html' });
    expect(text).toMatch(/\nrecord runs\/x\nreport runs\/x\/a\.html\n$/);
  });

  test('colour changes nothing but colour', () => {
    const coloured = renderTerminal(EXAMPLE_RUN, { ...PLAIN, color: true });
    expect(coloured).toContain('\u001b[31m');
    const plain = renderTerminal(EXAMPLE_RUN, PLAIN);
    expect(plain).not.toContain('\u001b');
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  test.each([20, 80, 97, 120, 400])(
    'at width %i no line but those to be copied is wider',
    (width) => {
      const room = Math.min(120, Math.max(80, width));
      const long = 'a-long-word '.repeat(40);
      const run = {
        ...EXAMPLE_RUN,
        notices: [long],
        rules: [
          ...EXAMPLE_RUN.rules,
          ruleRow({ id: 'zap.' + 'x'.repeat(150), evidence: 1234567 }),
          ruleRow({
            id: 'zap.long',
            verdict: 'fail',
            protects: long,
            findings: [
              {
                pointer: `/${long}`,
                expected: long,
                actual: long,
                exchanges: [long],
                curl: 'c',
                count: 1,
              },
            ],
          }),
          ruleRow({ verdict: 'not-reached', reason: long }),
        ],
      };
      const lines = renderTerminal(run, { color: false, width }).split('\n');
      expect(lines.filter((line) => line.length > room && !/curl|--replay/.test(line))).toEqual([]);
      expect(Math.max(...lines.map((line) => line.length))).toBeGreaterThan(room - 20);
    },
  );

  test('what the service sent cannot steer the terminal', () => {
    const evil = fc.string({
      unit: fc.constantFrom('\u001b', '[', '2', 'J', '\r', '\n', '\u202e'),
    });
    fc.assert(
      fc.property(evil, (actual) => {
        const finding = {
          pointer: '',
          expected: 'x',
          actual,
          exchanges: ['x1'],
          curl: 'c',
          count: 1,
        };
        const rules = [ruleRow({ verdict: 'fail', findings: [finding] })];
        const lines = renderTerminal({ ...EXAMPLE_RUN, rules }, PLAIN).split('\n');
        const plain = renderTerminal(
          {
            ...EXAMPLE_RUN,
            rules: [ruleRow({ verdict: 'fail', findings: [{ ...finding, actual: 'x' }] })],
          },
          PLAIN,
        );
        expect(lines).toHaveLength(plain.split('\n').length);
        expect(lines.join('')).not.toMatch(/\p{Cc}|\u202e/u);
      }),
    );
  });

  test.each([
    ['conforms', '✓ conforms: 1 of 1 rule passes\n'],
    ['does-not-conform', '✗ does not conform: '],
    ['undecided', '? undecided: '],
  ] as const)('begins with the outcome %s', (outcome, line) => {
    const text = renderTerminal({ ...EXAMPLE_RUN, outcome, rules: [ruleRow()] }, PLAIN);
    expect(text.startsWith(line)).toBe(true);
  });

  test('an empty run is a heading and a summary', () => {
    const empty = { ...EXAMPLE_RUN, rules: [], ledger: [], limits: [], notices: [] };
    expect(renderTerminal(empty, PLAIN).split('\n\n')).toHaveLength(2);
  });
});
