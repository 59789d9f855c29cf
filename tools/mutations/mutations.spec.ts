import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../contracts/document/package-root.ts';
import { mutated, MutationError, mutationsOf, type Mutation } from './mutation.ts';
import { isKilled, outcomeLine, shareKilled, summaryOf, type Outcome } from './score.ts';
import type { SpecRun } from './spec-run.ts';
import { MUTATIONS } from './table.ts';

const root = packageRoot(import.meta.url);

describe('the table', () => {
  test('has edits of files that hold the text exactly once', () => {
    const texts = new Map<string, string>();
    const problems = MUTATIONS.flatMap((one) => {
      if (!existsSync(path.join(root, one.file)))
        return [`${one.file} is not there: ${one.breaks}`];
      const text = texts.get(one.file) ?? readFileSync(path.join(root, one.file), 'utf8');
      texts.set(one.file, text);
      try {
        return mutated(text, one) === text ? [`${one.file}: no edit: ${one.breaks}`] : [];
      } catch (error) {
        return [(error as Error).message];
      }
    });
    expect(problems).toEqual([]);
  });

  test('names fast specs that are there', () => {
    const specs = [...new Set(MUTATIONS.flatMap((one) => one.specs))];
    expect(specs.filter((spec) => !existsSync(path.join(root, spec)))).toEqual([]);
    expect(
      specs.filter((spec) => !/^(?!.*\.(?:slow|calibration)\.).*\.spec\.ts$/.test(spec)),
    ).toEqual([]);
    expect(MUTATIONS.filter(({ specs: own }) => own.length === 0)).toEqual([]);
  });

  test('says of each edit what it breaks, in words of its own', () => {
    const said = MUTATIONS.map(({ file, breaks }) => `${file}: ${breaks}`);
    expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([]);
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(100);
  });
});

const [one] = mutationsOf('a.ts', ['a.spec.ts'], [['x > 1', 'x < 1', 'more is less']]) as [
  Mutation,
];

describe('an edit', () => {
  test('changes its text and nothing else', () => {
    expect(mutated('if (x > 1) $& return;\n', one)).toBe('if (x < 1) $& return;\n');
  });

  test.each([['if (x >= 1) return;'], ['x > 1 || x > 1'], ['']])(
    'of a file that does not hold its text exactly once is an error: %s',
    (text) => {
      expect(() => mutated(text, one)).toThrow(MutationError);
      expect(() => mutated(text, one)).toThrow(/^a\.ts holds this text [02] times .*: x > 1$/);
    },
  );
});

describe('the score', () => {
  const outcome = (kind: SpecRun['kind'], failed: readonly string[] = []): Outcome => ({
    mutation: one,
    run: { kind, failed, seconds: 1.25, secondsOf: new Map() },
  });

  test('counts what failed or came to no end as killed', () => {
    const outcomes = [outcome('failed'), outcome('endless'), outcome('passed')];
    expect(outcomes.map(isKilled)).toEqual([true, true, false]);
    expect(shareKilled(outcomes)).toBeCloseTo(2 / 3);
    expect(shareKilled([])).toBe(0);
  });

  test('names the test that killed, and each survivor with its edit', () => {
    expect(outcomeLine(outcome('failed', ['x is more', 'y']))).toBe(
      'a.ts: more is less: killed by "x is more", 1.3 s',
    );
    const summary = summaryOf([outcome('failed'), outcome('passed'), outcome('failed')]);
    expect(summary).toContain('survived: a.ts: more is less\n  - x > 1\n  + x < 1\n  a.spec.ts\n');
    expect(summary).toContain('2 of 3 mutations killed: 66.6 %\n');
  });
});
