import type { KeyFact } from '../../../contracts/service/rules/conventions/idempotency.ts';
import {
  endsIn,
  MIN_CERTAIN_REFUSALS,
  IDEMPOTENCY,
  isBadRound,
  isReplayed,
  keyFactOf,
} from '../../../contracts/service/rules/conventions/idempotency.ts';
import type { IdempotencyRole } from '../../../contracts/service/rules/conventions/idempotency.ts';
import { View } from '../../../contracts/judging/view.ts';
import type { Relation } from '../../../contracts/wire/exchange.ts';
import type { Session } from '../session/session.ts';
import { ALTERNATION } from '../../drive/relation-checker.ts';
import type { IdempotencyCommand, KeyedRequest } from './commands.ts';

/** What is known of a key: where it was used first, and what was said since. */
interface Story {
  readonly group: string;
  readonly request: KeyedRequest;
  readonly facts: KeyFact[];
}

/** Outages and throttling say nothing, so a request is sent a few times more often than it counts. */
const MAX_SENT = MIN_CERTAIN_REFUSALS + 2;

/** Runs commands about Idempotency-Key; what looks wrong is sent again until it is certain. */
export class IdempotencyRunner {
  readonly #session: Session;
  readonly #stories = new Map<string, Story>();
  /** Endpoints that refuse a key at its first use; what more goes wrong there follows from that. */
  readonly #refusing = new Set<string>();
  readonly #twinKeys = new Set<string>();

  constructor(session: Session) {
    this.#session = session;
  }

  async run({ act, key, request }: IdempotencyCommand): Promise<void> {
    if (act === 'twins') await this.#twins(key, request);
    else await this.#send(key, request);
  }

  async #send(key: string, request: KeyedRequest): Promise<void> {
    const name = `${request.api} ${key}`;
    // Which of two twins a key stands for is not known.
    if (this.#twinKeys.has(name)) return;
    const story = this.#stories.get(name);
    if (story === undefined) {
      const opened = { group: this.#nextGroup(), request, facts: [] };
      this.#stories.set(name, opened);
      await this.#first(opened, key);
      return;
    }
    // What a key stands for is known only when its first request was served.
    if (story.facts[0]?.kind !== 'served') return;
    if (story.request.path !== request.path) await this.#reuse(story, 'elsewhere', key, request);
    else if (isSame(story.request, request)) await this.#again(story, key);
    else await this.#reuse(story, 'other-body', key, request);
  }

  /** A first use is served as the request without a key is, which a metamorphic relation judges. */
  async #first(story: Story, key: string): Promise<void> {
    const { request } = story;
    const groupMark = { kind: acceptanceOf(request), group: `life-${story.group}` };
    const asB = { ...groupMark, role: 'B' };
    const fact = await this.#ask(story, 'first', request, key, [asB]);
    if (fact === undefined || fact.kind === 'served') return;
    this.#refusing.add(placeOf(request));
    for (const role of ALTERNATION.slice(0, 12)) {
      const marks = [{ ...groupMark, role }];
      const answer = await this.#exchange(request, role === 'B' ? key : undefined, marks, true);
      if ((role === 'B') === answer.succeeded) return;
    }
  }

