/** Sentences on a run as a whole. */

import type { Judge, RuleResult, Waiver } from '../../contracts/judging/judge.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { isOn } from '../../contracts/judging/verdict.ts';
import { machineNotice } from '../../contracts/wire/machine/machine-failure.ts';
import { variableOf } from '../../contracts/judging/replies/replaced.ts';
import { plural } from '../text.ts';
import type { RunFacts } from './run-facts.ts';

/** A fault of Assay as a sentence on the run. */
export function ownFailure(message: string): string {
  return `Assay itself failed, which says nothing of the target: ${message}`;
}

/** What Assay itself failed at: the first, and how many more; undefined where nothing. */
export function failureOf([first, ...more]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  return more.length === 0 ? first : `${first}, and ${more.length} more like it`;
}

/** More are counted. */
const MAX_NAMED = 5;

/** What a person must know of rules of the configuration, unless the run said it when it was recorded. */
export function ownNotices({ notAtHand = [], notices }: RunFacts, { ownCrashes }: Judge): string[] {
  const more = notAtHand.length > MAX_NAMED ? ` and ${notAtHand.length - MAX_NAMED} more` : '';
  const named = notAtHand.slice(0, MAX_NAMED).map(({ id }) => id);
  const missing = `Not judged again: ${named.join(', ')}${more}. The configuration of the run brought these rules; --config FILE names it.`;
  return [
    ...ownCrashes.map(
      (crash) => `A rule of the configuration failed, which says nothing of the target: ${crash}.`,
    ),
    ...(notAtHand.length === 0 ? [] : [missing]),
  ].filter((notice) => !notices.includes(notice));
}

/** Of requests that this machine could not send. */
export function machineNotices({
  counts,
  whyUnsent,
}: Pick<Judge, 'counts' | 'whyUnsent'>): string[] {
  return whyUnsent === undefined ? [] : [machineNotice(counts.unsent ?? 0, whyUnsent)];
}

/** Of must rules that some answers took too much for: these may be right or wrong. */
export function unjudgedNotices(results: readonly RuleResult[]): string[] {
  const rules = results.filter(({ rule, unjudged }) => rule.level === 'must' && unjudged);
  if (rules.length === 0) return [];
  const more = rules.length > MAX_NAMED ? ` and ${rules.length - MAX_NAMED} more` : '';
  const named = rules.slice(0, MAX_NAMED).map(({ rule, unjudged }) => `${unjudged} by ${rule.id}`);
  return [
    `Some answers took too much to be judged, as JSON or by their schemas: ${named.join(', ')}${more}. Ask for smaller ones, or state simpler schemas.`,
  ];
}

/** Why rules that answers broke under load count for no verdict and no threshold; nothing where all count. */
export function setAsideNotices(
  load: RunLoad | undefined,
  results: readonly RuleResult[],
): string[] {
  const broken = new Set(load?.violations.map(({ rule }) => rule));
  const why = results.flatMap(({ rule, isSetAside, reason }) =>
    isSetAside === true && broken.has(rule.id) ? [reason ?? ''] : [],
  );
  return [...new Set(why)].map(
    (reason) =>
      `${reason}: rules that were broken only there count for no verdict and no threshold.`,
  );
}

/** Of secrets that the service serves as data: Assay put names in their place, and must rules may be broken there. */
export function replacedNotices(
  results: readonly RuleResult[],
  { credentials }: RunFacts['target'],
  served: ReadonlySet<string>,
): string[] {
  const broken = results.flatMap(({ rule, replaced }) =>
    rule.level === 'must' && replaced !== undefined
      ? [{ id: rule.id, variable: variableOf(replaced, credentials) }]
      : [],
  );
  // A target may write the names of other variables itself.
  const held = [...served].flatMap((named) => {
    const variable = variableOf(named, credentials);
    return credentials.includes(variable) ? [variable] : [];
  });
  const all = new Set([...broken.map(({ variable }) => variable), ...held]);
  return [...all].map((variable) => {
    const ids = broken.filter((one) => one.variable === variable).map(({ id }) => id);
    if (ids.length === 0) {
      return `Successes hold what ${variable} holds, said back or served as data. Its name stands in the record there, and rules judged the name. If it is data, give ${variable} a secret that is nothing else.`;
    }
    const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
    return `The service serves as data what ${variable} holds, and its name stands in the record there, so nothing is known by ${ids.slice(0, MAX_NAMED).join(', ')}${more}. Give ${variable} a secret that is nothing else, or leave it out.`;
  });
}

const DAY_MS = 86_400_000;
/** With more days left nothing is said of a waiver. */
const STATED_FROM_DAYS = 14;

/**
 * Of waivers of rules that the run judged: those that end soon, and those that nothing in it needs. Of the others, which
 * are for other commands or left out by a choice of rules, nothing is said.
 *
 * @param day of the run, `YYYY-MM-DD`, UTC
 */
export function waiverNotices(
  waivers: readonly Waiver[],
  results: readonly RuleResult[],
  day: string,
): string[] {
  const byRule = new Map(results.map((result) => [result.rule.id, result]));
  const judged = waivers.filter(({ rule }) => byRule.has(rule));
  const unused = judged.filter((waiver) => {
    const { verdict, findings = [] } = byRule.get(waiver.rule) ?? {};
    // Of a rule that is broken elsewhere.
    const isElsewhere = findings.length > 0 && !findings.some((one) => isOn(waiver.operation, one));
    return verdict === 'pass' || isElsewhere;
  });
  const nameOf = ({ rule, operation }: Waiver): string =>
    operation === undefined ? rule : `${rule} of ${operation}`;
  const leftOf = ({ expires }: Waiver): number =>
    Math.round((Date.parse(expires) - Date.parse(day)) / DAY_MS);
  return [
    ...judged.flatMap((waiver) => {
      const { owner, expires } = waiver;
      const left = leftOf(waiver);
      if (left > STATED_FROM_DAYS) return [];
      const words =
        left < 0
          ? `expired on ${expires}`
          : left === 0
            ? `has its last day today, ${expires}`
            : `has ${plural(left, 'day')} left, until ${expires}`;
      return [`The waiver for ${nameOf(waiver)} (${owner}) ${words}; days are those of UTC.`];
    }),
    ...(unused.length === 0
      ? []
      : [`Waivers that nothing in this run needs: ${unused.map(nameOf).join(', ')}.`]),
  ];
}

/** From this share on a person must know, whether or not a rule is broken. */
const MANY_UNANSWERED = 0.01;
const LEAST_UNANSWERED = 3;

/** Of requests that got no answer, or the beginning of one, at times: an outage is reported otherwise. */
export function unansweredNotices({
  counts: { exchanges, failed },
}: Pick<Judge, 'counts'>): string[] {
  if (failed < LEAST_UNANSWERED || failed < MANY_UNANSWERED * exchanges) return [];
  return [
    `${failed} of ${exchanges} requests got no whole answer, be it by the service, by the way to it or by a slow machine. What these answers would have shown is not known.`,
  ];
}
