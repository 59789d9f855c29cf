import { describe, expect, test } from 'vitest';
import { Judge } from '../../contracts/judge.ts';
import { loadContract } from '../../contracts/load-contract.ts';
import type { ProfileName } from '../../contracts/profile.ts';
import { rulesOfRun } from '../../contracts/profile.ts';
import { EVERY_RULE } from '../../contracts/rule-choice.ts';
import { RULES } from '../../contracts/registry.ts';
import type { RuleResult } from '../../contracts/judge.ts';
import type { Counterexample } from '../../contracts/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Decorator } from '../../fixtures/faults/fault.ts';
import { rewriteJson, ZAP_ROUTED } from '../../fixtures/faults/rewrite.ts';
import {
  createMemory,
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/reference/index.ts';
import { createVirtualClock } from '../../fixtures/target/virtual-clock.ts';
import type { DriveReport } from '../drive/index.ts';
import { createRandom } from '../drive/random.ts';
import { hashOf } from './hash.ts';
import { exploreInProcess, IN_PROCESS_URLS } from './in-process.ts';
import { parseReplay } from './replay.ts';

const contract = await loadContract();
const MEMORY = createMemory();

interface Run {
  readonly sent: readonly string[];
  readonly report: DriveReport;
  readonly results: readonly RuleResult[];
  readonly found: readonly Counterexample[];
}

interface Wish {
  readonly profile?: ProfileName;
  readonly maxRequests?: number;
  readonly seed?: number;
  readonly replay?: string;
}

async function run(apply: Decorator, wish: Wish = {}): Promise<Run> {
  const { profile = 'nightly', maxRequests = 1_500, seed = 3, replay } = wish;
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(1);
  const ambient = { now: () => clock.nowMs(), randomUint32: () => random.integer(0, 0xffffffff) };
  const options = defaultReferenceOptions({ seed: 1, ambient, baseUrls: IN_PROCESS_URLS });
  const service = apply(createReferenceService({ ...options, memory: MEMORY }), seed);
  const only = replay === undefined ? undefined : parseReplay(replay);
  const rules = rulesOfRun(RULES, {
    ...{ profile, choice: EVERY_RULE },
    ...(replay === undefined ? {} : { replay }),
  });
  const judge = new Judge(rules.rules, contract);
  const exchanges: Exchange[] = [];
  const found: Counterexample[] = [];
  const report = await exploreInProcess({
    ...{ service, contract, seed, clock, profile, maxRequests, judge },
    ...(only === undefined ? {} : { replay: only }),
    onFound: (one) => found.push(one),
    listener: (exchange) => exchanges.push(exchange),
  });
  await service.close();
  const sent = exchanges.map(({ request }) => JSON.stringify(request));
  return { sent, report, results: judge.results(), found };
}

const clean: Decorator = (service) => service;
const RULE = 'zap.path.min-return-within-amount';

/** Breaks a rule for the requests of which this is so, by their text. */
function brokenWhere(isMeant: (text: string) => boolean): Decorator {
  return rewriteJson(ZAP_ROUTED, (json, { request }) => {
    if (!isMeant(JSON.stringify(request))) return;
    const { path } = (json as { data: { path: { output: Record<string, string>[] }[] } }).data;
    const [entry] = path.at(-1)?.output ?? [];
    if (entry !== undefined) entry.minReturn = String(BigInt(entry.amount ?? '0') + 1n);
  });
}

describe('a run that goes on', () => {
  const once = run(clean);

  test('ends, and says so, where an API goes away meanwhile', async () => {
    let served = 0;
    const { report } = await run((service) => ({
      close: () => service.close(),
      fetch: (api, request, address) => {
        served += 1;
        if (api === 'trade' && served > 900) throw new Error('gone');
        return service.fetch(api, request, address);
      },
    }));
    expect(report.cutShort).toBe(true);
    expect(report.notices.join(' ')).toContain('the trade API did not answer 3 times in a row');
  });

  test('spends its requests, says what it reached, and sends the same again', async () => {
    const [first, second] = [await once, await run(clean)];
    // Some are kept for equal requests at once, which need not all be sent.
    expect(first.sent.length).toBeGreaterThan(1_300);
    expect(first.sent.length).toBeLessThanOrEqual(1_500);
    expect(second.sent).toEqual(first.sent);
    expect(first.report).toMatchObject({ cutShort: false, notices: [] });
    const { search } = first.report;
    expect(search?.requests).toBeGreaterThan(500);
    const reached = new Map(search?.reached.map((row) => [row.what, row]));
    for (const what of ['values of fields', 'pairs of them', 'triples of them'] as const) {
      const { before = 0, now = 0 } = reached.get(what) ?? {};
      expect([what, now > 3 * before && before > 0]).toEqual([what, true]);
    }
    const { now = 0, newestRequestsAgo } = reached.get('chains') ?? {};
    expect(now).toBeGreaterThan(2);
    // There are only so many of them.
    expect(newestRequestsAgo).toBeGreaterThan(500);
  });

  test('sends hardly anything twice', async () => {
    const { sent } = await once;
    const late = sent.slice(700).filter((text) => text.includes('/v1/quote"'));
    expect(late.length).toBeGreaterThan(100);
    // A comparison that moved is repeated; what is generated is not.
    expect(new Set(late).size / late.length).toBeGreaterThan(0.95);
  });

  test('leaves a gate as it is', async () => {
    const { report, sent } = await run(clean, { profile: 'gate', maxRequests: 800 });
    expect(report.search).toBeUndefined();
    expect(sent.length).toBeLessThan(800);
  });

  test('finds and replays what only few requests show, without what came before them', async () => {
    const fault = brokenWhere((text) => Math.abs(hashOf(text)) % 40 === 0);
    let tried = 0;
    for (const seed of [3, 4]) {
      const { found } = await run(fault, { seed });
      const name = found.find(({ rule }) => rule === RULE)?.replay ?? '';
      expect(name).toMatch(/^zap\.path\.min-return-within-amount@/);
      const again = await run(fault, { seed, replay: name });
      expect(again.results.map(({ verdict }) => verdict)).toEqual(['fail']);
      expect(again.sent.length).toBeLessThan(900);
      if (name.includes('@zap.')) tried += 1;
    }
    expect(tried).toBeGreaterThan(0);
  });
});

describe('of the reference service without fault', () => {
  // What throttles is not looked for; a new rule of which a run shows one piece at most is `once`.
  test.each([
    ['gate', 800],
    ['nightly', 2_000],
    ['release', 2_500],
  ] as const)('%s leaves only rules on throttled answers not reached', async (profile, most) => {
    const { results } = await run(clean, { profile, maxRequests: most });
    const rest = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
    const lacking = rest.filter(({ rule }) => rule.answer !== 'throttled');
    expect(lacking.map(({ rule, verdict }) => `${rule.id} ${verdict}`)).toEqual([]);
  });
});