  async #again(story: Story, key: string): Promise<void> {
    const { request } = story;
    for (let sent = 0; sent < MAX_SENT; sent += 1) {
      await this.#ask(story, 'again', request, key);
      const again = inRole(story, 'again');
      if (['served', 'conflict'].includes(again.at(-1)?.kind ?? '')) return;
      if (!endsIn(again, ['refused', 'failed'])) continue;
      await this.#ask(story, 'bare', request, undefined);
      return;
    }
  }

  async #reuse(
    story: Story,
    role: 'other-body' | 'elsewhere',
    key: string,
    request: KeyedRequest,
  ): Promise<void> {
    for (let sent = 0; sent < MAX_SENT; sent += 1) {
      await this.#ask(story, role, request, key);
      const reused = inRole(story, role);
      if (role === 'other-body' && isReplayed(story.facts[0], reused)) {
        await this.#distinguish(story, key, request);
        return;
      }
      if (reused.at(-1)?.kind !== 'failed') return;
      if (!endsIn(reused, ['failed'])) continue;
      await this.#ask(story, `bare-${role}`, request, undefined);
      return;
    }
  }

  /** Whether two bodies are answered differently without a key, several times over. */
  async #distinguish(story: Story, key: string, other: KeyedRequest): Promise<void> {
    await this.#ask(story, 'other-body', other, key);
    for (let round = 0; round < 2; round += 1) {
      await this.#ask(story, 'bare', story.request, undefined);
      await this.#ask(story, 'bare-other-body', other, undefined);
    }
  }

  async #twins(key: string, request: KeyedRequest): Promise<void> {
    const name = `${request.api} ${key}`;
    if (this.#stories.has(name) || this.#twinKeys.has(name)) return;
    if (this.#refusing.has(placeOf(request))) return;
    this.#twinKeys.add(name);
    const story: Story = { group: this.#nextGroup(), request, facts: [] };
    for (let round = 1; round <= MIN_CERTAIN_REFUSALS; round += 1) {
      const used = round === 1 ? key : this.#session.random.uuid();
      const facts = await this.#together(story, `twin-${round}`, used);
      // An outage says nothing, so another round may.
      if (facts.length === 2 && !isBadRound(facts)) return;
    }
    await this.#together(story, 'bare-twin', undefined);
  }

  async #together(
    story: Story,
    role: IdempotencyRole,
    key: string | undefined,
  ): Promise<KeyFact[]> {
    const twins = [1, 2].map(() => this.#ask(story, role, story.request, key));
    const settled = await Promise.allSettled(twins);
    return settled.flatMap((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value === undefined ? [] : [result.value];
    });
  }

  async #ask(
    story: Story,
    role: IdempotencyRole,
    request: KeyedRequest,
    key: string | undefined,
    marks: readonly Relation[] = [],
  ): Promise<KeyFact | undefined> {
    const mark = { kind: IDEMPOTENCY, group: story.group, role };
    const isValid = role === 'first' || role.startsWith('bare');
    const view = await this.#exchange(request, key, [mark, ...marks], isValid);
    const fact = keyFactOf(view) ?? undefined;
    if (fact !== undefined) story.facts.push(fact);
    return fact;
  }

  async #exchange(
    { api, path, json }: KeyedRequest,
    key: string | undefined,
    relations: readonly Relation[],
    isValid: boolean,
  ): Promise<View> {
    const about = { kind: 'probe', about: 'another use of an Idempotency-Key' } as const;
    // Of a request for trade quotes nothing but `data` is shown.
    const purpose = isValid && path !== '/v1/quotes' ? ({ kind: 'valid' } as const) : about;
    const exchange = await this.#session.client.send({
      ...{ api, method: 'POST', path, json, purpose, relations },
      headers: key === undefined ? [] : [['Idempotency-Key', key]],
      credential: api === 'trade' ? this.#session.keyedCredential : 'none',
    });
    return new View(exchange, this.#session.contract);
  }

  #nextGroup(): string {
    // Of all sequences of a run, so that each story stands alone.
    this.#session.groupCount += 1;
    return `key-${this.#session.groupCount}`;
  }
}

function inRole({ facts }: Story, role: IdempotencyRole): KeyFact[] {
  return facts.filter((fact) => fact.role === role);
}

function isSame(one: KeyedRequest, other: KeyedRequest): boolean {
  return JSON.stringify(one.json) === JSON.stringify(other.json);
}

function placeOf({ api, path }: KeyedRequest): string {
  return `${api} ${path}`;
}

/** The relation by which a request with a key is compared with the same one without. */
function acceptanceOf({ api, path }: KeyedRequest): string {
  if (api === 'zap') return 'idempotency-key';
  return path === '/v1/quotes' ? 'trade-quotes-idempotency-key' : 'trade-idempotency-key';
}
