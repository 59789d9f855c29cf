/** What is said of a load in words, in the terminal and elsewhere. */

import { errorsOf, errorWords, reasonOf, reasonWords } from '../../contracts/run/load/fates.ts';
import {
  brokenThresholds,
  interruptedAfter,
  isOpen,
  isUndecided,
  loadOutcome,
} from '../../contracts/run/load/load-outcome.ts';
import type {
  LoadErrorRow,
  LoadThreshold,
  LoadViolation,
  RunLoad,
} from '../../contracts/run/load/load-run.ts';
import { measuredWords } from '../../contracts/run/load/selected-row.ts';
import { groupsOf } from '../../contracts/wire/groups.ts';
import { plural } from '../text.ts';
import { count, ms, rate } from './load-figures.ts';

/** The outcome of the load in one sentence. */
export function loadOutcomeWords(load: RunLoad): string {
  const { whole, scenario, breakpoint, keptUpPerSecond, aborted, steps } = load;
  const { interrupted, unanswered = 0 } = load;
  const held = `all thresholds held${interrupted === undefined ? '' : ' so far'}`;
  const broken = brokenThresholds(load);
  const outcome = loadOutcome(load);
  const verdict = {
    held: load.invalid.length === 0 ? held : `${held}, and its latencies and rates do not count`,
    broken: `${plural(broken.length, 'threshold')} broken`,
    invalid:
      load.invalid.length === 0
        ? `${plural(load.thresholds.filter((one) => isOpen(one, load)).length, 'threshold')} not known`
        : load.invalidOnly === 'timing'
          ? 'its latencies and rates do not count'
          : 'the figures do not count',
    limited: 'the limiter was measured, not the service',
    unserved: whole.counts.served === 0 ? 'nothing was served' : 'not all that was asked served',
    unreached: 'no client was asked to come back',
    undecided: 'whether it became slower is not known',
  }[outcome];
  const { sent, served, throttled } = whole.counts;
  const errors = errorsOf(whole.counts);
  const kinds = errorWords(whole.counts);
  const parts = [
    `${count(served)} of ${count(sent)} served`,
    ...(throttled > 0 ? [`${count(throttled)} throttled`] : []),
    ...(errors > 0
      ? [`${plural(errors, 'error')}${kinds === undefined ? '' : ` (${kinds})`}`]
      : []),
    ...(unanswered > 0 ? [`${count(unanswered)} not answered when it was ended`] : []),
  ];
  const found =
    breakpoint === undefined
      ? ''
      : `; breaks in ${steps[breakpoint.step]?.name ?? 'a step'} (${breakpoint.thresholds.join(', ')})`;
  const kept = keptUpPerSecond === undefined ? '' : `; keeps up with ${rate(keptUpPerSecond)}/s`;
  const cut = interrupted === undefined ? '' : `; ended after ${interruptedAfter(interrupted)}`;
  const ended =
    aborted === undefined
      ? cut
      : `; ended after ${Math.round(aborted.atSeconds)} s, as ${aborted.threshold} stayed broken`;
  return `load ${scenario}: ${verdict}, ${parts.join(', ')}${kept}${found}${ended}`;
}

/** Errors of one operation for one reason in words: what, how many of how many, and when. */
export interface ErrorWords {
  /** E.g. `zap.quote answered 503`. */
  readonly what: string;
  /** E.g. `8 of 130 (6.2 %)`. */
  readonly share: string;
  /** E.g. `10.1 s to 17.9 s`. */
  readonly when: string;
}

/**
 * What errors were, the most frequent first; empty where there were none, or nobody knows. What all operations have in
 * about the same share is one row.
 */
