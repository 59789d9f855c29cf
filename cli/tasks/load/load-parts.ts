/** What the parts of a load run say, as far as the whole takes it over from them. */

import { NOT_COVERED } from '../../../contracts/run/record-lines.ts';
import { given, omit } from '../../../contracts/wire/json.ts';
import { EVERY_RULE, type RuleChoice } from '../../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../../contracts/run/run.ts';
import type { TargetConfig } from '../../../target/config/config-types.ts';
import type { LoadPart, PlacedPart } from '../../../load/merge/part.ts';
import { parseThreshold, type Threshold } from '../../../contracts/run/load/threshold.ts';
import { isNeverServedOff } from '../../../load/never-served.ts';
import { withUsual } from '../../../load/usual-thresholds.ts';
import { UsageError } from '../../exit-code.ts';
import type { RunEnd, RunSetting } from '../../run-setting.ts';

/** A part and the record that describes it. */
export interface PartRun extends LoadPart {
  readonly dir: string;
  readonly run: RunJson;
}

/** One whose place in the run is known. */
export type PlacedRun = PartRun & PlacedPart;

/**
 * The part that a record describes, judged again.
 *
 * @param name of the folder as the user gave it
 * @throws UsageError when it is a record of something else
 */
export function partOf(name: string, dir: string, run: RunJson): PartRun {
  const { load, startedAt, seed, contract, target, record } = run;
  if (load === undefined) {
    throw new UsageError(
      `${name} has nothing to merge: it is no record of assay load, or its run was killed before it had sent all`,
    );
  }
  if (record.head === undefined) {
    throw new UsageError(
      `${name} was not judged to its end, so it is not known whether it is whole: --max-seconds allows more`,
    );
  }
  if (run.notices.includes(NOT_COVERED)) {
    throw new UsageError(
      `${name} was written by an earlier version of Assay, or made to look so: its chain covers no settings, and that of the merged record would. Merge it with the version that wrote it`,
    );
  }
  return {
    ...{ name, dir, run, load, seed },
    // Preparing takes each part its own time.
    startedAtMs: load.part?.beganAtMs ?? Date.parse(startedAt),
    contract: contract.sha256,
    target: Object.entries(target.urls)
      .map((pair) => pair.join(' '))
      .sort()
      .join(', '),
  };
}

/**
 * What the whole run begins with: what its parts have in common, the waivers of the configuration, and
 * the labels that somebody gives it besides those that all parts agree on.
 *
 * @throws UsageError when they judged by different rules
 */
export function settingOfWhole(
  parts: readonly PlacedRun[],
  { waivers, labels, rules }: Pick<TargetConfig, 'waivers' | 'labels' | 'rules'>,
): Omit<RunSetting, 'recordId'> {
  const [first] = parts;
  if (first === undefined) throw new Error('there are no parts');
  const { seed, profile, target } = first.run;
  const choice = choiceOf(first);
  const other = parts.find((one) => JSON.stringify(choiceOf(one)) !== JSON.stringify(choice));
  if (other !== undefined) {
    throw new UsageError(
      `${other.name} chose other rules than ${first.name} (--only, --skip, --fail-on, levels): judge both by the same`,
    );
  }
  return {
    startedAt: new Date(Math.min(...parts.map(({ run }) => Date.parse(run.startedAt)))),
    ...{ seed, profile, waivers, choice },
    ...given({ ownRules: rules }),
    labels: { ...agreedLabels(parts), ...labels },
    target: {
      ...target,
      credentials: [...new Set(parts.flatMap(({ run }) => run.target.credentials))],
    },
  };
}

function choiceOf({ run: { choice } }: PlacedRun): RuleChoice {
  return choice === undefined ? EVERY_RULE : omit(choice, 'leftOut');
}

function agreedLabels(parts: readonly PlacedRun[]): Readonly<Record<string, string>> {
  const [first, ...others] = parts.map(({ run }) => run.labels ?? {});
  const agreed = Object.entries(first ?? {}).filter(([name, value]) =>
    others.every((labels) => Object.hasOwn(labels, name) && labels[name] === value),
  );
  return Object.fromEntries(agreed);
}

/**
 * What the whole is held to, as it is written: thresholds of flags before those of the configuration,
 * and those of the parts of what neither speaks of.
 *
 * @throws ThresholdError
 */
export function thresholdsOfWhole(
  parts: readonly PlacedRun[],
  flags: readonly string[],
  written: TargetConfig['load'],
): readonly string[] {
  const ofParts = parts.flatMap(({ load }) => load.thresholds.map(({ expression }) => expression));
  return heldTo(parts[0]?.load.scenario ?? '', [...new Set(ofParts)], { flags, written });
}

/**
 * What a run is held to when it is merged: what is asked for then, and of what that does not speak, what
 * it was held to before.
 *
 * @throws ThresholdError
 */
export function heldTo(
  scenario: string,
  before: readonly string[],
  asked: { readonly flags: readonly string[]; readonly written: TargetConfig['load'] },
): readonly string[] {
  const { flags, written } = asked;
  const own = written?.scenarios ?? {};
  const ofScenario = Object.hasOwn(own, scenario) ? (own[scenario]?.thresholds ?? []) : [];
  const wanted = [flags, ofScenario, written?.thresholds ?? []].reduceRight<readonly Threshold[]>(
    (weaker, texts) => withUsual(texts.map(parseThreshold), weaker),
    [],
  );
  const left = before.map(parseThreshold).filter((one) => !isNeverServedOff(one, wanted));
  return withUsual(wanted, left).map(({ expression }) => expression);
}

/** Of one part no more is reported. */
const MAX_NOTICES = 20;

/** How the whole run ended: as its parts did. What all of them say is said once. */
export function endOfWhole(parts: readonly PlacedRun[]): RunEnd {
  const notices = parts.map(({ run }) => run.notices.slice(0, MAX_NOTICES));
  const common = (notices[0] ?? []).filter((one) => notices.every((all) => all.includes(one)));
  const names = parts.map(({ name }) => name).join(', ');
  const failed = parts.find(({ run }) => run.failure !== undefined);
  return {
    cutShort: parts.some(({ run }) => !run.complete),
    endedAt: new Date(Math.max(...parts.map(({ run }) => Date.parse(run.endedAt)))),
    notices: [
      `Merged of the records of ${parts.length} parts: ${names}.`,
      ...common,
      ...parts.flatMap(({ index }, at) =>
        (notices[at] ?? [])
          .filter((one) => !common.includes(one))
          .map((one) => `Part ${index}: ${one}`),
      ),
    ],
    ...given({ failure: failed && `Part ${failed.index}: ${failed.run.failure ?? ''}` }),
  };
}
