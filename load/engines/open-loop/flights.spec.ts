import { describe, expect, it } from 'vitest';
import { Flight, type Tower } from '../sending/flight.ts';
import { Flights } from './flights.ts';
import type { ReadyRequest } from '../sending/ready-request.ts';

const tower: Tower = {
  nowMs: () => 0,
  maxBodyBytes: 1,
  hold: () => true,
  letGo: () => undefined,
  landed: () => undefined,
  broken: () => undefined,
};

function flightOf(number: number): Flight {
  const plan = { slot: number, step: 0, client: 0, dueMs: 0, cameBack: 0 };
  // Who keeps flights looks at no request.
  return new Flight(tower, plan, {} as ReadyRequest, { number, calledMs: number });
}

/** Takes all out and tells their numbers. */
function numbersIn(flights: Flights): number[] {
  return flights.takeAll(() => true).map(({ number }) => number);
}

function filled(count: number): { readonly flights: Flights; readonly all: readonly Flight[] } {
  const flights = new Flights();
  const all = Array.from({ length: count }, (_, at) => flightOf(at + 1));
  for (const flight of all) flights.add(flight);
  return { flights, all };
}

describe('flights on their way', () => {
  it('stand in the order in which they were called', () => {
    const { flights, all } = filled(3);
    expect(flights.first).toBe(all[0]);
    expect(numbersIn(flights)).toEqual([1, 2, 3]);
    expect(flights.isEmpty).toBe(true);
  });

  it.each([
    { gone: [1], left: [2, 3, 4] },
    { gone: [4], left: [1, 2, 3] },
    { gone: [2, 3], left: [1, 4] },
    { gone: [3, 1, 4], left: [2] },
    { gone: [2, 2], left: [1, 3, 4] },
  ])('are $left once $gone ended', ({ gone, left }) => {
    const { flights, all } = filled(4);
    for (const number of gone) flights.delete(all[number - 1] ?? flightOf(0));
    expect(flights.isEmpty).toBe(false);
    const late = flightOf(5);
    flights.add(late);
    expect(numbersIn(flights)).toEqual([...left, 5]);
  });

  it('are none once all ended, in any order', () => {
    const { flights, all } = filled(3);
    for (const at of [1, 0, 2]) flights.delete(all[at] ?? flightOf(0));
    expect(flights.isEmpty).toBe(true);
    expect(flights.first).toBeUndefined();
  });

  it('lead to no other one after their end, which would outlive it with them', () => {
    const { flights, all } = filled(3);
    for (const flight of all) flights.delete(flight);
    expect(all.map(({ before, after }) => before ?? after)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('stay where a test does not mean them', () => {
    const { flights } = filled(4);
    const taken = flights.takeAll(({ number }) => number % 2 === 1);
    expect(taken.map(({ number }) => number)).toEqual([1, 3]);
    expect(numbersIn(flights)).toEqual([2, 4]);
  });
});
