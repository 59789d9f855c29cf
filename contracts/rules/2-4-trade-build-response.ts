import { isObject, listOf, member, pointerStep } from '../json.ts';
import type { Broken, Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';
import type { Pair } from '../wire/pair-id.ts';
import { pairId, pairKey, parsePairId } from '../wire/pair-id.ts';
import { hasBuild, responseShape, wellFormedValues } from './response-shape.ts';

const BUILD: readonly string[] = ['trade.build-tx'];

/** The pairs that a build request asks for; undefined when an entry does not name its pair. */
function requestedPairs(request: unknown): Pair[] | undefined {
  const fromChain = member(request, 'fromChain');
  if (typeof fromChain !== 'number') return undefined;
  const pairs: Pair[] = [];
  for (const entry of listOf(member(request, 'data'))) {
    const [srcToken, destToken] = [member(entry, 'srcToken'), member(entry, 'destToken')];
    const toChain = member(entry, 'toChain');
    if (typeof srcToken !== 'string' || typeof destToken !== 'string') return undefined;
    if (typeof toChain !== 'number') return undefined;
    pairs.push({ fromChain, srcToken, toChain, destToken });
  }
  return pairs.length === 0 ? undefined : pairs;
}

// §2.4 and card: the keys of `quotes` have the stated shape and are those of the request's entries.
// Letter case of hex addresses carries no meaning, so spellings meet.
function pairKeyFaults(
  asked: readonly Pair[],
  quotes: Readonly<Record<string, unknown>>,
): Broken[] {
  const broken: Broken[] = [];
  const wanted = new Map(asked.map((pair) => [pairKey(pair), pairId(pair)]));
  const seen = new Set<string>();
  for (const id of Object.keys(quotes)) {
    const pair = parsePairId(id);
    const key = pair === undefined ? undefined : pairKey(pair);
    if (key !== undefined && wanted.has(key)) {
      seen.add(key);
      continue;
    }
    const expected =
      key === undefined
        ? 'a key of the shape <fromChain>_<srcToken>-<toChain>_<destToken>'
        : `a key of the request's entries: ${[...wanted.values()].join(', ')}`;
    broken.push({ pointer: `/quotes${pointerStep(id)}`, expected, actual: id });
  }
  for (const [key, id] of wanted) {
    if (seen.has(key) || broken.length > 0) continue;
    const actual = Object.keys(quotes).join(', ') || 'no key at all';
    broken.push({ pointer: '/quotes', expected: `a key for the requested pair ${id}`, actual });
  }
  return broken;
}

export const tradeBuildResponseRules: readonly Rule[] = [
  responseShape('trade.build-tx', '§2.4'),
  wellFormedValues(
    'trade',
    {
      name: 'base-units',
      source: '§1, §2.4',
      protects: 'Amounts are strings of base units, exact at any size.',
    },
    BUILD,
    hasBuild,
  ),
  wellFormedValues(
    'trade',
    {
      name: 'address',
      source: '§2.4',
      protects: 'The addresses of a transaction are well-formed addresses.',
    },
    BUILD,
    (json) => isObject(member(json, 'transaction')),
  ),
  wellFormedValues(
    'trade',
    {
      name: 'hex',
      source: '§2.4',
      protects: 'Build ids, request ids and transaction data are hex strings.',
    },
    BUILD,
    hasBuild,
  ),
  exchangeRule({
    id: 'trade.build-tx.pair-keys',
    level: 'must',
    source: 'card',
    protects: 'Quotes are found under the pair identifiers of the request, one for each pair.',
    api: 'trade',
    operations: BUILD,
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      const quotes = member(view.json, 'quotes');
      const asked = requestedPairs(view.requestJson);
      return isObject(quotes) && asked !== undefined ? pairKeyFaults(asked, quotes) : null;
    },
  }),
];
