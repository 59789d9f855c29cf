import type { InHand } from '../../../contracts/judging/judge.ts';
import type { KnownRule } from '../../../contracts/release/release.ts';
import type { JudgedRun } from '../../../contracts/release/release-outcome.ts';
import { unfitness } from '../../../contracts/release/release-runs.ts';
import type { RuleRegistry } from '../../../contracts/rules/registry.ts';
import type { OwnRulesSource } from '../../../target/config/own-rules.ts';
import { RecordAltered } from '../../../target/record/record-error.ts';
import { UsageError } from '../../exit-code.ts';
import { type RecordFile, recordFiles } from '../../record/record-files.ts';
import type { TaskSetting } from '../task-setting.ts';
import { judgeAgain, readRunOf } from '../judge.ts';

/** What judging a record for a release takes. */
export interface ReleaseRunInput {
  readonly dir: string;
  /** `make`: what is no evidence is refused, and files are listed · `verify`: what differs is reported. */
  readonly purpose: 'make' | 'verify';
  /** Where the rules stand that the configuration of the run brought; they are left out when absent. */
  readonly ownRules?: OwnRulesSource;
  readonly leaveOut: readonly InHand[];
  /** When to stop by itself, on the clock of the system. */
  readonly stopAtMs: number;
}

/** A record judged for a release. */
export interface ReleaseRunOutput extends JudgedRun {
  /** Whether all of the record was judged. */
  readonly isWhole: boolean;
  /** In what the record is not the one that its run left; empty if `make` was asked for. */
  readonly altered: readonly string[];
  /** Whether its record covers its summary; those of earlier versions do not. */
  readonly isCovered: boolean;
  /** With digests; empty if `verify` was asked for. */
  readonly files: readonly RecordFile[];
  /** All rules that a release is held to. */
  readonly known: readonly KnownRule[];
}

/**
 * Judges a record again for a release, with the contracts and the waivers of its run.
 *
 * @throws UsageError when the folder holds no record, or one that is no evidence for a release
 * @throws RecordAltered when it is not the one that its run left
 * @throws RecordCorrupt when it cannot be read
 */
export async function releaseRunTask(
  { dir, purpose, ownRules, leaveOut, stopAtMs }: ReleaseRunInput,
  setting: Pick<TaskSetting, 'inHand'>,
): Promise<ReleaseRunOutput> {
  const summary = readRunOf(dir);
  const unfit = purpose === 'make' ? unfitness(summary) : undefined;
  if (unfit !== undefined) throw new UsageError(`${dir} ${unfit}. A release needs whole runs.`);
  const files = purpose === 'make' ? await recordFiles(dir) : [];
  const config = {
    contracts: [],
    allowRefs: [],
    ...(ownRules === undefined ? {} : { rules: ownRules }),
  };
  const input = { dir, config, waivers: 'of its run', leaveOut, stopAtMs } as const;
  const again = await judgeAgain(summary, input, setting);
  const { recorded, judged, contract, registry, differences } = again;
  const { altered } = differences;
  const isCovered = judged.lines.beginning !== undefined;
  if (purpose === 'make' && !isCovered) throw new UsageError(`${dir} ${UNCOVERED}`);
  if (purpose === 'make' && altered.length > 0) throw new RecordAltered(altered.join('; '));
  const { run, isWhole } = judged;
  return {
    recorded,
    judged: run,
    isWhole,
    altered,
    isCovered,
    files,
    known: knownRules(registry.known(contract)),
  };
}

/** Why a record of an earlier version is no evidence for a release. */
const UNCOVERED =
  'was written by an earlier version of Assay, or made to look so: its chain covers neither its settings nor its end, so that anybody could have edited them. A release needs runs of this version.';

/** The rules of all kinds of runs, each with the kind that it takes. */
function knownRules(rows: ReturnType<RuleRegistry['known']>): KnownRule[] {
  const known = new Map<string, KnownRule>();
  for (const { rule, judges } of rows) {
    const { id, level, source, api } = rule;
    const kind = judges === 'any' ? 'check' : judges;
    if (!known.has(id)) known.set(id, { id, level, source, kind, api });
  }
  return [...known.values()];
}
