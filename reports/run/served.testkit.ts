import { exchangeOf, type ExchangeSketch } from '../../contracts/judging/exchange.testkit.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { RunFacts } from './run-facts.ts';
import { FACTS } from './run-facts.testkit.ts';
import { runJsonOf } from './run-json.ts';

const contract = await loadContract();

/** A sketch at a host of its own, or below a base URL. */
export type At = ExchangeSketch & { readonly base?: string; readonly text?: string };

function exchange({ base = 'http://127.0.0.1:1', text, ...sketch }: At, at: number): Exchange {
  const made = exchangeOf({ id: `x${at + 1}`, ...sketch });
  const request = { ...made.request, url: `${base}${made.request.path}` };
  if (text === undefined || made.outcome.kind === 'failure') return { ...made, request };
  const body = { encoding: 'utf8', text } as const;
  return {
    ...made,
    request,
    outcome: { kind: 'response', response: { ...made.outcome.response, body } },
  };
}

/** A run of some exchanges, by rules. */
export function runOf(
  sketches: readonly At[],
  facts: Partial<RunFacts> = {},
  rules: readonly Rule[] = RULES,
): RunJson {
  const judge = new Judge(rules, contract);
  for (const [at, sketch] of sketches.entries()) judge.add(exchange(sketch, at));
  return runJsonOf(judge, { ...FACTS, ...facts });
}

type Answered = Pick<At, 'status' | 'answered'>;

export const PROVIDERS: At = {
  path: '/v1/config/providers',
  answered: { status: 'success', data: {} },
};
export const CHAINS: At = { path: '/v1/config/chains' };
/** A typed error. */
export const error: (status: number, code?: string) => Answered = (status, code = 'BAD') => ({
  status,
  answered: { status, code, message: 'no, not that', requestId: `r-${code}` },
});
/** An error that breaks the rule on typed bodies, wherever somebody is at fault for it. */
export const untyped: (status: number) => Answered = (status) => ({ status, answered: {} });
