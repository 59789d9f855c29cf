import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/service/faults/catalogue.ts';
import { VARIANTS } from '../../fixtures/service/variants/variants.ts';
import { installLightFetch } from '../../target/transport/light-fetch.ts';
import { liveAndAgain } from './self-test-records.testkit.ts';

installLightFetch();
const root = mkdtempSync(join(tmpdir(), 'assay-records-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const SERVICES = [...FAULTS, ...VARIANTS];
/**
 * What comes back from files, and goes through the task that judges them; `npm run test:calibration` judges all
 * of them so, and `assay self-test` judges the lines of each in memory.
 */
const EVERY = 150;

test('records of faults and variants judged again say what was said while they were driven', async () => {
  for (const service of SERVICES.filter((_, at) => at % EVERY === 0)) {
    const dir = join(root, service.id);
    const { live, again } = await liveAndAgain(dir, service);
    expect(again, service.id).toEqual(live);
    rmSync(dir, { recursive: true });
  }
});
