import { OPERATIONS } from 'assay:contract';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';
import type { JudgeInK6 } from '../../k6/exchange.ts';
import { CARD_RULES } from '../card-rules.ts';
import { loneJudge } from '../../k6-judge/lone-judge.ts';

/** Judges by the card's rules only, so that a VU takes a quarter of the memory. */
export const judge: JudgeInK6 = loneJudge({ card: CARD_RULES, all: [] }, OPERATIONS, TYPED_ERRORS);
