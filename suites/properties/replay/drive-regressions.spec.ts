import { beforeAll, describe, expect, test } from 'vitest';
import { Judge } from '../../../contracts/judging/judge.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import type { RegressionRow } from '../../../contracts/run/run.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import type { ReferenceService } from '../../../fixtures/service/reference/service.ts';
import { createVirtualClock } from '../../../fixtures/clocks/virtual-clock.ts';
import { exploreInProcess } from '../in-process.ts';
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
  answer: () => Response,
  regressions: readonly Regression[],
  rules: readonly string[] = [SHAPE, ERRORS],
): Promise<readonly RegressionRow[]> {
  const service: ReferenceService = {
    fetch: () => Promise.resolve(answer()),
    close: () => Promise.resolve(),
  };
  const { regressions: rows = [] } = await exploreInProcess({
    driven: DRIVEN,
    ...{ service, contract, regressions, seed: 1, profile: 'gate', maxRequests: 30 },
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
const fine = (): Response => Response.json({ status: 'success', data: {} });

describe('a run says what became of an earlier counterexample', () => {
  const name = `${SHAPE}.1`;

  test('that shows again', async () => {
    expect(await rowsOf(wrong, [regression(SHAPE)])).toEqual([
      { name, rule: SHAPE, verdict: 'shown' },
    ]);
  });

  test('that does not', async () => {
    const notFound = (): Response => Response.json({}, { status: 404 });
    expect(await rowsOf(notFound, [regression(SHAPE)])).toMatchObject([{ verdict: 'not-shown' }]);
  });

  test('that shows if its requests are as valid as they were', async () => {
    const served = regression('zap.providers.served');
    const refused = (): Response => Response.json({ status: 'failed' }, { status: 400 });
    const rows = await rowsOf(refused, [served], ['zap.providers.served']);
    expect(rows).toMatchObject([
      { verdict: 'unclear', reason: expect.stringContaining('valid') as string },
    ]);
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

  test('that came after the end', async () => {
    const many = Array.from({ length: 40 }, () => regression(SHAPE));
    const rows = await rowsOf(fine, many);
    expect(rows.at(-1)).toMatchObject({ verdict: 'not-sent', reason: 'the run ended before' });
    expect(rows).toHaveLength(40);
  });
});
