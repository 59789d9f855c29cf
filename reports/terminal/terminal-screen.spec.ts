import { describe, expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import type { RunRuleRow } from '../../contracts/run/run.ts';
import { renderTerminal } from './terminal.ts';

const PLAIN = { color: false, width: 80 };

describe('a screen of 40 lines', () => {
  test('holds a run of which nothing needs a look, at 80 and 120 columns', () => {
    const many = Array.from({ length: 300 }, (_, at) =>
      ruleRow({ id: `zap.rule-${at}`, source: `§${at % 9}.${at % 7}` }),
    );
    const unreached = Array.from({ length: 60 }, (_, at) =>
      ruleRow({
        id: `trade.rule-${at}`,
        api: 'trade',
        verdict: 'not-reached',
        reason: `why ${at}`,
      }),
    );
    const ledger = Array.from({ length: 80 }, (_, at) => ({
      id: `seen-${at}`,
      clause: '§7',
      observed: ['x'],
    }));
    const run = {
      ...EXAMPLE_RUN,
      outcome: 'conforms',
      rules: [...many, ...unreached],
      ledger,
    } as const;
    for (const width of [80, 120]) {
      expect(renderTerminal(run, { color: false, width }).split('\n').length).toBeLessThan(40);
    }
  });

  test('holds a broken rule and one that it breaks, with each command alone on its line', () => {
    const broken = EXAMPLE_RUN.rules.filter(
      ({ verdict }) => verdict === 'fail' || verdict === 'warn',
    );
    const [first, second] = broken;
    const long =
      'a sentence of a rule or of a clause, and as long as most of those that the document has';
    const clauses = ['§1: a clause', '§2: a second one', '§3: a third one'];
    const finding = { ...first?.findings[0], actual: long };
    const rules = [
      ruleRow({ verdict: 'not-reached', reason: long }),
      ...[first, second].map((rule) => ({
        ...{ ...rule, protects: 'A promise.', clauses, findings: [finding, finding, finding] },
        counterexample: { ...first?.counterexample, curl: ['curl a', 'curl b', 'curl c'] },
      })),
    ] as RunRuleRow[];
    const run = { ...EXAMPLE_RUN, notices: [], limits: [], rules };
    const lines = renderTerminal(run, { ...PLAIN, record: 'r', page: 'r/report.html' })
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    const labels = lines.map((line) => /^ {2}(\w[\w ]*\w) {2,}\S/.exec(line)?.[1] ?? '');
    for (const label of ['at', 'expected', 'actual', 'replay'])
      expect(labels.filter((one) => one === label)).toHaveLength(2);
    const commands = lines.filter((line) => /curl |assay check/.test(line));
    expect(commands.map((line) => line.trim())).toEqual(
      [1, 2].flatMap(() => [
        'curl c',
        'assay check --seed 42 --replay zap.path.min-return-within-amount@drive:17',
      ]),
    );
  });

  test.each([
    ['violations==0', ['judged', 'thresholds'], ['step, /s and ms', 'requests and ms', 'served']],
    ['errors<1%', ['errors', 'thresholds'], ['step, /s and ms', 'requests and ms', 'served']],
    ['p99<9ms', ['thresholds', '  step, /s and ms', '  requests and ms', 'generator'], ['served']],
  ])('holds a load that broke %s, and what shows why', (expression, shown, left) => {
    const thresholds = [
      { expression, measured: 20, held: false },
      { expression: 'dropped==0', measured: 0, held: true },
    ];
    const operations = ['zap.quote', 'zap.pools', 'zap.chains', 'zap.build-tx', 'zap.providers'];
    const [row] = EXAMPLE_LOAD.operations;
    const load = {
      ...{ ...EXAMPLE_LOAD, thresholds },
      operations: operations.map((operation) => ({ ...(row ?? expect.fail()), operation })),
    };
    const run = { ...EXAMPLE_RUN, limits: [], rules: EXAMPLE_RUN.rules.slice(0, 1), load };
    const text = renderTerminal(run, { ...PLAIN, record: 'r', page: 'r/report.html' });
    // Lines of progress come before it.
    expect(text.split('\n').length).toBeLessThan(36);
    for (const label of shown) expect(text).toContain(`\n${label}`);
    for (const label of left) expect(text).not.toContain(`\n  ${label}`);
    expect(text).not.toContain('dropped==0');
    expect(renderTerminal(run, { ...PLAIN, detail: 'verbose' })).toContain('dropped==0');
  });

  test('holds the first finding of a rule whole, two more in a line each, and counts the others', () => {
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
    expect(text.match(/^ {2}expected /gm)).toHaveLength(1);
    expect(
      text.match(/^ {2}(?:also at| {7}) {4}the response as a whole of \S+: y$/gm),
    ).toHaveLength(2);
    expect(text).toContain('and 2 findings more in the record');
  });
});
