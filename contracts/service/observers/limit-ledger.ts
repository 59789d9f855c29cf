import type { Observation } from '../../judging/ledger.ts';
import type {
  FanOut,
  LimitedApi,
  LimitEstimate,
  LimitMeasurement,
} from '../../run/load/limit-measurement.ts';
import { bucketMet, refusalsOf } from '../../run/load/bucket-met.ts';

/** What was measured where the document is silent: values, whose buckets, units, header claims. */
export function limitLedger(measurements: readonly LimitMeasurement[]): readonly Observation[] {
  return (['zap', 'trade'] as const).flatMap((api) => {
    const own = measurements.filter((one) => one.api === api);
    return rowsOf(api, own).filter(({ observed }) => observed.length > 0);
  });
}

function rowsOf(api: LimitedApi, own: readonly LimitMeasurement[]): Observation[] {
  const row = (
    name: string,
    clause: string,
    observe: (measurement: LimitMeasurement) => readonly string[],
  ): Observation => {
    const observed = own.flatMap((one) => observe(one).map((text) => `${one.client}: ${text}`));
    return { id: `${api}.limits.${name}`, clause, observed: [...new Set(observed)] };
  };
  return [
    row('measured', '§8 numeric rate-limit values', ({ estimate }) => [sentenceOf(estimate)]),
    row('shared-with', '§8 what a rate limit covers', ({ fanOut, estimate }) => [
      ...fanOut.map((fan) => `${fan.kind} ${bucketOf(fan, estimate)}`),
      ...narrowerThanClient(fanOut, estimate),
    ]),
    row('failed-requests', '§8 whether failed requests count', ({ failures }) =>
      failures === 'undecided' ? [] : [failures],
    ),
    row('retry-after-unit', '§7 retryAfter unit', ({ waits }) =>
      waits.flatMap(({ source, unit }) => (source === 'body' && unit !== undefined ? [unit] : [])),
    ),
    row('reset', '§8 rate-limit header names and values', ({ waits }) =>
      waits
        .filter(({ source, verdict }) => source === 'rate-limit-reset' && verdict !== 'absent')
        .map(({ verdict, detail }) => `${verdict}: ${detail}`),
    ),
    row('header-claims', '§8 rate-limit header names and values', (one) => one.headerClaims),
  ];
}

/** Sections 5.1 and 8 name the client alone, so that routes apart are more than they promise. */
function narrowerThanClient(fanOut: readonly FanOut[], estimate: LimitEstimate): string[] {
  const apart = (kind: FanOut['kind']): boolean =>
    fanOut.some((fan) => fan.kind === kind && bucketMet(fan, estimate) === 'separate');
  if (apart('other-route')) return ['a bucket for each route, not one for each client'];
  return apart('other-method') ? ['a bucket for each method, not one for each client'] : [];
}

/** Whether a request of a kind met the bucket that was exhausted, in words. */
function bucketOf(fan: FanOut, estimate: LimitEstimate): string {
  const met = bucketMet(fan, estimate);
  if (met === 'separate') return 'in another bucket, or a larger one';
  if (met === 'undecided') return met;
  // Nobody knows whether a kind that was never admitted has not used up a bucket of its own.
  return fan.admittedBefore === 0
    ? `refused along, each of ${refusalsOf(fan, estimate)} times`
    : 'in the same bucket';
}

function sentenceOf(estimate: LimitEstimate): string {
  const { verdict, algorithms, limit, windowSeconds, burst, refillPerSecond, admitted } = estimate;
  const facts = [
    algorithms.join(' or '),
    limit === undefined ? '' : `${limit} requests`,
    windowSeconds === undefined ? '' : `in ${windowSeconds} s`,
    burst === undefined ? '' : `burst ${burst}`,
    refillPerSecond === undefined ? '' : `${refillPerSecond} a second`,
    limit !== undefined || admitted === undefined
      ? ''
      : `${admitted.requests} admitted in ${Math.round(admitted.seconds)} s`,
  ].filter((fact) => fact !== '');
  return [verdict, ...facts].join(', ');
}
