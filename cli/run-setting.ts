import type { ProfileName } from '../contracts/judging/profile.ts';
import type { RuleChoice } from '../contracts/judging/rule-choice.ts';
import type {
  RegressionRow,
  RunBudget,
  RunKind,
  RunReplayed,
  RunSearch,
  RunTarget,
} from '../contracts/run/run.ts';
import type { Recorded } from '../target/record/recorder.ts';
import type { OwnRulesSource } from '../target/config/own-rules.ts';
import type { Waiver } from '../contracts/judging/verdict.ts';

/** What is known of a run when it begins: plain data, fit for another thread. */
export interface RunSetting {
  readonly recordId: string;
  /** Absent of what no run of Assay recorded. */
  readonly kind?: RunKind;
  readonly startedAt: Date;
  readonly seed: number;
  readonly profile: ProfileName;
  readonly replay?: string;
  /** The command line that checks the same target, without what a replay adds. */
  readonly command?: string;
  readonly choice: RuleChoice;
  readonly labels: Readonly<Record<string, string>>;
  readonly target: RunTarget;
  /** Absent of merged runs, which send nothing. */
  readonly budget?: RunBudget;
  readonly waivers: readonly Waiver[];
  /** Where rules of one's own stand; absent if there are none. */
  readonly ownRules?: OwnRulesSource;
}

/** How a run ended. */
export interface RunEnd {
  /** Whether it ended before it was through. */
  readonly cutShort: boolean;
  /** When it ended, if that was not just now. */
  readonly endedAt?: Date;
  readonly notices: readonly string[];
  /** How Assay itself failed, if it did. */
  readonly failure?: string;
  /** What was recorded, by whoever did; absent if nobody was left to say, as of a thread that was ended. */
  readonly recorded?: Recorded;
  /** What generating until the budget was spent has reached. */
  readonly search?: RunSearch;
  /** Of a replay: what the finding said then, as far as that is reported. */
  readonly replayed?: Pick<RunReplayed, 'then'>;
  /** What became of the counterexamples of earlier runs. */
  readonly regressions?: readonly RegressionRow[];
}
