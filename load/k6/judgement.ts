import type { Exchange } from '../../contracts/wire/exchange.ts';

/** What came of judging one exchange by itself. */
export interface LoneJudgement {
  readonly throttled: boolean;
  /** Ids of rules that had something to judge and held. */
  readonly held: readonly string[];
  readonly broken: readonly string[];
  /** How Assay itself failed, if it did: a sentence without a full stop. */
  readonly crash: string | undefined;
}

/** Judges one exchange: by the card's rules, or by all that look at single exchanges. */
export type JudgeInK6 = (exchange: Exchange, extent: 'card' | 'all') => LoneJudgement;
