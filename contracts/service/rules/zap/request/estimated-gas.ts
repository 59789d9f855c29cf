import { isObject, listOf, member } from '../../../../wire/json.ts';
import type { Collected, GroupJudgement, Rule } from '../../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../../judging/rule.ts';
import type { View } from '../../../../judging/view.ts';

const ZERO = /^(?:0x)?0+$/i;

/**
 * Section 2.1: with `estimateGas` true, gas is estimated. No transaction takes none; of several steps
 * one may wait for another, and so have no estimate yet.
 */
export const gasEstimatedRule: Rule = exchangeRule({
  id: 'zap.estimate-gas.estimates',
  level: 'must',
  source: '§2.1',
  protects: 'A build with estimateGas true states how much gas its transaction takes.',
  rulesOut: 'A service that ignores estimateGas, if it states 0 for a gas that is not estimated.',
  api: 'zap',
  operations: ['zap.build-tx'],
  answer: 'success',
  leastEvidence: 1,
  judge: (view) => {
    if (member(view.requestJson, 'estimateGas') !== true) return null;
    const steps = listOf(member(member(view.json, 'data'), 'steps'));
    const gas = steps.map((step) => member(member(step, 'data'), 'estimatedGas'));
    if (gas.length === 0 || !gas.every((one) => typeof one === 'string')) return null;
    if (!gas.every((one) => ZERO.test(one))) return [];
    const expected = 'an estimate above 0, as estimateGas true asks for';
    return [{ pointer: '/data/steps/0/data/estimatedGas', expected, actual: String(gas[0]) }];
  },
});

interface Build {
  /** The request without estimateGas. */
  readonly asked: string;
  readonly estimates: boolean;
  /** Of all steps. */
  readonly gas: string;
  readonly isRound: boolean;
}

/** What somebody chose, and no simulation counted, is a multiple of this. */
const ROUND = 500n;
const DECIMAL = /^[1-9][0-9]{0,19}$/;
const MAX_STEPS = 50;

function buildOf({ requestJson, json }: View): Build | null {
  if (!isObject(requestJson)) return null;
  const { estimateGas = false, ...rest } = requestJson;
  const steps = listOf(member(member(json, 'data'), 'steps'));
  const gas = steps.map((step) => String(member(member(step, 'data'), 'estimatedGas')));
  if (typeof estimateGas !== 'boolean' || gas.length === 0 || gas.length > MAX_STEPS) return null;
  if (!gas.every((one) => DECIMAL.test(one))) return null;
  const isRound = gas.every((one) => BigInt(one) % ROUND === 0n);
  return { asked: JSON.stringify(rest), estimates: estimateGas, gas: gas.join(), isRound };
}

// A service may estimate gas whether it is asked to or not. One that answers round figures, the same ones
// with and without, estimates none.
function judgeFigures(builds: readonly Collected<Build>[]): GroupJudgement[] {
  const plainOnes = new Map<string, Collected<Build>>();
  const estimatedOnes = new Map<string, Collected<Build>>();
  for (const build of builds) {
    (build.fact.estimates ? estimatedOnes : plainOnes).set(build.fact.asked, build);
  }
  const judged = [...estimatedOnes].flatMap(([asked, estimated]) => {
    const plain = plainOnes.get(asked);
    return plain === undefined ? [] : [{ estimated, plain }];
  });
  const differs = judged.find(({ estimated, plain }) => estimated.fact.gas !== plain.fact.gas);
  const [first] = judged;
  const { estimated, plain } = differs ?? first ?? {};
  if (estimated === undefined || plain === undefined) return [];
  const witnesses = [estimated.witness, plain.witness];
  if (differs !== undefined) return [{ witnesses, judgement: [] }];
  // Builds that differ are estimated otherwise: who rounds up gives many figures.
  const figures = new Set(judged.map((one) => one.estimated.fact.gas)).size;
  const areRound = judged.every((one) => one.estimated.fact.isRound);
  const isConstant = figures === 1 && judged.length >= SEVERAL;
  const areChosen = areRound && judged.length >= LEAST_BUILDS && 2 * figures <= judged.length;
  if (!isConstant && !areChosen) return [];
  const pointer = '/data/steps/0/data/estimatedGas';
  const expected = 'an estimate, as estimateGas true asks for';
  const which = figures === 1 ? 'the same figure' : 'a round figure';
  const actual = `${estimated.fact.gas}, ${which}, as without, in each of ${judged.length} builds`;
  return [{ witnesses, judgement: [{ pointer, expected, actual }] }];
}

/** Builds that differ have the same estimate by chance no more. */
const SEVERAL = 3;
/** A figure may be round by chance; several are not. */
const LEAST_BUILDS = 2;

/** Section 2.1: with `estimateGas` true, gas is estimated, and by default it is not. */
export const gasFigureRule: Rule = runRule<Build>({
  id: 'zap.estimate-gas.no-round-figure',
  once: true,
  level: 'should',
  source: 'implied by §2.1',
  protects: 'The gas of a build with estimateGas true is what its transaction takes.',
  rulesOut: 'A service that ignores estimateGas: the same build has other gas with it.',
  api: 'zap',
  operations: ['zap.build-tx'],
  answer: 'success',
  underLoad: 'not judged',
  leastEvidence: 1,
  weigh: ({ asked, gas }) => 1 + (asked.length + gas.length) / 50,
  collect: buildOf,
  conclude: judgeFigures,
});
