import type { ChosenRules, RuleChoice } from './rule-choice.ts';
import { choose } from './rule-choice.ts';
import type { Rule } from './rule.ts';

/** How thorough a run is: on every change, every night, or before a release. */
export type ProfileName = 'gate' | 'nightly' | 'release';

/** How far operations beyond the document are driven. */
export interface ContractDepth {
  /** The plain request, boundaries, and others. */
  readonly requestsPerOperation: number;
  /** Beyond the first of each, over all operations of an API; what throttles them is not counted. */
  readonly mostRequests: number;
}

/** What a profile may spend, and what it asks for. */
export interface Profile {
  /** Requests in all, if nothing else is said. */
  readonly maxRequests: number;
  readonly maxSeconds: number;
  /** Throttled answers. */
  readonly maxRejects: number;
  /** Generated cases of each kind of request that every run of the profile sends. */
  readonly casesEach: number;
  /** Whether it goes on generating until the budget of requests or seconds is spent. */
  readonly searches: boolean;
  /** This many chains are asked for their pools, and this many pools in detail. */
  readonly chainsAsked: number;
  /** Sequences of each life cycle. */
  readonly lifeCycles: number;
  /** For the operations that a contract has beyond the document. */
  readonly contractDepth: ContractDepth;
  /** Every rule needs this many times its least evidence. */
  readonly evidenceFactor: number;
}

/** All profiles. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  gate: {
    maxRequests: 1_000,
    maxSeconds: 600,
    maxRejects: 40,
    casesEach: 8,
    searches: false,
    chainsAsked: 6,
    lifeCycles: 1,
    contractDepth: { requestsPerOperation: 7, mostRequests: 150 },
    evidenceFactor: 1,
  },
  nightly: {
    maxRequests: 10_000,
    maxSeconds: 4 * 3_600,
    maxRejects: 1_000,
    casesEach: 24,
    searches: true,
    chainsAsked: 30,
    lifeCycles: 5,
    contractDepth: { requestsPerOperation: 40, mostRequests: 3_000 },
    evidenceFactor: 1,
  },
  release: {
    maxRequests: 20_000,
    maxSeconds: 8 * 3_600,
    maxRejects: 2_000,
    casesEach: 24,
    searches: true,
    chainsAsked: 100,
    lifeCycles: 10,
    contractDepth: { requestsPerOperation: 100, mostRequests: 8_000 },
    evidenceFactor: 2,
  },
};

/** All names of profiles, the quickest first. */
export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];

/** The rules as a profile asks for them. */
export function rulesOfProfile(rules: readonly Rule[], profile: ProfileName): readonly Rule[] {
  const { evidenceFactor } = PROFILES[profile];
  if (evidenceFactor === 1) return rules;
  return rules.map((rule) =>
    // What throttles is not looked for, so what comes of itself is enough.
    rule.once === true || rule.answer === 'throttled'
      ? rule
      : { ...rule, leastEvidence: rule.leastEvidence * evidenceFactor },
  );
}

/** What decides which rules a run is judged by. */
export interface RulesOfRun {
  readonly profile: ProfileName;
  readonly choice: RuleChoice;
  /** The one finding to show again, as reports name it: only its rule is judged. */
  readonly replay?: string;
}

/** The rules of a run, and what its user left out. */
export function rulesOfRun(
  rules: readonly Rule[],
  { profile, choice, replay }: RulesOfRun,
): ChosenRules {
  const asked = rulesOfProfile(rules, profile);
  const only = replay?.split('@')[0];
  if (only === undefined) return choose(asked, choice);
  // What is shown again is no run of which anything could be left out.
  return choose(
    asked.filter(({ id }) => id === only),
    { ...choice, only: [], skip: [] },
  );
}
