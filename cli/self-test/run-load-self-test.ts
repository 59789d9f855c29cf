import {
  isGoodUnderLoad,
  loadReportOf,
  loadTasksOf,
  type LoadReport,
} from '../../suites/service/self-test/load-self-test.ts';
import type { ExitCode } from '../exit-code.ts';
import { type PartFlags, runPart } from './run-part.ts';
import { alarmList, faultCounts, faultLists, list } from './self-test-words.ts';

/** Puts every fault and variant of load under load, and prints what became of them. */
export function runLoadSelfTest(flags: PartFlags): Promise<ExitCode> {
  const [tasksOf, reportOf, isGood] = [loadTasksOf, loadReportOf, isGoodUnderLoad];
  return runPart(flags, { name: 'load', every: 10, tasksOf, reportOf, isGood, linesOf });
}

function linesOf(report: LoadReport, seconds: number): string[] {
  const { faults, falseAlarms, disagreeing, notReached } = report;
  return [
    ...faultLists(
      faults,
      'Killed only by another rule, or at another step',
      ({ id, breaks, began }) => `${id} (${breaks}${began.map((at) => `, ${at}`).join('')})`,
    ),
    ...list('Broken in the run and not in its record, or the other way round', disagreeing),
    ...alarmList(falseAlarms),
    ...list('Rules on load that the clean service does not reach', notReached),
    `load: ${report.services} services, ${report.requests} requests, seeds ${report.seeds.join(', ')}, ${seconds.toFixed(1)} s`,
    faultCounts(faults, 'killed by their own rule at their step', 'only otherwise'),
    `${falseAlarms.length} false alarms`,
  ];
}
