import { expect, test } from 'vitest';
import { chance } from '../simulated/simulation.testkit.ts';
import {
  advancing,
  gridAround,
  gridFrom,
  joinGrids,
  leaping,
  staying,
  within,
  type Grid,
} from './grid.ts';

const LENGTH_MS = 1234.5;
const PHASE_MS = 321.7;

function eventAt(atMs: number): Parameters<typeof staying>[1] {
  return { sentMs: atMs - 3, receivedMs: atMs + 4, outcome: 'admitted' };
}

/** Follows the true windows through events at random times. */
function followed(seed: number, events: number): Grid {
  const random = chance(seed);
  let atMs = 400;
  let slot = Math.floor((atMs - PHASE_MS) / LENGTH_MS);
  let grid = gridAround({ lo: atMs - 3, hi: atMs + 4 });
  for (let i = 0; i < events; i += 1) {
    atMs += random() * 4 * LENGTH_MS;
    const now = Math.floor((atMs - PHASE_MS) / LENGTH_MS);
    const event = eventAt(atMs);
    grid = grid && (now === slot ? staying(grid, event) : advancing(grid, event, now - slot));
    slot = now;
    const part = (atMs - PHASE_MS) / LENGTH_MS - now;
    grid = grid && within(grid, Math.max(0, part - 0.01), 'by', atMs);
    grid = grid && within(grid, Math.min(1, part + 0.01), 'after', atMs);
  }
  if (grid === null) throw new Error('the true windows were lost');
  return grid;
}

test.each([1, 2, 3, 4, 5])('the true windows are never lost, and soon known (seed %i)', (seed) => {
  const { lengthMs } = followed(seed, 12);
  expect(lengthMs.lo).toBeLessThanOrEqual(LENGTH_MS);
  expect(lengthMs.hi).toBeGreaterThanOrEqual(LENGTH_MS);
  expect(lengthMs.hi / lengthMs.lo).toBeLessThan(1.01);
});

test('leaping holds the true number of windows among its ways', () => {
  const grid = followed(7, 6);
  const event = eventAt(grid.begins.hi + 5.5 * LENGTH_MS);
  const ways = leaping(grid, event);
  const holds = ({ lengthMs, begins }: Grid): boolean =>
    lengthMs.lo <= LENGTH_MS && lengthMs.hi >= LENGTH_MS && begins.hi >= event.sentMs - LENGTH_MS;
  expect(ways.some(holds)).toBe(true);
  expect(leaping(grid, eventAt(grid.begins.hi + 0.5 * LENGTH_MS))).toEqual([]);
});

test('joined grids hold both', () => {
  const [a, b] = [followed(8, 5), followed(9, 5)];
  const both = joinGrids(a, b);
  expect(both.lengthMs.lo).toBe(Math.min(a.lengthMs.lo, b.lengthMs.lo));
  expect(both.begins.hi).toBe(Math.max(a.begins.hi, b.begins.hi));
});

test('a request at the very end of a window may be in it, or in the next one', () => {
  const grid = gridFrom({ lo: 0, hi: 0 }, 0, { lo: 1000, hi: 1000 });
  const event = eventAt(1000);
  expect(grid && staying(grid, event)?.begins).toEqual({ lo: 0, hi: 0 });
  expect(grid && advancing(grid, event)?.begins).toEqual({ lo: 1000, hi: 1000 });
  expect(grid && advancing(grid, eventAt(990))).toBeNull();
  expect(grid && staying(grid, eventAt(1010))).toBeNull();
});
