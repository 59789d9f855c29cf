import fc from 'fast-check';
import type { QuotesForm } from '../session/quotes-form.ts';
import type { LearnedPool } from '../session/world.ts';
import type { AgentAuthForms } from './agent-auth-forms.ts';
import type { Command, JsonBody } from './commands.ts';

/** What commands are made from: what the target listed and served. */
export interface LifeCycleWorld {
  /** Bodies of zap requests that were served. */
  readonly zapBodies: readonly JsonBody[];
  /** Bodies of trade builds that were served. */
  readonly tradeBodies: readonly JsonBody[];
  readonly pools: readonly LearnedPool[];
  /** In which form trade quotes are asked for; the first when absent. */
  readonly quotesForm?: QuotesForm;
  /** Commands of one random sequence at most; 12 when absent. */
  readonly longest?: number;
  /** How credentials are asked for; absent if none may be. */
  readonly forms?: AgentAuthForms;
}

/** Commands of one random sequence. */
export const LONGEST = 12;

/** Keys for idempotency, and names that nobody has. */
export const uuid: fc.Arbitrary<string> = fc.uuid({ version: 4 });

/** Commands of one cycle; none if the world has nothing to make them from. */
export type Commands<C extends Command = Command> = fc.Arbitrary<readonly C[]>;
