/** What a quotes request is made of: an entry names no provider yet. */
export interface QuotesAsked {
  readonly fromChain: unknown;
  readonly sender: unknown;
  readonly data: unknown;
}

type Form = (asked: QuotesAsked) => Readonly<Record<string, unknown>>;

/**
 * Forms of a quotes request: `data` and fields of builds, of which any may be wanted and any be
 * unknown, since beyond `data` nothing is shown (section 4.2).
 */
const FORMS: readonly Form[] = [
  ({ fromChain, sender, data }) => ({ fromChain, account: sender, gasless: false, data }),
  ({ data }) => ({ data }),
  ({ fromChain, data }) => ({ fromChain, data }),
  ({ fromChain, sender, data }) => ({
    fromChain,
    sender,
    refundee: sender,
    gasless: false,
    hasPermit2ApprovalForAllTokens: false,
    data,
  }),
];

/** Which form of a quotes request a target takes, as far as its answers show. */
export class QuotesForm {
  #index = 0;
  #isKnown = false;

  /** The body of a request in the form that was served, else in the one to be tried next. */
  bodyOf(asked: QuotesAsked): Readonly<Record<string, unknown>> {
    return FORMS[this.#index % FORMS.length]?.(asked) ?? {};
  }

  /** Takes note of an answer: after a refusal another form is next, in turn. */
  note(isServed: boolean): void {
    if (isServed) this.#isKnown = true;
    else if (!this.#isKnown) this.#index += 1;
  }
}
