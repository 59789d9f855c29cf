import { expect, test } from 'vitest';
import { EXAMPLE_LOAD } from './load/load-run.testkit.ts';
import { wholeOutcome } from './whole-outcome.ts';

const held = { ...EXAMPLE_LOAD, thresholds: EXAMPLE_LOAD.thresholds.slice(0, 1) };
const broken = { ...held, thresholds: [{ expression: 'p99<1ms', measured: 9, held: false }] };
const late = { ...held, invalid: ['The machine had other things to do.'] };
const none = { ...held.whole.counts, served: 0 };
const unserved = { ...held, whole: { ...held.whole, counts: none } };

test.each([
  ['conforms', { outcome: 'conforms' }, []],
  ['conforms', { outcome: 'conforms', load: held }, []],
  [
    'does-not-conform',
    { outcome: 'conforms', load: broken },
    ['threshold p99<1ms of load broken: was 9 ms'],
  ],
  [
    'does-not-conform',
    { outcome: 'undecided', load: broken },
    ['threshold p99<1ms of load broken: was 9 ms'],
  ],
  ['does-not-conform', { outcome: 'does-not-conform', load: late }, []],
  [
    'undecided',
    { outcome: 'conforms', load: late },
    ['figures of load do not count: The machine had other things to do'],
  ],
  [
    'undecided',
    { outcome: 'conforms', load: unserved },
    ['none of the 200 requests of the load was served'],
  ],
  // What Assay failed at may be why the threshold is broken.
  ['undecided', { outcome: 'undecided', load: broken, failure: 'it broke' }, ['Nobody answered']],
  ['undecided', { outcome: 'undecided', load: held }, ['Nobody answered']],
  [
    'undecided',
    {
      outcome: 'conforms',
      load: { ...late, interrupted: { atSeconds: 6.04, ofSeconds: 20 }, unanswered: 85 },
    },
    ['the load was interrupted after 6 of 20 s, and 85 of its requests had no answer yet'],
  ],
] as const)('a run comes to %s: %j', (outcome, run, reasons) => {
  const found = wholeOutcome({ ...run, notices: ['Nobody answered.'] });
  expect(found.outcome).toBe(outcome);
  expect(found.reasons).toEqual(reasons);
  // Asked again of what it made, it says the same.
  const again = wholeOutcome({ ...run, outcome: found.outcome, notices: ['Nobody answered.'] });
  expect(again.outcome).toBe(outcome);
});
