import { excerpt } from '../../../judging/excerpt.ts';
import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { answerKindOf } from '../shared/answer-kind.ts';
import { EXCLUDED_INPUT, inputFactOf } from './excluded-inputs.ts';

/** Who takes this field for false simulates, which may fail for a sender that holds nothing. */
const SIMULATES = /^(?:missing|mistyped|malformed) disableEstimation\b/;

/** What says nothing of the request: the service, or a gateway, has no time for any. */
const UNAVAILABLE: readonly number[] = [503, 504];

interface Fact {
  readonly kind: 'served' | 'failed' | 'defect';
  readonly operation: string;
  /** Of the same request without the defect; undefined if none was sent. */
  readonly group: string | undefined;
  readonly defect: string;
  /** The request, which may come again. */
  readonly request: string;
  readonly crashed: boolean;
  readonly said: string;
}

const MAX_CHARACTERS = 300;

function factOf(view: View): Fact | null {
  const { purpose, relations, request } = view.exchange;
  const { operation, status } = view;
  if (operation === undefined || status < 200) return null;
  const group = relations.find(({ kind }) => kind === EXCLUDED_INPUT)?.group;
  const base = {
    operation: operation.id,
    group,
    defect: '',
    request: '',
    said: '',
    crashed: false,
  };
  if (purpose.kind === 'valid') {
    if (view.succeeded) return { ...base, kind: 'served' };
    return status >= 500 && answerKindOf(view) !== 'refused' ? { ...base, kind: 'failed' } : null;
  }
  if (UNAVAILABLE.includes(status)) return null;
  const fact = inputFactOf(view);
  if (fact?.kind !== 'defective' || status < 400) return null;
  const crashed = status >= 500;
  if (crashed && SIMULATES.test(fact.defect)) return null;
  const text = `${request.path} ${request.body?.text ?? ''}`;
  return {
    ...base,
    kind: 'defect',
    defect: fact.defect,
    request: `${fact.defect} ${text.slice(0, MAX_CHARACTERS)}`,
    crashed,
    said: crashed ? `${status} ${excerpt(view.text, 120)}` : '',
  };
}

/** What valid requests of an operation came to: how many served, how many met an error. */
interface Accumulator {
  readonly served: Set<string | undefined>;
  failed: number;
}

// RFC 9110 section 15.5: 4xx says that the client erred. A service that fails at valid requests as well
// says nothing of the defect by failing, unless it does so each time that it is asked.
function conclude(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const accumulators = new Map<string, Accumulator>();
  const cases = new Map<string, Collected<Fact>[]>();
  for (const one of facts) {
    const { kind, operation, group, request } = one.fact;
    if (kind === 'defect') {
      const same = `${operation} ${request}`;
      const known = cases.get(same);
      if (known === undefined) cases.set(same, [one]);
      else known.push(one);
      continue;
    }
    const accumulator = accumulators.get(operation) ?? {
      served: new Set<string | undefined>(),
      failed: 0,
    };
    accumulators.set(operation, accumulator);
    if (kind === 'served') accumulator.served.add(group);
    else accumulator.failed += 1;
  }
  return [...cases.values()].flatMap((answers): GroupJudgement[] => {
    const [first] = answers;
    const accumulator = first && accumulators.get(first.fact.operation);
    if (first === undefined || accumulator === undefined || accumulator.served.size === 0)
      return [];
    const { group, defect, said } = first.fact;
    const isServedWithout = group !== undefined && accumulator.served.has(group);
    const witnesses = answers.map(({ witness }) => witness);
    if (!answers.every(({ fact }) => fact.crashed)) {
      return isServedWithout ? [{ witnesses, judgement: [] }] : [];
    }
    if (group !== undefined && !isServedWithout) return [];
    if (accumulator.failed > 0 && answers.length < 2) return [];
    const expected = `a 4xx status for ${defect}`;
    return [{ witnesses, judgement: [{ pointer: '', expected, actual: said }] }];
  });
}

/**
 * The rule that a field which is missing or of another type is reported as an error of the client (RFC
 * 9110 section 15.5). Whether a service may also take the request is for other rules.
 */
export function fieldDefectRule(rule: Pick<Rule, 'id' | 'source' | 'api' | 'operations'>): Rule {
  return runRule<Fact>({
    ...rule,
    level: 'should',
    protects: 'A field that is missing or of another type is reported as an error of the client.',
    rulesOut:
      'A service that does not check a field before it uses it: it would answer 5xx to the request with the defect, and serves the same request without.',
    answer: 'answered',
    leastEvidence: 1,
    collect: factOf,
    weigh: ({ request, said }) => 2 + (request.length + said.length) / 50,
    conclude,
  });
}
