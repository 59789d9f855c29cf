import {
  isGoodOnLimits,
  limitsReportOf,
  limitsTasksOf,
  type LimitsReport,
} from '../../suites/service/self-test/limits-self-test.ts';
import type { ExitCode } from '../exit-code.ts';
import { type PartFlags, runPart } from './run-part.ts';
import { alarmList, faultCounts, faultLists, list } from './self-test-words.ts';

/** Probes every fault, oddity and variant of limits, and prints what became of them. */
export function runLimitsSelfTest(flags: PartFlags): Promise<ExitCode> {
  const [tasksOf, reportOf, isGood] = [limitsTasksOf, limitsReportOf, isGoodOnLimits];
  return runPart(flags, { name: 'limits', every: 20, tasksOf, reportOf, isGood, linesOf });
}

function linesOf(report: LimitsReport, seconds: number): string[] {
  const { faults, falseAlarms, unreported, oddities, notReached, cutShort } = report;
  return [
    ...faultLists(faults),
    ...list('Oddities that the ledger does not report', unreported),
    ...alarmList(falseAlarms),
    ...list('Rules that the clean service does not reach', notReached),
    ...list('Probes cut short', cutShort),
    `limits: ${report.services} services, ${report.exchanges} exchanges, seeds ${report.seeds.join(', ')}, ${seconds.toFixed(1)} s`,
    faultCounts(faults),
    `${oddities} oddities: ${unreported.length} not reported`,
    `${falseAlarms.length} false alarms`,
  ];
}
