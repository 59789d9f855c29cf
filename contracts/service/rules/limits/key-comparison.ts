import type { LimitEstimate, LimitMeasurement } from '../../../run/load/limit-measurement.ts';
import type { Broken, GroupJudgement, Judgement } from '../../../judging/rule.ts';

/** A limit that was found, as two numbers. */
interface Found {
  readonly kind: 'found';
  readonly atOnce: number;
  readonly perSecond: number;
}

/** A limit that was not met by so many requests in so much time. */
interface NotMet {
  readonly kind: 'not-met';
  readonly requests: number;
  readonly seconds: number;
}

/** Rates are measured to some hundredths: up to the first factor the same, from the second higher. */
const SAME_RATE = 1.05;
const HIGHER_RATE = 1.15;

/** What is known of a limit; undefined when it is too little to compare. */
function knownOf(estimate: LimitEstimate): Found | NotMet | undefined {
  const { verdict, limit, windowSeconds, burst, refillPerSecond, admitted } = estimate;
  switch (verdict) {
    case 'identified':
    case 'ambiguous': {
      const atOnce = burst ?? limit;
      const perSecond =
        refillPerSecond ??
        (limit === undefined || windowSeconds === undefined ? undefined : limit / windowSeconds);
      if (atOnce === undefined || perSecond === undefined) return undefined;
      return { kind: 'found', atOnce, perSecond };
    }
    case 'above-budget':
    case 'unlimited-within-budget':
      return admitted === undefined ? undefined : { kind: 'not-met', ...admitted };
    default:
      return undefined;
  }
}

/**
 * Section 8: the limit of trade is higher when a key is used. Broken when it is higher neither at once
 * nor over time. One that is higher in one way and lower in the other is inconclusive: the document
 * does not say which counts.
 */
export function keyComparison(measurements: readonly LimitMeasurement[]): GroupJudgement[] {
  const trade = measurements.filter(({ api }) => api === 'trade');
  const without = trade.find(({ client }) => client === 'address');
  if (without === undefined) return [];
  return trade
    .filter(({ client }) => client === 'key')
    .map((withKey) => ({
      witnesses: [...withKey.witnesses, ...without.witnesses],
      judgement: compare(knownOf(withKey.estimate), knownOf(without.estimate)),
    }));
}

function compare(
  withKey: Found | NotMet | undefined,
  without: Found | NotMet | undefined,
): Judgement | 'inconclusive' {
  if (withKey === undefined || without === undefined) return 'inconclusive';
  if (withKey.kind === 'not-met') {
    const admitsMore = without.kind === 'found' && exceeds(withKey, without);
    return admitsMore ? [] : 'inconclusive';
  }
  if (without.kind === 'not-met') {
    // A short burst shows nothing of what is admitted in the long run.
    const isLong = without.seconds * withKey.perSecond >= withKey.atOnce;
    return isLong && exceeds(without, withKey) ? [broken(withKey, without)] : 'inconclusive';
  }
  const ratio = withKey.perSecond / without.perSecond;
  const more = withKey.atOnce - without.atOnce;
  if (more <= 0 && ratio <= SAME_RATE) return [broken(withKey, without)];
  const isHigher = more > 0 || ratio > HIGHER_RATE;
  return isHigher && more >= 0 && ratio >= 1 / SAME_RATE ? [] : 'inconclusive';
}

/** Whether more was admitted than a limit lets through, wherever its windows begin. */
function exceeds({ requests, seconds }: NotMet, { atOnce, perSecond }: Found): boolean {
  return requests > 2 * atOnce + perSecond * seconds;
}

function broken(withKey: Found, without: Found | NotMet): Broken {
  const actual = `with a key ${reported(withKey)}, without one ${reported(without)}`;
  return { pointer: '', expected: 'a higher limit with a key than without', actual };
}

function reported(known: Found | NotMet): string {
  if (known.kind === 'not-met') {
    return `none up to ${known.requests} requests in ${Math.round(known.seconds)} s`;
  }
  const perSecond = Math.round(known.perSecond * 100) / 100;
  return `${known.atOnce} requests at once and ${perSecond} a second`;
}
