import { expect, test } from 'vitest';
import { Judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { PROFILES } from '../../contracts/judging/profile.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { Decorator } from '../../fixtures/service/faults/fault.ts';
import type { Json, Where } from '../../fixtures/service/faults/rewrite.ts';
import { rewriteJson } from '../../fixtures/service/faults/rewrite.ts';
import {
  createCache,
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/service/reference/index.ts';
import { installLightFetch } from '../../target/transport/light-fetch.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import { createRandom } from '../drive/random.ts';
import { hashOf } from './hash.ts';
import { exploreInProcess } from './in-process.ts';
import { IN_PROCESS_URLS } from '../service/in-process-urls.ts';
import { DRIVEN } from '../service/driving.ts';

const contract = await loadContract();
const CACHE = createCache();
/** A planted fault shows in one request of so many. */
const RARE = 1_000;
/** This many are only counted: whether a request was sent that would have shown them. */
const COUNTED = 200;

/** Operations in which faults are planted, with what is then wrong there and the rule that says so. */
const PLACES: readonly (readonly [rule: string, where: Where, spoil: (json: Json) => void])[] = [
  ['zap.path.min-return-within-amount', { api: 'zap', path: '/v1/quote' }, spoilRoute],
  ['zap.path.min-return-within-amount', { api: 'zap', path: '/v1/buildTx' }, spoilRoute],
  ['zap.values.status', { api: 'zap', path: '/v1/pools' }, spoilStatus],
  ['trade.values.status', { api: 'trade', path: '/v1/buildTx' }, spoilStatus],
];
const PLACED = PLACES.map(([, { api, path }]) => `${api} ${String(path)}`);

function spoilRoute(json: Json): void {
  const { path } = (json as { data: { path: { output: Record<string, string>[] }[] } }).data;
  const [entry] = path.at(-1)?.output ?? [];
  if (entry !== undefined) entry.minReturn = String(BigInt(entry.amount ?? '0') + 1n);
}

function spoilStatus(json: Json): void {
  (json as { status: string }).status = 'failed';
}

/** Whether a fault of this name shows in a request. */
function isHit(name: string, place: string, text: string): boolean {
  return (hashOf(`${name} ${place} ${text}`) >>> 0) % RARE === 0;
}

/** One fault in all places, which breaks what a request of a thousand is answered. */
function plant(name: string): Decorator {
  const spoils = PLACES.map(([, where, spoil], at) =>
    rewriteJson(where, (json, { url, request }) => {
      const text = `${url.search} ${JSON.stringify(request)}`;
      if (isHit(name, PLACED[at] ?? '', text)) spoil(json);
    }),
  );
  return (service, seed) => spoils.reduce((spoilt, spoil) => spoil(spoilt, seed), service);
}

interface Searched {
  /** Rules that were broken. */
  readonly broken: readonly string[];
  /** Of the counted faults, the share that some request of the run would have shown. */
  readonly met: number;
}

async function nightly(seed: number): Promise<Searched> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(seed);
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const options = defaultReferenceOptions({ seed: 1, environment, baseUrls: IN_PROCESS_URLS });
  const plain = createReferenceService({ ...options, cache: CACHE });
  const judge = new Judge(RULES, contract);
  const met = new Set<number>();
  const seen = new Set<string>();
  await exploreInProcess({
    driven: DRIVEN,
    service: plant(`fault ${seed}`)(plain, seed),
    ...{ contract, seed, clock, judge, profile: 'nightly' },
    maxRequests: PROFILES.nightly.maxRequests,
    onFound: () => undefined,
    listener: ({ api, request, outcome }) => {
      const [path = '', query = ''] = request.path.split('?');
      const at = PLACED.indexOf(`${api} ${path}`);
      if (at < 0 || outcome.kind === 'failure' || outcome.response.status !== 200) return;
      const text = `${query} ${request.body?.text ?? ''}`;
      if (seen.has(`${at} ${text}`)) return;
      seen.add(`${at} ${text}`);
      // The text is hashed once, as it is long.
      const short = String(hashOf(text));
      for (let fault = 0; fault < COUNTED; fault += 1) {
        if (isHit(`${fault}`, PLACED[at] ?? '', short)) met.add(fault);
      }
    },
  });
  await plain.close();
  const results = judge.results().filter(({ verdict }) => verdict === 'fail');
  return {
    broken: results.map(({ rule }) => rule.id),
    met: met.size / COUNTED,
  };
}

test('a fault that shows in one request of a thousand is found by nightly', async () => {
  const restore = installLightFetch();
  try {
    const { broken, met } = await nightly(1);
    expect(broken.some((id) => PLACES.some(([rule]) => rule === id))).toBe(true);
    // Of 200 faults: what one seed meets by chance is in there.
    expect(met).toBeGreaterThanOrEqual(0.95);
  } finally {
    restore();
  }
});
