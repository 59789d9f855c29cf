import { acceptanceRow } from '../../../contracts/service/rules/inputs/accepted-input-rules.ts';
import type { AcceptedInput } from '../../../contracts/service/rules/inputs/accepted-input.ts';
import type { RelatedRules } from '../../drive/relation.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { ServedRoute } from '../session/zap-request.ts';

/** A request with an input, and the same without it. */
export interface AcceptanceCase {
  readonly without: TriedRequest;
  /** The one to be served afterwards, if it is another. */
  readonly after?: TriedRequest;
  readonly withInput: TriedRequest;
}

/** Requests with and without an input, by the forms of it that are asked for. */
export type Examples<Form extends string = string> = Readonly<
  Partial<Record<Form, Iterable<AcceptanceCase>>>
>;

/** What was served so far. */
export interface ServedBodies {
  readonly zapRoutes: readonly ServedRoute[];
  readonly tradeBodies: readonly TradeBody[];
}

/**
 * A documented input: how a request shows that it has it, requests with it and without it, and the
 * rule that it is taken.
 */
export interface AcceptedRelation extends RelatedRules {
  readonly input: AcceptedInput;
  /** A new one for each operation that takes the input. */
  readonly examplesOf: (session: Session, operation: string, served: ServedBodies) => Examples;
}

/** A documented input as one object. */
export function accepted<Form extends string>(
  input: AcceptedInput<Form>,
  examplesOf: (session: Session, operation: string, served: ServedBodies) => Examples<Form>,
): AcceptedRelation {
  const row = acceptanceRow(input);
  return { name: row.relation, rules: [row], wantsSeveral: true, input, examplesOf };
}
