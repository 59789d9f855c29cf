import { beforeAll, describe, expect, test } from 'vitest';
import { Judge } from '../../../contracts/judging/judge.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import type { RegressionRow } from '../../../contracts/run/run.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import type { ReferenceService } from '../../../fixtures/service/reference/service.ts';
import { createVirtualClock } from '../../../fixtures/clocks/virtual-clock.ts';
import { exploreInProcess } from '../in-process.ts';
import { besideOthers, shownSince } from './drive-regressions.ts';
import type { Regression } from './regressions.ts';
import { DRIVEN } from '../../service/driving.ts';

let contract: Contract;

beforeAll(async () => {
  contract = await loadContract();
});

const SHAPE = 'zap.providers.response-shape';
const ERRORS = 'zap.errors.none-of-the-service';
const request = {
  ...({ api: 'zap', method: 'GET', path: '/v1/config/providers' } as const),
  purpose: { kind: 'unknown' } as const,
};
const was = { kind: 'valid' } as const;

function regression(rule: string, more: object = {}): Regression {
  return { name: `${rule}.1`, rule, requests: [{ request: { ...request, ...more }, was }] };
}

/** Sends regressions to a service that answers all alike. */
async function rowsOf(
  answer: (request: Request) => Response,
  regressions: readonly Regression[],
  rules: readonly string[] = [SHAPE, ERRORS],
  seed = 1,
): Promise<readonly RegressionRow[]> {
  const service: ReferenceService = {
    fetch: (_api, request) => Promise.resolve(answer(request)),
    close: () => Promise.resolve(),
  };
  const { regressions: rows = [] } = await exploreInProcess({
    driven: DRIVEN,
    ...{ service, contract, regressions, seed, profile: 'gate', maxRequests: 30 },
    clock: createVirtualClock(Date.UTC(2026, 0, 1)),
    judge: new Judge(
      RULES.filter(({ id }) => rules.includes(id)),
      contract,
    ),
    onFound: () => undefined,
  });
  return rows;
}

const wrong = (): Response => Response.json({ status: 'success', data: 7 });
const right = (): Response =>
  Response.json({ status: 'success', data: { dexes: [], bridges: [] } });
const fine = (): Response => Response.json({ status: 'success', data: {} });

test('what the same requests showed later in a run is shown', () => {
  const rows = ['not-shown', 'unclear', 'not-sent'].map((verdict) => ({
    ...{ name: 'a.1', rule: 'a', verdict: verdict as RegressionRow['verdict'], held: 3 },
  }));
  for (const row of rows) {
    expect(shownSince(row, [{ name: 'a.1', rule: 'a' }])).toEqual({
      ...{ name: 'a.1', rule: 'a', verdict: 'shown' },
    });
    expect(shownSince(row, [{ name: 'a.1', rule: 'b' }])).toBe(row);
  }
});

test('what held is not cleared while other requests at its operation break the rule', () => {
  const held: RegressionRow = { name: 'a', rule: SHAPE, verdict: 'not-shown' };
  const judge = new Judge(RULES, contract);
  const verdictOf = (row: RegressionRow, rule: string, operation: string): string => {
    const found = RULES.filter(({ id }) => id === rule).map((one) => {
      const finding = { operation, pointer: '', expected: 'a', actual: 'b', exchanges: ['x1'] };
      return { rule: one, findings: [{ ...finding, curl: '', count: 1 }] } as never;
    });
    return besideOthers(row, regression(SHAPE), found, (api, one) => judge.operationOf(api, one))
      .verdict;
  };
  expect(verdictOf(held, SHAPE, 'zap.providers')).toBe('unclear');
  expect(verdictOf(held, SHAPE, 'zap.pools')).toBe('not-shown');
  expect(verdictOf(held, ERRORS, 'zap.providers')).toBe('not-shown');
  expect(verdictOf({ ...held, verdict: 'shown' }, SHAPE, 'zap.providers')).toBe('shown');
});

