import type { ProfileName } from '../../contracts/judging/profile.ts';
import type { Level, Rule } from '../../contracts/judging/rule.ts';
import type { FailOn } from '../../contracts/judging/rule-choice.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { KnownChainHint, Waiver } from './config-types.ts';
import type { OwnGenerator } from './own-generators.ts';
import type { OwnRelation } from './own-relations.ts';
import type { WrittenService } from './own-service.ts';

/**
 * Keys of a configuration file as they are written, before they are checked; docs/guide/configuration.md says what each means.
 *
 * @typeParam Api names of the APIs, each of which has a key for its base URL: without credentials; an API
 *   without one is not tested
 */
export type WrittenValues<Api extends ApiName = ApiName> = CommonValues &
  Readonly<Partial<Record<`${Api}Url`, string>>>;

/** Keys that are the same for all services. */
export interface CommonValues {
  readonly timeoutMs?: number;
  readonly maxBodyBytes?: number;
  readonly maxRecordBytes?: number;
  readonly maxRequests?: number;
  /** Requests per second over all APIs. */
  readonly maxRate?: number;
  readonly maxSeconds?: number;
  /** Throttled answers. */
  readonly maxRejects?: number;
  readonly sourceIp?: string;
  /** `[api=]Name: value`; a value `$ASSAY_SECRET_NAME` is read from the environment. */
  readonly headers?: readonly string[];
  /** Path of a PEM file. */
  readonly ca?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly seed?: number;
  readonly profile?: ProfileName;
  /** Path of a folder. */
  readonly regressions?: string;
  readonly replay?: string;
  /** Path of a folder. */
  readonly out?: string;
  /** `[api=]FILE` or `[api=]URL`. */
  readonly contracts?: readonly string[];
  readonly allowRefs?: readonly string[];
  readonly maxContractBytes?: number;
  readonly known?: { readonly chains: readonly Partial<KnownChainHint>[] };
  /** Scenarios by name, and thresholds for all of them. */
  readonly load?: Readonly<Record<string, unknown>>;
  readonly only?: string | readonly string[];
  readonly skip?: string | readonly string[];
  /** Levels by rule id, glob, section, operation or API. */
  readonly levels?: Readonly<Record<string, Level>>;
  readonly failOn?: FailOn;
  readonly waivers?: readonly Waiver[];
  /** Rules of one's own, each made by `exchangeRule` or `runRule`. */
  readonly rules?: readonly Rule[];
  /** Relations of one's own, each made by `relation`. */
  readonly relations?: readonly OwnRelation[];
  /** Generators of one's own, each made by `generator`. */
  readonly generators?: readonly OwnGenerator[];
  /** A service of one's own, in place of the built-in one. */
  readonly service?: WrittenService;
}

/** A configuration file as it is written. */
export type WrittenConfig<Api extends ApiName = ApiName> = WrittenValues<Api> & {
  /** Values in place of those above, by the name that `--env` takes. */
  readonly environments?: Readonly<Record<string, WrittenValues<Api>>>;
};
