import { kindOf } from '../release/release-runs.ts';
import { clipped } from './compare-findings.ts';
import type { RunJson } from '../run/run.ts';
import type { ApiName } from '../wire/exchange.ts';
import { isJudged } from '../run/unjudged.ts';

/** An answer by its status, and what it was asked of. */
interface Said {
  readonly api: ApiName;
  readonly operation: string | undefined;
  readonly status: number;
}

/**
 * Whether an answer says nothing of the service: its API served nothing in the run, or the answer is an error of the
 * service in a run during which that, or its operation, was out.
 */
export function isOfNothing(
  { outages = [], outcome, rules }: Pick<RunJson, 'outages' | 'outcome' | 'rules'>,
  { api, operation, status }: Said,
): boolean {
  const isOut = outages.some((one) => one === api || one === operation);
  if (isOut && status >= 500) return true;
  const own = rules.filter((rule) => rule.api === api);
  const isUnreached = own.length > 0 && own.every(({ verdict }) => verdict === 'not-reached');
  return outcome === 'undecided' && isUnreached;
}

/** Whether two runs differ in nothing but the seed: that chose other inputs, of the same kinds. */
export function isOtherSeedAlone(then: RunJson, now: RunJson): boolean {
  return then.seed !== now.seed && reservationsOf(then, { ...now, seed: then.seed }).length === 0;
}

/**
 * Why what one run does not show may be there all the same, as sentences: it was asked something else, or
 * judged differently.
 *
 * @returns none if both asked the same, were judged alike and came to their end
 */
export function reservationsOf(then: RunJson, now: RunJson): string[] {
  const reservations: string[] = [];
  const other = (what: string, was: string, is: string): void => {
    if (was === is) return;
    reservations.push(clipped(`The ${what} is ${is}, and was ${was} in the baseline.`));
  };
  other('seed', String(then.seed), String(now.seed));
  other('profile', then.profile, now.profile);
  other('choice of rules', choiceOf(then), choiceOf(now));
  other('set of APIs', listed(Object.keys(then.target.urls)), listed(Object.keys(now.target.urls)));
  other('set of credentials', listed(then.target.credentials), listed(now.target.credentials));
  other('kind of run', madeBy(then), madeBy(now));
  if (then.tool.sha256 !== now.tool.sha256) {
    reservations.push(
      clipped(
        `Assay itself is another: ${now.tool.version}, and ${then.tool.version} in the baseline, with other code that judges.`,
      ),
    );
  }
  if (then.contract.sha256 !== now.contract.sha256) {
    reservations.push('The contract is another one than in the baseline.');
  }
  for (const [run, name] of [
    [then, 'The baseline'],
    [now, 'The run'],
  ] as const) {
    if (run.unjudged?.cutShort ?? !run.complete) reservations.push(`${name} was cut short.`);
    else if (!isJudged(run)) reservations.push(`${name} was not judged to its end.`);
    for (const one of run.outages ?? []) {
      const out = Object.hasOwn(run.target.urls, one) ? `the ${clipped(one)} API` : clipped(one);
      reservations.push(`In ${lower(name)} ${out} was out, which says nothing of it.`);
    }
    if (run.failure !== undefined) reservations.push(`In ${lower(name)} Assay itself failed.`);
  }
  return reservations;
}

function lower(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/**
 * What chooses the requests of a run, in words: seed, profile and rules. Runs that have these in common ask the same, as
 * far as their targets list the same.
 */
export function askedBy(run: Pick<RunJson, 'seed' | 'profile' | 'choice'>): string {
  return `seed ${run.seed}, ${run.profile}, ${choiceOf(run)}`;
}

function choiceOf({ choice }: Pick<RunJson, 'choice'>): string {
  if (choice === undefined) return 'every rule';
  const { only, skip, levels } = choice;
  const parts = Object.entries({ only, skip, levels: levels.map((one) => JSON.stringify(one)) })
    .filter(([, words]) => words.length > 0)
    .map(([name, words]) => `${name} ${words.toSorted().join(',')}`);
  return parts.length === 0 ? 'every rule' : parts.join(' ').slice(0, 500);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.toSorted().join(', ');
}

function madeBy(run: RunJson): string {
  return run.replay === undefined ? kindOf(run) : 'a replay';
}