describe('a run says what became of an earlier counterexample', () => {
  const name = `${SHAPE}.1`;

  test('that shows again', async () => {
    expect(await rowsOf(wrong, [regression(SHAPE)])).toEqual([
      { name, rule: SHAPE, verdict: 'shown' },
    ]);
  });

  test('that does not', async () => {
    expect(await rowsOf(right, [regression(SHAPE)])).toEqual([
      { name, rule: SHAPE, verdict: 'not-shown' },
    ]);
  });

  test.each([404, 503, 429])(
    'that was answered with %d, which its rule does not judge',
    async (status) => {
      const refused = (): Response => Response.json({}, { status });
      expect(await rowsOf(refused, [regression(SHAPE)])).toMatchObject([
        {
          verdict: 'unclear',
          reason: expect.stringContaining('no answer to its requests could be judged') as string,
        },
      ]);
    },
  );

  test('that an answer showed, and an outage shows now', async () => {
    const typed = { ...regression('zap.errors.typed-body'), isFailed: false };
    const out = (): Response => new Response('busy', { status: 503 });
    expect(await rowsOf(out, [typed], ['zap.errors.typed-body'])).toMatchObject([
      { verdict: 'unclear', reason: 'the service gave errors alone' },
    ]);
  });

  test('that shows at times, only if it is judged as often as its rate asks', async () => {
    const at = (broken: number, judged: number): Regression => ({
      ...regression(SHAPE),
      rate: { broken, judged },
    });
    expect(await rowsOf(right, [at(3, 4)])).toMatchObject([{ verdict: 'not-shown' }]);
    // The one that was found is no sample: none of three tries showed it.
    expect(await rowsOf(right, [at(1, 4)])).toMatchObject([
      {
        verdict: 'unclear',
        reason: expect.stringContaining('its rule held 20 times of the 396 that') as string,
      },
    ]);
    // Over the runs it was, though an answer of this one must say so as well.
    const after = (held: number): Regression => ({ ...at(1, 4), held });
    expect(await rowsOf(right, [after(376)])).toMatchObject([{ verdict: 'not-shown', held: 20 }]);
    expect(await rowsOf(right, [after(375)])).toMatchObject([
      {
        ...{ verdict: 'unclear', held: 20 },
        reason: expect.stringContaining('held 395 times over the runs since') as string,
      },
    ]);
    const out = (): Response => new Response('busy', { status: 503 });
    expect(await rowsOf(out, [after(396)])).toMatchObject([{ verdict: 'unclear', held: 0 }]);
    let sent = 0;
    const fifth = (): Response => ((sent += 1) === 5 ? wrong() : right());
    expect(await rowsOf(fifth, [at(3, 4)])).toMatchObject([{ verdict: 'shown' }]);
  });

  test('that is an error of the service at times, as often as its rate asks', async () => {
    const failing = 'zap.errors.none-of-the-service';
    const once = { ...regression(failing), rate: { broken: 3, judged: 4 } };
    expect(await rowsOf(right, [once], [failing])).toMatchObject([
      { verdict: 'not-shown', held: 11 },
    ]);
  });

  test('that shows if its requests are as valid as they were', async () => {
    const served = regression('zap.providers.served');
    const refused = (): Response => Response.json({ status: 'failed' }, { status: 400 });
    const rows = await rowsOf(refused, [served], ['zap.providers.served']);
    expect(rows).toMatchObject([
      { verdict: 'unclear', reason: expect.stringContaining('valid') as string },
    ]);
  });

  test('whose requests broke another rule, by the answers to the same requests', async () => {
    const asked: string[] = [];
    const counted = ({ url }: Request): Response => {
      asked.push(new URL(url).pathname);
      return Response.json({ status: 'success', data: { '1': [] } });
    };
    const other = 'zap.providers.keyed-by-chain-id';
    const both = [SHAPE, other].map((rule) => ({ ...regression(SHAPE), rule }));
    expect(await rowsOf(counted, both, [SHAPE, other])).toEqual([
      { name, rule: SHAPE, verdict: 'not-shown' },
      { name, rule: other, verdict: 'not-shown' },
    ]);
    const again = asked.slice(1).indexOf(asked[0] ?? '');
    asked.length = 0;
    await rowsOf(counted, both.slice(0, 1), [SHAPE, other]);
    expect(asked.slice(1).indexOf(asked[0] ?? '')).toBe(again);
  });

  test('whose rule is not judged', async () => {
    expect(await rowsOf(fine, [regression('zap.no.such.rule')])).toMatchObject([
      { verdict: 'unclear', reason: 'the rule is not judged in this run' },
    ]);
  });

  test('that cannot be sent', async () => {
    const unmeant = regression(SHAPE, { purpose: { kind: 'invalid', defect: 'none any more' } });
    expect(await rowsOf(fine, [unmeant])).toMatchObject([
      { verdict: 'not-sent', reason: expect.stringContaining('by the contract') as string },
    ]);
  });

  test('beyond half of the requests of the run, which has others to send', async () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ ...regression(SHAPE), name: `${at}` }));
    const rows = await rowsOf(fine, many);
    const reason = 'half of the requests of the run went to others';
    expect(rows.filter(({ verdict }) => verdict !== 'not-sent')).toHaveLength(15);
    expect(rows.map(({ name }) => name)).toEqual(many.map(({ name }) => name));
    expect(rows.find(({ verdict }) => verdict === 'not-sent')).toMatchObject({ reason });
    // Other nights begin at others, so that none is left out each time.
    const sent = new Set<string>();
    for (const seed of Array.from({ length: 12 }, (_, at) => at)) {
      const night = await rowsOf(fine, many, [SHAPE, ERRORS], seed);
      for (const { name, verdict } of night) if (verdict !== 'not-sent') sent.add(name);
    }
    expect(sent.size).toBe(40);
  });
});
