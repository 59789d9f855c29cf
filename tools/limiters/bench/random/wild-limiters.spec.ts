import { expect, test } from 'vitest';
import { wildRows } from './wild-limiters.testkit.ts';

/** Seeds of limiters that are found quickly; `npm run bench:limits -- --random` tries many. */
const QUICK = [2, 22];

test.each(QUICK)(
  'the service of seed %i is found, and alike when it is probed again',
  async (seed) => {
    const [once, again] = [await wildRows(seed, 1), await wildRows(seed, 1)];
    expect(once.reported).toBe('');
    const [row] = once.rows;
    expect(row).toMatchObject({ grade: 'right', kind: 'identified', seed });
    expect({ ...again.rows[0], computingSeconds: 0 }).toEqual({ ...row, computingSeconds: 0 });
  },
);
