/** What was found of a rate limit, in words for people: how it comes back, whose it is, what is not known. */

import type { FanOutKind } from '../contracts/run/load/limit-measurement.ts';
import type { ClientLimit, LimitRow } from '../contracts/run/run.ts';

/** How what was used up comes back, by algorithm; a time stands in front of it or in it. */
const COMES_BACK: Readonly<Record<string, (seconds: string) => string>> = {
  'fixed-window': (s) => `all at once, ${s} after the first request`,
  'clock-window': (s) => `all at once, by the clock, each ${s}`,
  'restart-on-reject': (s) =>
    `all at once, after ${s} without a request: asking before starts it anew`,
  'sliding-log': (s) => `each request ${s} after it was sent`,
  'sliding-log-counting-rejects': (s) => `each request ${s} after it was sent, rejected ones too`,
  'sliding-counter': (s) => `bit by bit, within two windows of ${s}`,
  'sliding-counter-counting-rejects': (s) =>
    `bit by bit, within two windows of ${s} that count rejected requests too`,
};

/** `all at once, 60 s after the first request (fixed-window, 97 % sure)`; nothing if no class is left. */
export function comesBackOf(row: LimitRow): string {
  const { algorithms, confidence = 0, stacked } = row;
  if (stacked !== undefined || algorithms.length === 0) return '';
  const ways = algorithms.flatMap((name) => wayOf(name, row) ?? []);
  const sure = confidence === 0 ? '' : `, ${Math.round(100 * confidence)} % sure`;
  const names = `${algorithms.join(' or ')}${sure}`;
  // Half of what it may be would be read as all of it.
  const areAll = ways.length === algorithms.length;
  return areAll ? `${[...new Set(ways)].join(', or ')} (${names})` : names;
}

function wayOf(algorithm: string, row: LimitRow): string | undefined {
  const { windowSeconds, refillPerSecond, refill, intervalSeconds, intervals } = row;
  switch (algorithm) {
    case 'token-bucket':
      return refillPerSecond === undefined
        ? 'evenly'
        : `evenly, one each ${Number((1 / refillPerSecond).toPrecision(3))} s`;
    case 'interval-refill':
      return refill === undefined || intervalSeconds === undefined
        ? 'several at a time'
        : `${refill} at a time, each ${intervalSeconds} s`;
    case 'penalty-block': {
      const [least, most] = intervals?.penaltySeconds ?? [];
      return least === undefined
        ? undefined
        : `all at once, ${least} to ${most} s after a rejection`;
    }
    case 'concurrency':
      return 'as soon as a request in flight is answered';
    default:
      return windowSeconds === undefined
        ? undefined
        : COMES_BACK[algorithm]?.(`${windowSeconds} s`);
  }
}

/** `1.61 a second, or 100 at once after 60 s of silence`. */
export function keepToOf({ client }: LimitRow): string {
  if (client === undefined) return '';
  const { requests, afterSilenceSeconds, pacePerSecond, inFlight } = client;
  if (inFlight !== undefined) return `${inFlight} in flight`;
  const pace = pacePerSecond === undefined ? '' : `${pacePerSecond} a second`;
  if (requests === undefined || afterSilenceSeconds === undefined) return pace;
  return `${pace}, or ${requests} at once after ${afterSilenceSeconds} s of silence`;
}

/** The settings of a client as JSON, which is YAML as well. */
export function clientBlock(client: ClientLimit): string {
  const entries = Object.entries(client).map(
    ([name, value]) => `"${name}": ${JSON.stringify(value)}`,
  );
  return `{ ${entries.join(', ')} }`;
}

const WHO: Readonly<Record<FanOutKind, string>> = {
  'other-address': 'another address',
  'forged-forwarded-for': 'a forged X-Forwarded-For',
  'with-key': 'a key',
  'without-key': 'no key',
  'other-key': 'another key',
  'other-route': 'another route',
  'other-method': 'another method',
  'other-api': 'the other API',
  'path-case': 'another case of the path',
  'trailing-slash': 'a trailing slash',
};

/** `apart for another address; the same for another route, a trailing slash; failed requests count`. */
export function whoseOf({ buckets = [], failures }: LimitRow): string {
  const those = (met: string): string =>
    buckets.flatMap((row) => (row.met === met ? [WHO[row.kind]] : [])).join(', ');
  const [apart, same] = [those('separate'), those('shared')];
  return [
    apart === '' ? '' : `apart for ${apart}`,
    same === '' ? '' : `the same for ${same}`,
    failures === 'counted' ? 'failed requests count' : '',
    failures === 'not-counted' ? 'failed requests do not count' : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** What is not known, each with the option that would find out, if one would. */
export function openOf(row: LimitRow): string {
  const { verdict, buckets, failures, scenario, retryAfter, headers, endedBy, scope } = row;
  const kinds = new Set(buckets?.map(({ kind }) => kind));
  const read = [retryAfter, headers?.['retry-after']].filter((one) => one !== undefined);
  const undecided =
    buckets?.flatMap(({ kind, met }) => (met === 'undecided' ? WHO[kind] : [])) ?? [];
  const isUnmet = verdict === 'above-budget' || verdict === 'unlimited-within-budget';
  const isAddress = scope.includes('address');
  const open: (readonly [question: string, option: string])[] = [
    ...(isUnmet ? [['the limit', 'more --max-requests or --max-rate'] as const] : []),
    ...(endedBy === undefined || isUnmet ? [] : [['the limit', `more --${endedBy}`] as const]),
    ...(undecided.length === 0 ? [] : [[`whether ${undecided.join(', ')} shares it`, ''] as const]),
    ...(isAddress && kinds.size > 0 && !kinds.has('other-address')
      ? [['whether another address has its own', '--other-source-ip'] as const]
      : []),
    ...(!isAddress && kinds.size > 0 && !kinds.has('other-key')
      ? [['whether another key has its own', 'a second key'] as const]
      : []),
    ...(read.some((one) => one.verdict === 'not-judged')
      ? [['whether announced waits are true', 'more --max-seconds'] as const]
      : []),
    ...(kinds.size > 0 && failures === 'undecided'
      ? [['whether failed requests count', ''] as const]
      : []),
    ...(kinds.size === 0 && verdict === 'identified'
      ? [['whose it is', '--depth normal'] as const]
      : []),
    ...(verdict === 'identified' && scenario === undefined
      ? [['whether a client at that pace gets through', '--depth thorough'] as const]
      : []),
  ];
  return open
    .map(([question, option]) => `${question}${option === '' ? '' : ` (${option})`}`)
    .join('; ');
}
