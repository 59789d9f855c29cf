import { listOf } from '../../../contracts/wire/json.ts';
import type { Purpose } from '../../../contracts/wire/exchange.ts';
import type { TradeBody } from '../session/trade-body.ts';
import { defectsOf } from '../../../fixtures/service/defects.ts';
import { defectsNamed } from '../../../fixtures/wrong/defect.ts';
import { triedOf } from '../../drive/as-generated.ts';
import { requestOf } from '../../drive/wrong-request.ts';
import { amountsToTry } from '../session/amounts-to-try.ts';
import type { Session } from '../session/session.ts';

/** Fields of an entry of `data`; which of them are required is not shown (section 4.2, rule 3). */
const ENTRY_FIELDS: readonly string[] = [
  'amount',
  'srcToken',
  'destToken',
  'slippage',
  'toChain',
  'protocol',
  'recipient',
];

/** Fields of an entry with values of another type than section 2.3 states. */
const MISTYPED: readonly string[] = [
  'mistyped data.amount, a number',
  'mistyped data.slippage, an object',
  'mistyped data.toChain, text without a number',
  'mistyped data.srcToken, a number',
];

/** This many pairs are asked for at once; the maximum size of `data` is not shown. */
const MANY = 24;

/** Asks what the document leaves open about trade builds, from a body that was served. */
export async function driveUnspecifiedTrade(session: Session, body: TradeBody): Promise<void> {
  const [entry] = listOf(body.data) as readonly TradeBody[];
  if (entry === undefined) return;
  const send = async (data: readonly unknown[], purpose: Purpose): Promise<void> => {
    await session.client.send({
      api: 'trade',
      method: 'POST',
      path: '/v1/buildTx',
      json: { ...body, data },
      credential: session.keyedCredential,
      purpose,
    });
  };
  const probe = (about: string): Purpose => ({ kind: 'probe', about });
  for (const field of ENTRY_FIELDS.filter((name) => name in entry)) {
    const { [field]: left, ...rest } = entry;
    if (left !== undefined) await send([rest], probe(`data without ${field}`));
  }
  const right = requestOf(session.contract, 'trade.build-tx', { ...body, data: [entry] });
  for (const { name, apply } of defectsNamed(
    defectsOf(session.contract, 'trade.build-tx'),
    MISTYPED,
  )) {
    const purpose = { kind: 'invalid', defect: name } as const;
    await session.client.send(triedOf(session, { ...apply(right), purpose }));
  }
  await send([], probe('data without entries'));
  await send([entry, entry], probe('data with one pair twice'));
  await send([{ ...entry, assayUnknown: true }], probe('data with an unknown field'));
  const many = manyEntries(session, body, entry);
  if (many.length > 2) await send(many, probe('data with many entries'));
}

/** Different pairs of one chain, both ways over each of its pools. */
function manyEntries(session: Session, body: TradeBody, entry: TradeBody): TradeBody[] {
  const entries = new Map<string, TradeBody>();
  for (const { chainId, tokens, protocol } of session.world.routablePools) {
    const [first, second] = tokens;
    if (chainId !== body.fromChain || first === undefined || second === undefined) continue;
    for (const [srcToken, destToken] of [
      [first, second],
      [second, first],
    ] as const) {
      const [amount] = amountsToTry(session, { chainId, address: srcToken });
      const pair = { ...entry, toChain: chainId, srcToken, destToken, amount, protocol };
      if (entries.size < MANY) entries.set(`${srcToken} ${destToken}`, pair);
    }
  }
  return [...entries.values()];
}
