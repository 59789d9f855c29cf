import { describe, expect, test } from 'vitest';
import type { LoadGenerator } from '../contracts/run/load/load-run.ts';
import { omit } from '../contracts/wire/json.ts';
import { loadRow } from '../contracts/run/load/load-run.testkit.ts';
import { invalidities, togetherInvalid, type ValidityInput } from './validity.ts';

function input(
  generator: Partial<LoadGenerator> = {},
  changes: Partial<ValidityInput> = {},
): ValidityInput {
  const { counts, latency } = loadRow({ served: 1000 });
  return {
    generator: {
      fireLagP99Ms: 2,
      eventLoopUtilization: 0.3,
      waitedAtCeiling: 0,
      dropped: 0,
      cpuSeconds: 1,
      ...generator,
    },
    counts,
    latency,
    connections: 256,
    isScheduled: true,
    ...changes,
  };
}

describe('the figures of a run', () => {
  const why = (...given: Parameters<typeof input>): readonly string[] =>
    invalidities(input(...given)).invalid;

  test('count if the generator kept its schedule, or nearly', () => {
    expect(invalidities(input())).toEqual({ invalid: [] });
    expect(why({ eventLoopUtilization: 0.8, waitedAtCeiling: 10 })).toEqual([]);
    const another = omit(input().generator, 'eventLoopUtilization');
    expect(invalidities({ ...input(), generator: another }).invalid).toEqual([]);
  });

  test.each<[string, Partial<LoadGenerator>, RegExp, 'timing' | undefined]>([
    ['a request was never sent', { dropped: 1 }, /^1 of 1001 requests .* never sent/, undefined],
    [
      'requests left late',
      { fireLagP99Ms: 121, lateRequests: 30, hiccups: 30 },
      /^30 of 1000 requests left, or were read, more than 5 ms after their time, one in 100 by 121 ms/,
      'timing',
    ],
    [
      'requests left late, as records of earlier versions state',
      { fireLagP99Ms: 121 },
      /left 121 ms or more after its time/,
      'timing',
    ],
    [
      'the event loop was active, and nobody knows of its CPU',
      { eventLoopUtilization: 0.801 },
      /^The event loop that sends was active 80.1 % .*Why is not known; often other programs/,
      'timing',
    ],
    ['requests waited', { waitedAtCeiling: 20 }, /20 of 1000 requests waited for one of/, 'timing'],
  ])('do not where %s', (_what, generator, sentence, invalidOnly) => {
    const found = invalidities(input(generator));
    expect(found.invalid).toHaveLength(1);
    expect(found.invalid[0]).toMatch(sentence);
    expect(found.invalidOnly).toBe(invalidOnly);
  });

  test('say what the generator used of the cores, and not why it was late if that was little', () => {
    const late = { fireLagP99Ms: 121, lateRequests: 30, hiccups: 30 };
    const by = 'k6, with the script that judges,';
    expect(why(late, { used: { by, share: 0.1, cores: 2 } })[0]).toContain(
      `${by} used 10 % of all cores, so why is not known; often other programs`,
    );
    const own = why(late, { used: { by, share: 0.62, cores: 2 } })[0];
    expect(own).toContain(`${by} used 62 % of all cores, so a lower rate`);
    expect(own).not.toContain('other programs');
    expect(why(late)[0]).toContain('Why is not known; often other programs');
  });

  test('advise a lower rate only if there is a rate', () => {
    const used = { by: 'Assay', share: 0.46, cores: 2 };
    const busy = input({ eventLoopUtilization: 0.9 }, { used });
    expect(invalidities(busy).invalid[0]).toMatch(/^The sending thread was busy 90 % of its time/);
    expect(invalidities(busy).invalid[0]).toMatch(/A lower rate, a smaller --judge-share or/);
    const closed = invalidities({ ...busy, isScheduled: false }).invalid[0];
    expect(closed).toMatch(/generator\. A smaller --judge-share or several machines help\.$/);
  });

  test('call a thread busy only if CPU time shows it, and blame no rate for what a machine did', () => {
    const used = { by: 'Assay', share: 0.013, cores: 2 };
    const starved = why({ eventLoopUtilization: 0.921 }, { used });
    expect(starved).toHaveLength(1);
    expect(starved[0]).toContain('active 92.1 %');
    expect(starved[0]).toContain('Assay used 2.6 % of one core');
    expect(starved[0]).not.toMatch(/busy|rate|--judge-share/);
  });

  test.each<[string, number, Partial<LoadGenerator>, number]>([
    ['one request of 50', 50, { lateRequests: 1, hiccups: 1 }, 0],
    ['ten of 50 in one hiccup', 50, { lateRequests: 10, hiccups: 1 }, 0],
    ['three of 50, each by itself', 50, { lateRequests: 3, hiccups: 3 }, 1],
    ['nearly all of 50, for a second', 50, { lateRequests: 45, hiccups: 1 }, 1],
    ['12 of 1000, each by itself', 1000, { lateRequests: 12, hiccups: 12 }, 0],
    ['300 of 3600 in five seconds', 3600, { lateRequests: 300, hiccups: 5 }, 1],
  ])('count or not by what is certain: %s late', (_what, served, late, reasons) => {
    const { counts, latency } = loadRow({ served });
    const found = why({ fireLagP99Ms: 150, ...late }, { counts, latency });
    expect(found).toHaveLength(reasons);
  });

  test('are not turned by a single request of 50 that waited for a connection', () => {
    const { counts } = loadRow({ served: 50 });
    expect(why({ waitedAtCeiling: 1 }, { counts })).toEqual([]);
    expect(why({ waitedAtCeiling: 5 }, { counts })).toHaveLength(1);
  });

  test('are none if this machine allows fewer connections than were wanted', () => {
    const waited = input({ waitedAtCeiling: 400 }, { whyFewConnections: 'It may open 256 files' });
    const found = invalidities(waited);
    expect(found.invalid[0]).toMatch(/400 of 1000 requests waited .*It may open 256 files\.$/);
    expect(found.invalidOnly).toBeUndefined();
  });

  test('count if a lag is a small part of what was measured', () => {
    const { latency } = loadRow({}, { p99Ms: 300 });
    const late = { lateRequests: 40, hiccups: 40 };
    expect(why({ ...late, fireLagP99Ms: 59 }, { latency })).toEqual([]);
    expect(why({ ...late, fireLagP99Ms: 61 }, { latency })).toHaveLength(1);
    const none = loadRow({ served: 0, failed: 10 }, { p99Ms: 300 });
    expect(why({ ...late, fireLagP99Ms: 29 }, none)).toHaveLength(1);
  });

  test('do not if a lag is all of what one step took, and a small part of another', () => {
    const { latency } = loadRow({}, { p99Ms: 4_000 });
    const quick = loadRow({}, { p99Ms: 30 });
    const late = { lateRequests: 400, hiccups: 40, fireLagP99Ms: 60 };
    expect(why(late, { latency })).toEqual([]);
    expect(why(late, { latency, steps: [{ latency }, quick] })).toHaveLength(1);
  });

  test('name the reason for being late that the engine knows, and no other programs', () => {
    const late = { lateRequests: 400, hiccups: 40, fireLagP99Ms: 600 };
    const [words = ''] = why(late, { whyLate: 'k6 added VUs' });
    expect(words).toContain(' k6 added VUs. ');
    expect(words).not.toContain('programs');
  });

  test('know no lag if there is no schedule', () => {
    const late = { fireLagP99Ms: 500, lateRequests: 900, hiccups: 90 };
    expect(why(late, { isScheduled: false })).toEqual([]);
  });

  test('are none if nothing was sent', () => {
    const { counts } = loadRow({ served: 0 });
    expect(invalidities(input({}, { counts }))).toEqual({ invalid: ['Nothing was sent.'] });
    expect(why({}, { counts, unanswered: 9 })).toEqual([
      'Nothing was answered before the run was ended.',
    ]);
    const problems = ['9 requests are in no sample.'];
    expect(why({}, { counts, unknown: 9, problems })).toEqual(problems);
  });

  test('count what was given up as the run was ended among what left late or waited', () => {
    const { counts } = loadRow({ served: 9 });
    const late = { fireLagP99Ms: 32, lateRequests: 41, hiccups: 41, waitedAtCeiling: 20 };
    const [one, other] = why(late, { counts, unanswered: 150 });
    expect(one).toMatch(/^41 of 159 requests left/);
    expect(other).toMatch(/^20 of 159 requests waited/);
  });

  test('are none if the engine says that something else went wrong', () => {
    const late = { fireLagP99Ms: 90, lateRequests: 90, hiccups: 90 };
    const found = invalidities(input(late, { problems: ['It broke.'] }));
    expect(found.invalid).toHaveLength(2);
    expect(found.invalidOnly).toBeUndefined();
  });
});

describe('what parts say together', () => {
  const late = { invalid: ['late'], invalidOnly: 'timing' } as const;

  test('touches times alone if that holds for each of them', () => {
    expect(togetherInvalid([{ invalid: [] }, { invalid: [] }])).toEqual({ invalid: [] });
    expect(togetherInvalid([late, { invalid: [] }])).toEqual(late);
    expect(togetherInvalid([late, { invalid: ['lost'] }])).toEqual({ invalid: ['late', 'lost'] });
  });
});
