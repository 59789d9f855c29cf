import { describe, expect, it } from 'vitest';
import { PendingRequest, type RequestOwner } from '../sending/pending-request.ts';
import { PendingRequests } from './pending-requests.ts';
import type { ReadyRequest } from '../sending/ready-request.ts';

const owner: RequestOwner = {
  nowMs: () => 0,
  maxBodyBytes: 1,
  hold: () => true,
  letGo: () => undefined,
  ended: () => undefined,
  broken: () => undefined,
};

function pendingOf(number: number): PendingRequest {
  const plan = { slot: number, step: 0, client: 0, dueMs: 0, cameBack: 0 };
  // Whoever keeps requests looks at none.
  return new PendingRequest(owner, plan, {} as ReadyRequest, { number, calledMs: number });
}

/** Takes all out; returns their numbers. */
function numbersIn(pendingRequests: PendingRequests): number[] {
  return pendingRequests.takeAll(() => true).map(({ number }) => number);
}

function filled(count: number): {
  readonly pendingRequests: PendingRequests;
  readonly all: readonly PendingRequest[];
} {
  const pendingRequests = new PendingRequests();
  const all = Array.from({ length: count }, (_, at) => pendingOf(at + 1));
  for (const pending of all) pendingRequests.add(pending);
  return { pendingRequests, all };
}

describe('pendingRequests on their way', () => {
  it('stand in the order in which they were called', () => {
    const { pendingRequests, all } = filled(3);
    expect(pendingRequests.first).toBe(all[0]);
    expect(numbersIn(pendingRequests)).toEqual([1, 2, 3]);
    expect(pendingRequests.isEmpty).toBe(true);
  });

  it.each([
    { gone: [1], left: [2, 3, 4] },
    { gone: [4], left: [1, 2, 3] },
    { gone: [2, 3], left: [1, 4] },
    { gone: [3, 1, 4], left: [2] },
    { gone: [2, 2], left: [1, 3, 4] },
  ])('are $left once $gone ended', ({ gone, left }) => {
    const { pendingRequests, all } = filled(4);
    for (const number of gone) pendingRequests.delete(all[number - 1] ?? pendingOf(0));
    expect(pendingRequests.isEmpty).toBe(false);
    const late = pendingOf(5);
    pendingRequests.add(late);
    expect(numbersIn(pendingRequests)).toEqual([...left, 5]);
  });

  it('are none once all ended, in any order', () => {
    const { pendingRequests, all } = filled(3);
    for (const at of [1, 0, 2]) pendingRequests.delete(all[at] ?? pendingOf(0));
    expect(pendingRequests.isEmpty).toBe(true);
    expect(pendingRequests.first).toBeUndefined();
  });

  it('lead to no other one after their end, which would outlive it with them', () => {
    const { pendingRequests, all } = filled(3);
    for (const pending of all) pendingRequests.delete(pending);
    expect(all.map(({ before, after }) => before ?? after)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('stay where a test does not mean them', () => {
    const { pendingRequests } = filled(4);
    const taken = pendingRequests.takeAll(({ number }) => number % 2 === 1);
    expect(taken.map(({ number }) => number)).toEqual([1, 3]);
    expect(numbersIn(pendingRequests)).toEqual([2, 4]);
  });
});
