import { Judge } from '../../contracts/judge.ts';
import { loadContract } from '../../contracts/load-contract.ts';
import { PROFILES } from '../../contracts/profile.ts';
import { createReferenceService, defaultReferenceOptions } from '../../fixtures/reference/index.ts';
import { createSystemClock } from '../../fixtures/target/clock.ts';
import { exploreInProcess, IN_PROCESS_URLS } from '../../suites/properties/in-process.ts';
import { systemAmbient } from '../ambient.ts';

/** A request, and what a server answers to it. */
export interface Post {
  readonly path: string;
  readonly body: string;
  readonly answer: string;
}

/** Answers of some 2 kB. */
const [LEAST_CHARACTERS, MOST_CHARACTERS] = [1_400, 2_800];
const MOST_POSTS = 75;

/**
 * Different quotes as a drive of the reference service asked for them, with their answers of 2 kB, so
 * that rules find in them what they speak of.
 *
 * @throws when the reference service gave none
 */
export async function quotes(): Promise<Post[]> {
  const contract = await loadContract();
  const service = createReferenceService(
    defaultReferenceOptions({ seed: 1, ambient: systemAmbient(), baseUrls: IN_PROCESS_URLS }),
  );
  const posts = new Map<string, Post>();
  await exploreInProcess({
    service,
    contract,
    seed: 1,
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
      const { text } = outcome.response.body;
      if (text.length < LEAST_CHARACTERS || text.length > MOST_CHARACTERS) return;
      const { path } = request;
      posts.set(request.body.text, { path, body: request.body.text, answer: text });
    },
  });
  await service.close();
  if (posts.size === 0) throw new Error('the reference service gave no quote of 2 kB');
  return [...posts.values()].slice(0, MOST_POSTS);
}
