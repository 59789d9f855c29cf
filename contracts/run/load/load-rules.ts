/** Which rules judge the record of a load run. */

import { omit } from '../../wire/json.ts';
import { LOAD_NAME, LOAD_SAMPLE } from './load-marks.ts';
import type { Rule, RunRule } from '../../judging/rule.ts';

/**
 * The rules to judge the record of a load run by. The record holds more of what breaks rules than the
 * run did, so that rules that compare answers with each other look at the sample alone; those on marked
 * relations find all of them. What only counts if requests were sent one after the other is left out.
 *
 * @param onlyLoad those on what only load shows; without it none of them is reached
 */
export function rulesUnderLoad(rules: readonly Rule[], onlyLoad: readonly Rule[]): Rule[] {
  return [...rules.filter(({ underLoad }) => underLoad !== 'not judged'), ...onlyLoad].map(
    (rule) => {
      if (rule.scope !== 'run') return rule;
      if (rule.underLoad === 'without failures') return withoutFailures(rule);
      if (rule.nameOf !== undefined) return onNames(rule, rule.nameOf);
      return rule.relation === undefined ? onSample(rule) : rule;
    },
  );
}

/** A service without room fails requests of all kinds alike: that is for thresholds. */
function withoutFailures(rule: RunRule): Rule {
  return { ...rule, collect: (view) => (view.status >= 500 ? null : rule.collect(view)) };
}

interface MarkedFact {
  readonly fact: unknown;
  readonly isAgain: boolean;
}

/** Two answers with one name break it, wherever they were taken from; and so does one that was found to repeat one. */
function onNames({ weigh, ...rule }: RunRule, nameOf: NonNullable<RunRule['nameOf']>): Rule {
  const marked: RunRule<MarkedFact> = {
    ...omit(rule, 'latestOf'),
    nameOf: ({ fact }) => nameOf(fact),
    ...(weigh === undefined ? {} : { weigh: ({ fact }) => weigh(fact) }),
    collect: (view) => {
      const fact = rule.collect(view);
      const isAgain = view.exchange.relations.some(
        ({ kind, group }) => kind === LOAD_NAME && group === rule.id,
      );
      return fact === null ? null : { fact, isAgain };
    },
    conclude: (facts) => [
      ...rule.conclude(facts.map(({ fact, witness }) => ({ fact: fact.fact, witness }))),
      ...facts
        .filter(({ fact }) => fact.isAgain)
        .map(({ fact, witness }) => ({
          witnesses: [witness],
          judgement: [
            {
              pointer: '',
              expected: 'a name of this alone',
              actual: `${nameOf(fact.fact).name}, which an earlier answer of the load gave to something else`,
            },
          ],
        })),
    ],
  };
  return marked as RunRule;
}

function onSample(rule: RunRule): Rule {
  return {
    ...rule,
    collect: (view) =>
      view.exchange.relations.some(({ kind }) => kind === LOAD_SAMPLE) ? rule.collect(view) : null,
  };
}
