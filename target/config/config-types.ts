import type { ProfileName } from '../../contracts/judging/profile.ts';
import type { FailOn, RuleChoice } from '../../contracts/judging/rule-choice.ts';
import type { RunBudget } from '../../contracts/run/run.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { WrittenLoad } from './config-load.ts';
import type { OwnRulesSource } from './own-rules.ts';
import type { OwnService } from './own-service.ts';

/** Where to read the contract of an API from, as the user named it. */
export interface ContractSource {
  readonly api?: ApiName;
  /** An absolute file path or an http(s) URL. */
  readonly location: string;
}

/** What a user states of a chain that the target does not list itself. */
export interface KnownChainHint {
  readonly id: number;
  readonly tokens: readonly string[];
  readonly providers: readonly string[];
}

/** A header field that every request to an API carries, or to all of them. */
export interface ExtraHeader {
  readonly api?: ApiName;
  readonly name: string;
  /** As it is, or `$ASSAY_SECRET_NAME`, whose value is taken from the environment when it is sent. */
  readonly value: string;
}

/** A known failure that does not fail the run until its expiry. */
export interface Waiver {
  /** Rule id. */
  readonly rule: string;
  /** Id of an operation of the contract: what is broken elsewhere is not accepted. */
  readonly operation?: string;
  readonly reason: string;
  readonly owner: string;
  /** Last day on which it holds, `YYYY-MM-DD`, UTC. */
  readonly expires: string;
}

/** The key of an API's base URL, e.g. `booksUrl`. */
export type ApiUrlKey = `${ApiName}Url`;

/**
 * The target and the budget of a run: plain data without secrets, frozen all the way down, fit for
 * another thread. Base URLs have no trailing slash; an API without one is not tested.
 */
export interface TargetConfig {
  /** The base URL of the API of this name. */
  readonly [url: ApiUrlKey]: string | undefined;
  /** For one whole exchange. */
  readonly timeoutMs: number;
  /** Cap on one response body after decoding. */
  readonly maxBodyBytes: number;
  /** Cap on the exchanges of the record. */
  readonly maxRecordBytes: number;
  readonly maxRequests: number;
  /** Requests per second over all APIs; unlimited when absent. */
  readonly maxRate?: number;
  /** Wall time of the run. */
  readonly maxSeconds: number;
  /** Throttled answers. */
  readonly maxRejects: number;
  /** Local address to send from. */
  readonly sourceIp?: string;
  /** Header fields of the user. */
  readonly headers: readonly ExtraHeader[];
  /** Absolute path of certificate authorities to trust besides those of Node, in PEM. */
  readonly ca?: string;
  /** What the user says of the run: a build, a commit. */
  readonly labels: Readonly<Record<string, string>>;
  readonly seed: number;
  /** How thorough the run is; decides what is not said of the budget. */
  readonly profile: ProfileName;
  /** Absolute path of the folder of counterexamples that are tried first, and where new ones go. */
  readonly regressions?: string;
  /** The one finding to show again, as findings name it. */
  readonly replay?: string;
  /** Absolute path of the folder for the run record. */
  readonly out?: string;
  readonly contracts: readonly ContractSource[];
  /** Hosts, with a port or without, that references in contracts may lead to besides their own. */
  readonly allowRefs: readonly string[];
  /** Of one file of a contract; all files together may have twice as much. */
  readonly maxContractBytes: number;
  /** Hints for a target whose listings are not at hand. */
  readonly known?: { readonly chains: readonly KnownChainHint[] };
  /** Load scenarios and thresholds of one's own. */
  readonly load?: WrittenLoad;
  /** Where rules of one's own stand, or relations, which have rules; absent if there are none. */
  readonly rules?: OwnRulesSource;
  /** Where relations of one's own stand; absent if there are none. */
  readonly relations?: OwnRulesSource;
  /** Where generators of one's own stand; absent if there are none. */
  readonly generators?: OwnRulesSource;
  /** The service that is tested in place of the built-in one. */
  readonly service?: OwnService;
  readonly waivers: readonly Waiver[];
  /** Words for the rules that are judged; all rules if there are none. */
  readonly only: readonly string[];
  /** Words for the rules that are left out. */
  readonly skip: readonly string[];
  readonly levels: RuleChoice['levels'];
  readonly failOn: FailOn;
  /** What a person should hear, though nothing is wrong: e.g. unknown variables. */
  readonly warnings: readonly string[];
}

/** What the configuration chooses of the rules. */
export function choiceOf({ only, skip, levels, failOn }: TargetConfig): RuleChoice {
  return { only, skip, levels, failOn };
}

/** What the run may spend, of all that the configuration says. */
export function budgetOf(budget: Required<RunBudget>): Required<RunBudget> {
  const { maxRequests, maxSeconds, maxRejects, timeoutMs, maxBodyBytes, maxRecordBytes } = budget;
  return { maxRequests, maxSeconds, maxRejects, timeoutMs, maxBodyBytes, maxRecordBytes };
}

/** Where the configuration has rules of one's own, as a member for the setting of a run. */
export function ownRulesOf({ rules }: Pick<TargetConfig, 'rules'>): {
  readonly ownRules?: OwnRulesSource;
} {
  return rules === undefined ? {} : { ownRules: rules };
}

/** Where a configuration has code of one's own, which a thread loads by itself. */
export function ownCodeOf({
  rules,
  generators,
}: Pick<TargetConfig, 'rules' | 'generators'>): OwnRulesSource | undefined {
  return rules ?? generators;
}

/** The base URL of an API, or undefined when the target has none. */
export function baseUrlOf(config: Pick<TargetConfig, ApiUrlKey>, api: ApiName): string | undefined {
  return config[`${api}Url`];
}

/** The variable that names the base URL of an API, e.g. `ASSAY_BOOKS_URL`. */
export function urlVariableOf(api: ApiName): string {
  return `ASSAY_${api.replaceAll('-', '_').toUpperCase()}_URL`;
}

const URL_KEY = 'Url';

/** The APIs that have a base URL, each with it, in the order of the configuration's keys. */
export function baseUrlsOf(config: Pick<TargetConfig, ApiUrlKey>): Record<ApiName, string> {
  const entries = Object.entries(config as Readonly<Record<string, unknown>>).flatMap(
    ([key, url]) =>
      key.endsWith(URL_KEY) && typeof url === 'string'
        ? [[key.slice(0, -URL_KEY.length), url] as const]
        : [],
  );
  return Object.fromEntries(entries);
}
