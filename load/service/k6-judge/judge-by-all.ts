import { OPERATIONS } from 'assay:contract';
import { RULES } from '../../../contracts/service/registry.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';
import type { JudgeInK6 } from '../../k6/exchange.ts';
import { CARD_RULES } from '../card-rules.ts';
import { loneJudge } from '../../k6-judge/lone-judge.ts';

/** Judges by all rules that look at single exchanges. */
export const judge: JudgeInK6 = loneJudge(
  { card: CARD_RULES, all: RULES },
  OPERATIONS,
  TYPED_ERRORS,
);
