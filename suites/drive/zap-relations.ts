import { checksummed } from '../../contracts/checksum.ts';
import { readRoute } from '../../contracts/rules/zap-route.ts';
import { isEvmAddress } from '../../contracts/wire/addresses.ts';
import type { RouteIdea } from './routes.ts';
import { amountsToTry } from './routes.ts';
import type { Session } from './session.ts';
import { sendValid } from './session.ts';
import type { Other, TriedRequest, Trials } from './trials.ts';
import type { TokenAt } from './world.ts';
import type { ServedRoute, ZapBody } from './zap.ts';
import { validPost, zapBody } from './zap.ts';

/**
 * Slippages held against each other, percent. None is beyond what services commonly take, and of the
 * usual ones each is there.
 */
const SLIPPAGE_PAIRS: readonly (readonly [number, number])[] = [
  [0.5, 1.9],
  [0.1, 1],
  [1.37, 0.3],
];

/** Of so many routes the relations that a build shares with a quote are tried. */
const BUILT = 2;

/** So many routes are asked for again without the providers that they took. */
const RESTRICTED = 4;

/** So many tokens of decimals that no route had yet are swapped. */
const OTHER_DECIMALS = 4;

/** Asks for served routes again with one thing changed at a time. */
export async function driveZapRelations(
  session: Session,
  trials: Trials,
  routes: readonly ServedRoute[],
): Promise<void> {
  const kinds = [...new Set(routes.map(({ kind }) => kind))];
  const chosen = kinds.flatMap((kind) => routes.find((route) => route.kind === kind) ?? []);
  for (const [index, { body }] of chosen.entries()) {
    const { first, others } = zapChanges(session, body, index);
    if (index < BUILT) others.push(withKey(session, first));
    await trials.run(
      first,
      others.map(({ relation }) => relation),
      () => others,
    );
  }
  for (const { body } of chosen.slice(0, BUILT)) await driveBuild(session, trials, body);
  await driveRestrictions(session, routes);
  await driveOtherDecimals(session, routes);
}

/** A quote of a route, and the same with one thing changed at a time. */
export function zapChanges(
  session: Session,
  body: ZapBody,
  index: number,
): { first: TriedRequest; others: Other[] } {
  const [one, other] = SLIPPAGE_PAIRS[index % SLIPPAGE_PAIRS.length] ?? [0.5, 1.9];
  const first = { ...body, slippage: one };
  const changes: [string, ZapBody][] = [
    ['slippage', { slippage: other }],
    ['recipient', { recipient: session.random.address() }],
    ['letter-case', respelled(body)],
    ['amount', { amount: String(2n * BigInt(String(body.amount))) }],
  ];
  const others = changes
    .filter(([, change]) => Object.keys(change).length > 0)
    .map(([relation, change]): Other => {
      return { relation, request: validPost('/v1/quote', { ...first, ...change }) };
    });
  return { first: validPost('/v1/quote', first), others };
}

async function driveBuild(session: Session, trials: Trials, body: ZapBody): Promise<void> {
  const first = validPost('/v1/buildTx', { ...body, estimateGas: false });
  const others = [
    { relation: 'estimate-gas', request: validPost('/v1/buildTx', body) },
    withKey(session, first),
  ];
  const relations = others.map(({ relation }) => relation);
  await trials.run(first, relations, () => others);
}

/** The same request with a key of its own, in the form that the drafts of the header recommend. */
function withKey({ random }: Session, request: TriedRequest): Other {
  const digits = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join('');
  const uuid = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
  const key = digits.length === 32 ? uuid : digits;
  return {
    relation: 'idempotency-key',
    request: { ...request, headers: [['Idempotency-Key', key]] },
  };
}

/** The tokens in lower case where they are not, else in the letter case of their checksum. */
function respelled({ srcToken, destToken }: ZapBody): ZapBody {
  const tokens = Object.entries({ srcToken, destToken }).flatMap(([name, address]) =>
    isEvmAddress(address) ? [{ name, address, lower: address.toLowerCase() }] : [],
  );
  const areLower = tokens.every(({ address, lower }) => address === lower);
  const changed = tokens
    .map(({ name, address, lower }) => [name, address, areLower ? checksummed(lower) : lower])
    .filter(([, address, spelled]) => address !== spelled);
  return Object.fromEntries(
    changed.map(([name, , spelled]): [string, unknown] => [String(name), spelled]),
  );
}

/** Asks for routes without a provider that they took; that another way exists is not certain. */
async function driveRestrictions(session: Session, routes: readonly ServedRoute[]): Promise<void> {
  const restrict = async (route: ServedRoute, field: string, type: string): Promise<boolean> => {
    const { body, json } = route;
    const taken = new Set(readRoute(json, body)?.steps.map(({ protocol }) => protocol));
    const chainIds = [body.srcChainId, body.destChainId].map(Number);
    const listed = new Set(chainIds.flatMap((id) => session.world.providerIds(id, type)));
    const used = [...listed].filter((id) => taken.has(id));
    const others = [...listed].filter((id) => id !== used[0]);
    if (used.length === 0 || others.length === 0) return false;
    const request = validPost('/v1/quote', { ...body, [field]: others });
    const purpose = { kind: 'probe', about: `${field} without the one taken` } as const;
    await session.client.send({ ...request, purpose });
    return true;
  };
  for (const [field, type] of [
    ['allowedDexes', 'dex'],
    ['allowedBridges', 'bridge'],
  ] as const) {
    let left = RESTRICTED;
    for (const route of routes) {
      if (left > 0 && (await restrict(route, field, type))) left -= 1;
    }
  }
}

/** Swaps tokens of decimals that no route had yet, which services get wrong most. */
async function driveOtherDecimals(session: Session, routes: readonly ServedRoute[]): Promise<void> {
  const { world } = session;
  const seen = new Set<number | undefined>([undefined]);
  for (const { body, json } of routes) {
    for (const { input, output } of readRoute(json, body)?.steps ?? []) {
      for (const { asset } of [...input, ...output]) {
        if (asset?.type !== 'ERC721') seen.add(asset?.decimals as number | undefined);
      }
    }
  }
  let left = OTHER_DECIMALS;
  for (const { chainId, tokens } of world.routablePools) {
    const at = (address: string): TokenAt => ({ chainId, address });
    const source = tokens.find((address) => !seen.has(world.decimalsOf(at(address))));
    const target = tokens.find((address) => address !== source && isEvmAddress(address));
    if (left === 0 || source === undefined || target === undefined) continue;
    seen.add(world.decimalsOf(at(source)));
    left -= 1;
    const idea: RouteIdea = { kind: 'swap', source: at(source), destination: at(target) };
    const [amount = '1'] = amountsToTry(session, idea.source);
    await sendValid(session, validPost('/v1/quote', zapBody(session, idea, amount, 1)));
  }
}
