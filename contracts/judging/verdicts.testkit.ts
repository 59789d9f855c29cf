import { exchangeOf, type ExchangeSketch } from './exchange.testkit.ts';
import type { RuleResult } from './judge.ts';
import { judge } from './judge.ts';
import { loadContract } from '../service/load-contract.ts';
import { RULES } from '../service/registry.ts';
import type { Exchange, HeaderList, Relation } from '../wire/exchange.ts';

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
  return judgedBy(
    id,
    sketches.map((sketch, at) =>
      wireExchange({ id: `x${String(at + 1).padStart(5, '0')}`, ...sketch }),
    ),
  );
}

/** What a rule makes of exchanges that a test has made itself. */
export function judgedBy(id: string, exchanges: readonly Exchange[]): RuleResult[] {
  const rules = RULES.filter((rule) => rule.id === id);
  if (rules.length === 0) throw new Error(`there is no rule ${id}`);
  return judge(rules, contract, exchanges);
}

/** The verdict of a rule on some exchanges, and where it was found broken. */
export function verdictOf(id: string, ...sketches: readonly WireSketch[]): string {
  const found = resultsOf(id, ...sketches).flatMap(({ verdict, findings }) => [
    verdict,
    ...findings.map(({ pointer }) => pointer || '/'),
  ]);
  return found.join(' ');
}

/** The same as a list, of exchanges that differ from one in these things; the root is the empty pointer. */
export function foundBy(
  id: string,
  base: WireSketch,
  ...differing: readonly WireSketch[]
): string[] {
  const sketches = differing.map((sketch) => ({ ...base, ...sketch }));
  return resultsOf(id, ...sketches).flatMap(({ verdict, findings }) => [
    verdict,
    ...findings.map(({ pointer }) => pointer),
  ]);
}
