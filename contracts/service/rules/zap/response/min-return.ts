import type { Broken, Judgement, Rule } from '../../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../../judging/rule.ts';
import { isGreater } from '../../../../wire/amounts.ts';
import { leastReturn } from '../../../wire/slippage.ts';
import type { Entry } from '../../readings/zap-entry.ts';
import { isPosition, pointerTo } from '../../readings/zap-entry.ts';
import type { Asked, Route } from '../../readings/zap-route.ts';
import { ROUTED, routeOf } from '../../readings/zap-route.ts';
import { onRoute } from './zap-rule.ts';
import { wraps } from './zap-wrap.ts';

/** At least this many routes without any guarantee are no chance. */
const MIN_ROUTES = 5;

const base = { api: 'zap', operations: ROUTED, answer: 'success', leastEvidence: 1 } as const;

function brokenAt(entry: Entry, expected: string): Broken {
  return { pointer: pointerTo(entry, 'minReturn'), expected, actual: String(entry.minReturnText) };
}

/** Outputs except for positions, of which there is one or none. */
function outputsOf(steps: Route['steps']): readonly Entry[] {
  return steps.flatMap(({ output }) => output).filter((entry) => !isPosition(entry));
}

function isReported({ json }: Entry): boolean {
  return json.minReturn !== undefined;
}

interface Reported {
  readonly isReported: boolean;
  /** To the first output of the route. */
  readonly pointer: string;
}

// Section 2.2: minReturn is a member of output entries. That each has one is not stated; a service of
// which none ever has leaves it out.
const reportedAtAll: Rule = runRule<Reported>({
  ...base,
  id: 'zap.path.min-return-told',
  level: 'must',
  source: '§2.2',
  protects: 'Routes state the guaranteed minimum of what they yield.',
  rulesOut: 'A service that never states a minReturn: several routes have outputs that need one.',
  leastEvidence: MIN_ROUTES,
  collect: (view) => {
    const outputs = outputsOf(routeOf(view)?.steps ?? []);
    const [first] = outputs;
    if (first === undefined) return null;
    return { isReported: outputs.some(isReported), pointer: pointerTo(first, 'minReturn') };
  },
  conclude: (facts) => {
    const reported = facts.some(({ fact }) => fact.isReported);
    // A few may each have a reason of their own.
    if (!reported && facts.length < MIN_ROUTES) return [];
    const expected = 'a minReturn on some output of some route';
    const actual = `absent from all outputs of all ${facts.length} routes`;
    return facts.map(({ fact: { pointer }, witness }) => ({
      witnesses: [witness],
      judgement: reported ? [] : [{ pointer, expected, actual }],
    }));
  },
});

// What the last step yields is what the slippage of a request is about, but if the step turns one
// token into as much of another, or wraps the native one: nothing of that can be lost.
function reportedInTheEnd({ steps }: Route, asked: Asked): Judgement {
  const last = steps.at(-1);
  const output = last?.output.filter((entry) => !isPosition(entry)) ?? [];
  const named = output.filter(({ key }) => key === asked.destKey);
  const yielded = named.length > 0 ? named : output;
  const [entry] = yielded;
  if (entry === undefined) return null;
  if (yielded.some(isReported)) return [];
  if (last?.input.some(({ amountText }) => amountText === entry.amountText)) return null;
  if (last !== undefined && wraps(last, asked)) return null;
  const expected = 'a minReturn of what the route yields';
  return [{ pointer: pointerTo(entry, 'minReturn'), expected, actual: 'absent' }];
}

// Of a very small amount a percent is less than a unit, and rounding decides.
const ROUNDING = 1n;
/** Percent; what services take if no slippage is given. */
const USUAL_DEFAULT = 0.5;

export const minReturnRules: readonly Rule[] = [
  reportedAtAll,
  onRoute({
    id: 'zap.path.last-output-guaranteed',
    protects: 'What a route yields in the end has a guaranteed minimum.',
    rulesOut:
      'A service that guarantees what steps on the way yield, but not the last one: its step exchanges or deposits, which may lose something.',
    harm: 'loses money',
    judge: reportedInTheEnd,
  }),
  // Card: on output and dust entries minReturn is at most amount. What is not a string of base units
  // is the business of the rule on such values.
  exchangeRule({
    ...base,
    id: 'zap.path.min-return-within-amount',
    level: 'must',
    source: 'card',
    protects: 'The guaranteed minimum of an output or dust entry is not above its amount.',
    rulesOut:
      'A service that adds the slippage to an amount, or exchanges the two: the request has a slippage other than 0.',
    judge: (view) => {
      const route = routeOf(view);
      const guaranteed = route?.guaranteed ?? [];
      if (guaranteed.length === 0) return null;
      const broken: Broken[] = [];
      for (const entry of guaranteed) {
        const { amountText = '', minReturnText = '' } = entry;
        if (!isGreater(minReturnText, amountText)) continue;
        broken.push(brokenAt(entry, `at most the amount beside it, ${amountText}`));
      }
      return broken.length > 0 || route?.asked?.slippage !== 0 ? broken : null;
    },
  }),
  // Section 1, convention 4, and 2.1: slippage is the tolerance in percent; so what is guaranteed is
  // no less than the amount less that percentage. It may be more: a fixed price loses nothing.
  exchangeRule({
    ...base,
    id: 'zap.path.min-return-honours-slippage',
    level: 'must',
    source: 'implied by §1, §2.1, §2.2 (loses money)',
    rulesOut:
      'A service that has a slippage of its own, or takes it off twice: of some output twice the slippage that was asked for is more than rounding hides.',
    protects: 'No output may fall further below its amount than the slippage that was asked for.',
    judge: (view) => {
      const route = routeOf(view);
      const slippage = route?.asked?.slippage;
      if (route === null || slippage === undefined || slippage === 0) return null;
      let broken: Broken[] | null = null;
      for (const entry of route.guaranteed) {
        const { list, amount = 0n, minReturn = 0n } = entry;
        const least = list === 'output' ? leastReturn(amount, slippage) : undefined;
        if (least === undefined) continue;
        if (minReturn + ROUNDING >= least) {
          if (amount - least > ROUNDING) broken ??= [];
          continue;
        }
        broken ??= [];
        broken.push(brokenAt(entry, `at least ${amount} less ${slippage} %, ${least}`));
      }
      return broken;
    },
  }),
  exchangeRule({
    ...base,
    id: 'zap.path.no-slippage-no-loss',
    level: 'must',
    source: 'implied by §1, §2.1, §2.2 (loses money)',
    rulesOut:
      'A service that takes 0 for absent, and half a percent in its place: of some output half a percent is more than rounding hides.',
    protects: 'A slippage of 0 is none, not an absent one: outputs are guaranteed in full.',
    judge: (view) => {
      const route = routeOf(view);
      if (route?.asked?.slippage !== 0) return null;
      const outputs = route.guaranteed.filter(({ list }) => list === 'output');
      const broken = outputs
        .filter(({ amount = 0n, minReturn = 0n }) => minReturn + ROUNDING < amount)
        .map((entry) =>
          brokenAt(entry, `the amount beside it, ${entry.amountText ?? ''}, since slippage is 0`),
        );
      const isReported = outputs.some(
        ({ amount = 0n }) => (leastReturn(amount, USUAL_DEFAULT) ?? amount) + ROUNDING < amount,
      );
      return broken.length > 0 || isReported ? broken : null;
    },
  }),
];
