import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { releaseDifferences } from '../../contracts/release/release-differences.ts';
import { releaseOf } from '../../contracts/release/release-outcome.ts';
import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { writeJudged } from '../record/record.ts';
import { judgeAgainTask } from './judge.ts';
import { recordRun } from './release/certificate.testkit.ts';
import { releaseRunTask } from './release/release-run.ts';

const watched = { inHand: new Int32Array(2) };
const NEVER = Number.MAX_SAFE_INTEGER;
const FIRST = 'ours.broken';
const SECOND = 'ours.throws';

let home = '';
let dir = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-own-'));
  dir = join(home, 'record');
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

/** A configuration whose first rule says that answers are broken or not, and whose second may throw. */
function rules(first: string, second = '[]', name = 'own.mjs'): { path: string } {
  const rule = (id: string, judge: string): string =>
    `{ scope: 'exchange', id: '${id}', level: 'must', source: 'ours', protects: 'It is so.',
       api: 'zap', operations: '*', answer: 'success', leastEvidence: 1, judge: () => ${judge} }`;
  const path = join(home, name);
  writeFileSync(
    path,
    `export default { rules: [${rule(FIRST, first)}, ${rule(SECOND, second)}] };`,
  );
  return { path };
}

const BROKEN = "[{ pointer: '', expected: 'more', actual: 'less' }]";

async function again(own?: { path: string }): Promise<RunJson> {
  const config = { contracts: [], allowRefs: [], ...(own === undefined ? {} : { rules: own }) };
  const setting = { waivers: 'of its run', leaveOut: [], stopAtMs: NEVER } as const;
  return (await judgeAgainTask({ dir, config, ...setting }, watched)).run;
}

function rowOf({ rules: rows }: RunJson, id = FIRST): RunRuleRow | undefined {
  return rows.find((row) => row.id === id);
}

test('they are judged, distinguished, and judged again if the configuration is at hand', async () => {
  const ownRules = rules(BROKEN);
  const run = await recordRun(dir, 'r1', { ownRules });
  expect(run.ownRules?.file).toBe('own.mjs');
  expect(rowOf(run)).toMatchObject({ verdict: 'fail', evidence: 4, own: 'judged' });
  expect(run.rules.filter(({ own }) => own !== undefined)).toHaveLength(2);
  const judged = await again(ownRules);
  expect(rowOf(judged)).toEqual(rowOf(run));
  expect(judged.notices).toEqual(run.notices);
});

test('without the configuration nothing is said of them, nor of an outcome that rests on them', async () => {
  await recordRun(dir, 'r1', { ownRules: rules('[]'), choice: ONLY_OURS });
  const judged = await again();
  expect(rowOf(judged)).toMatchObject({
    ...{ verdict: 'not-reached', evidence: 0, own: 'not-at-hand' },
    reason: expect.stringContaining('its run said pass') as string,
  });
  expect(rowOf(judged, 'zap.json-keys-are-unique')?.verdict).toBe('pass');
  expect(judged.outcome).toBe('undecided');
  expect(judged.notices).toEqual([
    `Not judged again: ${FIRST}, ${SECOND}. The configuration of the run brought these rules; --config FILE names it.`,
  ]);
  expect((await again(rules('[]', '[]', 'same.mjs'))).outcome).toBe('conforms');
});

test('what comes out otherwise by another configuration is reported, and no sign that the record was altered', async () => {
  const run = await recordRun(dir, 'r1', { ownRules: rules('[]'), choice: ONLY_OURS });
  expect(run.outcome).toBe('conforms');
  const judged = await again(rules(BROKEN, '[]', 'other.mjs'));
  expect(judged.outcome).toBe('does-not-conform');
  expect(judged.notices).toEqual([`Judged otherwise than in its run: ${FIRST} (pass, now fail).`]);
});

test('rules that the run did not have are reported', async () => {
  await recordRun(dir, 'r1');
  const judged = await again(rules('[]'));
  expect(judged.notices).toEqual([
    `Rules of the configuration that its run did not have: ${FIRST}, ${SECOND}.`,
  ]);
});

test('one that throws is reported as its own fault, and leaves the run undecided', async () => {
  const ownRules = rules('[]', "{ throw new Error('no member'); }");
  const run = await recordRun(dir, 'r1', { ownRules, choice: ONLY_OURS });
  expect(run.failure).toBeUndefined();
  expect(run.outcome).toBe('undecided');
  expect(rowOf(run, SECOND)).toMatchObject({ verdict: 'inconclusive' });
  const reported = `A rule of the configuration failed, which says nothing of the target: judging x00001 by ${SECOND} failed: no member (and it failed at 3 more exchanges).`;
  expect(run.notices).toEqual([reported]);
  expect((await again(ownRules)).notices).toEqual([reported]);
});

test('a certificate on them is checked as far as they are at hand, and what is not is named', async () => {
  const ownRules = rules('[]');
  writeJudged(dir, await recordRun(dir, 'r1', { ownRules }));
  const judged = async (own?: { path: string }, purpose: 'make' | 'verify' = 'verify') => {
    const at = own === undefined ? {} : { ownRules: own };
    return releaseRunTask({ dir, purpose, leaveOut: [], stopAtMs: NEVER, ...at }, watched);
  };
  const released = (run: Awaited<ReturnType<typeof judged>>) =>
    releaseOf({
      ...{ release: '1', issuedAt: '2026-01-03T00:00:00.000Z', runs: [run] },
      known: run.known,
    });
  const certified = released(await judged(ownRules, 'make'));
  const differing = async (own?: { path: string }) => {
    const now = await judged(own);
    return releaseDifferences(certified, released(now), [now], isDeepStrictEqual);
  };
  expect(await differing(ownRules)).toMatchObject({ verdicts: [], claims: [], notAtHand: [] });
  expect(await differing()).toMatchObject({
    ...{ verdicts: [], newlyBroken: [], claims: [], notAtHand: [FIRST, SECOND] },
  });
  const other = await differing(rules(BROKEN, '[]', 'other.mjs'));
  expect(other.verdicts.map(({ rule, then, now }) => [rule, then, now])).toEqual([
    [FIRST, 'pass', 'fail'],
  ]);
});

/** One rule of the document holds as well, so that something is decided without ours. */
const ONLY_OURS = {
  only: ['ours.*', 'zap.json-keys-are-unique'],
  skip: [],
  levels: [],
  failOn: 'must',
} as const;
