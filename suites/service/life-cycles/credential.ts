/** Long because it is one class, and all its methods share the credentials of a run. */

import type {
  CredentialRole,
  UseFact,
} from '../../../contracts/service/rules/auth/credential-life.ts';
import {
  CREDENTIAL_LIFE,
  MIN_FAILURES,
  isSettled,
  useFactOf,
} from '../../../contracts/service/rules/auth/credential-life.ts';
import {
  credentialIn,
  mayHide,
  textsIn,
} from '../../../contracts/service/rules/docs/agent-auth-fields.ts';
import type { JsonObject } from '../../../contracts/wire/json.ts';
import { View } from '../../../contracts/judging/view.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import type { Credential } from '../../../target/transport/client.ts';
import type { Secrets } from '../../../target/config/secrets.ts';
import { driveCallers } from '../session/callers.ts';
import { KEY_CHANGES, unknownKey, useMadeUp } from '../session/keys-of-nobody.ts';
import type { Session } from '../session/session.ts';
import type { AgentAuthForms, MessageForm, Revocation } from './agent-auth-forms.ts';
import { claimBody, isHandle, registrationBodies, revocations } from './agent-auth-forms.ts';
import type { CredentialCommand, JsonBody } from './commands.ts';

/** What is known of the key of a slot. */
interface Slot {
  readonly group: string;
  readonly forms: AgentAuthForms;
  /** The answer to its registration. */
  readonly registered: unknown;
  /** Once it is claimed: the name under which the key is kept from records, and its value. */
  key?: { readonly name: string; readonly value: string };
  /** Whether a revocation failed so that it may have been done all the same. */
  inDoubt: boolean;
  /** How the key was revoked, once it was. */
  revocation?: Revocation;
  /** How often it was. */
  revoked: number;
}

/** Waits between claims until a registration is approved. */
const CLAIM_WAITS_MS: readonly number[] = [1_000, 2_000, 4_000];
/** Waits between uses of a key, until what was changed must have arrived everywhere. */
const USE_WAITS_MS: readonly number[] = [1_000, 3_000, 7_000];

/** Servers refuse longer header fields. */
const MAX_CREDENTIAL_CHARACTERS = 8_192;

/** A claim of nothing gives no approval either, so a claim is made again only if one may come. */
type Wait = (ms: number) => Promise<void>;

/** Whether a request was refused as a mistake of the client, so that nothing was done. */
function isRefused({ status }: View): boolean {
  return status >= 400 && status < 500;
}

/** Runs the commands of keys that are registered, claimed, used and revoked. */
export class CredentialRunner {
  readonly #session: Session;
  readonly #wait: Wait | undefined;
  readonly #slots = new Map<number, Slot>();
  /** Numbers the secrets of all slots. */
  #secrets = 0;

  /** @param wait how time passes; without it nothing is waited for, and less becomes certain */
  constructor(session: Session, wait?: Wait) {
    this.#session = session;
    this.#wait = wait;
  }

  async run(command: CredentialCommand): Promise<void> {
    if (command.act === 'register') {
      await this.#register(command.slot, command.forms);
      return;
    }
    const slot = this.#slots.get(command.slot);
    if (slot === undefined) return;
    switch (command.act) {
      case 'claim':
        return this.#claim(slot, command.patienceMs);
      case 'claim-unknown':
        return this.#claimUnknown(slot, command.madeUp);
      case 'use':
        return this.#use(slot, command.json);
      case 'use-like':
        return this.#useLike(slot, command.json);
      case 'use-apart':
        return this.#useApart(command.json);
      case 'revoke':
        return this.#revoke(slot);
    }
  }

