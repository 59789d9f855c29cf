/** Long because it holds all sections of what the terminal says of one load, each of some lines. */

import {
  brokenThresholds,
  isUndecided,
  loadOutcome,
} from '../../contracts/run/load/load-outcome.ts';
import type {
  LoadOperationRow,
  LoadRow,
  LoadStepRow,
  LoadThreshold,
  RunLoad,
} from '../../contracts/run/load/load-run.ts';
import type { RunRuleRow } from '../../contracts/run/run.ts';
import { bullet, cut, plural, wrap } from '../text.ts';
import { baselineLines } from './terminal-baseline.ts';
import { trendLines } from './terminal-trend.ts';
import { loadHistogram } from './terminal-load-histogram.ts';
import type { Paint } from './verdict-style.ts';

/** What a load run is told with. */
interface Setting {
  readonly width: number;
  readonly paint: Paint;
  readonly rules: readonly RunRuleRow[];
}

/** What load came to: outcome, tables of latency, violations, thresholds, and what it was measured with. */
export function loadBlocks(
  load: RunLoad | undefined,
  rules: readonly RunRuleRow[],
  width: number,
  paint: Paint,
): string[][] {
  if (load === undefined) return [];
  const setting = { width, paint, rules };
  return [
    headLines(load, setting),
    load.invalid.flatMap((why) => bullet('?', why, width)),
    tableLines('step', load.steps.map(stepCells), setting),
    tableLines('operation', load.operations.map(operationCells), setting),
    loadHistogram(load.moments.length === 0 ? undefined : load.whole, paint),
    violationLines(load, setting),
    thresholdLines(load, setting),
    machineLines(load, setting),
    ...(load.baseline === undefined ? [] : [baselineLines(load.baseline, width, paint)]),
    ...(load.trend === undefined ? [] : [trendLines(load.trend, width, paint)]),
  ];
}

/** The outcome of the load in one sentence. */
export function loadOutcomeWords(load: RunLoad): string {
  const { whole, scenario, breakpoint, steps } = load;
  const broken = brokenThresholds(load);
  const outcome = loadOutcome(load);
  const verdict = {
    held: 'all thresholds held',
    broken: `${plural(broken.length, 'threshold')} broken`,
    invalid: 'the figures do not count',
    undecided: 'whether it became slower could not be told',
  }[outcome];
  const { sent, served, throttled, errors, failed } = whole.counts;
  const parts = [
    `${count(served)} of ${count(sent)} served`,
    ...(throttled > 0 ? [`${count(throttled)} throttled`] : []),
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(failed > 0 ? [`${count(failed)} unanswered`] : []),
  ];
  const found =
    breakpoint === undefined
      ? ''
      : `; breaks in ${steps[breakpoint.step]?.name ?? 'a step'} (${breakpoint.thresholds.join(', ')})`;
  return `load ${scenario}: ${verdict}, ${parts.join(', ')}${found}`;
}

function headLines(load: RunLoad, { width, paint }: Setting): string[] {
  const format = { held: 'green', broken: 'red', invalid: 'yellow', undecided: 'yellow' } as const;
  const text = loadOutcomeWords(load);
  return wrap(text, width).map((line) => paint(['bold', format[loadOutcome(load)]], line));
}

/** A cell of a table: its text, and whether it wants attention. */
interface Cells {
  readonly name: string;
  readonly cells: readonly string[];
}

const COLUMNS = [
  'offered',
  'admitted',
  'p50',
  'p95',
  'p99',
  'p99.9',
  'throttl.',
  'failing',
  'wrong',
];
const CELL_WIDTH = 9;

function stepCells(step: LoadStepRow): Cells {
  const rates = [rate(step.offeredPerSecond), rate(step.admittedPerSecond)];
  return { name: step.name, cells: [...rates, ...rowCells(step), dash(step.violations)] };
}

function operationCells(row: LoadOperationRow): Cells {
  const { offered, served, errors } = row.counts;
  return { name: row.operation, cells: [count(offered), count(served + errors), ...rowCells(row)] };
}

function rowCells({ latency, counts }: LoadRow): string[] {
  const { p50Ms, p95Ms, p99Ms, p999Ms } = latency;
  const times = latency.count === 0 ? ['–', '–', '–', '–'] : [p50Ms, p95Ms, p99Ms, p999Ms].map(ms);
  return [...times, dash(counts.throttled), dash(counts.errors + counts.failed)];
}

/** More rows are left to run.json. */
const MAX_ROWS = 24;

