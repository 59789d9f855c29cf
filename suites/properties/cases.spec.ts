import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import type { Choices } from '../../fixtures/arbitraries/choices.ts';
import { generatorsOf } from '../../fixtures/service/generators/index.ts';
import { referenceWorld } from '../../fixtures/service/generators/reference-world.testkit.ts';
import type { RequestGenerator } from '../../fixtures/arbitraries/request.ts';
import { standing } from '../../fixtures/arbitraries/still-meant.ts';
import type { Case } from './cases.ts';
import { CaseStream } from './cases.ts';
import { Coverage } from './coverage.ts';

const contract = await loadContract();
const { world } = await referenceWorld(7);
const generators = generatorsOf(world, contract);
const FIRST = 24;
const CASES = 250;

function casesOf(stream: CaseStream, count: number): Case[] {
  return Array.from({ length: count }, (_, number) => stream.at(number)).filter(
    (one) => one !== undefined,
  );
}

/** The case as it is sent, without how it came about. */
function bytes({ request }: Case): string {
  return JSON.stringify({ ...request, deviations: undefined });
}

describe.each(generators.map((generator) => [generator.name, generator] as const))(
  'cases of %s',
  (_name, generator: RequestGenerator) => {
    const stream = new CaseStream(generator, 5, FIRST);
    const cases = casesOf(stream, CASES);

    test('are the same whether those before them are asked for or not', () => {
      for (const number of [3, FIRST, 77, CASES - 1]) {
        const alone = new CaseStream(generator, 5, FIRST).at(number);
        const again = casesOf(new CaseStream(generator, 5, FIRST), number + 1).at(-1);
        if (alone !== undefined) expect(again).toEqual(alone);
        expect(alone === undefined || cases.some((one) => bytes(one) === bytes(alone))).toBe(true);
      }
    });

    test('begin with those that a run of fewer cases sends', () => {
      const gate = casesOf(new CaseStream(generator, 5, 8), 8);
      expect(gate.map(bytes)).toEqual(cases.slice(0, 8).map(bytes));
    });

    test('are what their purpose says, and never the same twice after the first ones', () => {
      for (const one of cases) {
        const passes = standing(contract, one.request) === 'valid';
        expect([passes, bytes(one)]).toEqual([one.request.purpose.kind !== 'invalid', bytes(one)]);
      }
      const later = cases.slice(FIRST).map(bytes);
      expect(new Set(later).size).toBe(later.length);
    });

    test('have others near them, the same ones each time', () => {
      const [origin] = cases.slice(FIRST);
      if (origin?.choices === undefined) throw new Error('there are no choices');
      const near = [1, 2, 3, 4].map((number) => stream.near(origin, number));
      const other = new CaseStream(generator, 5, FIRST);
      expect([1, 2, 3, 4].map((number) => other.near(origin, number))).toEqual(near);
      expect(near[0]?.name).toBe(`${origin.name}~1`);
      for (const one of near) {
        const names = new Set([...Object.keys(origin.choices), ...Object.keys(one?.choices ?? {})]);
        const changed = [...names].filter(
          (name) => origin.choices?.[name] !== one?.choices?.[name],
        );
        expect(changed.length).toBeLessThanOrEqual(1);
        expect(one?.defect).toBe(origin.defect);
      }
    });
  },
);

test('look for combinations: they have far more usual ones than as many drawn at random', () => {
  const generator = generators.find(({ name }) => name === 'zap.quote');
  if (generator?.space === undefined) throw new Error('there is no generator of quotes');
  const { deviations } = generator.space;
  const coverageOf = (all: readonly (Choices | undefined)[]): Coverage => {
    const coverage = new Coverage();
    for (const choices of all) {
      const usual = Object.entries(choices ?? {}).filter(([name, choice]) => {
        const deviation = deviations.find((one) => one.name === name);
        return deviation !== undefined && (choice < deviation.usual || choice >= deviation.listed);
      });
      coverage.add(coverage.featuresOf(deviations, Object.fromEntries(usual)));
    }
    return coverage;
  };
  const cases = casesOf(new CaseStream(generator, 5, FIRST), CASES);
  const found = coverageOf(cases.map(({ choices }) => choices)).combinations;
  const samples = fc.sample(generator.arbitrary, { numRuns: CASES, seed: 5 });
  const drawn = coverageOf(samples.map((request) => request.deviations)).combinations;
  expect(found.pairs).toBeGreaterThan(1.3 * drawn.pairs);
  expect(found.triples).toBeGreaterThan(2 * drawn.triples);
});

test('cases near one have a choice more, one less, and one moved, in turn', () => {
  const generator = generators.find(({ name }) => name === 'zap.quote');
  if (generator === undefined) throw new Error('there is no generator of quotes');
  const stream = new CaseStream(generator, 5, FIRST);
  const origin = casesOf(stream, 60).find(({ choices = {} }) => Object.keys(choices).length > 1);
  if (origin?.choices === undefined) throw new Error('there is none with two choices');
  const count = Object.keys(origin.choices).length;
  const near = [3, 4, 5, 6, 7, 8].map((number) => stream.near(origin, number)?.choices ?? {});
  expect(near.map((choices) => Object.keys(choices).length - count)).toEqual([
    ...[1, -1, 0],
    ...[1, -1, 0],
  ]);
});
