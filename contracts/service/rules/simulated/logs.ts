/** What the calls of a simulation logged. */

import { listOf, member } from '../../../wire/json.ts';
import { firstWord } from './words.ts';

/** A transfer that a token logs; of positions as of one unit. Addresses are in lower case. */
export interface Move {
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** What a call logged. */
export interface Logs {
  readonly count: number;
  /** Of them, those that are neither transfers nor approvals, as of orders. */
  readonly others: number;
  readonly moves: readonly Move[];
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const OF_TOKENS: ReadonlySet<string> = new Set([TRANSFER, APPROVAL]);
const eventOf = (log: unknown): string => String(listOf(member(log, 'topics'))[0]).toLowerCase();

const MAX_LOGS = 10_000;

/** Undefined if logs are not given as a list, or are more than a transaction can have. */
export function logsIn(logs: unknown): Logs | undefined {
  if (!Array.isArray(logs) || logs.length > MAX_LOGS) return undefined;
  const others = logs.filter((log) => !OF_TOKENS.has(eventOf(log))).length;
  return { count: logs.length, others, moves: logs.flatMap(moveIn) };
}

function moveIn(log: unknown): Move[] {
  const [event, from, to, id] = listOf(member(log, 'topics')).map((topic) =>
    String(topic).toLowerCase(),
  );
  const token = member(log, 'address');
  const amount = id === undefined ? firstWord(member(log, 'data')) : 1n;
  if (event !== TRANSFER || from?.length !== WORD || to?.length !== WORD) return [];
  if (typeof token !== 'string' || amount === undefined) return [];
  const [sender, receiver] = [from, to].map((word) => `0x${word.slice(-40)}`) as [string, string];
  return [{ token: token.toLowerCase(), from: sender, to: receiver, amount }];
}

/** Characters of a word of 32 bytes in hex. */
const WORD = 66;