function tableLines(
  what: 'step' | 'operation',
  rows: readonly Cells[],
  { width, paint }: Setting,
): string[] {
  if (rows.length === 0) return [];
  const columns = what === 'step' ? COLUMNS : COLUMNS.slice(0, -1);
  const nameWidth = Math.min(
    Math.max(16, ...rows.map(({ name }) => name.length)),
    width - 2 - columns.length * CELL_WIDTH,
  );
  const line = (name: string, cells: readonly string[]): string =>
    `  ${cut(name, nameWidth).padEnd(nameWidth)}${cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')}`;
  const left = rows.length - MAX_ROWS;
  return [
    paint('dim', line(what === 'step' ? 'step, /s and ms' : 'requests and ms', columns)),
    ...rows.slice(0, MAX_ROWS).map(({ name, cells }) => line(name, cells)),
    ...(left > 0 ? [`  ${left} more in run.json`] : []),
  ];
}

/** More rules are left to run.json. */
const MAX_VIOLATIONS = 12;

function violationLines(load: RunLoad, { width, paint, rules }: Setting): string[] {
  const { judged, violations, steps } = load;
  const { answers, of: total, kept } = judged;
  const share =
    answers === total
      ? `all ${count(total)} answers`
      : `${count(answers)} of ${count(total)} answers`;
  const label = paint('dim', 'judged'.padEnd(12));
  const head = `${label}${share}, ${violations.length === 0 ? 'none of them wrong' : `${plural(violations.length, 'rule')} broken`}; ${plural(kept, 'exchange')} kept`;
  const sorted = [...violations].sort((a, b) => a.firstStep - b.firstStep || b.count - a.count);
  const left = sorted.length - MAX_VIOLATIONS;
  return [
    head,
    ...sorted
      .slice(0, MAX_VIOLATIONS)
      .flatMap(({ rule, count: times, firstStep, firstExchange }) => {
        const level = rules.find(({ id }) => id === rule)?.level ?? 'must';
        const first = firstExchange === '' ? '' : `, ${firstExchange}`;
        const where = `first in ${steps[firstStep]?.name ?? `step ${firstStep + 1}`}${first}`;
        return bullet(
          level === 'must' ? '✗' : '!',
          `${level} ${rule}: ${count(times)} times, ${where}`,
          width,
        );
      }),
    ...(left > 0 ? [`    ${left} more in run.json`] : []),
  ];
}

function thresholdLines(load: RunLoad, { paint }: Setting): string[] {
  const label = (at: number): string => paint('dim', (at === 0 ? 'thresholds' : '').padEnd(12));
  return thresholdWords(load).map(({ symbol, expression, measured }, at) => {
    const format: Parameters<Paint>[0] =
      symbol === '✓' ? 'green' : symbol === '✗' ? ['red', 'bold'] : 'yellow';
    return `${label(at)}${paint(format, symbol)} ${expression.padEnd(20)} ${measured}`;
  });
}

/** What came of each threshold, in words; `?` where it is broken and not for certain. */
export function thresholdWords(load: RunLoad): {
  readonly symbol: '✓' | '✗' | '?';
  readonly expression: string;
  readonly measured: string;
}[] {
  const certain = new Set(brokenThresholds(load));
  return load.thresholds.map((one) => ({
    symbol: one.held ? '✓' : certain.has(one) ? '✗' : '?',
    expression: one.expression,
    measured: measuredWords(one),
  }));
}

function measuredWords(threshold: LoadThreshold): string {
  const { expression, measured } = threshold;
  if (isUndecided(threshold)) return 'could not be told, see below';
  if (measured === undefined) return 'nothing was measured';
  const unit = /\d(ms|s|%|\/s)?$/.exec(expression)?.[1] ?? '';
  const value = Math.round(measured * 1000) / 1000;
  return `was ${value}${unit === '' || unit.startsWith('/') ? unit : ` ${unit}`}`;
}

function machineLines(load: RunLoad, { width, paint }: Setting): string[] {
  return wrap(generatorFacts(load).join(', '), width - 12).map(
    (line, at) => `${paint('dim', (at === 0 ? 'generator' : '').padEnd(12))}${line}`,
  );
}

/** What load was sent with, and how well it kept its schedule: a few words each. */
export function generatorFacts(load: RunLoad): string[] {
  const { generator, machine, machines = [], engine, part, rounds } = load;
  const { fireLagP99Ms, eventLoopUtilization, waitedAtCeiling, dropped, cpuSeconds } = generator;
  return [
    `${engine.name} ${engine.version}`,
    `lag ${ms(fireLagP99Ms)} ms at p99`,
    ...(eventLoopUtilization === undefined
      ? []
      : [`busy ${Math.round(100 * eventLoopUtilization)} %`]),
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

function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function dash(value: number): string {
  return value === 0 ? '–' : count(value);
}

function rate(value: number): string {
  return value < 100 ? value.toFixed(1) : count(Math.round(value));
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : count(Math.round(value));
}
