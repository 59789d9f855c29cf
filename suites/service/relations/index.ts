import { ACCEPTANCE_TRIALS } from '../../../contracts/service/rules/inputs/accepted-input-rules.ts';
import type { MetamorphicRelation } from '../../drive/relation.ts';
import { poolRelations } from './pools.ts';
import { tradeRelations } from './trade.ts';
import { zapRelations } from './zap.ts';

/** All metamorphic relations of the interface document. */
export const RELATIONS: readonly MetamorphicRelation[] = [
  ...zapRelations,
  ...tradeRelations,
  ...poolRelations,
  ...ACCEPTANCE_TRIALS.map((row): MetamorphicRelation => ({
    name: row.relation,
    rules: [row],
    wantsSeveral: true,
    change: () => [],
  })),
];