export function errorRowWords(load: Pick<RunLoad, 'errors' | 'operations'>): ErrorWords[] {
  const { errors = [], operations } = load;
  type Rows = readonly [LoadErrorRow, ...LoadErrorRow[]];
  const rows = groupsOf(errors, reasonOf).flatMap((group): Rows[] =>
    areAlike(group, load) ? [group] : group.map((row): Rows => [row]),
  );
  const all = rows.map((group) => ({
    first: group[0],
    isOfAll: group.length > 1,
    times: total(group.map((row) => row.count)),
    from: Math.min(...group.map((row) => row.firstSecond)),
    until: Math.max(...group.map((row) => row.lastSecond)),
  }));
  return all
    .sort((a, b) => b.times - a.times || a.from - b.from)
    .map(({ first, isOfAll, times, from, until }) => {
      const of = operations.filter((one) => isOfAll || one.operation === first.operation);
      const what = isOfAll ? `all ${operations.length} operations` : first.operation;
      return {
        what: `${what} ${reasonWords(reasonOf(first))}`,
        share: shareOf(times, total(of.map(({ counts }) => counts.sent))),
        when: times === 1 ? `at ${seconds(from)}` : `${seconds(from)} to ${seconds(until)}`,
      };
    });
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** Shares that differ by no more may be the same. */
const ALIKE = 2;

/** Whether errors for one reason are of all operations, and about as often. */
function areAlike(
  rows: readonly LoadErrorRow[],
  { operations }: Pick<RunLoad, 'operations'>,
): boolean {
  if (operations.length < 2 || rows.length !== operations.length) return false;
  const shares = operations.map(({ operation, counts }) => {
    const row = rows.find((one) => one.operation === operation);
    return row === undefined || counts.sent === 0 ? 0 : row.count / counts.sent;
  });
  const least = Math.min(...shares);
  return least > 0 && Math.max(...shares) <= ALIKE * least;
}

function shareOf(times: number, sent: number): string {
  if (sent < times) return count(times);
  return `${count(times)} of ${count(sent)} (${((100 * times) / sent).toFixed(1)} %)`;
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

/** `?` where it is broken and not for certain, or held and might not have been by the end. */
export function thresholdSymbol(one: LoadThreshold, load: RunLoad): '✓' | '✗' | '?' {
  if (isOpen(one, load)) return '?';
  if (!one.held) return '✗';
  return load.interrupted === undefined ? '✓' : '?';
}

/** What came of each threshold, in words. */
export function thresholdWords(load: RunLoad): {
  readonly symbol: '✓' | '✗' | '?';
  readonly expression: string;
  readonly measured: string;
}[] {
  return load.thresholds.map((one) => ({
    symbol: thresholdSymbol(one, load),
    expression: one.expression,
    measured: isUndecided(one) ? 'not known, see below' : measuredWords(one),
  }));
}

/** Which rules judged how many answers, and what that cost, if an engine judges by itself. */
export function judgedWords({ judged, violations, generator, engine }: RunLoad): string {
  const { answers, of: total, kept, byAll } = judged;
  const share =
    answers === total
      ? total === 0
        ? 'no answers'
        : `all ${count(total)} answers`
      : `${count(answers)} of ${count(total)} answers${whyFewer(judged, engine.name)}`;
  const by =
    byAll === undefined
      ? ''
      : byAll === 0
        ? ", by the card's rules alone"
        : `, ${count(byAll)} of them by all rules on single answers, the others by the card's`;
  const { judgingSeconds: took } = generator;
  const cost =
    took === undefined || answers === 0
      ? ''
      : `; judging took k6 ${took.toFixed(1)} s by the clock, ${((1000 * took) / answers).toFixed(2)} ms an answer`;
  const counted = violations.filter(({ isSetAside }) => isSetAside !== true).length;
  const broken =
    counted > 0 ? `, ${plural(counted, 'rule')} broken` : answers > 0 ? ', no rule broken' : '';
  return `${share}${by}${broken}; ${count(kept)} kept${cost}`;
}

/** Why not all answers were judged, in brackets, as far as it is known. */
function whyFewer(
  { answers, of: total, leftOut }: RunLoad['judged'],
  engine: RunLoad['engine']['name'],
): string {
  if (leftOut === undefined)
    return engine === 'k6' ? ' (VUs that k6 added while it was late judge none)' : '';
  const { asked, late } = leftOut;
  const rest = total - answers - asked - late;
  const reasons = [
    ...(asked > 0 ? [`${count(asked)} left out by --judge-share`] : []),
    ...(late > 0 ? [`${count(late)} left out, as this machine did not keep up with more`] : []),
    ...(rest > 0 ? [`${count(rest)} could not be judged`] : []),
  ];
  return reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
}

/** What is said behind a broken rule that does not count; nothing of others. */
export function setAsideWords({ isSetAside }: LoadViolation): string {
  return isSetAside === true ? ', only while nothing was served, so it does not count' : '';
}

/** What is left out of latencies at the beginning; nothing without a warm-up. */
export function warmUpWords({ warmUpSeconds = 0 }: RunLoad): string[] {
  return warmUpSeconds === 0
    ? []
    : [`warm-up of ${warmUpSeconds} s, in no latency figure; its errors and violations count`];
}

/** What load was sent with, and how well it kept its schedule: a few words each. */
export function generatorFacts(load: RunLoad): string[] {
  const { generator, machine, machines = [], engine, part, rounds } = load;
  const { fireLagP99Ms, eventLoopUtilization, waitedAtCeiling, dropped, cpuSeconds } = generator;
  return [
    `${engine.name} ${engine.version}`,
    ...(fireLagP99Ms === undefined ? [] : [`lag ${ms(fireLagP99Ms)} ms at p99`]),
    ...(eventLoopUtilization === undefined
      ? []
      : [`event loop active ${Math.round(100 * eventLoopUtilization)} %`]),
    ...(cpuSeconds === undefined ? [] : [`${Math.round(cpuSeconds * 10) / 10} s of CPU`]),
    ...(dropped > 0 ? [`${count(dropped)} dropped`] : []),
    ...(waitedAtCeiling > 0 ? [`${count(waitedAtCeiling)} waited for a connection`] : []),
    ...(part === undefined ? [] : [`part ${part.index} of ${part.of}`]),
    ...(rounds === undefined ? [] : [`${plural(rounds.length, 'round')} beside a control`]),
    ...machineFacts(machine, machines.length),
  ];
}

function machineFacts(machine: RunLoad['machine'], parts: number): string[] {
  if (machine === undefined) return ['on machines of which nothing is known'];
  const { cores, cpuModel, platform, arch, node, loadAverage } = machine;
  return [
    `${parts > 1 ? `${parts} parts, the first on ` : ''}${cores} cores (${cpuModel}), ${platform} ${arch}, Node ${node}`,
    ...(loadAverage === undefined ? [] : [`load average ${loadAverage} before`]),
  ];
}
