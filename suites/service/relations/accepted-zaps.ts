import type { PlainInput } from '../../../contracts/service/rules/inputs/accepted-input.ts';
import { ACCEPTED_ZAP_INPUTS } from '../../../contracts/service/rules/inputs/accepted-zap-inputs.ts';
import { readRoute } from '../../../contracts/service/rules/readings/zap-route.ts';
import { nativeZaps, withBearer, withCharset, withoutAmount } from './acceptance-forms.ts';
import type { Route } from '../../../fixtures/service/generators/routes.ts';
import { routeIdeas } from '../session/routes.ts';
import type { Session } from '../session/session.ts';
import type { ServedRoute } from '../session/zap-request.ts';
import { zapBody } from '../session/zap-request.ts';
import type { ZapBody } from '../session/zap-request.ts';
import { validPost } from '../session/zap-request.ts';
import type { AcceptanceCase, AcceptedRelation } from './accepted.ts';
import { accepted } from './accepted.ts';
import { AMOUNTS, decimalOf, LESS, MANY_DECIMALS, MORE } from './input-values.ts';

/** This many routes are enough. */
const SEVERAL = 6;

/** What requests with an input are made from. */
interface ZapInputSource {
  readonly session: Session;
  /** Of the operation at hand. */
  readonly path: string;
  readonly routes: readonly ServedRoute[];
  /** Some of them. */
  readonly some: readonly ServedRoute[];
  /** A route with, and without, something in its body. */
  readonly adding: (body: ZapBody, without: ZapBody, withInput: ZapBody) => AcceptanceCase;
}

function zapInput(
  input: PlainInput,
  casesOf: (source: ZapInputSource) => Iterable<AcceptanceCase>,
): AcceptedRelation {
  return accepted(input, (session, operation, { zapRoutes: routes }) => {
    const path = operation === 'zap.quote' ? '/v1/quote' : '/v1/buildTx';
    const some = session.random.sample(routes, SEVERAL);
    const adding = (body: ZapBody, without: ZapBody, withInput: ZapBody): AcceptanceCase => ({
      without: validPost(path, { ...body, ...without }),
      withInput: validPost(path, { ...body, ...withInput }),
    });
    return { given: casesOf({ session, path, routes, some, adding }) };
  });
}

/** Inputs of zap quotes and builds: requests for routes that were served, as section 2.1 shows them. */
export const ZAP_INPUTS: readonly AcceptedRelation[] = [
  zapInput(ACCEPTED_ZAP_INPUTS.decimalSlippage, ({ path, some, adding }) =>
    some.map(({ body }, index) => ({
      ...adding(body, { slippage: LESS }, { slippage: decimalOf(index) }),
      after: validPost(path, { ...body, slippage: MORE }),
    })),
  ),
  zapInput(ACCEPTED_ZAP_INPUTS.largeAmount, ({ session, adding }) =>
    largeIdeas(session).map((idea) =>
      adding(zapBody(session, idea, AMOUNTS.exact, LESS), {}, { amount: AMOUNTS.inexact }),
    ),
  ),
  zapInput(ACCEPTED_ZAP_INPUTS.absentAmount, ({ path, routes }) => withoutAmount(path, routes)),
  zapInput(ACCEPTED_ZAP_INPUTS.nativeSource, ({ session, path, routes }) =>
    nativeZaps(session, path, routes, 'source'),
  ),
  zapInput(ACCEPTED_ZAP_INPUTS.nativeDestination, ({ session, path, routes }) =>
    nativeZaps(session, path, routes, 'destination'),
  ),
  zapInput(ACCEPTED_ZAP_INPUTS.otherRecipient, ({ session, some, adding }) =>
    some.map(({ body }) =>
      adding(body, { recipient: body.account }, { recipient: session.random.address() }),
    ),
  ),
  zapInput(ACCEPTED_ZAP_INPUTS.quoteDexes, allowing('dex')),
  zapInput(ACCEPTED_ZAP_INPUTS.quoteBridges, allowing('bridge')),
  zapInput(ACCEPTED_ZAP_INPUTS.buildDexes, allowing('dex')),
  zapInput(ACCEPTED_ZAP_INPUTS.buildBridges, allowing('bridge')),
  zapInput(ACCEPTED_ZAP_INPUTS.estimateGas, ({ some, adding }) =>
    some.map(({ body }) => adding(body, {}, { estimateGas: false })),
  ),
  zapInput(ACCEPTED_ZAP_INPUTS.charset, ({ path, some }) =>
    some.map(({ body }) => withCharset(validPost(path, body))),
  ),
  zapInput(ACCEPTED_ZAP_INPUTS.bearer, ({ session, path, some }) =>
    some.map(({ body }) => withBearer(session, validPost(path, body))),
  ),
];

/** Swaps from tokens of which a few hundredths are more base units than a double can distinguish. */
function largeIdeas(session: Session): Route[] {
  return routeIdeas(session, SEVERAL).filter(
    ({ kind, source }) =>
      !kind.includes('deposit') && (session.world.decimalsOf(source) ?? 0) >= MANY_DECIMALS,
  );
}

/** Routes again with all providers of a type allowed, if those that they take are among them. */
function allowing(type: 'dex' | 'bridge'): (source: ZapInputSource) => AcceptanceCase[] {
  return ({ session: { world }, some, adding }) =>
    some.flatMap(({ body, json }) => {
      const chainIds = [...new Set([body.srcChainId, body.destChainId].map(Number))];
      const listed = (wanted: string): string[] => [
        ...new Set(chainIds.flatMap((chainId) => world.providerIds(chainId, wanted))),
      ];
      const [ids, others] = [listed(type), listed(type === 'dex' ? 'bridge' : 'dex')];
      const steps = readRoute(json, body)?.steps ?? [];
      const isListed = steps.every(({ protocol }) =>
        [...ids, ...others].includes(String(protocol)),
      );
      if (ids.length === 0 || steps.length === 0 || !isListed) return [];
      return [adding(body, {}, { [type === 'dex' ? 'allowedDexes' : 'allowedBridges']: ids })];
    });
}
