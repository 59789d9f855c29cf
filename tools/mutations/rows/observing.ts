import { mutationsOf, type Mutation } from '../mutation.ts';

const SPECS = ['contracts/observing/marked-observers.spec.ts'];
const FOREIGN = [
  'contracts/observing/contract-observers.spec.ts',
  'contracts/observing/foreign-marks.spec.ts',
];

/** What the marks of a service's documents collect for the ledger. */
export const OBSERVING_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf('contracts/observing/branch.ts', SPECS, [
    ['items.length <= first', 'true', 'all pools of a list are looked at'],
  ]),
  ...mutationsOf('contracts/observing/tree.ts', SPECS, [
    ['    deep: beyond,', '    deep: [],', 'names that nobody states are seen at the top alone'],
  ]),
  ...mutationsOf('contracts/observing/contract-observers.ts', FOREIGN, [
    ['if (joined === undefined)', 'if (false)', 'a row of another kind is lost in silence'],
    [
      'trees.set(id, tree)',
      'trees.set(String(stated.operationId), tree)',
      'ids are those of the document',
    ],
  ]),
  ...mutationsOf('contracts/observing/foreign-marks.ts', FOREIGN, [
    ['values <= MAX_VALUES && depth', 'depth', 'schemas of others have no end'],
    ['!LEDGER.test(ledger) ||', '', 'a row of the ledger has any name'],
  ]),
  ...mutationsOf('contracts/observing/marked-observers.ts', SPECS, [
    ['!== clause', "=== ''", 'a row of the ledger has the clause of whichever mark comes last'],
  ]),
  ...mutationsOf('contracts/observing/composite.ts', SPECS, [
    ['if (Array.isArray(allOf))', 'if (false)', 'what schemas are made of is not looked into'],
  ]),
];
