import { describe, expect, test } from 'vitest';
import type { Decorator } from '../../fixtures/service/faults/fault.ts';
import { rewriteJson, ZAP_ROUTED } from '../../fixtures/service/faults/rewrite.ts';
import { hashOf } from './hash.ts';
import { clean, run } from './search.testkit.ts';

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

  test('ends, and says so, if an API goes away meanwhile', async () => {
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
    expect(sent.length).toBeLessThan(900);
  });

  test('finds and replays what only few requests show, without what came before them', async () => {
    const fault = brokenWhere((text) => Math.abs(hashOf(text)) % 40 === 0);
    const seed = 3;
    const { found } = await run(fault, { seed });
    const name = found.find(({ rule }) => rule === RULE)?.replay ?? '';
    expect(name).toMatch(/^zap\.path\.min-return-within-amount@zap\./);
    const again = await run(fault, { seed, replay: name });
    expect(again.results.map(({ verdict }) => verdict)).toEqual(['fail']);
    expect(again.sent.length).toBeLessThan(900);
  });
});
