import { expect, test } from 'vitest';
import { Judge } from '../../../contracts/judging/judge.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../../fixtures/service/reference/index.ts';
import { createVirtualClock } from '../../../fixtures/clocks/virtual-clock.ts';
import { createRandom } from '../../drive/random.ts';
import type { Stage } from '../../driven-service.ts';
import { exploreInProcess } from '../../properties/in-process.ts';
import { DRIVEN } from '../driving.ts';
import { IN_PROCESS_URLS } from '../in-process-urls.ts';

/** `--only` leaves out stages by what they say of themselves: what is not said would not be asked. */
test('each stage asks what it says it asks, and marks relations only if it says so', async () => {
  const contract = await loadContract();
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(1);
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const service = createReferenceService(
    defaultReferenceOptions({ seed: 1, environment, baseUrls: IN_PROCESS_URLS }),
  );
  let current: Stage | undefined;
  let asked = 0;
  const unsaid = new Set<string>();
  await exploreInProcess({
    driven: {
      ...DRIVEN,
      stagesOf: (session, unasked) =>
        DRIVEN.stagesOf(session as never, unasked).map((stage) => ({
          ...stage,
          run: () => {
            current = stage;
            return stage.run();
          },
        })),
    },
    ...{ service, contract, seed: 1, clock, profile: 'gate', driveOnly: true, maxRequests: 2_000 },
    judge: new Judge([], contract),
    onFound: () => undefined,
    listener: ({ api, request, relations }) => {
      if (current === undefined) return;
      asked += 1;
      const id = contract.find(api, request.method, request.path)?.id;
      const { name, asks, relates } = current;
      if (asks !== undefined && id !== undefined && !asks.includes(id))
        unsaid.add(`${name}: ${id}`);
      if (relates === false && relations.length > 0) unsaid.add(`${name}: relations`);
    },
  });
  await service.close();
  expect(asked).toBeGreaterThan(400);
  expect([...unsaid]).toEqual([]);
});
