import type { BuiltinMixes } from '../scenarios/builtin.ts';

/**
 * What clients of the interface document's service ask for: they read listings seldom, quote often, and
 * build what they like of it. Quotes of the trade API are left out: what they take is not shown
 * (section 4.2), so nothing obliges the service to serve them.
 */
export const SERVICE_MIXES: BuiltinMixes = {
  usual: {
    'zap.quote': 8,
    'zap.build-tx': 4,
    'zap.pools': 3,
    'zap.pool-details': 2,
    'zap.chains': 1,
    'zap.providers': 1,
    'trade.build-tx': 4,
  },
  // Section 5.2: the trade API alone takes a key, for higher limits.
  keyed: { 'trade.build-tx': 1 },
};
