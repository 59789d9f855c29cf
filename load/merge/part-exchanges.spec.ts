import { expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { comeBackMark, sampleMark } from '../../contracts/run/load/load-marks.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { inOrderOfTime, ofPart } from './part-exchanges.ts';

function exchange(id: string, sentAtMs: number, latencyMs = 0): Exchange {
  return { ...exchangeOf({ id, path: '/v1/pools' }), sentAtMs, latencyMs };
}

async function* streamOf(all: readonly Exchange[], onEnd?: () => void): AsyncGenerator<Exchange> {
  try {
    for (const one of all) yield await Promise.resolve(one);
  } finally {
    onEnd?.();
  }
}

async function merged(parts: readonly (readonly Exchange[])[]): Promise<string[]> {
  const ids: string[] = [];
  const streams = parts.map((all, at) => ({ index: at + 1, exchanges: streamOf(all) }));
  for await (const { id } of inOrderOfTime(streams)) ids.push(id);
  return ids;
}

test('an exchange of a part has an id and groups of its own, and nothing else is different', () => {
  const given = {
    ...exchange('x00007', 5),
    relations: [comeBackMark(0, 12), sampleMark(1)],
  };
  const { id, relations, ...same } = ofPart(2, given);
  expect(id).toBe('p2-x00007');
  expect(relations).toEqual([
    { kind: 'come-back', group: 'p2-client-0', role: 'slot-12' },
    { kind: 'load-sample', group: 'p2-step-1', role: 'sample' },
  ]);
  expect({ ...same, id: given.id, relations: given.relations }).toEqual(given);
  // Clients of different parts are different, whatever their numbers.
  expect(ofPart(1, given).relations[0]?.group).not.toBe(relations[0]?.group);
});

test('exchanges come by the time of their end, those of a part in the order of its record', async () => {
  const ids = await merged([
    [exchange('a', 0, 10), exchange('b', 5, 1), exchange('c', 30)],
    [],
    [exchange('a', 8), exchange('b', 20), exchange('c', 30)],
  ]);
  // Its first part wrote b behind a, though it ended before.
  expect(ids).toEqual(['p3-a', 'p1-a', 'p1-b', 'p3-b', 'p1-c', 'p3-c']);
});

test('whoever stops early leaves no part open', async () => {
  let ended = 0;
  const streams = [1, 2].map((index) => ({
    index,
    exchanges: streamOf([exchange('a', index), exchange('b', 9)], () => (ended += 1)),
  }));
  for await (const { id } of inOrderOfTime(streams)) if (id === 'p1-a') break;
  expect(ended).toBe(2);
});
