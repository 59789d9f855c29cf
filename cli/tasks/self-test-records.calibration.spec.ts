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
/** This many to a test, so that one that fails says where. */
const EACH = 40;
const PARTS = Array.from({ length: Math.ceil(SERVICES.length / EACH) }, (_, at) => at * EACH);

test.each(PARTS)(
  'records of faults and variants from number %i on judged again say what was said live',
  async (from) => {
    for (const service of SERVICES.slice(from, from + EACH)) {
      const dir = join(root, service.id);
      const { live, again } = await liveAndAgain(dir, service);
      expect(again, service.id).toEqual(live);
      rmSync(dir, { recursive: true });
    }
  },
);
