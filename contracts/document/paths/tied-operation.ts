import { NO_SCHEMA_FAULTS, type ContractOperation, type SchemaFaults } from '../schema.ts';

/**
 * What is known of a request that belongs to several operations alike, such as `/a/{x}-{y}` and
 * `/a/{x}.{y}`. It is judged as the first of them, and broken is only what all of them state.
 */
export function tiedOperation(
  operations: readonly ContractOperation[],
): ContractOperation | undefined {
  const [first, ...others] = operations;
  if (first === undefined || others.length === 0) return first;
  const all = (test: (operation: ContractOperation) => boolean): boolean => operations.every(test);
  const { id, api, method, pathTemplate, servers, inputs, firstInputs } = first;
  return {
    ...{ id, api, method, pathTemplate, inputs, firstInputs },
    // Whether the first is there is not known of such a request.
    servers: { ...servers, own: [] },
    statesBody: (status) => all((one) => one.statesBody(status)),
    statesBodyAs: (status, contentType) => all((one) => one.statesBodyAs(status, contentType)),
    statesOctetsAs: (status, type) => operations.some((one) => one.statesOctetsAs(status, type)),
    mediaTypesOf: (status) => {
      const types = operations.map((one) => one.mediaTypesOf(status));
      if (types.every((some) => some === undefined)) return undefined;
      const isSilent = types.some((some) => some === undefined || some.length === 0);
      return isSilent ? [] : [...new Set(types.flat().filter((type) => type !== undefined))];
    },
    namesStatus: (status) => all((one) => one.namesStatus(status)),
    requiresHeaders: all((one) => one.requiresHeaders),
    requiredHeadersOf: (status) =>
      first
        .requiredHeadersOf(status)
        .filter((name) => all((one) => one.requiredHeadersOf(status).includes(name))),
    faultsOf: (...given) => fewest(operations.map((one) => one.faultsOf(...given))),
    requestFaultsOf: (...given) => fewest(operations.map((one) => one.requestFaultsOf(...given))),
  };
}

/** Those of an operation whose schema the body may keep to, if there is one. */
function fewest(faults: readonly SchemaFaults[]): SchemaFaults {
  const held = faults.filter(({ listed }) => listed.length === 0);
  return held.find(({ isComplete }) => isComplete) ?? held[0] ?? faults[0] ?? NO_SCHEMA_FAULTS;
}
