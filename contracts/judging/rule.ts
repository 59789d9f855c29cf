import type { ApiName, RecordedRequest } from '../wire/exchange.ts';
import type { View } from './view.ts';

/**
 * `must`: the document states it, or a client that follows the document is hurt when it is broken ·
 * `should`: it follows from what it states, or an RFC says it · `observe`: unspecified.
 */
export type Level = 'must' | 'should' | 'observe';

/** One way in which one or more exchanges break a rule. */
export interface Broken {
  /** JSON pointer into the response body, or `""` for the response as a whole. */
  readonly pointer: string;
  /** What the document asks for, in words or as a value. */
  readonly expected: string;
  /** What was there, numbers as they stood in the raw text. */
  readonly actual: string;
  /**
   * How often, places that differ only in array positions and numeric keys added up; once when
   * absent. A list that is broken throughout need not be reported item by item.
   */
  readonly times?: number;
}

/**
 * The result of looking at one exchange or one group: `null` when it holds nothing that the rule
 * speaks of, else the ways in which the rule is broken; none means that the rule held.
 */
export type Judgement = readonly Broken[] | null;

/** The same of one exchange; `too much`: to judge the answer takes more than Assay gives it. */
export type AnswerJudgement = Judgement | 'too much';

/**
 * Which answers a rule speaks of: `success` 2xx · `error` any other status that is no throttling ·
 * `throttled` a rate limit was exceeded · `answered` success or error · `any` also failures to
 * answer, but no throttling · `responded` success, error or throttled: only for rules on throttling,
 * since a throttled answer says nothing of any other promise.
 */
export type Answer = 'success' | 'error' | 'throttled' | 'answered' | 'any' | 'responded';

/** What a rule cannot do without. */
export interface RuleNeeds {
  /** APIs that are asked besides its own. */
  readonly apis: readonly ApiName[];
  /** Fit to follow `it needs`, if all of them are configured. */
  readonly also: string;
}

interface RuleBase {
  /** Words joined by dots and hyphens; its place in the files, on the command line, in reports. */
  readonly id: string;
  readonly level: Level;
  /** The level of its row, where the user's configuration gives it another. */
  readonly statedLevel?: Level;
  /**
   * `§n.n`, `card`, `implied by §n.n`, or an RFC section; a must that is only implied says in
   * brackets what becomes of a client: `(loses money)`, `(transaction fails)` or `(no service)`.
   */
  readonly source: string;
  /** One sentence: what a user of the service can rely on while the rule holds. */
  readonly protects: string;
  /**
   * One sentence: the answer of a plausible wrong service that a piece of this rule's evidence
   * excludes. What such a service would answer just the same is no evidence.
   */
  readonly rulesOut?: string;
  readonly api: ApiName;
  /** Further APIs whose exchanges come to it, where answers of several are compared with each other. */
  readonly besides?: readonly ApiName[];
  /** Operation ids it applies to; `*` for everything under its API, documented or not. */
  readonly operations: readonly string[] | '*';
  readonly answer: Answer;
  /**
   * The kind of relation that an exchange must be marked with to come to the rule at all; whatever
   * its relations when absent.
   */
  readonly relation?: string;
  /**
   * Whether a run can give no more evidence than this, however much it sends. All that it shows of an
   * operation is one piece, so that a profile which asks for more evidence asks no more of this.
   */
  readonly once?: true;
  /**
   * What it says of a service under load, where what fails for lack of capacity is for thresholds:
   * nothing, since it takes requests to be sent one after the other, and again where they failed; or
   * what it says without errors of the server.
   */
  readonly underLoad?: 'not judged' | 'without failures';
  /** What the user of a run has to give so that it is reached, where other requests would not do. */
  readonly needs?: RuleNeeds;
  /** Whether it is about secrets in answers, so that names in their place are what it looks for. */
  readonly looksForSecrets?: true;
  /** Whether somebody's configuration brings it: where it fails, that is no fault of Assay. */
  readonly isOwn?: true;
  /** Fewer pieces of evidence than this make the verdict `not-reached`. */
  readonly leastEvidence: number;
}

/** A rule over single exchanges; each one that is judged is a piece of evidence. */
export interface ExchangeRule extends RuleBase {
  readonly scope: 'exchange';
  readonly judge: (view: View) => AnswerJudgement;
}

/** What remains of an exchange once its facts are taken: enough to name it and to send it again. */
export interface Witness {
  readonly id: string;
  readonly request: RecordedRequest;
  /** The variable whose name stands in place of its value in what is compared, if one does. */
  readonly replaced?: string | undefined;
  /** Its number among the requests of the run, where these are known. */
  readonly at?: number | undefined;
}

/** A fact that a run rule took from one exchange. */
export interface Collected<Fact> {
  readonly fact: Fact;
  readonly witness: Witness;
}

/** What a run rule says of one group of exchanges; each that is judged is a piece of evidence. */
export interface GroupJudgement {
  readonly witnesses: readonly Witness[];
  /** `inconclusive`: the world moved between the exchanges. */
  readonly judgement: Judgement | 'inconclusive';
  /** Why a group that was there says nothing, as a clause; only of a judgement that is null or `inconclusive`. */
  readonly why?: string;
}

/** A name that an answer gives to something. */
export interface Named {
  readonly name: string;
  /** What it is given to: the same may be given the same name again. */
  readonly of: string;
  /** The Idempotency-Key of the request, whose replays may repeat the answer; empty without one. */
  readonly key: string;
}

/**
 * A rule over several exchanges. It takes small facts from each exchange as it comes and concludes
 * at the end. So the memory of a long run does not grow with the bodies that went by.
 */
export interface RunRule<Fact = unknown> extends RuleBase {
  readonly scope: 'run';
  readonly collect: (view: View) => Fact | null;
  /** What a fact takes to keep, in things of a few dozen bytes; 1 when absent. */
  readonly weigh?: (fact: Fact) => number;
  /** What a fact names, where a name is to be of one thing: under load all answers are compared by it. */
  readonly nameOf?: (fact: Fact) => Named;
  /** Facts of one name take the place of each other: only the latest is kept. All are when absent. */
  readonly latestOf?: (fact: Fact) => string;
  readonly conclude: (facts: readonly Collected<Fact>[]) => readonly GroupJudgement[];
}

/** A pure judgement over exchanges. */
export type Rule = ExchangeRule | RunRule;

/** A rule over single exchanges. */
export function exchangeRule(rule: Omit<ExchangeRule, 'scope'>): Rule {
  return { ...rule, scope: 'exchange' };
}

/** A rule over several exchanges; the type of its facts is its own business. */
export function runRule<Fact>(rule: Omit<RunRule<Fact>, 'scope'>): Rule {
  // The judge hands back only what `collect` of the same rule returned.
  return { ...rule, scope: 'run' } as unknown as Rule;
}
