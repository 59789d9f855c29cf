/**
 * What the exchanges of a record stand between, as lines of their chain: the settings of the run first, how it
 * ended last. `run.json` is made from these and from the exchanges. After the end stand digests of what judging
 * wrote of it.
 */

import type { RuleChoice } from '../judging/rule-choice.ts';
import { omit } from '../wire/json.ts';
import type { RunJson, RunKind, RunReplayed } from './run.ts';

/** Members of `run.json` that are settled when a run begins; of `choice`, what it leaves out is computed. */
const SETTINGS = [
  'tool',
  'startedAt',
  'seed',
  'profile',
  'replay',
  'command',
  'choice',
  'ownRules',
  'labels',
  'waivers',
  'target',
  'contract',
  'budget',
] as const;

type Setting = (typeof SETTINGS)[number];

/** The first line: the settings of the run. */
export interface RecordBeginning extends Pick<RunJson, Exclude<Setting, 'choice'>> {
  readonly kind: RunKind;
  readonly choice?: RuleChoice;
}

/** The last line: how the run ended, before any of it was judged. */
export interface RecordEnd extends Pick<
  RunJson,
  'complete' | 'endedAt' | 'counts' | 'notices' | 'failure' | 'search' | 'regressions'
> {
  /** Of a replay: what the finding said then, as far as that is reported. */
  readonly replayed?: Pick<RunReplayed, 'then'>;
  /** From the beginning to the end of the run, on a clock that nobody sets. */
  readonly lengthMs: number;
  /** SHA-256, in hex, of the other files of the record, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** A line of a record that is no exchange. */
export type RecordLine =
  | { readonly run: RecordBeginning }
  | { readonly end: RecordEnd }
  /** The digest of a `run.json` that the run wrote once it was judged, and of the files that it made of it. */
  | {
      readonly judged: {
        readonly sha256: string;
        readonly files?: Readonly<Record<string, string>>;
      };
    };

/** What a person must know first of a record of an earlier version. */
export const NOT_COVERED =
  'The chain of this record does not cover its run.json, since an earlier version wrote it: target, labels, credentials, choice of rules and levels, waivers, seed, budget, start and end, whether it is complete, its notices and its tool are believed as they stand there.';

/** The first line of the record of a run that has just begun. */
export function beginningOf(run: RunJson, kind: RunKind): RecordBeginning {
  const all = Object.fromEntries(SETTINGS.flatMap((name) => settingIn(run, name)));
  return { kind, ...all } as unknown as RecordBeginning;
}

/** Settings in which a summary departs from the first line of its record. */
export function otherSettings(run: RunJson, beginning: RecordBeginning): string[] {
  // Summaries of earlier versions have no kind.
  const one = beginningOf(run, run.kind ?? beginning.kind);
  const names = ['kind', ...SETTINGS] as const;
  return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(beginning[name]));
}

/** A summary with the settings of the first line in place of its own. */
export function withSettings(run: RunJson, beginning: RecordBeginning): RunJson {
  const { choice, ...settings } = beginning;
  const rest = SETTINGS.reduce<object>((left, name) => omit(left, name as never), run);
  const leftOut = run.choice?.leftOut ?? { must: 0, should: 0, observe: 0 };
  return {
    ...(rest as RunJson),
    ...settings,
    ...(choice === undefined ? {} : { choice: { ...choice, leftOut } }),
  };
}

function settingIn(run: RunJson, name: Setting): (readonly [string, unknown])[] {
  const value = run[name];
  if (value === undefined) return [];
  return [[name, name === 'choice' ? omit(value as object, 'leftOut' as never) : value]];
}
