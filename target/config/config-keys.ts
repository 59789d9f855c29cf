import { resolve } from 'node:path';
import { MAX_FILE_BYTES, USUAL_FILE_BYTES } from '../../contracts/document/contract-limits.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { readLoad } from './config-load.ts';
import {
  readAddress,
  readContracts,
  readFailOn,
  readHeaders,
  readHosts,
  readKnown,
  readLabels,
  readLevels,
  ownCode,
  readProfile,
  readReplay,
  readWaivers,
  readWords,
} from './config-readers.ts';
import type { ApiUrlKey, TargetConfig } from './config-types.ts';
import { readBaseUrl, readPositive, textOf, wholeNumber, type Reader } from './config-value.ts';
import { readGenerators } from './own-generators.ts';
import { readRelations } from './own-relations.ts';
import { readRules } from './own-rules.ts';
import { readOwnService } from './own-service.ts';

/** A key of the configuration that is the same for all services. */
export type CommonKey = Exclude<keyof TargetConfig, 'warnings' | ApiUrlKey>;

/** A key of the configuration. */
export type ConfigKey = CommonKey | ApiUrlKey;

/** How a key is read, and what it is when nobody sets it. */
export interface KeySpec {
  readonly read: Reader;
  readonly default?: unknown;
  /** Too rich for a flag or a variable. */
  readonly fileOnly?: true;
  /** The name, in camel case, of the flag and the variable, which give one value of a list. */
  readonly single?: string;
}

/**
 * All keys of the configuration of a service: the base URLs of its APIs, then those that are the same
 * for all services.
 */
export function configKeysOf(apis: readonly ApiName[]): Readonly<Record<ConfigKey, KeySpec>> {
  const urls = apis.map((api) => [`${api}Url`, { read: readBaseUrl }] as const);
  return { ...Object.fromEntries(urls), ...COMMON_KEYS };
}

/**
 * The seed has no default here, since chance has no place here; those of the budget depend on the
 * profile.
 */
const COMMON_KEYS: Readonly<Record<CommonKey, KeySpec>> = {
  timeoutMs: { read: wholeNumber(1, 3_600_000), default: 10_000 },
  maxBodyBytes: { read: wholeNumber(1, 10_485_760), default: 4_194_304 },
  maxRecordBytes: { read: wholeNumber(1, Number.MAX_SAFE_INTEGER), default: 1_073_741_824 },
  maxRequests: { read: wholeNumber(1, Number.MAX_SAFE_INTEGER) },
  maxRate: { read: readPositive },
  maxSeconds: { read: readPositive },
  maxRejects: { read: wholeNumber(1, Number.MAX_SAFE_INTEGER) },
  sourceIp: { read: readAddress },
  headers: { read: readHeaders, default: [], single: 'header' },
  ca: { read: (value, { dir }) => resolve(dir, textOf(value, 'the path of a PEM file')) },
  labels: { read: readLabels, default: {}, single: 'label' },
  seed: { read: wholeNumber(-2_147_483_648, 2_147_483_647) },
  profile: { read: readProfile, default: 'gate' },
  regressions: { read: (value, { dir }) => resolve(dir, textOf(value, 'the path of a folder')) },
  replay: { read: readReplay },
  out: { read: (value, { dir }) => resolve(dir, textOf(value, 'the path of a folder')) },
  contracts: { read: readContracts, default: [] },
  maxContractBytes: { read: wholeNumber(1, MAX_FILE_BYTES), default: USUAL_FILE_BYTES },
  allowRefs: { read: readHosts, default: [], single: 'allowRef' },
  known: { read: readKnown, fileOnly: true },
  load: { read: readLoad, fileOnly: true },
  only: { read: readWords, default: [] },
  skip: { read: readWords, default: [] },
  levels: { read: readLevels, default: [], fileOnly: true },
  failOn: { read: readFailOn, default: 'must' },
  waivers: { read: readWaivers, default: [], fileOnly: true },
  rules: { read: ownCode(readRules), fileOnly: true },
  relations: { read: ownCode(readRelations), fileOnly: true },
  generators: { read: ownCode(readGenerators), fileOnly: true },
  service: { read: readOwnService, fileOnly: true },
};
