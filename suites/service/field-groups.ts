import type { FieldGroups } from '../driven-service.ts';

/**
 * Fields that make sense only together: a token belongs to a chain, an amount to a token, a provider
 * to a route.
 */
export const FIELD_GROUPS: FieldGroups = {
  /** What makes a route. */
  whole: [
    /^body\/(srcToken|srcChainId|destToken|destChainId|amount|fromChain|chainId|poolAddress)$/,
    /^body\/data\/\d+\/(srcToken|destToken|toChain|protocol|amount|recipient)$/,
  ],
  /** The ends of a route: each changes its token with its chain. */
  parts: [
    /^body\/(srcToken|srcChainId|amount)$/,
    /^body\/(destToken|destChainId)$/,
    /^body\/data\/\d+\/(destToken|toChain)$/,
  ],
  /** What names providers of the chains of a route. */
  dependent: /^body\/(allowedDexes|allowedBridges|poolDetails|positionDetails)$/,
};
