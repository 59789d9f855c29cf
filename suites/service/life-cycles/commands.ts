import type { AgentAuthForms } from './agent-auth-forms.ts';

/**
 * The commands of life cycles: plain data that says all it needs, so that any part of a sequence is a
 * sequence too. A command whose turn has not come, such as the claim of what was never registered, is
 * left out when it is run.
 */
export type Command = IdempotencyCommand | CredentialCommand | PoolCommand;

/** The body of a request. */
export type JsonBody = Readonly<Record<string, unknown>>;

/** An endpoint that takes Idempotency-Key, and a body that it serves. */
export interface KeyedRequest {
  readonly api: 'zap' | 'trade';
  readonly path: '/v1/quote' | '/v1/buildTx' | '/v1/quotes';
  readonly json: JsonBody;
}

/** Sends a request with a key once, or twice at the same time. */
export interface IdempotencyCommand {
  readonly cycle: 'idempotency';
  readonly act: 'send' | 'twins';
  readonly key: string;
  readonly request: KeyedRequest;
}

/** One step in the life of the key of a slot. */
export type CredentialCommand =
  | {
      readonly cycle: 'credential';
      readonly act: 'register';
      readonly slot: number;
      readonly forms: AgentAuthForms;
    }
  | {
      readonly cycle: 'credential';
      readonly act: 'claim';
      readonly slot: number;
      /** The claim is repeated for this long while the registration waits for its approval. */
      readonly patienceMs: number;
    }
  | {
      readonly cycle: 'credential';
      readonly act: 'claim-unknown';
      readonly slot: number;
      /** What stands in place of what the registration gave. */
      readonly madeUp: string;
    }
  | {
      readonly cycle: 'credential';
      readonly act: 'use';
      readonly slot: number;
      /** The body of a trade build that is served without a key. */
      readonly json: JsonBody;
    }
  | {
      readonly cycle: 'credential';
      /** Uses keys that are like the one of the slot, which nobody issued. */
      readonly act: 'use-like';
      readonly slot: number;
      readonly json: JsonBody;
    }
  | {
      readonly cycle: 'credential';
      /** Builds the same with the keys of all slots, and without one. */
      readonly act: 'use-apart';
      readonly slot: number;
      readonly json: JsonBody;
    }
  | { readonly cycle: 'credential'; readonly act: 'revoke'; readonly slot: number };

/** The filters of a pool list (section 4.1). */
export type PoolFilter = 'chainId' | 'protocol' | 'tokens';

/** Changes the filters of a pool list by one, and asks for it. */
export type PoolCommand =
  | {
      readonly cycle: 'pools';
      readonly act: 'add';
      readonly filter: PoolFilter;
      readonly value: string;
    }
  | { readonly cycle: 'pools'; readonly act: 'remove'; readonly filter: PoolFilter };
