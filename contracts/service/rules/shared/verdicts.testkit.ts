import { exchangeOf, type ExchangeSketch } from '../../../judging/exchange.testkit.ts';
import type { RuleResult } from '../../../judging/judge.ts';
import { judge } from '../../../judging/judge.ts';
import { loadContract } from '../../load-contract.ts';
import { RULES } from '../../registry.ts';
import type { Exchange, HeaderList, Relation } from '../../../wire/exchange.ts';

const contract = await loadContract();

/** What a test says of an exchange beyond a sketch. */
export interface WireSketch extends ExchangeSketch {
  /** The body as it stands on the wire, in place of `answered`. */
  readonly text?: string;
  /** Header fields of the request. */
  readonly asked?: HeaderList;
  readonly relations?: readonly Relation[];
  /** Leaves out the Content-Type of the answer. */
  readonly untyped?: boolean;
}

/** An exchange made from what a test says of it. */
export function wireExchange(sketch: WireSketch): Exchange {
  const exchange = exchangeOf(sketch);
  const { outcome, request } = exchange;
  if (outcome.kind === 'failure') return exchange;
  const { response } = outcome;
  const headers = response.headers.filter(
    ([name]) => sketch.untyped !== true || name !== 'content-type',
  );
  const text = sketch.text ?? response.body.text;
  return {
    ...exchange,
    relations: sketch.relations ?? [],
    request: { ...request, headers: sketch.asked ?? [] },
    outcome: {
      kind: 'response',
      response: { ...response, headers, body: { encoding: 'utf8', text } },
    },
  };
}

/** What a rule makes of some exchanges. */
export function resultsOf(id: string, ...sketches: readonly WireSketch[]): RuleResult[] {
  const rules = RULES.filter((rule) => rule.id === id);
  const numbered = sketches.map((sketch, index) => ({ id: `x0000${index + 1}`, ...sketch }));
  return judge(rules, contract, numbered.map(wireExchange));
}

/** The verdict of a rule on some exchanges, and where it was found broken. */
export function verdictOf(id: string, ...sketches: readonly WireSketch[]): string {
  const [result] = resultsOf(id, ...sketches);
  if (result === undefined) throw new Error(`there is no rule ${id}`);
  const places = result.findings.map(({ pointer }) => pointer || '/');
  return [result.verdict, ...places].join(' ');
}
