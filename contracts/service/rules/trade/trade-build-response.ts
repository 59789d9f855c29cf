/** Long because it has the rules on all parts of a build that are no transaction and no summary. */

import { excerpt } from '../../../judging/excerpt.ts';
import { isObject, member, pointerStep } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Judgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { headerOf } from '../../../wire/exchange.ts';
import { BrokenList } from '../../../rules/broken-list.ts';
import { echoRule } from '../shared/echoed.ts';
import { tradeProviderRules } from './provider-names.ts';
import { transactionRules } from './trade-transaction.ts';
import { tradeSomethingRule } from '../shared/something-for-something.ts';
import { summaryRules } from './trade-summaries.ts';
import { tradeValueRules } from './trade-values.ts';
import { hasBuild, documentedShape, wellFormedValues } from '../shared/documented-shape.ts';
import type { Build } from '../readings/trade-build.ts';
import { BUILD, buildOf, evmTransactionOf } from '../readings/trade-build.ts';

// §2.4 and card: the keys of `quotes` have the stated shape and are those of the request's entries.
// Letter case of hex addresses carries no meaning, so spellings meet. That a batch has them all is a
// rule of its own.
function pairKeyFaults({ asked, quotes }: Build): readonly Broken[] | null {
  if (asked === undefined || quotes === undefined) return null;
  const ids = [...asked.values()].map(({ id }) => id);
  if (quotes.length === 0) {
    if (asked.size > 1) return null;
    return [{ pointer: '/quotes', expected: `the key ${ids.join()}`, actual: 'no key at all' }];
  }
  const broken = new BrokenList();
  const ofRequest = `a key of the request's entries: ${ids.join(', ')}`;
  for (const { id, key } of quotes) {
    if (key !== undefined && asked.has(key)) continue;
    broken.add(() => {
      const expected =
        key === undefined
          ? 'a key of the shape <fromChain>_<srcToken>-<toChain>_<destToken>'
          : ofRequest;
      return { pointer: `/quotes${pointerStep(id)}`, expected, actual: id };
    });
  }
  return broken.all();
}

/** If no pair was asked for, what is quoted is made up; null if some was. */
function emptyFaults({ requestJson, json }: View): Judgement {
  const asked = member(requestJson, 'data');
  const quotes = member(json, 'quotes');
  if (!Array.isArray(asked) || asked.length > 0 || !isObject(quotes)) return null;
  const [key] = Object.keys(quotes);
  if (key === undefined) return [];
  return [{ pointer: '/quotes', expected: 'no quote, as no pair was asked for', actual: key }];
}

// §2.3: one entry of `data` per quote pair; §2.4: `quotes` maps pairs to summaries. Keys that are of
// no entry are the business of the rule above.
function batchFaults({ asked, quotes }: Build): readonly Broken[] | null {
  if (asked === undefined || quotes === undefined || asked.size < 2) return null;
  const seen = new Set<string>();
  const broken = new BrokenList();
  for (const { id, key } of quotes) {
    if (key === undefined || !asked.has(key)) return null;
    if (seen.has(key)) {
      const expected = 'one summary for each pair, in one spelling';
      broken.add(() => {
        return { pointer: `/quotes${pointerStep(id)}`, expected, actual: `${id} once more` };
      });
    }
    seen.add(key);
  }
  const actual = excerpt(quotes.map(({ id }) => id).join(', '), 2_000) || 'no key at all';
  for (const [key, { id }] of asked) {
    if (seen.has(key)) continue;
    broken.add(() => {
      return { pointer: '/quotes', expected: `a key for the requested pair ${id}`, actual };
    });
  }
  return broken.all();
}

/** A longer text is no identifier that anybody keeps. */
const MAX_CHARACTERS = 1_000;

interface BuildName {
  readonly txId: string;
  /** Who wants what built, in any letter case: builds of other senders or amounts are others. */
  readonly of: readonly string[];
  /** Of a replay under an Idempotency-Key, which may carry the id of the build that it repeats. */
  readonly key: string;
}

function nameOf(view: View): BuildName | null {
  const build = buildOf(view);
  const txId = build?.response.txId;
  if (build?.asked === undefined || typeof txId !== 'string') return null;
  if (txId.length > MAX_CHARACTERS) return null;
  const nameParts = [String(build.request.sender)];
  for (const [key, { fields }] of build.asked) nameParts.push(key, String(fields.amount));
  const key = headerOf(view.exchange.request.headers, 'idempotency-key') ?? '';
  return { txId, of: nameParts, key };
}

function keyOf({ of: nameParts }: BuildName): string {
  return nameParts.join(' ').toLowerCase();
}

