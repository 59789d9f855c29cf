import { isBaseUnits } from '../../../contracts/wire/amounts.ts';
import { isObject, listOf } from '../../../contracts/wire/json.ts';
import { postBuild } from '../relations/trade.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { ZapBody } from '../session/zap-request.ts';
import { validPost } from '../session/zap-request.ts';

/** Of what the drive asks for elsewhere, which is worth some hundred dollars: a fixed fee leaves nothing of it. */
const PART = 50n;
/** A service may refuse what is too little for it. */
const LITTLE = { kind: 'probe', about: 'a little amount' } as const;

/** Asks for quotes of a fiftieth of what was served. */
export async function driveLittleZaps(session: Session, bodies: readonly ZapBody[]): Promise<void> {
  for (const body of bodies) {
    const json = { ...body, ...littleOf(body) };
    await session.client.send({ ...validPost('/v1/quote', json), purpose: LITTLE });
  }
}

/** The same of builds of trades. */
export async function driveLittleTrades(
  session: Session,
  bodies: readonly TradeBody[],
): Promise<void> {
  for (const body of bodies) {
    const data = listOf(body.data).map((one) =>
      isObject(one) ? { ...one, ...littleOf(one) } : one,
    );
    await session.client.send({ ...postBuild(session, { ...body, data }), purpose: LITTLE });
  }
}

function littleOf({ amount }: { readonly amount?: unknown }): { readonly amount?: string } {
  return isBaseUnits(amount) ? { amount: String(BigInt(amount) / PART + 1n) } : {};
}
