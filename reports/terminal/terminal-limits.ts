import type { LimitRow, RetryAfterRow } from '../../contracts/run/run.ts';
import { clientBlock, comesBackOf, keepToOf, openOf, whoseOf } from '../limit-words.ts';
import { plural, wrap } from '../text.ts';
import type { Paint } from './verdict-style.ts';

const LABEL_WIDTH = 17;

/**
 * The rate limits that were measured, a block for each bucket.
 *
 * @param isBrief whether they stand beside what is broken: without how they were found and how far they were tried
 */
export function limitLines(
  rows: readonly LimitRow[],
  width: number,
  paint: Paint,
  isBrief = false,
): string[] {
  if (rows.length === 0) return [];
  const blocks = rows.flatMap((row) => blockOf(row, width, paint, isBrief));
  return [paint('bold', 'Rate limits'), ...blocks];
}

/** Nobody acts on these if a rule is broken. */
const LEFT_OUT = ['took', 'as far as'];

function blockOf(row: LimitRow, width: number, paint: Paint, isBrief: boolean): string[] {
  const { api, scope, verdict } = row;
  const field = (label: string, text: string): string[] =>
    wrap(text, width - 4 - LABEL_WIDTH).map(
      (line, at) => `    ${paint('dim', (at === 0 ? label : '').padEnd(LABEL_WIDTH))}${line}`,
    );
  const format = verdict === 'identified' ? 'green' : 'yellow';
  return [
    `  · ${paint('bold', `${api}, ${scope}`)}: ${paint(format, verdict)}`,
    ...limitFields(row)
      .filter(([label]) => !isBrief || !LEFT_OUT.includes(label))
      .flatMap(([label, text]) => field(label, text)),
  ];
}

/** What was found of a limit, in words: labels and what stands beside them, what a person acts on first. */
export function limitFields(row: LimitRow): [label: string, text: string][] {
  const { retryAfter, headers, client, headerClaims = [] } = row;
  const [wait, waitOfField] = [waitOf(retryAfter), waitOf(headers?.['retry-after'])];
  const isSame = wait !== '' && wait === waitOfField;
  const fields: [string, string][] = [
    ['why', row.why ?? ''],
    ['limit', limitOf(row)],
    ...stackedOf(row),
    ['comes back', comesBackOf(row)],
    ['keep to', keepToOf(row)],
    ['retryAfter', isSame ? `${wait}; Retry-After alike` : wait],
    ['Retry-After', isSame ? '' : waitOfField],
    ['whose', whoseOf(row)],
    ['took', tookOf(row)],
    row.verdict === 'identified'
      ? ['as far as', extentOf(row)]
      : ['admitted at most', envelopeOf(row)],
    ['stopped', row.stopped ?? ''],
    ['not known', openOf(row)],
    ['rejects with', row.throttledWith?.join(', ') ?? ''],
    ['headers claim', headerClaims.join('; ')],
    ['a paced client', scenarioOf(row.scenario)],
    ['for a client', client === undefined ? '' : clientBlock(client)],
  ];
  return fields.filter(([, text]) => text !== '');
}

/** `444 requests, 35 of them rejected, in 422 s; finding the limit 105 requests in 60 s`. */
function tookOf({ requests, rejects, seconds, whole }: LimitRow): string {
  if (whole === undefined) return costWords(requests, seconds, rejects);
  const isMore = whole.requests > requests;
  const finding = isMore ? `; finding the limit ${costWords(requests, seconds)}` : '';
  return `${costWords(whole.requests, whole.seconds, whole.rejects)}${finding}`;
}

function costWords(requests: number, seconds: number, rejects?: number): string {
  const rejected = rejects === undefined ? '' : `, ${rejects} of them rejected,`;
  return `${plural(requests, 'request')}${rejected} in ${seconds} s`;
}

function stackedOf({ stacked = [] }: LimitRow): [label: string, text: string][] {
  return stacked.map(({ algorithm, alternatives = [], limit, windowSeconds }, at) => [
    at === 0 ? 'inner limit' : 'outer limit',
    `${limit} requests in ${windowSeconds} s, ${[algorithm, ...alternatives].join(' or ')}`,
  ]);
}