function judgeNames(names: readonly Collected<BuildName>[]): GroupJudgement[] {
  const first = new Map<string, Collected<BuildName>>();
  // A build that is asked for again has another id, or the same: both are right.
  const seen = new Set<string>();
  const groups: GroupJudgement[] = [];
  for (const name of names) {
    const known = first.get(name.fact.txId);
    if (known === undefined) {
      first.set(name.fact.txId, name);
      const isOther = seen.size > 0 && !seen.has(keyOf(name.fact));
      seen.add(keyOf(name.fact));
      if (isOther) groups.push({ witnesses: [name.witness], judgement: [] });
      continue;
    }
    const { key } = name.fact;
    if (keyOf(known.fact) === keyOf(name.fact) || (key !== '' && key === known.fact.key)) continue;
    const expected = 'an identifier of this build alone';
    const actual = `${name.fact.txId}, which another build has`;
    const broken = [{ pointer: '/txId', expected, actual }];
    groups.push({ witnesses: [name.witness, known.witness], judgement: broken });
  }
  return groups;
}

const base = {
  api: 'trade',
  operations: BUILD,
  answer: 'success',
  leastEvidence: 1,
} as const;

export const tradeBuildResponseRules: readonly Rule[] = [
  {
    ...documentedShape('trade.build-tx', '§2.4'),
    rulesOut: 'A service that leaves a required field of a build out, or gives it another type.',
  },
  {
    ...wellFormedValues(
      'trade',
      {
        name: 'base-units',
        source: '§1, §2.4',
        protects: 'Amounts are strings of base units, exact at any size.',
      },
      BUILD,
      hasBuild,
    ),
    rulesOut: 'A service that writes amounts as numbers, as decimals or with an exponent.',
  },
  {
    ...wellFormedValues(
      'trade',
      {
        name: 'address',
        source: '§2.4',
        protects: 'The addresses of a transaction are well-formed addresses.',
      },
      BUILD,
      (json) => evmTransactionOf(json) !== undefined,
    ),
    rulesOut: 'A service that writes a name, or an address cut short, as the target or sender.',
  },
  {
    ...wellFormedValues(
      'trade',
      {
        name: 'hex',
        source: '§2.4',
        protects: 'Build ids, request ids and transaction data are hex strings.',
      },
      BUILD,
      hasBuild,
    ),
    rulesOut: 'A service that writes ids or call data in base64, or as decimals.',
  },
  exchangeRule({
    ...base,
    id: 'trade.build-tx.pair-keys',
    level: 'must',
    source: 'card',
    protects: 'Quotes are found under the pair identifiers of the request, and under no others.',
    rulesOut: 'A service that spells pairs by symbols, in another order, or leaves a chain out.',
    judge: (view) => {
      const build = buildOf(view);
      return build && pairKeyFaults(build);
    },
  }),
  exchangeRule({
    ...base,
    id: 'trade.build-tx.one-quote-per-pair',
    level: 'must',
    source: '§2.3, §2.4',
    protects: 'A batch is answered with one quote for each of its pairs, none left out.',
    rulesOut:
      'A service that quotes the first entry of a batch, one entry of each source token, or a pair that nobody asked for.',
    judge: (view) => {
      const build = buildOf(view);
      return emptyFaults(view) ?? (build && batchFaults(build));
    },
  }),
  // §2.3: `gasless` says whether gasless execution is used; §2.4: it is true for a gasless build.
  echoRule(
    {
      ...base,
      id: 'trade.build-tx.gasless-as-asked',
      level: 'must',
      source: '§2.3, §2.4',
      protects: 'A build says that it is gasless exactly when gasless execution was asked for.',
      rulesOut: 'A service that says false, or true, of every build.',
    },
    { pointer: '/gasless', expected: (asked) => `${asked}, as the request says` },
    (view) => {
      const [asked, answered] = [member(view.requestJson, 'gasless'), member(view.json, 'gasless')];
      if (typeof asked !== 'boolean' || typeof answered !== 'boolean') return null;
      return { asked, answered, raw: String(answered) };
    },
  ),
  // §2.3: fromChain is where the transaction is executed; §2.4: so is chainId.
  echoRule(
    {
      ...base,
      id: 'trade.build-tx.chain-as-asked',
      level: 'must',
      source: 'implied by §2.3, §2.4 (transaction fails)',
      protects: 'A build is for the chain on which the request wants its transaction executed.',
      rulesOut: 'A service that names one chain always: builds of two chains are asked for.',
    },
    { pointer: '/chainId', expected: (asked) => `${asked}, the fromChain of the request` },
    (view) => {
      const [asked, answered] = [
        member(view.requestJson, 'fromChain'),
        member(view.json, 'chainId'),
      ];
      if (typeof asked !== 'number' || typeof answered !== 'number') return null;
      return { asked, answered, raw: view.raw('/chainId') };
    },
  ),
  // §2.4: txId is the unique identifier of a transaction or build. Of one request it may be the same.
  runRule<BuildName>({
    ...base,
    id: 'trade.build-tx.unique-tx-id',
    level: 'must',
    source: '§2.4',
    protects: 'A txId names one build: builds of another sender or amount have another.',
    rulesOut: 'A service whose txId is one for all, or follows from the pair without the sender.',
    collect: nameOf,
    nameOf: (fact) => ({ name: fact.txId, of: keyOf(fact), key: fact.key }),
    weigh: ({ of: nameParts }) => 1 + nameParts.length,
    conclude: judgeNames,
  }),
  ...tradeProviderRules,
  ...transactionRules,
  ...tradeValueRules,
  tradeSomethingRule,
  ...summaryRules,
];
