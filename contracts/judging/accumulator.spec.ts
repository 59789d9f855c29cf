import { expect, test } from 'vitest';
import { exchangeOf } from './exchange.testkit.ts';
import { NO_CONTRACT } from './no-contract.testkit.ts';
import type { Broken, RunRule } from './rule.ts';
import { exchangeRule, runRule } from './rule.ts';
import { Accumulator } from './accumulator.ts';
import { MAX_PLACES } from './findings/broken-places.ts';
import { resultOf } from './verdict.ts';
import { View } from './view.ts';

function tallied(...judgements: readonly (readonly Broken[])[]): Accumulator {
  let at = 0;
  const accumulator = new Accumulator(
    exchangeRule({
      id: 'zap.made.up',
      level: 'must',
      source: 'card',
      protects: 'Nothing.',
      api: 'zap',
      operations: '*',
      answer: 'any',
      leastEvidence: 1,
      judge: () => judgements[at++] ?? null,
    }),
  );
  for (const [index] of judgements.entries()) {
    const exchange = exchangeOf({ id: `x${index}` });
    accumulator.look(new View(exchange, NO_CONTRACT), exchange);
  }
  return accumulator;
}

function brokenAt(pointer: string, times?: number): Broken {
  const broken = { pointer, expected: 'this', actual: 'that' };
  return times === undefined ? broken : { ...broken, times };
}

test('places that differ in array positions are one finding, counted as often as they say', () => {
  const accumulator = tallied(
    [brokenAt('/a/0/b'), brokenAt('/a/1/b'), brokenAt('/c', 5)],
    [brokenAt('/a/7/b', 3)],
  );
  const reported = accumulator
    .findings()
    .map(({ pointer, count, exchanges }) => [pointer, count, exchanges]);
  expect(reported).toEqual([
    ['/a/0/b', 5, ['x0', 'x1']],
    ['/c', 5, ['x0']],
  ]);
});

test('of very many places the first are kept, and the last of those states how many more there were', () => {
  const accumulator = tallied(
    Array.from({ length: 100_000 }, (_, at) => brokenAt(`/key${at}`)),
    [brokenAt('/key0'), brokenAt('/elsewhere', 2)],
  );
  const findings = accumulator.findings();
  expect(findings).toHaveLength(MAX_PLACES);
  expect(findings[0]).toMatchObject({ pointer: '/key0', count: 2, actual: 'that' });
  const more = 100_000 - MAX_PLACES + 2;
  expect(findings.at(-1)?.actual).toBe(
    `that (and ${more} more at further places, which are not listed)`,
  );
});

test('texts of any length are kept in part, and keys of any length meet at one place', () => {
  const long = 'x'.repeat(100_000);
  const accumulator = tallied([
    { pointer: `/${long}/1`, expected: long, actual: '😀'.repeat(50_000) },
    brokenAt(`/${long}/2`),
    brokenAt(`/${long}y`),
  ]);
  const [finding, ...others] = accumulator.findings();
  expect(others).toEqual([]);
  expect(finding?.count).toBe(3);
  for (const text of [finding?.pointer, finding?.expected, finding?.actual]) {
    expect(text).toHaveLength(2_001);
    expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  }
});

function collecting(
  rule: Pick<RunRule<string>, 'weigh' | 'latestOf'>,
  facts: string[],
): Accumulator {
  let at = 0;
  const accumulator = new Accumulator(
    runRule<string>({
      ...rule,
      id: 'zap.made.up',
      level: 'must',
      source: 'card',
      protects: 'Nothing.',
      api: 'zap',
      operations: '*',
      answer: 'any',
      leastEvidence: 1,
      collect: () => facts[at++] ?? null,
      conclude: (found) =>
        found.map(({ fact, witness }) => ({
          witnesses: [witness],
          judgement: [{ pointer: `/${fact}`, expected: '', actual: '' }],
        })),
    }),
  );
  for (const [index] of facts.entries()) {
    const exchange = exchangeOf({ id: `x${index}` });
    accumulator.look(new View(exchange, NO_CONTRACT), exchange);
  }
  return accumulator.concluded();
}

test('facts that are too heavy together are not kept, and the verdict says how many', () => {
  const accumulator = collecting({ weigh: (fact) => fact.length * 100_000 }, [
    'aa',
    'bb',
    'c',
    'dd',
    'ee',
  ]);
  expect(accumulator.findings().map(({ pointer }) => pointer)).toEqual(['/aa', '/c']);
  expect(resultOf(accumulator, [], '').reason).toContain('3 were not compared');
});

test('of facts that take the place of each other the latest is kept, in the order of coming', () => {
  const accumulator = collecting({ latestOf: (fact) => fact.slice(0, 1) }, ['a1', 'b1', 'a2']);
  expect(accumulator.findings().map(({ pointer }) => pointer)).toEqual(['/b1', '/a2']);
  expect(resultOf(accumulator, [], '').reason).toBeUndefined();
});
