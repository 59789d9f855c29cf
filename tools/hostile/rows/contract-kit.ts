import type { Spoil, Seen } from '../service/hostile.ts';
import type { Lab, Plan, Row } from '../row.ts';
import { budgetFlags, row } from './kit.ts';

/** Exits of a contract that is taken, that is refused, and of one that may be either. */
export const USED: readonly number[] = [0, 1, 3];
export const REFUSED: readonly number[] = [2];
export const EITHER: readonly number[] = [0, 1, 2, 3];

/** An OpenAPI document around one more operation, whose success has the schema. */
export function contractWith(
  schema: unknown,
  {
    id = 'thing',
    parameters = [],
    path = '/v1/thing',
    components = {},
  }: {
    readonly id?: string;
    readonly parameters?: readonly unknown[];
    readonly path?: string;
    readonly components?: unknown;
  } = {},
): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: {
      [path]: {
        get: {
          operationId: id,
          parameters,
          responses: {
            200: { description: 'ok', content: { 'application/json': { schema } } },
          },
        },
      },
    },
    components,
  });
}

/** What a contract row is made from. */
export interface ContractCase {
  readonly exits: readonly number[];
  readonly fast?: boolean;
  /** How the target is hostile as well. */
  readonly spoils?: readonly Spoil[];
  readonly args?: readonly string[];
  readonly plan?: Partial<Plan>;
  /** At most so many requests may reach the host of the contract. */
  readonly fetches?: number;
  readonly requests?: number;
}

/** A check by a contract that stands at a place which the function names. */
export function contractRow(
  name: string,
  place: (lab: Lab, urls: Readonly<Record<string, string>>) => string,
  { exits, fast = false, spoils = [], args = [], plan = {}, fetches, requests }: ContractCase,
): Row {
  return row(
    'check',
    `contract: ${name}`,
    exits,
    async (lab) => {
      const opened = await lab.open({ spoils });
      const out = lab.path('out');
      const location = place(lab, opened.urls);
      const budget = budgetFlags(lab, requests === undefined ? {} : { requests });
      // The AI runtime has no operations but those of its contract, so a drive comes to them at once.
      const only = ['--ai-url', opened.urls.ai];
      return {
        args: [
          'check',
          ...only,
          '--contract',
          `ai=${location}`,
          '--seed',
          '1',
          ...budget,
          ...args,
          '--out',
          out,
        ],
        record: out,
        ...plan,
        after: async (ended) => [
          ...((await plan.after?.(ended)) ?? []),
          ...lureComplaints(await opened.seen(), fetches),
          ...(ended.exit !== 2 &&
          spoils.some(({ api, path }) => api === 'ai' && path === '/v1/thing')
            ? unaskedComplaints(await opened.seen(), `${ended.stdout}${ended.stderr}`)
            : []),
        ],
      };
    },
    fast,
  );
}

/** A contract in a file. */
export function fileContract(
  name: string,
  content: string | (() => string),
  options: ContractCase,
): Row {
  return contractRow(
    name,
    (lab) => lab.file('contract.yaml', typeof content === 'string' ? content : content()),
    options,
  );
}

/** A contract from the network, which the spoils of the host `contract` serve. */
export function remoteContract(name: string, spoils: readonly Spoil[], options: ContractCase): Row {
  return contractRow(
    `${name}, from the network`,
    (_, { contract = '' }) => `${contract}/c/openapi.yaml`,
    {
      fetches: 1,
      ...options,
      spoils: [
        ...spoils.map((spoil) => ({ api: 'contract', ...spoil }) as const),
        ...(options.spoils ?? []),
      ],
    },
  );
}

/** What is hostile in an answer shows only if the operation was asked; else why not must be reported. */
function unaskedComplaints(seen: readonly Seen[], said: string): string[] {
  const asked = seen.some(({ host, url }) => host === 'ai' && url.startsWith('/v1/thing'));
  const isReported = /\(GET \/v1\/thing\S*\)\s+was\s+not\s+asked/.test(said);
  return asked || isReported
    ? []
    : ['the operation of the contract was not asked, and nothing says why'];
}

function lureComplaints(seen: readonly Seen[], fetches: number | undefined): string[] {
  const lured = seen.filter(({ host }) => host === 'trap');
  const fetched = seen.filter(({ host }) => host === 'contract');
  const byUrl = new Map<string, number>();
  for (const { url } of fetched) byUrl.set(url, (byUrl.get(url) ?? 0) + 1);
  const twice = [...byUrl].filter(([, count]) => count > (fetches ?? 1));
  return [
    ...(lured.length === 0 ? [] : [`the trap was asked for ${lured[0]?.url ?? ''}`]),
    ...twice.map(([url, count]) => `${url} was fetched ${count} times`),
  ];
}

/** `spoils` for what the contract's further operation answers. */
export const answering = (text: string): Spoil => ({
  how: 'fixed',
  api: 'ai',
  path: '/v1/thing',
  text,
});
