import { describe, expect, test } from 'vitest';
import type { Clause } from '../../contracts/judging/clause.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { EVERYTHING, isChoosing, showsRule, showsSilence } from './filter.ts';
import { countClauses, sectionsOf } from './sections.ts';
import { isMarkedLine, stretchesOf } from './shown-lines.ts';

describe('sections', () => {
  const clauses: readonly Clause[] = [
    { id: 'late', section: '10', level: 'must', text: 'Ten.', rules: ['zap.pools.limit-default'] },
    {
      id: 'worst',
      section: '2.2',
      level: 'must',
      text: 'Two.',
      rules: ['zap.quote.shape', 'zap.path.min-return-within-amount'],
    },
    { id: 'silent', section: '7', level: 'observe', text: 'Open.', ledger: ['errors.status-type'] },
    { id: 'other', section: '8', level: 'must', text: 'Of no rule here.', rules: ['zap.gone'] },
  ];
  const sections = sectionsOf(EXAMPLE_RUN, clauses);

  test('stand in the order of the document, rules of no clause behind them', () => {
    const names = sections.map(({ section }) => section);
    expect(names.slice(0, 3)).toEqual(['§2.2', '§7', '§10']);
    expect(names.slice(3).every((name) => name.startsWith('beside the clauses'))).toBe(true);
    const rules = sections.flatMap((one) => one.clauses.flatMap(({ rules: some }) => some));
    expect(new Set(rules.map(({ id }) => id)).size).toBe(EXAMPLE_RUN.rules.length);
  });

  test('a clause has the verdict of its rule that wants most attention', () => {
    expect(sections[0]?.clauses.map(({ verdict }) => verdict)).toEqual(['fail']);
    expect(sections[1]?.clauses.map(({ verdict }) => verdict)).toEqual(['observed']);
    expect(countClauses(sections[0]?.clauses ?? [])).toMatchObject({ fail: 1, pass: 0 });
  });
});

describe('the filter', () => {
  const rule = ruleRow({
    verdict: 'fail',
    findings: [
      {
        pointer: '/data/x',
        expected: 'One',
        actual: 'two',
        exchanges: ['x00007'],
        curl: '',
        count: 1,
      },
    ],
  });
  const ofRules = new Map([[rule.id, new Set(['§2.2'])]]);

  test.each([
    [{}, true],
    [{ text: 'QUOTE one /data' }, true],
    [{ text: 'x00007' }, true],
    [{ text: 'quote three' }, false],
    [{ verdict: 'fail' }, true],
    [{ verdict: 'pass' }, false],
    [{ api: 'zap', section: '§2.2' }, true],
    [{ api: 'trade' }, false],
    [{ section: '§2.1' }, false],
  ] as const)('%o shows the rule: %s', (choice, isShown) => {
    expect(showsRule({ ...EVERYTHING, ...choice }, rule, ofRules)).toBe(isShown);
  });

  test('a silence has an API, a section and words, and no verdict but one', () => {
    const row = { id: 'zap.methods', clause: '§4 methods', observed: ['OPTIONS: 204'] };
    expect(showsSilence({ ...EVERYTHING, section: '§4', text: 'options', api: 'zap' }, row)).toBe(
      true,
    );
    expect(showsSilence({ ...EVERYTHING, verdict: 'observed' }, row)).toBe(true);
    expect(showsSilence({ ...EVERYTHING, verdict: 'fail' }, row)).toBe(false);
    expect(showsSilence({ ...EVERYTHING, section: '§4.1' }, row)).toBe(false);
  });

  test('an empty one leaves nothing out', () => {
    expect(isChoosing(EVERYTHING)).toBe(false);
    expect(isChoosing({ ...EVERYTHING, text: ' x' })).toBe(true);
  });
});

describe('lines that stand open', () => {
  test('all of a short text, and of a long one its beginning and what is around the mark', () => {
    expect(stretchesOf(30, undefined)).toEqual([{ from: 0, to: 30, isShown: true }]);
    expect(stretchesOf(100, { first: 50, last: 51 })).toEqual([
      { from: 0, to: 6, isShown: true },
      { from: 6, to: 44, isShown: false },
      { from: 44, to: 58, isShown: true },
      { from: 58, to: 100, isShown: false },
    ]);
  });

  test('a few lines are not hidden, and every line is in one stretch', () => {
    for (const first of [0, 5, 9, 15, 60, 98]) {
      const stretches = stretchesOf(100, { first, last: first + 1 });
      const hidden = stretches.filter(({ isShown }) => !isShown);
      expect(hidden.every(({ from, to }) => to - from >= 4)).toBe(true);
      expect(stretches.map(({ from }) => from)).toEqual([
        0,
        ...stretches.slice(0, -1).map(({ to }) => to),
      ]);
      expect(stretches.at(-1)?.to).toBe(100);
      expect(
        stretches.some(({ from, to, isShown }) => isShown && from <= first && first < to),
      ).toBe(true);
    }
  });

  test('of a large value the first and the last line are marked, of a small one all', () => {
    const marked = (first: number, last: number): number[] =>
      Array.from({ length: 100 }, (_, at) => at).filter((at) => isMarkedLine(at, { first, last }));
    expect(marked(10, 12)).toEqual([10, 11, 12]);
    expect(marked(10, 90)).toEqual([10, 90]);
    expect(isMarkedLine(0, undefined)).toBe(false);
  });

  test('of a large marked value the beginning', () => {
    const shown = stretchesOf(1_000, { first: 100, last: 900 }).filter(({ isShown }) => isShown);
    expect(shown.at(-1)).toEqual({ from: 94, to: 119, isShown: true });
  });
});
