/** Who may import whom: the table of ARCHITECTURE.md, as rules of dependency-cruiser. */

import { cruise, type ICruiseOptions, type IForbiddenRuleType } from 'dependency-cruiser';

/** What each folder may import of the repository, besides itself; of two that match, the longer one counts. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'contracts/wire': [],
  'contracts/service/wire': ['contracts/wire'],
  contracts: [],
  target: ['contracts'],
  'fixtures/service/reference': ['contracts/wire', 'contracts/service/wire'],
  fixtures: ['contracts', 'target'],
  'load/k6': ['contracts/wire', 'contracts/service/wire', 'load'],
  load: ['contracts', 'target', 'fixtures'],
  suites: ['contracts', 'target', 'fixtures', 'load'],
  // The tests of the harness look at all of it.
  'suites/self': ['contracts', 'target', 'fixtures', 'load', 'suites', 'reports', 'cli'],
  reports: ['contracts'],
  cli: ['contracts', 'target', 'fixtures', 'load', 'suites', 'reports'],
  // Nothing imports tools.
  tools: ['contracts', 'target', 'fixtures', 'load', 'suites', 'reports', 'cli'],
};
/** What specs and test kits may import besides. */
const DOUBLES = 'fixtures';
/** The top-level folders of sources. */
export const ROOMS: readonly string[] = Object.keys(MAY_IMPORT).filter((one) => !one.includes('/'));

const SPEC = String.raw`\.spec\.tsx?$`;
const TESTKIT = String.raw`\.testkit\.tsx?$`;
/** The tests of the harness are no part of the way through it. */
const TESTS = [SPEC, TESTKIT, '^suites/self/'];
const IN_ROOMS = within(ROOMS);

function within(folders: readonly string[]): string {
  return `^(?:${folders.join('|')})/`;
}

/** The rules of a folder: of its sources, of its test kits, and of its specs, which answer to their room alone. */
function directionsOf(folder: string): IForbiddenRuleType[] {
  const below = Object.keys(MAY_IMPORT).filter((other) => other.startsWith(`${folder}/`));
  const [own, inner] = [within([folder]), below.map((other) => within([other]))];
  const allowed = [folder, ...(MAY_IMPORT[folder] ?? [])];
  const answersForSpecs = ROOMS.includes(folder) || folder === 'suites/self';
  const rule = (
    path: string,
    pathNot: string[],
    folders: readonly string[],
  ): IForbiddenRuleType => ({
    name: `${folder} may import ${folders.join(', ')}`,
    severity: 'error',
    from: { path, pathNot },
    to: { path: IN_ROOMS, pathNot: within(folders) },
  });
  return [
    rule(own, [...inner, SPEC, TESTKIT], allowed),
    rule(`${own}.*${TESTKIT}`, inner, [...allowed, DOUBLES]),
    ...(answersForSpecs
      ? [
          rule(
            `${own}.*${SPEC}`,
            inner.filter((one) => one.includes('/self')),
            [...allowed, DOUBLES],
          ),
        ]
      : []),
  ];
}

/** Rules on single imports. */
const DIRECTIONS: IForbiddenRuleType[] = [
  ...Object.keys(MAY_IMPORT).flatMap(directionsOf),
  {
    name: 'the engine knows no service',
    severity: 'error',
    // The rooms that compose the service and its parts, and the tests of the whole, know both.
    from: {
      path: IN_ROOMS,
      pathNot: ['^[^/]+/service/', '^(?:cli|tools|suites/self)/', SPEC, TESTKIT],
    },
    to: { path: '^[^/]+/service/' },
  },
  {
    name: 'load/limits is imported by its index',
    severity: 'error',
    from: { pathNot: '^load/limits/' },
    to: { path: '^load/limits/', pathNot: ['^load/limits/index.ts$', TESTKIT] },
  },
  {
    name: 'contracts/wire runs in any engine',
    severity: 'error',
    from: { path: '^contracts/(?:service/)?wire/', pathNot: SPEC },
    to: { pathNot: IN_ROOMS },
  },
  {
    name: 'what k6 loads runs in k6',
    severity: 'error',
    from: { path: '^load/k6/', pathNot: SPEC },
    // Modules of k6 itself, and what is put in the place of others when its script is bundled.
    to: { reachable: true, pathNot: [IN_ROOMS, '^(?:k6(?:/|$)|assay:|node_modules/@types/k6/)'] },
  },
];

/** Rules on ways back, of what is no test. */
const CIRCLES: IForbiddenRuleType[] = [
  { name: 'no two files need each other', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'no two folders need each other',
    severity: 'error',
    scope: 'folder',
    from: {},
    to: { circular: true },
  },
];

/**
 * Imports against the rules, a line each.
 *
 * @param root of the repository, or of a copy that has the same folders
 */
export async function wrongImports(root: string): Promise<string[]> {
  return [
    ...(await violations(root, { forbidden: DIRECTIONS })),
    ...(await violations(root, { forbidden: CIRCLES }, TESTS)),
  ];
}

async function violations(
  root: string,
  ruleSet: NonNullable<ICruiseOptions['ruleSet']>,
  exclude: readonly string[] = [],
): Promise<string[]> {
  const { output } = await cruise([...ROOMS], {
    ...{ baseDir: root, ruleSet, validate: true, tsPreCompilationDeps: true },
    ...{ doNotFollow: { path: 'node_modules' }, exclude: { path: ['node_modules', ...exclude] } },
  });
  if (typeof output === 'string') throw new Error(output);
  return output.summary.violations.map(
    ({ from, to, rule, cycle }) =>
      `${from} → ${cycle?.map(({ name }) => name).join(' → ') ?? to}: ${rule.name}`,
  );
}
