import type { Contract, ContractOperation } from '../document/schema.ts';
import type { Rule } from '../judging/rule.ts';
import type { View } from '../judging/view.ts';
import type { LimitMeasurement } from '../run/load/limit-measurement.ts';
import { rulesUnderLoad } from '../run/load/load-rules.ts';
import { contractOperationRules } from './contract-operations.ts';
import { eachServesRule } from './each-serves.ts';
import { responseShape } from './response-shape.ts';
import type { ValidRequests } from './valid-requests/valid-answer.ts';
import { validRequestRules } from './valid-requests/valid-request-rules.ts';

/**
 * Which records the rules of a section judge: those of every run, those of `assay limits` only, by
 * what it measured, or those of `assay load` only.
 */
export type JudgedRun = 'any' | 'limits' | 'load';

/** The rules of one section of a service's documents. */
export interface RuleSection {
  /** The name of its rules' file and of its suite's, e.g. `7-errors`. */
  readonly name: string;
  readonly judges: JudgedRun;
  readonly rules: readonly Rule[];
  /** Whether somebody's configuration brings them. */
  readonly isOwn?: true;
}

/** What a registry is made of. */
export interface RegistryOptions {
  /** In the order in which they are listed. */
  readonly sections: readonly RuleSection[];
  /** The rules of the sections on limits, by what was measured of them. */
  readonly measured: (measurements: readonly LimitMeasurement[]) => readonly Rule[];
  /** Whether the shape of what stands at a pointer of a success is the business of another rule. */
  readonly isShapedElsewhere?: (view: View, pointer: string) => boolean;
  /** What is known of valid requests and their errors; what HTTP says when absent. */
  readonly validRequests?: ValidRequests;
}

/** The section of rules that somebody's configuration brings. */
const OWN_RULES = 'own-rules';

/** A contract that states a body for any of these states what a success looks like. */
const SUCCESSES: readonly number[] = [200, 201, 202];

/** All rules of a service: the one place that says which of them judge what. */
export class RuleRegistry {
  readonly sections: readonly RuleSection[];
  /** Every rule of the service, in the order of its sections. */
  readonly all: readonly Rule[];
  /** The rules that judge exchanges of any run. */
  readonly ofExchanges: readonly Rule[];
  /** Those on measured limits: as rows like the others, but without measurements none is reached. */
  readonly onlyLimits: readonly Rule[];
  /** Those on what only load shows. */
  readonly onlyLoad: readonly Rule[];
  /** What is known of valid requests and their errors. */
  readonly validRequests: ValidRequests;
  readonly #options: RegistryOptions;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.sections = options.sections;
    this.validRequests = options.validRequests ?? {};
    this.all = options.sections.flatMap(({ rules }) => rules);
    this.ofExchanges = this.#judging('any');
    this.onlyLimits = this.#judging('limits');
    this.onlyLoad = this.#judging('load');
  }

  /** The same rules, and after them those that somebody's configuration brings. */
  with(own: readonly Rule[]): RuleRegistry {
    if (own.length === 0) return this;
    const section: RuleSection = { name: OWN_RULES, judges: 'any', rules: own, isOwn: true };
    return new RuleRegistry({ ...this.#options, sections: [...this.sections, section] });
  }

  /** What a contract has beyond the documents: operations that no rule of theirs speaks of. */
  operationsBeyond(contract: Pick<Contract, 'operations'>): ContractOperation[] {
    const stated = this.ofExchanges.filter(({ isOwn }) => isOwn !== true);
    const documented = new Set(stated.flatMap(({ operations }) => operations));
    return contract.operations.filter(({ id }) => !documented.has(id));
  }

  /**
   * The rules that a contract brings beyond those of the service. One is on the successes of each
   * operation that no rule speaks of, or whose response the documents do not show. Others are on the
   * other answers of operations that no rule speaks of, and on what becomes of valid requests to their APIs.
   */
  ofContract(contract: Pick<Contract, 'operations'>): Rule[] {
    const known = new Set(this.ofExchanges.map(({ id }) => id));
    const beyond = new Set(this.operationsBeyond(contract));
    const { isShapedElsewhere } = this.#options;
    // Of an operation that the service does not document, nothing is the business of another rule.
    const isElsewhere = (operation: ContractOperation): typeof isShapedElsewhere =>
      beyond.has(operation) ? undefined : isShapedElsewhere;
    const apis = [...new Set(contract.operations.map(({ api }) => api))];
    const ofOperations = contract.operations.flatMap((operation) => [
      ...(SUCCESSES.some((status) => operation.statesBody(status))
        ? [responseShape(operation.id, 'contract', isElsewhere(operation))]
        : []),
      ...(beyond.has(operation) ? contractOperationRules(operation) : []),
    ]);
    const ofApis = [...new Set([...beyond].map(({ api }) => api))].flatMap((api) => [
      ...validRequestRules({
        api,
        operations: [...beyond].filter((one) => one.api === api).map(({ id }) => id),
        knowledge: this.validRequests,
      }),
      eachServesRule(api, {
        source: 'contract, RFC 9110 section 15.6',
        besides: apis.filter((other) => other !== api),
      }),
    ]);
    return [...ofOperations, ...ofApis].filter(({ id }) => !known.has(id));
  }

  /** The rules to judge a run by: the service's, then those of a contract that replaces its own. */
  ofRun(contract: Pick<Contract, 'operations'>): Rule[] {
    return [...this.ofExchanges, ...this.ofContract(contract)];
  }

  /** The rules to judge the record of a load run by. */
  ofLoad(contract: Pick<Contract, 'operations'>): Rule[] {
    return this.underLoad(this.ofRun(contract));
  }

  /** Of rules that judge any run those that judge one under load, and those on load alone. */
  underLoad(rules: readonly Rule[]): Rule[] {
    return rulesUnderLoad(rules, this.onlyLoad);
  }

  /**
   * What a probe of limits is judged by: the rules on throttled answers of the APIs that limits are
   * measured of, and those on what was measured.
   */
  ofLimits(
    contract: Pick<Contract, 'operations'>,
    measurements: readonly LimitMeasurement[],
  ): Rule[] {
    const judged = this.#options.measured(measurements);
    const own = new Set(judged.map(({ id }) => id));
    const measured = new Set([...judged, ...measurements].map(({ api }) => api));
    return [
      ...this.ofRun(contract).filter(
        ({ id, api, answer }) => answer === 'throttled' && measured.has(api) && !own.has(id),
      ),
      ...judged,
    ];
  }

  /** Every rule that some run is judged by, each with which. */
  known(
    contract: Pick<Contract, 'operations'>,
  ): { readonly rule: Rule; readonly judges: JudgedRun }[] {
    const rows = (judges: JudgedRun, rules: readonly Rule[]): ReturnType<RuleRegistry['known']> =>
      rules.map((rule) => ({ rule, judges }));
    return [
      ...rows('any', this.ofRun(contract)),
      ...rows('limits', this.onlyLimits),
      ...rows('load', this.onlyLoad),
    ];
  }

  #judging(run: JudgedRun): Rule[] {
    return this.sections.filter(({ judges }) => judges === run).flatMap(({ rules }) => rules);
  }
}
