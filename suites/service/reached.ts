import { isObject, listOf, member } from '../../contracts/wire/json.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { Reaches } from '../driven-service.ts';

/** Longer answers are not looked through for providers. */
const LONGEST = 32_768;

type Reached = ReturnType<Reaches['in']>[number];

/** Chains, providers and pool filters, as a search counts them. */
export const REACHES: Reaches = {
  what: ['chains', 'pairs of chains', 'providers', 'pairs of pool filters'],
  in: reachedBy,
};

function reachedBy({ request: { path, body }, outcome }: Exchange): Reached[] {
  const reached: Reached[] = [];
  const query = [...new URLSearchParams(path.split('?')[1] ?? '')];
  for (const [at, [name, value]] of query.entries()) {
    for (const [other, held] of query.slice(at + 1)) {
      reached.push(['pairs of pool filters', JSON.stringify([name, value, other, held])]);
    }
  }
  for (const chains of chainsIn(jsonOrUndefined(body?.text ?? ''), query)) {
    reached.push(...chains.map((chain): Reached => ['chains', String(chain)]));
    if (chains.length === 2) reached.push(['pairs of chains', chains.join(' to ')]);
  }
  const text = outcome.kind === 'response' ? outcome.response.body.text : '';
  if (text.length > LONGEST) return reached;
  const providers = providersIn(jsonOrUndefined(text));
  return [...reached, ...providers.map((provider): Reached => ['providers', provider])];
}

/** The chains that a request names: one, or from where to where. */
function chainsIn(json: unknown, query: readonly (readonly [string, string])[]): unknown[][] {
  const asked = query.filter(([name]) => name === 'chainId').map(([, value]) => [value]);
  if (!isObject(json)) return asked;
  const { srcChainId, destChainId, fromChain, chainId } = json;
  const entries = listOf(json.data).map((entry) => [fromChain, member(entry, 'toChain')]);
  return [...asked, [srcChainId, destChainId], [chainId], ...entries].filter((chains) =>
    chains.every((chain) => typeof chain === 'number' || typeof chain === 'string'),
  );
}

/** The providers that an answer names: protocols of steps, and those of quotes. */
function providersIn(json: unknown): string[] {
  const steps = listOf(member(member(json, 'data'), 'path'));
  const quotes = member(json, 'quotes');
  return [
    ...steps.map((step) => member(member(step, 'protocol'), 'id')),
    ...Object.values(isObject(quotes) ? quotes : {}).map((quote) => member(quote, 'provider')),
  ].filter((id): id is string => typeof id === 'string' && id.length < 200);
}
