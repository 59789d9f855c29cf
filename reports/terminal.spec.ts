import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXAMPLE_RUN, ruleRow } from './example-run.testkit.ts';
import { renderTerminal } from './terminal.ts';

const PLAIN = { color: false, width: 80 };

describe('renderTerminal', () => {
  test('says in its outcome what the choice of rules leaves out, and which levels it changes', () => {
    const choice = { only: [], skip: ['docs'], levels: [], failOn: 'should' } as const;
    const leftOut = { must: 2, should: 1, observe: 0 };
    const changed = ruleRow({ id: 'zap.a', level: 'should', statedLevel: 'must' });
    const run = { ...EXAMPLE_RUN, choice: { ...choice, leftOut }, rules: [changed] };
    const text = renderTerminal(run, PLAIN);
    expect(text).toContain('does not conform without 2 must-rules that the choice leaves out: ');
    expect(text.replace(/\s+/g, ' ')).toContain(
      '3 left out, 1 of another level than stated, warnings fail',
    );
    expect(text).toContain('zap.a is must, taken as should');
  });

  test('reads like this', () => {
    const text = renderTerminal(EXAMPLE_RUN, { ...PLAIN, record: 'runs/2026-01-02' });
    expect(text).toMatchInlineSnapshot(`
      "assay 0.1.0 on this target
        zap    http://127.0.0.1:4001
        trade  http://127.0.0.1:4002
        docs   not configured
        ai     not configured
        seed 42, 12.4 s, 812 exchanges, 4 of them throttled, 2 unanswered

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

      docs: 3 not reached

      ✗ FAIL zap.path.min-return-within-amount (card)
        protects   The amount that a user is sure to get is never above the amount
                   that is quoted.
        at         /data/path/0/output/0/minReturn
        expected   at most amount, 1000000000000000000
        actual     "1000000000000000001"
        seen       12 times in 412 exchanges judged, first in x00017, x00018, x00021
        smallest   differs in body/slippage; reproduced 3 of 3 times
                   curl -i -X POST http://127.0.0.1:4001/v1/quote -H 'Content-Type: application/json' --data-raw '{"srcChainId":1,"slippage":3}'
        answer     200 {"status":"success","data":{}}
        replay     assay check --seed 42 --replay zap.path.min-return-within-amount@drive:17

      ! WARN zap.errors.duplicate-keys (RFC 8259 section 4)
        protects   All parsers read the same error.
        at         /code
        expected   once
        actual     twice
        seen       1 time in 31 exchanges judged, first in x00102
        try        curl -i http://127.0.0.1:4001/v1/pools?limit=x

      Waived
        ~ provider migration (J. Doe, until 2026-02-01):
            trade.build.pair-key

      Inconclusive
        ? in 3 comparisons the service's answers moved meanwhile:
            trade.quotes.stable

      Not reached
        - the docs API is not configured:
            docs.openapi.published, docs.index.published, docs.auth.metadata

      Where the document is silent, this was seen
        · errors.status-type (§7 type of status): a number in 31 of 31 errors

      Rate limits
        · zap, per client address: identified
          algorithm        fixed window from the first request
          limit            60 requests in 60 s
          retryAfter       honest: announced 41 s, admitted after 40.7 s
          took             97 requests in 122.5 s

      Above all
        ✗ fail         zap.path.min-return-within-amount  The amount that a user is s…
        ~ waived       trade.build.pair-key               A client finds the quote of…

      does not conform: 3 rules pass, 1 fail, 1 warn, 3 not reached, 1 waived, 1
      inconclusive, 1 observed
      record: runs/2026-01-02
      "
    `);
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

  test('counts findings beyond the third', () => {
    const finding = {
      pointer: '',
      expected: 'x',
      actual: 'y',
      exchanges: ['x1'],
      curl: 'c',
      count: 1,
    };
    const rules = [
      ruleRow({ verdict: 'fail', findings: Array.from({ length: 5 }, () => finding) }),
    ];
    const text = renderTerminal({ ...EXAMPLE_RUN, rules }, PLAIN);
    expect(text.match(/ expected /g)).toHaveLength(3);
    expect(text).toContain('and 2 findings more in the record');
  });

  test.each([
    ['conforms', 'conforms: 1 rule passes, 0 fail, 0 warn, 0 not reached\n'],
    ['does-not-conform', 'does not conform: '],
    ['undecided', 'undecided: '],
  ] as const)('ends with the outcome %s', (outcome, line) => {
    const text = renderTerminal({ ...EXAMPLE_RUN, outcome, rules: [ruleRow()] }, PLAIN);
    expect(text.split('\n\n').at(-1)).toContain(line);
  });

  test('an empty run is a heading and a summary', () => {
    const empty = { ...EXAMPLE_RUN, rules: [], ledger: [], limits: [], notices: [] };
    expect(renderTerminal(empty, PLAIN).split('\n\n')).toHaveLength(2);
  });
});
