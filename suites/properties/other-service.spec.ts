import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadContractOf } from '../../contracts/document/load-contract.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import { exchangeRule } from '../../contracts/judging/rule.ts';
import { RuleRegistry } from '../../contracts/rules/registry.ts';
import type { RelationRow } from '../../contracts/rules/relation-rule.ts';
import { relationRule } from '../../contracts/rules/relation-rule.ts';
import type { Counterexample } from '../../contracts/run/run.ts';
import { listOf } from '../../contracts/wire/json.ts';
import { PLAIN_ERRORS } from '../../contracts/wire/error-reading.ts';
import type { GeneratedRequest } from '../../fixtures/arbitraries/request.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import type { DrivenService } from '../driven-service.ts';
import { changesBy, relation } from '../drive/relation.ts';
import { sendValid } from '../drive/session.ts';
import { exploreInProcess } from './in-process.ts';

/** Titles of books, as a library lists them: the most that is asked for, in one order. */
const TITLES = ['Ada', 'Bel', 'Cid', 'Dee', 'Eve'];

const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1' },
  paths: {
    '/books': {
      get: {
        operationId: 'books.list',
        parameters: [{ name: 'most', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        responses: { 200: { description: 'Titles.' } },
      },
    },
  },
};

function books(most: number): GeneratedRequest {
  return { api: 'books', method: 'GET', path: `/books?most=${most}`, purpose: { kind: 'valid' } };
}

const row: RelationRow<string[]> = {
  ...{ id: 'books.list.fewer-in-the-same-order', level: 'must', source: '§1' },
  protects: 'A shorter list is the beginning of a longer one.',
  ...{ relation: 'books', api: 'books', operations: ['books.list'] },
  digest: ({ json }) => listOf(json).map(String),
  compare: (longer, shorter) =>
    shorter.every((title, at) => longer[at] === title)
      ? []
      : [{ pointer: '', expected: longer.join(), actual: shorter.join() }],
};

const rules = [
  exchangeRule({
    ...{ id: 'books.list.are-a-list', level: 'must', source: '§1', protects: 'Books are listed.' },
    ...{ api: 'books', operations: ['books.list'], answer: 'success', leastEvidence: 1 },
    judge: ({ json }) =>
      Array.isArray(json) ? [] : [{ pointer: '', expected: 'a list', actual: String(json) }],
  }),
  relationRule(row),
];

const fewer = relation({
  rules: [row],
  change: (most: number) => (most > 1 ? books(most - 1) : undefined),
});

/** A service that has nothing in common with the interface document. */
function library(): DrivenService<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-library-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const source = join(folder, 'library.json');
  writeFileSync(source, JSON.stringify(CONTRACT));
  return {
    apis: ['books'],
    documents: [{ api: 'books', source }],
    errors: PLAIN_ERRORS,
    rules: new RuleRegistry({
      sections: [{ name: '1-books', judges: 'any', rules }],
      measured: () => [],
    }),
    loadObservers: () => Promise.resolve([]),
    limitLedger: () => [],
    loadClauses: () => [],
    createWorld: () => new Set(),
    renewWorld: () => new Set(),
    usualRequests: 10,
    stagesOf: (session) => [
      {
        name: 'the list of books',
        api: 'books',
        run: async () => {
          for (const title of listOf(await sendValid(session, books(5)))) {
            session.world.add(String(title));
          }
        },
      },
    ],
    // What was learned is what more is asked for by.
    generatorsOf: ({ size }) => [
      {
        name: 'books.list',
        plain: books(5),
        arbitrary: fc.integer({ min: 1, max: Math.max(1, size) }).map(books),
      },
    ],
    relations: [fewer],
    relatedTo: (_session, request) => {
      const most = Number(new URLSearchParams(request.path.split('?')[1] ?? '').get('most'));
      return { first: request, others: changesBy([fewer], most) };
    },
  };
}

async function explored(answer: (most: number) => readonly string[]): Promise<{
  readonly verdicts: Readonly<Record<string, string>>;
  readonly found: readonly Counterexample[];
  readonly notices: readonly string[];
  readonly asked: ReadonlySet<string>;
}> {
  const driven = library();
  const contract = await loadContractOf(driven);
  const judge = new Judge(driven.rules.ofRun(contract), contract);
  const found: Counterexample[] = [];
  const asked = new Set<string>();
  const { notices } = await exploreInProcess({
    ...{ driven, contract, judge, seed: 1, profile: 'gate', maxRequests: 120 },
    clock: createVirtualClock(Date.UTC(2026, 0, 1)),
    service: {
      fetch: (_api, request) => {
        const { searchParams } = new URL(request.url);
        return Promise.resolve(Response.json(answer(Number(searchParams.get('most')))));
      },
    },
    onFound: (one) => found.push(one),
    listener: ({ request }) => asked.add(request.path),
  });
  const results = judge.results().map(({ rule, verdict }) => [rule.id, verdict] as const);
  return { verdicts: Object.fromEntries(results), found, notices, asked };
}

describe('a service that has nothing in common with the interface document', () => {
  test('is driven, generated for and judged by what it brings alone', async () => {
    const { verdicts, found, notices, asked } = await explored((most) => TITLES.slice(0, most));
    expect(verdicts['books.list.are-a-list']).toBe('pass');
    expect(verdicts['books.list.fewer-in-the-same-order']).toBe('pass');
    expect([...asked].every((path) => path.startsWith('/books?most='))).toBe(true);
    expect(asked.size).toBeGreaterThan(2);
    expect([found, notices]).toEqual([[], []]);
  });

  test('has a fault of its found by a relation of its own, and shown by two requests', async () => {
    const wrong = (most: number): string[] => {
      const some = TITLES.slice(0, most);
      return most === 3 ? some.reverse() : some;
    };
    const { verdicts, found } = await explored(wrong);
    expect(verdicts['books.list.fewer-in-the-same-order']).toBe('fail');
    expect(verdicts['books.list.are-a-list']).toBe('pass');
    const [counterexample] = found;
    expect(counterexample?.rule).toBe('books.list.fewer-in-the-same-order');
    expect(counterexample?.curl).toHaveLength(2);
    expect(JSON.stringify(found)).not.toMatch(/zap|trade|pool/i);
  });
});