/** `20 in 1 s, 25 in 2 s`. */
function envelopeOf({ envelope = [] }: LimitRow): string {
  return envelope.map(({ seconds, requests }) => `${requests} in any ${seconds} s`).join(', ');
}

/**
 * `100 requests in 2 s and 160 in 2.34 s show: a limit above that was not reached`; of an identified one
 * that a record of an earlier version holds nothing.
 */
function extentOf({ envelope = [] }: LimitRow): string {
  const [first, ...more] = envelope.map(({ seconds, requests }) => `${requests} in ${seconds} s`);
  if (first === undefined) return '';
  const last = more.pop();
  const shown = [first.replace(' in ', ' requests in '), ...more].join(', ');
  return `${shown}${last === undefined ? '' : ` and ${last}`} show: a limit above that was not reached`;
}

function limitOf({
  limit,
  windowSeconds,
  burst,
  refillPerSecond,
  refill,
  intervalSeconds,
  queue,
  admitted,
  intervals,
}: LimitRow): string {
  const bucket = known(burst, intervals?.burst);
  const requests = known(limit, intervals?.limit);
  const window = known(windowSeconds, intervals?.windowSeconds);
  const rate = known(refillPerSecond, intervals?.refillPerSecond);
  const together = known(refill, intervals?.refill);
  const every = known(intervalSeconds, intervals?.intervalSeconds);
  const block = known(undefined, intervals?.penaltySeconds);
  return [
    bucket !== ''
      ? `burst ${bucket}`
      : requests === ''
        ? ''
        : `${requests} requests${window === '' ? '' : ` in ${window} s`}`,
    rate === '' ? '' : `${rate} a second`,
    together === '' || every === '' ? '' : `${together} each ${every} s`,
    queueOf(queue),
    block === '' ? '' : `then shut out for ${block} s`,
    admitted === undefined
      ? ''
      : `${plural(admitted.requests, 'request')} admitted in a row, in ${admitted.seconds} s${rateOf(admitted)}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** What becomes of requests beyond those that pass at once, in words. */
export function queueOf(queue: LimitRow['queue']): string {
  if (queue === undefined) return '';
  const { requests, beyond } = queue;
  return beyond === 'rejected'
    ? `up to ${requests} held back, the next one rejected`
    : `at least ${requests} held back, more were not tried`;
}

/** ` (31 a second)`; nothing if it took no time. */
function rateOf({ requests, seconds }: NonNullable<LimitRow['admitted']>): string {
  return seconds > 0 && requests > 1
    ? ` (${Number((requests / seconds).toPrecision(2))} a second)`
    : '';
}

/** `20`, `20 (19 to 21)`, `19 to 40` where no one value is good enough, or nothing. */
function known(value: number | undefined, interval: readonly [number, number] | undefined): string {
  const range = interval === undefined ? '' : `${interval[0]} to ${interval[1]}`;
  if (value === undefined) return range;
  return interval === undefined || interval[0] === interval[1] ? `${value}` : `${value} (${range})`;
}

function waitOf(wait: RetryAfterRow | undefined): string {
  if (wait === undefined || wait.verdict === 'absent') return wait === undefined ? '' : 'absent';
  const { verdict, detail, medianErrorMs, worstErrorMs } = wait;
  const said =
    verdict === 'honest'
      ? 'true'
      : verdict === 'not-judged'
        ? verdict
        : `not true, ${verdict.replace('-', ' ')}`;
  const errors =
    medianErrorMs === undefined || worstErrorMs === undefined
      ? ''
      : `; off by ${medianErrorMs} ms at the median, ${worstErrorMs} ms at worst`;
  return `${said}: ${detail}${errors}`;
}

function scenarioOf(scenario: LimitRow['scenario']): string {
  if (scenario === undefined) return '';
  return `${scenario.held ? 'gets through' : 'does not get through'}: ${scenario.detail}`;
}
