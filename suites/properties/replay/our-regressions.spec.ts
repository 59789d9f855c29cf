import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Judge } from '../../../contracts/judging/judge.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { packageRoot } from '../../../contracts/document/package-root.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import { VARIANTS } from '../../../fixtures/service/variants/variants.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../../fixtures/service/reference/index.ts';
import { createVirtualClock } from '../../../fixtures/clocks/virtual-clock.ts';
import { exploreInProcess } from '../in-process.ts';
import { IN_PROCESS_URLS } from '../../service/in-process-urls.ts';
import { readRegressions } from './regressions.ts';
import { DRIVEN } from '../../service/driving.ts';

// Requests that showed something wrong with Assay's own services once, to be tried on all of them.
const { regressions: OURS } = readRegressions(
  join(packageRoot(import.meta.url), 'fixtures', 'regressions'),
);

let contract: Contract;

beforeAll(async () => {
  contract = await loadContract();
});

describe.each(OURS)('$name', ({ name, rule, requests }) => {
  test.each([{ id: 'clean', apply: undefined, options: {} }, ...VARIANTS])(
    '$id',
    async ({ apply, options }) => {
      const clock = createVirtualClock(Date.UTC(2026, 0, 1));
      const environment = { now: () => clock.nowMs(), randomUint32: () => 1 };
      const required = { seed: 1, environment, baseUrls: IN_PROCESS_URLS };
      const plain = createReferenceService({ ...defaultReferenceOptions(required), ...options });
      // Variants with chains of other numbers serve these requests as others, so no other rule counts.
      const judge = new Judge(
        RULES.filter(({ id }) => id === rule),
        contract,
      );
      await exploreInProcess({
        driven: DRIVEN,
        service: apply === undefined ? plain : apply(plain, 1),
        contract,
        seed: 1,
        clock,
        profile: 'gate',
        maxRequests: 10,
        judge,
        regressions: [{ name, rule, requests }],
        replay: { rule, origin: `regression:${name}` },
        onFound: () => undefined,
      });
      const broken = judge.results().filter(({ verdict }) => ['fail', 'warn'].includes(verdict));
      expect(broken.map(({ rule: { id } }) => id)).toEqual([]);
      expect(judge.counts.exchanges).toBe(requests.length);
    },
  );
});
