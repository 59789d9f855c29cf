import { describe, expect, test } from 'vitest';
import { loadContractOf } from '../../contracts/document/load-contract.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import { exchangeRule } from '../../contracts/judging/rule.ts';
import { listOf } from '../../contracts/wire/json.ts';
import type { Counterexample } from '../../contracts/run/run.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import { requestGeneratorOf } from './own-generator-requests.ts';
import { generator, readGenerators } from '../../target/config/own-generators.ts';
import { type OwnRelation, relation } from '../../target/config/own-relations.ts';
import { readJudging } from '../../target/config/own-rules.ts';
import { drivenByContract, withOwnCode } from './own-service.ts';
import { exploreInProcess } from '../properties/in-process.ts';

const APIS = ['books'];
const TITLES = ['Ada', 'Bel', 'Cid', 'Dee', 'Eve', 'Fay', 'Gus'];

const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1' },
  paths: {
    '/books': {
      get: {
        operationId: 'list',
        parameters: [{ name: 'most', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        responses: { 200: { description: 'Titles.' } },
      },
    },
  },
};

const mostOf = (path: string): number => Number(/most=(\d+)/.exec(path)?.[1] ?? 7);

const FEWER: Omit<OwnRelation<string[]>, 'scope'> = {
  ...{ id: 'books.list.fewer-in-order', level: 'must', source: 'ours', api: 'books' },
  ...{ operations: ['books.list'], protects: 'A shorter list is the beginning of a longer one.' },
  change: ({ path }) =>
    mostOf(path) > 1 ? { path: `/books?most=${mostOf(path) - 1}` } : undefined,
  digest: ({ json }) => listOf(json).map(String),
  compare: (longer, shorter) =>
    shorter.every((title, at) => longer[at] === title)
      ? []
      : [{ pointer: '', expected: longer.join(), actual: shorter.join() }],
};

const IS_LIST = exchangeRule({
  ...{ id: 'books.list.is-list', level: 'must', source: 'ours', protects: 'Books are listed.' },
  ...{ api: 'books', operations: ['books.list'], answer: 'success', leastEvidence: 1 },
  judge: ({ json }) =>
    Array.isArray(json) ? [] : [{ pointer: '', expected: 'a list', actual: 'none' }],
});

interface Tried {
  readonly relation?: Partial<Omit<OwnRelation<string[]>, 'scope'>>;
  readonly request?: (most: number) => { readonly path: string };
  readonly answer?: (most: number) => readonly string[];
}

async function explored({ relation: changes = {}, ...tried }: Tried): Promise<{
  readonly verdicts: Readonly<Record<string, string>>;
  readonly found: readonly Counterexample[];
  readonly notices: readonly string[];
  readonly cutShort: boolean;
  readonly asked: readonly string[];
}> {
  const { request = (most: number) => ({ path: `/books?most=${most}` }) } = tried;
  const { answer = (most: number) => TITLES.slice(0, most) } = tried;
  const judging = readJudging(
    { rules: [IS_LIST], relations: [relation({ ...FEWER, ...changes })] },
    APIS,
  );
  const made = generator({
    name: 'books.list',
    api: 'books',
    choices: { most: [7, 1, 2, 3, 4] },
    request: ({ most }) => request(most),
  });
  const generators = readGenerators([made], APIS).map(requestGeneratorOf);
  const driven = withOwnCode(drivenByContract(APIS), { ...judging, generators });
  const text = JSON.stringify(CONTRACT);
  const file = { url: 'file:///library.json', text, sha256: '', bytes: text.length };
  const source = { api: 'books', source: 'library.json', url: file.url, files: [file] };
  const contract = await loadContractOf(driven, { files: [source] });
  const judge = new Judge(driven.rules.with(judging.rules).ofRun(contract), contract);
  const found: Counterexample[] = [];
  const asked: string[] = [];
  const { notices, cutShort } = await exploreInProcess({
    ...{ driven, contract, judge, seed: 1, profile: 'gate', maxRequests: 200 },
    clock: createVirtualClock(Date.UTC(2026, 0, 1)),
    service: {
      fetch: (_api, { url }) => Promise.resolve(Response.json(answer(mostOf(url)))),
    },
    onFound: (one) => found.push(one),
    listener: ({ request: { path } }) => asked.push(path),
  });
  const results = judge.results().map(({ rule, verdict }) => [rule.id, verdict] as const);
  return { verdicts: Object.fromEntries(results), found, notices, cutShort, asked };
}

describe('a service of which a configuration states all', () => {
  test('is asked what its contract states and what its generators make, and held to its relations', async () => {
    const { verdicts, found, notices, cutShort, asked } = await explored({});
    expect(verdicts['books.list.is-list']).toBe('pass');
    expect(verdicts['books.list.fewer-in-order']).toBe('pass');
    expect(asked).toEqual(expect.arrayContaining([1, 2, 3, 4, 7].map((n) => `/books?most=${n}`)));
    expect({ found, notices, cutShort }).toEqual({ found: [], notices: [], cutShort: false });
  });

  test('has a fault found by its relation, and shown by two requests', async () => {
    const { verdicts, found } = await explored({
      answer: (most) => (most === 3 ? ['Cid', 'Bel', 'Ada'] : TITLES.slice(0, most)),
    });
    expect(verdicts['books.list.fewer-in-order']).toBe('fail');
    expect(verdicts['books.list.is-list']).toBe('pass');
    expect(found[0]?.curl).toHaveLength(2);
  });
});

describe('what a configuration brings that throws', () => {
  const thrown = (): never => {
    throw new TypeError('no such luck');
  };

  test.each<[string, Tried, string]>([
    ['a change', { relation: { change: thrown } }, 'the relation books.list.fewer-in-order'],
    ['a digest', { relation: { digest: thrown } }, 'the relation books.list.fewer-in-order'],
    ['a comparison', { relation: { compare: thrown } }, 'the relation books.list.fewer-in-order'],
    [
      'a generator',
      { request: (most) => (most === 7 ? { path: '/books' } : thrown()) },
      'the generator books.list',
    ],
    [
      'what is no request',
      { relation: { change: () => ({ path: 'books' }) } },
      'the path of a request is a text that begins with a slash',
    ],
  ])('%s is reported, cuts the drive short and takes nothing down', async (_, tried, words) => {
    const { notices, cutShort, verdicts } = await explored(tried);
    expect(notices.join()).toContain(words);
    expect(notices.join()).toContain(
      'of the configuration failed, which says nothing of the target',
    );
    expect(cutShort).toBe(true);
    expect(verdicts['books.list.is-list']).toBe('pass');
  });
});
