import type { SelfTestReport } from '../../suites/self-test/self-test.ts';
import { median } from '../../suites/self-test/self-test.ts';

/** The result of a self-test as lines for a terminal. */
export function render(report: SelfTestReport, seconds: number): string {
  const { faults, falseAlarms, notReached, cutShort, judgedOtherwise, rules } = report;
  const count = (grade: string): number => faults.filter(({ fate }) => fate === grade).length;
  const bare = rules.filter((rule) => rule.faults.length === 0).map(({ id }) => id);
  const percent = faults.length === 0 ? 0 : (100 * count('killed')) / faults.length;
  const besides = faults.filter(({ unexplained }) => unexplained.length > 0);
  const width = Math.max(4, ...rules.map(({ id }) => id.length));
  const lines = [
    'Faults by rule',
    ...rules.map(
      ({ id, faults: faultIds }) => `  ${id.padEnd(width)}  ${faultIds.join(', ') || 'none'}`,
    ),
    '',
    ...list(
      'Killed only by another rule',
      faults
        .filter(({ fate }) => fate === 'killed-otherwise')
        .map(({ id, breaks }) => `${id} (${breaks})`),
    ),
    ...list(
      'Survived',
      faults.filter(({ fate }) => fate === 'survived').map(({ id, breaks }) => `${id} (${breaks})`),
    ),
    ...list(
      'Other must-rules broken without a stated reason',
      besides.map(({ id, unexplained }) => `${id}: ${unexplained.join(', ')}`),
    ),
    ...list(
      'False alarms',
      falseAlarms.map(
        ({ service, seed, rule, finding }) => `${service} (seed ${seed}) ${rule}: ${finding}`,
      ),
    ),
    ...list('Rules without a fault', bare),
    ...list('Rules that the clean service does not reach', notReached),
    ...list('Drives cut short', cutShort),
    ...list('Records that say something else than their runs', judgedOtherwise),
    `${report.profile === undefined ? 'drive alone' : `profile ${report.profile}`}: ${report.services} services, ${report.exchanges} exchanges, seeds ${report.seeds.join(', ')}, ${seconds.toFixed(1)} s`,
    `${faults.length} faults: ${count('killed')} killed by their own rule (${percent.toFixed(1)} %), ${count('killed-otherwise')} only by another, ${count('survived')} survived`,
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

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  ${item}`), ''];
}
