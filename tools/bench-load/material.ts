import { Judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { PROFILES } from '../../contracts/judging/profile.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Variant } from '../../fixtures/service/faults/fault.ts';
import { VARIANTS } from '../../fixtures/service/variants/variants.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/service/reference/index.ts';
import type { ReferenceService } from '../../fixtures/service/reference/service.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { exploreInProcess } from '../../suites/properties/in-process.ts';
import { IN_PROCESS_URLS } from '../../suites/service/in-process-urls.ts';
import { systemEnvironment } from '../../fixtures/service/system-environment.ts';
import { DRIVEN } from '../../suites/service/driving.ts';

/** A request, and what a server answers to it, one after the other in turn. */
export interface Post extends Sent {
  readonly answers: readonly string[];
}

/** A request as generators send it. */
export interface Sent {
  readonly path: string;
  readonly body: string;
}

/** Answers of some 2 kB. */
const [MIN_CHARACTERS, MAX_CHARACTERS] = [1_400, 2_800];
const MAX_POSTS = 75;
/** Worlds of tokens, chains and providers from which they come. */
const SEEDS: readonly number[] = [1, 2];
/** To the same request, since a real service hardly ever gives the same quote twice. */
const ANSWERS_EACH = 40;
const MAX_CALLS = 4 * ANSWERS_EACH;
/** The readings of the document by which amounts and prices differ from call to call. */
const MOVING: readonly string[] = ['markets-drift', 'prices-drift'];

/**
 * Different quotes as a drive of the reference service asks for them, with answers of 2 kB. So
 * rules find in them what they speak of. Amounts, guarantees, prices and values differ in each answer.
 *
 * @throws when the reference service gave none
 */
export async function quotes(): Promise<Post[]> {
  const contract = await loadContract();
  const posts = new Map<string, Post>();
  for (const seed of SEEDS) {
    const service = createReferenceService(
      defaultReferenceOptions({
        seed,
        environment: systemEnvironment(),
        baseUrls: IN_PROCESS_URLS,
      }),
    );
    const moving = MOVING.reduce((still, id) => variantOf(id).apply(still, seed), service);
    for (const sent of await asked(service, contract, seed)) {
      posts.set(sent.body, { ...sent, answers: await answersTo(moving, sent) });
    }
    await service.close();
  }
  if (posts.size === 0) throw new Error('the reference service gave no quote of 2 kB');
  return [...posts.values()].slice(0, MAX_POSTS);
}

function variantOf(id: string): Variant {
  const variant = VARIANTS.find((one) => one.id === id);
  if (variant === undefined) throw new Error(`there is no variant ${id}`);
  return variant;
}

/** The requests of a drive that are answered with a quote of such a length. */
async function asked(service: ReferenceService, contract: Contract, seed: number): Promise<Sent[]> {
  const found: Sent[] = [];
  await exploreInProcess({
    driven: DRIVEN,
    service,
    contract,
    seed,
    clock: createSystemClock(),
    profile: 'gate',
    maxRequests: PROFILES.gate.maxRequests,
    judge: new Judge([], contract),
    onFound: () => undefined,
    listener: ({ api, request, outcome, purpose }) => {
      const operation = contract.find(api, request.method, request.path);
      if (operation?.id !== 'zap.quote' || purpose.kind !== 'valid' || request.body === null)
        return;
      if (outcome.kind === 'failure' || outcome.response.status !== 200) return;
      const { length } = outcome.response.body.text;
      if (length < MIN_CHARACTERS || length > MAX_CHARACTERS) return;
      found.push({ path: request.path, body: request.body.text });
    },
  });
  return found;
}

/** @throws when the service refuses, or hardly ever gives another answer */
async function answersTo(service: ReferenceService, { path, body }: Sent): Promise<string[]> {
  const answers = new Set<string>();
  // Amounts move by chance, now and then by as much as before.
  for (let call = 0; call < MAX_CALLS && answers.size < ANSWERS_EACH; call += 1) {
    const request = new Request(IN_PROCESS_URLS.zap + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    // From many addresses, as one may not ask so often.
    const response = await service.fetch('zap', request, `127.0.1.${call + 1}`);
    const answer = await response.text();
    if (response.status !== 200) throw new Error(`a quote was refused: ${answer}`);
    answers.add(answer);
  }
  if (answers.size < ANSWERS_EACH)
    throw new Error('the service gives the same quotes again and again');
  return [...answers];
}
