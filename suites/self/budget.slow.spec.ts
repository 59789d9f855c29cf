import { expect, test } from 'vitest';
import { assay, runOf, scratch } from './command-line.ts';

const folder = scratch();

test('a budget that ends before a verdict leaves the run undecided, and says how to go on', async () => {
  const dir = folder();
  const { code, said } = await assay(['check', '--max-requests', '20', '--out', dir]);
  expect(code).toBe(3);
  expect(said).toContain('the budget of 20 requests is used up. --max-requests allows more');
  expect(said).toContain('The rest was left out, from: ');
  expect(runOf(dir)).toMatchObject({ outcome: 'undecided', complete: false });
  expect(runOf(dir).counts.requests).toBe(20);
});

test('so does time', async () => {
  const dir = folder();
  const { code, said } = await assay([
    'check',
    '--max-seconds',
    '3',
    '--max-rate',
    '5',
    '--out',
    dir,
  ]);
  expect(code).toBe(3);
  expect(said).toContain('the budget of 3 seconds is used up. --max-seconds allows more');
});
