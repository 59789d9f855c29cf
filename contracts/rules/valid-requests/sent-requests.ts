import { groupsOf } from '../../wire/groups.ts';
import { hashOf } from '../../wire/text-hash.ts';
import { SAFE } from '../../judging/replies/reply.ts';
import type { Collected } from '../../judging/rule.ts';
import type { View } from '../../judging/view.ts';
import {
  isToBeServed,
  kindOfRequest,
  saidBy,
  sameRequest,
  validAnswerOf,
  type ValidAnswer,
  type ValidRequests,
} from './valid-answer.ts';

/** What became of a valid request, or that another may have changed something. */
export interface SentFact {
  /** Operation, and what says nothing of its other requests. */
  readonly kind: string;
  /** What requests have in common that are the same. */
  readonly same: number;
  readonly answer: ValidAnswer | 'another';
  /** Empty if nothing is held against it. */
  readonly said: string;
  /** Whether the request may change what others are answered. */
  readonly mayChange: boolean;
}

export type SentFacts = readonly Collected<SentFact>[];

/** What became of a valid request; null of any other that changes nothing. */
export function sentFactOf(view: View, knowledge: ValidRequests): SentFact | null {
  const isSafe = SAFE.includes(view.exchange.request.method.toUpperCase());
  const mayChange = !isSafe && knowledge.changesNothing?.(view.exchange.api) !== true;
  if (!isToBeServed(view, knowledge)) {
    return mayChange ? { kind: '', same: 0, answer: 'another', said: '', mayChange } : null;
  }
  const answer = validAnswerOf(view, knowledge);
  const said = answer === 'served' || answer === 'other' ? '' : saidBy(view);
  const same = hashOf(sameRequest(view.exchange.request));
  return { kind: kindOfRequest(view, knowledge), same, answer, said, mayChange };
}

/** The answers to valid requests by what says nothing of each other, each list in its order. */
export function byKind(facts: SentFacts): SentFacts[] {
  return groupsOf(
    facts.filter(({ fact }) => fact.answer !== 'another'),
    ({ fact }) => fact.kind,
  );
}

/** All answers to each of several requests, each list in its order. */
export function byRequest(facts: SentFacts): SentFacts[] {
  return groupsOf(facts, ({ fact }) => fact.same);
}

export function isServed({ fact }: Collected<SentFact>): boolean {
  return fact.answer === 'served';
}
