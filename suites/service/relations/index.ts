import type { RelatedRules } from '../../drive/relation.ts';
import type { AcceptedRelation } from './accepted.ts';
import { POOL_INPUTS } from './accepted-pools.ts';
import { TRADE_INPUTS } from './accepted-trades.ts';
import { ZAP_INPUTS } from './accepted-zaps.ts';
import { poolRelations } from './pools.ts';
import { tradeRelations } from './trade.ts';
import { zapRelations } from './zap.ts';

/** All documented inputs that are to be taken, in the order in which they are asked for. */
export const ACCEPTED: readonly AcceptedRelation[] = [
  ...POOL_INPUTS,
  ...ZAP_INPUTS,
  ...TRADE_INPUTS,
];

/** All metamorphic relations of the interface document. */
export const RELATIONS: readonly RelatedRules[] = [
  ...zapRelations,
  ...tradeRelations,
  ...poolRelations,
  ...ACCEPTED,
];
