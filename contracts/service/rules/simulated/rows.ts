import type { Level } from '../../../judging/rule.ts';
import type { SimulatedPromise } from './promises.ts';

/** A rule in words; `{what}` is for what a build of the API is called. */
export interface Row {
  readonly promise: SimulatedPromise;
  readonly level: Level;
  readonly hurts?: 'loses money' | 'transaction fails';
  readonly protects: string;
  readonly rulesOut: string;
}

/** One for each promise. */
export const ROWS: readonly Row[] = [
  {
    promise: 'succeeds',
    level: 'must',
    hurts: 'transaction fails',
    protects: '{what} that is executed as its answer says succeeds.',
    rulesOut: 'A service whose call data reverts: a node has executed it.',
  },
  {
    promise: 'delivers-min-return',
    level: 'must',
    hurts: 'loses money',
    protects: '{what} brings its recipient at least the least amount that is promised.',
    rulesOut:
      'A service whose transaction pays somebody else, or less: the balance of the recipient was read before and after.',
  },
  {
    promise: 'delivers-quoted',
    level: 'should',
    protects: '{what} brings its recipient what was quoted, while prices stand still.',
    rulesOut:
      'A service that quotes more than its route yields: the balance of the recipient was read before and after.',
  },
  {
    promise: 'spends-at-most-amount',
    level: 'must',
    hurts: 'loses money',
    protects: '{what} takes at most the amount of each token that was asked for.',
    rulesOut:
      'A service that takes fees on top of the amount: the account held more than twice as much.',
  },
  {
    promise: 'spends-no-coins-beside',
    level: 'should',
    protects: '{what} on one chain that states no fee takes no native coins beside the amount.',
    rulesOut:
      'A service that sends more value than was asked for, and keeps it: the balance of the account was read before and after.',
  },
  {
    promise: 'spender-is-approved',
    level: 'must',
    hurts: 'transaction fails',
    protects: 'Who is to be approved is who takes the tokens.',
    rulesOut:
      'A service that names another contract as spender: nobody else was approved when the transaction succeeded.',
  },
  {
    promise: 'value-suffices',
    level: 'must',
    hurts: 'transaction fails',
    protects: '{what} of native coins sends as much as it spends.',
    rulesOut: 'A service that leaves the value out: the transaction was executed with it.',
  },
  {
    promise: 'gas-suffices',
    level: 'must',
    hurts: 'transaction fails',
    protects: 'The gas that an answer states is enough for its transaction.',
    rulesOut: 'A service that states too little: the transaction was executed with that gas.',
  },
];
