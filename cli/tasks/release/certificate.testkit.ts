import { writeFileSync } from 'node:fs';
import { exchangeOf } from '../../../contracts/judging/exchange.testkit.ts';
import { EVERY_RULE } from '../../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../../contracts/run/run.ts';
import { releaseOf, type JudgedRun } from '../../../contracts/release/release-outcome.ts';
import {
  certificateText,
  type Statement,
  statementOf,
} from '../../../reports/certificate/certificate.ts';
import type { RunSetting } from '../../run-setting.ts';
import { recordRun as recordSealed } from '../recorded-run.testkit.ts';
import { releaseRunTask } from './release-run.ts';

const NEVER = Number.MAX_SAFE_INTEGER;
const watched = { inHand: new Int32Array(2) };

/** What the runs of these specs are made with. */
export const SETTING: RunSetting = {
  recordId: 'r1',
  startedAt: new Date('2026-01-02T03:04:05Z'),
  seed: 1,
  profile: 'gate',
  target: { kind: 'remote', urls: { zap: 'http://127.0.0.1' }, credentials: [] },
  waivers: [],
  choice: EVERY_RULE,
  labels: { commit: 'a1' },
};

/** A record as a run leaves it: so many good answers, then one that breaks a rule. */
export async function recordRun(
  dir: string,
  recordId: string,
  changes: Partial<RunSetting> = {},
): Promise<RunJson> {
  const exchanges = [{}, {}, {}, { data: 'none' }].map((answer, at) =>
    exchangeOf({
      id: `x0000${at + 1}`,
      path: '/v1/config/providers',
      answered: { status: 'success', data: {}, ...answer },
    }),
  );
  return recordSealed(dir, { setting: { ...SETTING, recordId, ...changes }, exchanges });
}

/** A record judged again, as `assay verify` does. */
export function judgedOf(dir: string): Promise<JudgedRun> {
  return releaseRunTask({ dir, purpose: 'verify', leaveOut: [], stopAtMs: NEVER }, watched);
}

/** The statement on these records. */
export async function statementFor(dirs: readonly string[]): Promise<Statement> {
  const done = await Promise.all(
    dirs.map((dir) =>
      releaseRunTask({ dir, purpose: 'make', leaveOut: [], stopAtMs: NEVER }, watched),
    ),
  );
  const files = done.flatMap(({ judged, files: runFiles }) =>
    runFiles.map((file) => ({ ...file, name: `${judged.record.id}/${file.name}` })),
  );
  const [first, ...more] = done;
  if (first === undefined) throw new Error('a statement needs a run');
  const release = releaseOf({
    ...{ release: '1.2', issuedAt: '2026-01-03T00:00:00.000Z', runs: [first, ...more] },
    known: first.known,
    scope: ['zap'],
  });
  const marks = files.flatMap(({ name, lineMarks }) =>
    lineMarks === undefined ? [] : [[name, lineMarks] as const],
  );
  return statementOf(
    { ...release, lineMarks: Object.fromEntries(marks) },
    files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
  );
}

/** Writes the certificate on these records. */
export async function certify(file: string, dirs: readonly string[]): Promise<void> {
  writeFileSync(file, certificateText(await statementFor(dirs)));
}
