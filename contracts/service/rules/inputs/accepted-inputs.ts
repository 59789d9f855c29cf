import type { AcceptedInput } from './accepted-input.ts';
import { ACCEPTED_POOL_INPUTS } from './accepted-pool-inputs.ts';
import { ACCEPTED_TRADE_INPUTS } from './accepted-trade-inputs.ts';
import { ACCEPTED_ZAP_INPUTS } from './accepted-zap-inputs.ts';

// What the document shows as an input is taken: section 4.1 has all parameters of pool lists
// optional, 2.1 and 2.3 the types of fields. Who needs one that is refused gets no service. What may be
// refused for a reason of its own is left out: a gasless build, a bridge that a chain does not have, a
// deposit, a permit, a simulation. Each is taken by itself: what a service takes only in company of
// another option is not an option. So an input counts only if no other is beside it.
export const ACCEPTED_INPUTS: readonly AcceptedInput[] = [
  ...Object.values(ACCEPTED_POOL_INPUTS),
  ...Object.values(ACCEPTED_ZAP_INPUTS),
  ...Object.values(ACCEPTED_TRADE_INPUTS),
];
