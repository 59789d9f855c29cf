import { bucketMet, refusalsOf, decisiveTrials } from '../../../run/load/bucket-met.ts';
import type {
  FanOut,
  FanOutKind,
  LimitedApi,
  LimitMeasurement,
} from '../../../run/load/limit-measurement.ts';
import { capacityOf } from '../../../run/load/limit-measurement.ts';
import type { Broken, Judgement, Rule } from '../../../judging/rule.ts';
import { type LimitRule, measuredRules } from '../../../rules/limits/limit-rule.ts';
import { remainingRule } from '../../../rules/limits/remaining-rule.ts';
import { waitRules } from './announced-waits.ts';
import { keyComparison } from './key-comparison.ts';

/** Judges what requests of one kind met while the bucket of an address was exhausted. */
function whileExhausted(
  api: LimitedApi,
  kind: FanOutKind,
  judge: (fan: FanOut, measurement: LimitMeasurement) => Judgement | 'inconclusive',
): LimitRule['judge'] {
  return (measurements) =>
    measurements
      .filter((one) => one.api === api && one.client === 'address')
      .flatMap((one) => one.fanOut.map((fan) => ({ fan, one })))
      .filter(({ fan }) => fan.kind === kind)
      .map(({ fan, one }) => ({
        witnesses: [...fan.witnesses, ...one.witnesses],
        judgement: bucketMet(fan, one.estimate) === 'undecided' ? 'inconclusive' : judge(fan, one),
      }));
}

/**
 * Broken when a client that had used little was refused with the one that had used up its limit. One
 * that was never admitted before, or that may have used up its own, proves nothing.
 */
function refusedAlong(expected: string, actual: string): Parameters<typeof whileExhausted>[2] {
  return (fan, { estimate }) => {
    if (bucketMet(fan, estimate) === 'separate') return [];
    const refused = refusalsOf(fan, estimate);
    const isKnown = fan.admittedBefore > 0 && capacityOf(estimate) !== undefined;
    if (!isKnown || refused < MIN_REFUSALS) return 'inconclusive';
    return [{ pointer: '', expected, actual: `${actual}, ${refused} times` }];
  };
}

/** Refused once or twice, a client may have met a service that was just being started again. */
const MIN_REFUSALS = 3;

function judgeForged(fan: FanOut, { estimate }: LimitMeasurement): Broken[] {
  if (bucketMet(fan, estimate) === 'shared') return [];
  const times = decisiveTrials(fan).length;
  const expected = 'a client that has used up its limit to be refused, whatever it says it is';
  const actual = `admitted with a forged X-Forwarded-For, each of ${times} times, while it was refused without one before and after`;
  return [{ pointer: '', expected, actual }];
}

/**
 * Broken when a client without a key, which had used little, was refused along with the key that had used
 * up its limit. What it may use is measured apart, and is less than what the key may.
 */
const keylessRefused: LimitRule['judge'] = (measurements) => {
  const trade = measurements.filter(({ api }) => api === 'trade');
  const keyless = trade.find(({ client }) => client === 'address');
  return trade
    .filter(({ client }) => client === 'key')
    .flatMap((one) => one.fanOut.map((fan) => ({ fan, one })))
    .filter(({ fan }) => fan.kind === 'without-key')
    .map(({ fan, one }) => ({
      witnesses: [...fan.witnesses, ...one.witnesses],
      judgement: keyless === undefined ? 'inconclusive' : judgeKeyless(fan, keyless),
    }));
};

function judgeKeyless(fan: FanOut, keyless: LimitMeasurement): Judgement | 'inconclusive' {
  const met = bucketMet(fan, keyless.estimate);
  if (met === 'undecided') return 'inconclusive';
  const expected = 'a limit without a key that requests with one do not use up';
  const actual = 'refused without a key, once the key had used up its own limit';
  return refusedAlong(expected, actual)(fan, keyless);
}

/** Broken when another key was refused along; both may be of one customer. */
const keysRefused: LimitRule['judge'] = (measurements) =>
  measurements
    .filter(({ api, client }) => api === 'trade' && client === 'key')
    .flatMap((one) => one.fanOut.map((fan) => ({ fan, one })))
    .filter(({ fan }) => fan.kind === 'other-key')
    .map(({ fan, one }) => ({
      witnesses: [...fan.witnesses, ...one.witnesses],
      judgement:
        bucketMet(fan, one.estimate) === 'undecided'
          ? 'inconclusive'
          : refusedAlong(
              'a limit for each key, unless both belong to one customer',
              'a key with hardly a request was refused along with one that had used up its limit',
            )(fan, one),
    }));

const LIMIT_RULES: readonly LimitRule[] = [
  ...waitRules('zap'),
  ...waitRules('trade'),
  remainingRule('zap', 'implied by §7'),
  remainingRule('trade', 'implied by §7'),
  {
    id: 'zap.limits.per-address',
    level: 'must',
    source: '§5.1, §8',
    protects: 'A client is not throttled for what another address did.',
    rulesOut:
      'A service with one limit for all, or for all behind a proxy: another address is admitted while the first is refused.',
    api: 'zap',
    judge: whileExhausted(
      'zap',
      'other-address',
      refusedAlong(
        'a limit for each client address',
        'an address with hardly a request was refused along with one that had used up its limit',
      ),
    ),
  },
  {
    id: 'zap.limits.address-not-forged',
    level: 'should',
    source: 'implied by §5.1',
    protects: 'Nobody evades the limit of an address by a header.',
    rulesOut:
      'A service that believes X-Forwarded-For of anybody: the exhausted address is refused with a forged one, too.',
    api: 'zap',
    judge: whileExhausted('zap', 'forged-forwarded-for', judgeForged),
  },
  {
    id: 'trade.limits.key-raises-limit',
    level: 'must',
    source: '§5.2, §8',
    protects: 'A key gives a higher rate limit on the trade API.',
    rulesOut:
      'A service in which a key is only another name for the same limit: both limits were met, or the higher one was passed.',
    api: 'trade',
    judge: keyComparison,
  },
  {
    id: 'trade.limits.key-apart-from-address',
    level: 'should',
    source: 'implied by §5.2',
    protects: 'A client with a key is served when its address has used up the limit without one.',
    rulesOut:
      'A service that counts by address before it looks at keys: the key is admitted while its address is refused.',
    api: 'trade',
    judge: whileExhausted(
      'trade',
      'with-key',
      refusedAlong(
        'a limit with a key that requests without one do not use up',
        'refused with a key, once the address had used up its limit without one',
      ),
    ),
  },
  {
    id: 'trade.limits.address-apart-from-key',
    level: 'should',
    source: 'implied by §5.2',
    protects: 'A client without a key is served when a key of its address has used up its limit.',
    rulesOut:
      'A service that counts requests with a key as those of their address, too: the address is admitted while the key is refused.',
    api: 'trade',
    judge: keylessRefused,
  },
  {
    id: 'trade.limits.keys-apart',
    level: 'observe',
    source: '§5.2',
    protects: 'It is known whether two keys share a limit, as those of one customer may.',
    rulesOut:
      'A service that counts all keys together: the other key is admitted while the first one is refused.',
    api: 'trade',
    judge: keysRefused,
  },
];

/** The rules on what was measured of rate limits. */
export function rateLimitRules(measurements: readonly LimitMeasurement[]): readonly Rule[] {
  return measuredRules(LIMIT_RULES, measurements);
}
