import {
  type FalseAlarm,
  type FaultRow,
  median,
  type SelfTestReport,
} from '../../suites/self-test/self-test.ts';

/** The result of a self-test as lines for a terminal. */
export function render(report: SelfTestReport, seconds: number): string {
  const { faults, falseAlarms, notReached, cutShort, judgedOtherwise, rules } = report;
  const bare = rules.filter((rule) => rule.faults.length === 0).map(({ id }) => id);
  const width = Math.max(4, ...rules.map(({ id }) => id.length));
  const lines = [
    'Faults by rule',
    ...rules.map(
      ({ id, faults: faultIds }) => `  ${id.padEnd(width)}  ${faultIds.join(', ') || 'none'}`,
    ),
    '',
    ...faultLists(faults),
    ...alarmList(falseAlarms),
    ...list('Rules without a fault', bare),
    ...list('Rules that the clean service does not reach', notReached),
    ...list('Drives cut short', cutShort),
    ...list('Records that say something else than their runs', judgedOtherwise),
    `${report.profile === undefined ? 'drive alone' : `profile ${report.profile}`}: ${report.services} services, ${report.exchanges} exchanges, seeds ${report.seeds.join(', ')}, ${seconds.toFixed(1)} s`,
    faultCounts(faults),
    ...effortLines(faults),
    `${falseAlarms.length} false alarms`,
    `${report.services} records judged again, ${judgedOtherwise.length} otherwise than their runs`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What it takes to find a fault, and how small what shows it becomes. */
function effortLines(faults: SelfTestReport['faults']): string[] {
  const requests = faults.flatMap((fault) => fault.requests ?? []);
  const distances = faults.flatMap((fault) => fault.distance ?? []);
  if (requests.length === 0) return [];
  const small = distances.filter((distance) => distance <= 2).length;
  return [
    `${median(requests) ?? 0} requests to the first catch (median; at most ${Math.max(...requests)})`,
    ...(distances.length === 0
      ? []
      : [
          `${median(distances) ?? 0} fields from the plain request to the counterexample (median; ${small} of ${distances.length} at most 2)`,
        ]),
  ];
}

type Fault = Pick<FaultRow, 'id' | 'breaks' | 'fate' | 'unexplained'>;

/** The faults that were not killed as they should be, and what else they broke. */
export function faultLists<T extends Fault>(
  faults: readonly T[],
  otherwise = 'Killed only by another rule',
  nameOf: (fault: T) => string = ({ id, breaks }) => `${id} (${breaks})`,
): string[] {
  const withFate = (wanted: string): string[] =>
    faults.filter(({ fate }) => fate === wanted).map(nameOf);
  const besides = faults.filter(({ unexplained }) => unexplained.length > 0);
  return [
    ...list(otherwise, withFate('killed-otherwise')),
    ...list('Survived', withFate('survived')),
    ...list(
      'Other must-rules broken without a stated reason',
      besides.map(({ id, unexplained }) => `${id}: ${unexplained.join(', ')}`),
    ),
  ];
}

/** How many faults were killed, by what. */
export function faultCounts(
  faults: readonly Fault[],
  byOwn = 'killed by their own rule',
  otherwise = 'only by another',
): string {
  const count = (grade: string): number => faults.filter(({ fate }) => fate === grade).length;
  const percent = faults.length === 0 ? 0 : (100 * count('killed')) / faults.length;
  return `${faults.length} faults: ${count('killed')} ${byOwn} (${percent.toFixed(1)} %), ${count('killed-otherwise')} ${otherwise}, ${count('survived')} survived`;
}

/** What correct services were found to break. */
export function alarmList(falseAlarms: readonly FalseAlarm[]): string[] {
  const words = falseAlarms.map(
    ({ service, seed, rule, finding }) => `${service} (seed ${seed}) ${rule}: ${finding}`,
  );
  return list('False alarms', words);
}

/** A title and what stands under it; nothing if there is nothing. */
export function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  ${item}`), ''];
}
