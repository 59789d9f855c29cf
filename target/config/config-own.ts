/** What a service of one's own, and code of one's own, mean for the other keys of a configuration. */

import type { ApiName } from '../../contracts/wire/exchange.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import type { ConfigFile } from './config-file.ts';
import type { ContractSource } from './config-types.ts';
import { Unwanted } from './config-value.ts';
import { readJudging } from './own-rules.ts';
import { type OwnService, readOwnService } from './own-service.ts';

/** The APIs of a service of one's own; undefined without one, and where what is written is none. */
export function ownApis(file: ConfigFile | undefined): readonly ApiName[] | undefined {
  const written = file?.values.service;
  if (file === undefined || written === undefined) return undefined;
  try {
    return readOwnService(written, { typed: true, dir: file.dir, apis: [] }).apis;
  } catch (error) {
    if (error instanceof Unwanted) return undefined;
    throw error;
  }
}

/** Flags for the base URLs of other APIs, which would be without effect. */
export function otherApiProblems(
  {
    flags,
    apis,
  }: {
    readonly flags: Readonly<Record<string, unknown>>;
    readonly apis: readonly ApiName[];
  },
  own: readonly ApiName[],
): ConfigProblem[] {
  return apis
    .filter((api) => !own.includes(api) && flags[`${api}Url`] !== undefined)
    .map((api) => ({
      key: `${api}Url`,
      from: `flag --${api}-url`,
      wanted: `no URL but of the APIs of the configured service: ${own.join(', ')}`,
    }));
}

/**
 * A relation has a rule, so that its id is one of those of the rules.
 *
 * @throws {ConfigError} when one has the id of another
 */
export function refuseTakenTwice(file: ConfigFile | undefined, apis: readonly ApiName[]): void {
  if (file === undefined) return;
  try {
    readJudging(file.values, apis);
  } catch (error) {
    if (!(error instanceof Unwanted)) throw error;
    const value = error.shown ?? '';
    const problem = { key: 'relations', from: `file ${file.name}`, value, wanted: error.message };
    throw new ConfigError([problem]);
  }
}

/** Base URLs of a service of one's own that nothing else names, and its documents before others. */
export function addService(
  values: Record<string, unknown>,
  { apis, urls, documents }: OwnService,
): void {
  for (const [api, url] of Object.entries(urls)) values[`${api}Url`] ??= url;
  const [first] = apis;
  const contracts = (values.contracts as readonly ContractSource[]).map((contract) =>
    contract.api === undefined && first !== undefined ? { ...contract, api: first } : contract,
  );
  values.contracts = [...documents, ...contracts];
}