  async #register(number: number, forms: AgentAuthForms): Promise<void> {
    // Of all sequences of a run, so that each life stands alone.
    this.#session.groupCount += 1;
    const { groupCount } = this.#session;
    const group = `credential-${groupCount}`;
    const project = `Assay conformance check ${groupCount}`;
    for (const body of registrationBodies(forms.register, project)) {
      let registered: unknown;
      const view = await this.#ask(group, 'register', forms.register, body, {
        secretsIn: (json) => {
          registered = json;
          return this.#handlesIn(json, body);
        },
      });
      if (!view.succeeded) continue;
      this.#slots.set(number, { group, forms, registered, inDoubt: false, revoked: 0 });
      return;
    }
  }

  /** What a registration answers may be all that it takes to claim the key; not what it was sent. */
  #handlesIn(json: unknown, sent: JsonObject): Secrets {
    const said = JSON.stringify(sent);
    const handles = textsIn(json).filter(
      ({ name, text }) => isHandle(name) && mayHide(text) && !said.includes(text),
    );
    return Object.fromEntries(handles.map(({ text }) => [this.#nextSecret('CLAIM'), text]));
  }

  async #claim(slot: Slot, patienceMs: number): Promise<void> {
    const body = claimBody(slot.forms.claim, slot.registered);
    if (body === undefined) return;
    const isAgain = slot.key !== undefined;
    let waitedMs = 0;
    for (const waitMs of [0, ...CLAIM_WAITS_MS]) {
      waitedMs += waitMs;
      if (waitedMs > patienceMs || (waitMs > 0 && this.#wait === undefined)) return;
      if (waitMs > 0) await this.#wait?.(waitMs);
      const view = await this.#claimOnce(slot, isAgain ? 'claim-again' : 'claim', body);
      if (isAgain)
        return this.#repeatMistake(view, () => this.#claimOnce(slot, 'claim-again', body));
      if (slot.key !== undefined) return;
    }
  }

  async #claimOnce(slot: Slot, role: CredentialRole, body: JsonObject): Promise<View> {
    return this.#ask(slot.group, role, slot.forms.claim, body, {
      secretsIn: (json) => {
        const value = credentialIn(json);
        if (value === undefined || value.length > MAX_CREDENTIAL_CHARACTERS) return {};
        const name = this.#nextSecret('KEY');
        if (role !== 'claim-unknown') slot.key = { name, value };
        return { [name]: value };
      },
    });
  }

  async #claimUnknown(slot: Slot, madeUp: string): Promise<void> {
    const known = claimBody(slot.forms.claim, slot.registered);
    if (known === undefined) return;
    const body = Object.fromEntries(Object.keys(known).map((name) => [name, madeUp]));
    const send = (): Promise<View> => this.#claimOnce(slot, 'claim-unknown', body);
    await this.#repeatMistake(await send(), send);
  }

  async #revoke(slot: Slot): Promise<void> {
    const { key, forms, group } = slot;
    if (key === undefined) return;
    const role = slot.revoked > 0 ? 'revoke-again' : 'revoke';
    const known = slot.revocation;
    const ways = known === undefined ? revocations(forms.revoke, key.value) : [known];
    for (const way of ways) {
      const credential = way.asBearer ? { secret: key.name } : 'none';
      const send = (): Promise<View> =>
        this.#ask(group, role, forms.revoke, way.body, { credential });
      const view = await send();
      if (role === 'revoke-again') {
        slot.revoked += 1;
        return this.#repeatMistake(view, send);
      }
      if (!view.succeeded) {
        slot.inDoubt ||= !isRefused(view);
        continue;
      }
      slot.revocation = way;
      slot.revoked += 1;
      return;
    }
  }

  /** A mistake that is answered as an error of the service is made again, until that is certain. */
  async #repeatMistake(first: View, send: () => Promise<View>): Promise<void> {
    let view = first;
    for (let sent = 1; sent < MIN_FAILURES && view.status >= 500; sent += 1) {
      view = await send();
    }
  }

  async #use(slot: Slot, json: JsonBody): Promise<void> {
    if (slot.key === undefined || !this.#session.apis.has('trade')) return;
    const { group } = slot;
    if (slot.revoked > 0) {
      await this.#useRevoked(slot, { secret: slot.key.name }, json);
      return;
    }
    // Whether it is still one, nobody knows.
    if (slot.inDoubt) return;
    const isBeside = [...this.#slots.values()].some(
      ({ revoked, inDoubt }) => revoked > 0 || inDoubt,
    );
    const role = isBeside ? 'use-beside' : 'use';
    const wrong = isBeside ? (['unknown', 'forbidden'] as const) : (['unknown'] as const);
    const uses = await this.#useUntil(group, role, { secret: slot.key.name }, json, wrong);
    if (isSettled(uses, wrong)) await this.#useOnce(group, 'use-none', 'none', json);
  }

  /** Keys like this one; if one is served, also one that is like none, to see what keys are worth. */
  async #useLike({ key, revoked }: Slot, json: JsonBody): Promise<void> {
    if (key === undefined || revoked > 0 || !this.#session.apis.has('trade')) return;
    for (const change of KEY_CHANGES) {
      const credential = { like: key.name, change };
      const first = await useMadeUp(this.#session, change, credential, json);
      if (first?.kind !== 'served') continue;
      const unknown = unknownKey(this.#session);
      const plain = await useMadeUp(this.#session, 'plain', unknown, json);
      if (plain?.kind !== 'refused') return;
      await useMadeUp(this.#session, change, credential, json);
      await useMadeUp(this.#session, 'plain', unknown, json);
      await useMadeUp(this.#session, 'none', 'none', json);
    }
  }

  /** The same build with each key that is held, and without one. */
  async #useApart(json: JsonBody): Promise<void> {
    if (!this.#session.apis.has('trade')) return;
    const held = [...this.#slots.values()].flatMap(({ key, revoked, inDoubt }) =>
      key === undefined || revoked > 0 || inDoubt ? [] : [{ secret: key.name }],
    );
    if (held.length > 0) await driveCallers(this.#session, [...held, 'none'], json);
  }

  /** A key that is still served shows nothing if one that nobody issued is served as well. */
  async #useRevoked(slot: Slot, credential: Credential, json: JsonBody): Promise<void> {
    const group = `${slot.group}, revoked ${slot.revoked} times`;
    const first = await this.#useOnce(group, 'use-revoked', credential, json);
    if (first?.kind !== 'served') return;
    const unknown = unknownKey(this.#session);
    const control = await this.#useOnce(group, 'use-unknown', unknown, json);
    if (control?.kind === 'served') return;
    await this.#useUntil(group, 'use-revoked', credential, json, ['served'], [first]);
  }

  /** Uses a key as long as the answer is wrong, for as long as a change may take to arrive. */
  async #useUntil(
    group: string,
    role: CredentialRole,
    credential: Credential,
    json: JsonBody,
    wrong: readonly UseFact['kind'][],
    before: readonly UseFact[] = [],
  ): Promise<UseFact[]> {
    const uses = [...before];
    for (const waitMs of before.length > 0 ? USE_WAITS_MS : [0, ...USE_WAITS_MS]) {
      if (waitMs > 0) {
        if (this.#wait === undefined) break;
        await this.#wait(waitMs);
      }
      const use = await this.#useOnce(group, role, credential, json);
      if (use !== undefined) uses.push(use);
      if (use === undefined || !wrong.includes(use.kind)) break;
    }
    return uses;
  }

  async #useOnce(
    group: string,
    role: CredentialRole,
    credential: Credential,
    json: JsonBody,
  ): Promise<UseFact | undefined> {
    const path = '/v1/buildTx';
    const exchange = await this.#session.client.send({
      ...{ api: 'trade', method: 'POST', path, json, credential },
      purpose: { kind: 'probe', about: 'use of a key in its life' },
      relations: [{ kind: CREDENTIAL_LIFE, group, role }],
    });
    return useFactOf(this.#view(exchange)) ?? undefined;
  }

  /** Asks an agent-auth endpoint; its fields go into the query if it takes no body. */
  async #ask(
    group: string,
    role: CredentialRole,
    { method, path }: MessageForm,
    body: JsonObject,
    more: { credential?: Credential; secretsIn?: (json: unknown) => Secrets },
  ): Promise<View> {
    const isQuery = ['GET', 'DELETE', 'HEAD'].includes(method);
    const query = new URLSearchParams(
      Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    const exchange = await this.#session.client.send({
      ...{ api: 'docs', method, ...more },
      path: isQuery && query !== '' ? `${path}?${query}` : path,
      ...(isQuery ? {} : { json: body }),
      purpose: { kind: 'probe', about: 'the life of a credential' },
      relations: [{ kind: CREDENTIAL_LIFE, group, role }],
    });
    return this.#view(exchange);
  }

  #view(exchange: Exchange): View {
    return new View(exchange, this.#session.contract);
  }

  #nextSecret(kind: 'CLAIM' | 'KEY'): string {
    this.#secrets += 1;
    return `ASSAY_AGENT_${kind}_${this.#secrets}`;
  }
}
