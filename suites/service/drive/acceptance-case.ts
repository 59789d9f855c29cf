import type { TriedRequest } from '../../drive/tried-request.ts';

/** A request with an input, and the same without it. */
export interface AcceptanceCase {
  readonly without: TriedRequest;
  /** The one to be served afterwards, where it is another. */
  readonly after?: TriedRequest;
  readonly withInput: TriedRequest;
}

/** The cases of one input, by the words for it. */
export type AcceptanceCases = Readonly<Record<string, Iterable<AcceptanceCase>>>;
