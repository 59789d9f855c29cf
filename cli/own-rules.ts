import type { Contract } from '../contracts/document/schema.ts';
import type { Rule } from '../contracts/judging/rule.ts';
import type { RuleRegistry } from '../contracts/rules/registry.ts';
import type { Service } from '../contracts/service-type.ts';
import {
  describeOwnRules,
  loadOwnRules,
  type OwnRulesRow,
  type OwnRulesSource,
} from '../target/config/own-rules.ts';
import { UsageError } from './exit-code.ts';
import { didYouMean } from './near.ts';
import { SERVICE } from './service.ts';

/** What a run is judged by. */
export interface RunRegistry {
  readonly registry: RuleRegistry;
  /** Rules of one's own among them; undefined if there are none. */
  readonly own: OwnRulesRow | undefined;
}

/**
 * The rules of the service, and after them those of a configuration. Functions do not pass from thread to
 * thread, so each that judges asks for them.
 *
 * @throws UsageError when a rule of the configuration cannot stand beside those of the service
 */
export async function registryWith(
  source: OwnRulesSource | undefined,
  contract: Pick<Contract, 'operations' | 'operation'>,
  service: Pick<Service, 'apis' | 'rules'> = SERVICE,
): Promise<RunRegistry> {
  const rules = await loadOwnRules(source, service.apis);
  refuseTakenIds(
    rules,
    service.rules.known(contract).map(({ rule }) => rule.id),
  );
  for (const rule of rules) refuseUnknownOperations(rule, contract);
  return { registry: service.rules.with(rules), own: describeOwnRules(source, rules) };
}

/** @throws UsageError when a rule has an id that stands for another */
export function refuseTakenIds(rules: readonly Rule[], taken: readonly string[]): void {
  const found = rules.find(({ id }) => taken.includes(id));
  if (found === undefined) return;
  throw new UsageError(
    `the rule ${found.id} of the configuration has the id of a rule that there is already. Give it another, such as ours.${found.id}.`,
  );
}

function refuseUnknownOperations(
  { id, api, besides = [], operations }: Rule,
  contract: Pick<Contract, 'operations' | 'operation'>,
): void {
  if (operations === '*') return;
  const apis = [api, ...besides];
  const known = contract.operations.filter((one) => apis.includes(one.api)).map((one) => one.id);
  const unknown = operations.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const isOfAnother = contract.operation(unknown) !== undefined;
  throw new UsageError(
    isOfAnother
      ? `the rule ${id} of the configuration is of the API ${apis.join(', ')}, and its operation ${unknown} is of another. Name that API in "api" or "besides".`
      : `the rule ${id} of the configuration speaks of the operation ${unknown}, which no contract has.${didYouMean(unknown, known)}`,
  );
}
