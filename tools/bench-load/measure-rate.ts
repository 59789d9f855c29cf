import type { KnownRow, KnownRowJob } from './known-row.ts';
import { inProcess } from './processes.ts';
import { k6AtRate, type Rate, type Target, vegetaAtRate } from './programs.ts';
import type { Measured, RowJob } from './row.ts';
import { JUDGED, UNJUDGED } from './table.ts';

/** Something that keeps to a rate, and what it took. */
export interface RateGenerator {
  readonly name: string;
  readonly measure: (target: Target) => Promise<Measured>;
}

const PER_SECOND = 1_000;
/** The difference of two runs is taken, so that starting and warming up do not count. */
const SECONDS = { short: 4, long: 14 } as const;

/** What costs are compared at one rate; of programs, those that are there. */
export function generatorsAtRate(programs: {
  readonly k6: string | undefined;
  readonly vegeta: string | undefined;
}): RateGenerator[] {
  const { k6, vegeta } = programs;
  const openLoop =
    (isJudged: boolean) =>
    (target: Target, rate: Rate): Promise<KnownRow> =>
      inProcess<KnownRow>('known-row.js', {
        ...{ ...target, ...rate, isJudged, areAll: isJudged },
      } satisfies KnownRowJob);
  return [
    { name: JUDGED, measure: byDifference(openLoop(true)) },
    { name: UNJUDGED, measure: byDifference(openLoop(false)) },
    { name: 'autocannon', measure: autocannonAtRate },
    ...(vegeta === undefined
      ? []
      : [
          {
            name: 'vegeta',
            measure: byDifference((target, rate) => vegetaAtRate(vegeta, target, rate)),
          },
        ]),
    ...(k6 === undefined
      ? []
      : [
          {
            name: 'k6, without checks',
            measure: byDifference((target, rate) => k6AtRate(k6, target, rate)),
          },
        ]),
  ];
}

/** It is warmed up in the process that is measured. */
function autocannonAtRate(target: Target): Promise<Measured> {
  return inProcess<Measured>('row.js', {
    ...{ ...target, generator: 'autocannon', perSecond: PER_SECOND, connections: 10 },
    ...{
      warmUp: SECONDS.short * PER_SECOND,
      requests: (SECONDS.long - SECONDS.short) * PER_SECOND,
    },
  } satisfies RowJob);
}

function byDifference(
  run: (target: Target, rate: Rate) => Promise<Pick<Measured, 'cpuSeconds'>>,
): RateGenerator['measure'] {
  return async (target) => {
    const short = await run(target, { perSecond: PER_SECOND, seconds: SECONDS.short });
    const long = await run(target, { perSecond: PER_SECOND, seconds: SECONDS.long });
    const seconds = SECONDS.long - SECONDS.short;
    return {
      ...{ requests: seconds * PER_SECOND, seconds },
      cpuSeconds: long.cpuSeconds - short.cpuSeconds,
    };
  };
}
