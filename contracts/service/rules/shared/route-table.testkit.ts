import { describe, expect, test } from 'vitest';
import { foundBy } from '../../../judging/verdicts.testkit.ts';
import { requestOf } from '../readings/zap-route.testkit.ts';

export const QUOTE = { method: 'POST', path: '/v1/quote' } as const;
export const NONE: readonly string[] = ['not-reached'];
export const HOLDS: readonly string[] = ['pass'];

/** A request, an answer to it, and the verdict with the places of the findings. */
export type RouteCase = readonly [
  name: string,
  sent: object,
  answered: object,
  verdict: readonly string[],
];

/** Tests a rule on quotes, each alone. */
export function table(rule: string, cases: readonly RouteCase[]): void {
  describe(rule, () => {
    test.each(cases)('%s', (_, sent, answered, verdict) => {
      expect(foundBy(rule, QUOTE, { sent, answered })).toEqual(verdict);
    });
  });
}

export const SWAP: Record<string, unknown> = requestOf('100 DLR to EUR');
export const DEPOSIT: Record<string, unknown> = requestOf('100 DLR to LP');
export const ONE_HOP = 'swap one: 100 DLR -> 50>49 EUR';
