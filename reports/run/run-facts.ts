import type { Clause } from '../../contracts/judging/clause.ts';
import type { Waiver } from '../../contracts/judging/judge.ts';
import type { Observation } from '../../contracts/judging/ledger.ts';
import type { RuleChoice } from '../../contracts/judging/rule-choice.ts';
import type { LimitMeasurement } from '../../contracts/run/load/limit-measurement.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { AtTimesRow } from '../../contracts/run/at-times.ts';
import type { RunSimulation } from '../../contracts/run/run-simulation.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import type {
  Counterexample,
  MeasuredLimit,
  RegressionRow,
  RunBudget,
  RuleChoiceRow,
  RunJson,
  RunReplayed,
  RunRuleRow,
  RunSearch,
  RunTarget,
} from '../../contracts/run/run.ts';

/** What is known of a run besides its exchanges. */
export interface RunFacts {
  readonly tool: RunJson['tool'];
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly kind?: RunJson['kind'];
  readonly seed: number;
  readonly profile: RunJson['profile'];
  readonly replay?: string;
  readonly choice: RuleChoice;
  readonly labels: Readonly<Record<string, string>>;
  /** Rules that the choice leaves out, by level. */
  readonly leftOut: RuleChoiceRow['leftOut'];
  readonly target: RunTarget;
  readonly budget?: RunBudget;
  readonly contract: RunJson['contract'];
  readonly record: RunJson['record'];
  readonly waivers: readonly Waiver[];
  /** Which rules its configuration brought. */
  readonly ownRulesRow?: NonNullable<RunJson['ownRules']>;
  /** What the run said of rules that its configuration brought, and that are not at hand any more. */
  readonly notAtHand?: readonly RunRuleRow[];
  /** Whether the run ended before it was through. */
  readonly cutShort: boolean;
  readonly notices: readonly string[];
  /** Why a rule has no verdict if its exchanges, or some of them, were not judged; then nothing is said of what APIs did. */
  readonly notJudged?: string;
  /** How Assay itself failed, if it did. */
  readonly failure?: string;
  /** Of the document, to say with broken rules what they hold. */
  readonly clauses: readonly Clause[];
  /** The variables of the environment that hold a credential of an API; none if absent. */
  readonly keyVariables?: Readonly<Partial<Record<ApiName, string>>>;
  /** The rows of the ledger that follow from measured limits. */
  readonly limitLedger: (measurements: readonly LimitMeasurement[]) => readonly Observation[];
  /** The smallest requests found that show broken rules. */
  readonly counterexamples: readonly Counterexample[];
  /** Of a run that looked for rate limits: what it measured. Such a run judges nothing else. */
  readonly limits?: readonly MeasuredLimit[];
  /** Of a load run: what it came to, its answers apart. */
  readonly load?: RunLoad;
  /** What generating until the budget was spent has reached. */
  readonly search?: RunSearch;
  /** The command line that checks the same target, without what a replay adds. */
  readonly command?: string;
  /** Of a replay: what the finding said then, as far as that is reported. */
  readonly replayed?: Pick<RunReplayed, 'then'>;
  /** Builds that nodes have executed; none when absent. */
  readonly simulations?: readonly RunSimulation[];
  /** What was refused at times, of the requests of a drive; nothing is known of it when absent. */
  readonly refusedAtTimes?: readonly AtTimesRow[];
  /** What became of the counterexamples of earlier runs. */
  readonly regressions?: readonly RegressionRow[];
}
