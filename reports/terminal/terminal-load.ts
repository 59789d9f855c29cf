import {
  brokenThresholds,
  loadOutcome,
  subjectOf,
  whyLoadOpen,
} from '../../contracts/run/load/load-outcome.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import type { RunRuleRow } from '../../contracts/run/run.ts';
import { bullet, wrap } from '../text.ts';
import { count } from './load-figures.ts';
import {
  errorRowWords,
  generatorFacts,
  judgedWords,
  loadOutcomeWords,
  setAsideWords,
  warmUpWords,
  thresholdWords,
} from './load-words.ts';
import { baselineLines } from './terminal-baseline.ts';
import { loadHistogram } from './terminal-load-histogram.ts';
import { latencyTable, operationTable, stepTable } from './terminal-load-tables.ts';
import { trendLines } from './terminal-trend.ts';
import type { Paint } from './verdict-style.ts';

const LABEL_WIDTH = 12;

/** What a load run is reported with. */
interface Setting {
  readonly width: number;
  readonly paint: Paint;
  readonly rules: readonly RunRuleRow[];
  /** Whether only what is broken is said of a load that broke something, so that it stands on one screen. */
  readonly isBrief: boolean;
}

/** What load came to: outcome, tables of latency, violations, thresholds, and what it was measured with. */
export function loadBlocks(
  load: RunLoad | undefined,
  { width, paint, rules, isBrief }: Setting,
): string[][] {
  if (load === undefined) return [];
  const setting = { width, paint, rules, isBrief: isBrief && loadOutcome(load) === 'broken' };
  const compared = [
    ...(load.baseline === undefined ? [] : [baselineLines(load.baseline, width, paint)]),
    ...(load.trend === undefined ? [] : [trendLines(load.trend, width, paint)]),
  ];
  if (setting.isBrief)
    return [briefLines(load, setting), ...briefTables(load, setting), ...compared];
  return [
    headLines(load, setting),
    whyInvalid(load).flatMap((why) => bullet('?', why, width)),
    errorLines(load, setting),
    violationLines(load, setting),
    stepTable(load.steps, width, paint),
    operationTable(load.operations, width, paint),
    latencyTable(load.whole, paint, warmUpWords(load)),
    loadHistogram(load.moments.length === 0 ? undefined : load.whole, paint),
    thresholdLines(load, setting),
    machineLines(load, setting),
    ...compared,
  ];
}

/** What is broken, without what held and what it was measured with. */
function briefLines(load: RunLoad, setting: Setting): string[] {
  return [
    ...headLines(load, setting),
    ...whyInvalid(load).flatMap((why) => bullet('?', why, setting.width)),
    ...errorLines(load, setting),
    ...violationLines(load, setting),
    ...thresholdLines(load, setting),
  ];
}

/** Figures, if they are what is broken: of answers the lines above say which operation, how often and when. */
function briefTables(load: RunLoad, setting: Setting): string[][] {
  const { width, paint } = setting;
  if (brokenThresholds(load).every((one) => subjectOf(one) === 'answers')) return [];
  const asked = load.operations.filter(({ counts }) => counts.offered > 0);
  return [
    stepTable(load.steps, width, paint),
    operationTable(asked, width, paint),
    machineLines(load, setting),
  ];
}

/** Why figures do not count, be it those of a threshold alone. */
function whyInvalid(load: RunLoad): readonly string[] {
  const outcome = loadOutcome(load);
  const isSaid = outcome === 'limited' || (outcome === 'invalid' && load.invalid.length === 0);
  return isSaid ? [...load.invalid, `${whyLoadOpen(load) ?? ''}.`] : load.invalid;
}

function headLines(load: RunLoad, { width, paint }: Setting): string[] {
  const format = { held: 'green', broken: 'red' } as const;
  const text = loadOutcomeWords(load);
  const outcome = loadOutcome(load);
  const isSure = outcome === 'broken' || (outcome === 'held' && load.interrupted === undefined);
  const colour = isSure ? format[outcome] : 'yellow';
  return wrap(text, width).map((line) => paint(['bold', colour], line));
}

/** Other reasons are left to run.json. */
const MAX_ERRORS = 3;

function errorLines(load: RunLoad, { width, paint }: Setting): string[] {
  const rows = errorRowWords(load);
  const left = rows.length - MAX_ERRORS;
  return [
    ...rows.slice(0, MAX_ERRORS).flatMap(({ what, share, when }, at) => {
      const label = paint('dim', (at === 0 ? 'errors' : '').padEnd(LABEL_WIDTH));
      const lines = wrap(`${what}: ${share}, ${when}`, width - LABEL_WIDTH);
      return lines.map((line, part) => `${part === 0 ? label : ' '.repeat(LABEL_WIDTH)}${line}`);
    }),
    ...(left > 0 ? [`${' '.repeat(LABEL_WIDTH)}${left} more in run.json`] : []),
  ];
}

/** More rules are left to run.json. */
const MAX_VIOLATIONS = 12;

function violationLines(load: RunLoad, { width, paint, rules }: Setting): string[] {
  const { violations, steps } = load;
  const head = wrap(judgedWords(load), width - LABEL_WIDTH).map(
    (line, at) => `${paint('dim', (at === 0 ? 'judged' : '').padEnd(LABEL_WIDTH))}${line}`,
  );
  const sorted = [...violations].sort((a, b) => a.firstStep - b.firstStep || b.count - a.count);
  const left = sorted.length - MAX_VIOLATIONS;
  return [
    ...head,
    ...sorted.slice(0, MAX_VIOLATIONS).flatMap((one) => {
      const { rule, count: times, firstStep, firstExchange, isSetAside } = one;
      const level = rules.find(({ id }) => id === rule)?.level ?? 'must';
      const first = firstExchange === '' ? '' : `, ${firstExchange}`;
      const where = `first in ${steps[firstStep]?.name ?? `step ${firstStep + 1}`}${first}`;
      return bullet(
        isSetAside === true ? '?' : level === 'must' ? '✗' : '!',
        `${level} ${rule}: ${count(times)} times, ${where}${setAsideWords(one)}`,
        width,
      );
    }),
    ...(left > 0 ? [`    ${left} more in run.json`] : []),
  ];
}

function thresholdLines(load: RunLoad, { paint, isBrief }: Setting): string[] {
  const label = (at: number): string =>
    paint('dim', (at === 0 ? 'thresholds' : '').padEnd(LABEL_WIDTH));
  return thresholdWords(load)
    .filter(({ symbol }) => !isBrief || symbol !== '✓')
    .map(({ symbol, expression, measured }, at) => {
      const format: Parameters<Paint>[0] =
        symbol === '✓' ? 'green' : symbol === '✗' ? ['red', 'bold'] : 'yellow';
      return `${label(at)}${paint(format, symbol)} ${expression.padEnd(20)} ${measured}`;
    });
}

function machineLines(load: RunLoad, { width, paint }: Setting): string[] {
  return wrap(generatorFacts(load).join(', '), width - LABEL_WIDTH).map(
    (line, at) => `${paint('dim', (at === 0 ? 'generator' : '').padEnd(LABEL_WIDTH))}${line}`,
  );
}
