import { mutationsOf, type Mutation } from '../mutation.ts';

const SPECS = ['contracts/observing/marked-observers.spec.ts'];

/** What the marks of a service's documents collect for the ledger. */
export const OBSERVING_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf('contracts/observing/branch.ts', SPECS, [
    ['items.length <= first', 'true', 'all pools of a list are looked at'],
    ['    deep: beyond,', '    deep: [],', 'names that nobody states are seen at the top alone'],
  ]),
  ...mutationsOf('contracts/observing/marked-observers.ts', SPECS, [
    ['!== clause', "=== ''", 'a row of the ledger has the clause of whichever mark comes last'],
  ]),
  ...mutationsOf('contracts/observing/composite.ts', SPECS, [
    ['if (Array.isArray(allOf))', 'if (false)', 'what schemas are made of is not looked into'],
  ]),
];
