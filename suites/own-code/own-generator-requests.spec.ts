import { describe, expect, test } from 'vitest';
import { requestGeneratorOf } from './own-generator-requests.ts';
import {
  generator,
  type OwnGenerator,
  readGenerators,
} from '../../target/config/own-generators.ts';
import { type OwnRelation, readRelations, relation } from '../../target/config/own-relations.ts';
import { describeOwnRules, readJudging } from '../../target/config/own-rules.ts';
import { readRequest } from '../../target/config/own-request.ts';

const APIS = ['books'];

const RELATION: OwnRelation = relation({
  ...{ id: 'ours.list.in-order', level: 'must', source: 'ours', protects: 'It is so.' },
  ...{ api: 'books', operations: ['books.list'] },
  change: () => ({ path: '/books' }),
  digest: () => 1,
  compare: () => [],
});

const GENERATOR = generator({
  ...{ name: 'ours.list', api: 'books', choices: { most: [10, 1, 2], shelf: ['', 'a'] } },
  request: ({ most, shelf }) => ({ path: `/books?most=${most}&shelf=${shelf}` }),
}) as OwnGenerator;

describe('what is taken for relations', () => {
  test('one with all that may be left out is read with its rule', () => {
    const whole = { ...RELATION, rulesOut: 'A list in no order.', refused: 'a list' };
    const [read] = readRelations([{ ...whole, tells: () => true }], APIS);
    expect(read?.rule).toMatchObject({ id: 'ours.list.in-order', isOwn: true, scope: 'run' });
    expect(read?.row).toMatchObject({ relation: 'ours.list.in-order', refused: 'a list' });
    expect(read?.change({ method: 'GET', path: '/books?most=3' })).toEqual({
      ...{ method: 'GET', path: '/books', headers: [], body: undefined },
    });
  });

  test.each([
    ['no list', RELATION, 'a list of relations'],
    ['what relation did not make', [{ ...RELATION, scope: undefined }], 'made by relation'],
    ['an id of one word', [{ ...RELATION, id: 'list' }], 'an id of two words or more'],
    ['a level that there is not', [{ ...RELATION, level: 'never' }], 'must, should, observe'],
    ['an API that there is not', [{ ...RELATION, api: 'records' }], 'one of books'],
    ['no operation', [{ ...RELATION, operations: [] }], 'a list of operations'],
    ['no function', [{ ...RELATION, digest: undefined }], 'a function, none that is async'],
    ['a member that there is not', [{ ...RELATION, agrees: 1 }], 'one of the members'],
    ['one id twice', [RELATION, { ...RELATION }], 'each id once'],
  ])('not %s', (_, given, message) => {
    expect(() => readRelations(given, APIS)).toThrow(message);
  });

  test('nor one with the id of a rule', () => {
    const rule = {
      ...{ scope: 'exchange', id: RELATION.id, level: 'must', source: 'a', protects: 'b' },
      ...{ api: 'books', operations: '*', answer: 'any', leastEvidence: 1, judge: () => [] },
    };
    expect(() => readJudging({ rules: [rule], relations: [RELATION] }, APIS)).toThrow(
      'each id once',
    );
  });

  test('a digest of its rule is one of what was written', () => {
    const digestOf = (changes: Partial<OwnRelation>): string | undefined => {
      const { rules } = readJudging({ relations: [{ ...RELATION, ...changes }] }, APIS);
      return describeOwnRules({ path: '/a/assay.config.ts' }, rules)?.sha256;
    };
    expect(digestOf({ digest: () => 1 })).toBe(digestOf({}));
    expect(digestOf({ digest: () => 2 })).not.toBe(digestOf({}));
  });

  test('what compare gives is looked at', () => {
    const [read] = readRelations([{ ...RELATION, compare: () => true }], APIS);
    expect(() => read?.row.compare(1, 1)).toThrow('compare gives a list of');
  });
});

describe('what is taken for generators', () => {
  test('one makes a request for each choice, and shrinks to the usual ones', () => {
    const [read] = readGenerators([GENERATOR], APIS);
    if (read === undefined) throw new Error('no generator');
    const { name, plain, boundaries, space } = requestGeneratorOf(read);
    expect(name).toBe('own.ours.list');
    expect(plain).toMatchObject({ path: '/books?most=10&shelf=', purpose: { kind: 'valid' } });
    expect([...(boundaries ?? [])].map(({ path }) => path)).toEqual([
      ...['/books?most=1&shelf=', '/books?most=10&shelf=a', '/books?most=2&shelf='],
    ]);
    expect(space?.requestOf({ most: 1, shelf: 0 }).path).toBe('/books?most=2&shelf=a');
  });

  test('one for a probe obliges nobody', () => {
    const [read] = readGenerators([{ ...GENERATOR, probe: 'long lists' }], APIS);
    expect(read && requestGeneratorOf(read).plain.purpose).toEqual({
      ...{ kind: 'probe', about: 'long lists' },
    });
  });

  test.each([
    ['no list', GENERATOR, 'a list of generators'],
    ['what generator did not make', [{ ...GENERATOR, scope: 'rule' }], 'made by generator'],
    ['a name of one word', [{ ...GENERATOR, name: 'list' }], 'a name of two words or more'],
    ['an API that there is not', [{ ...GENERATOR, api: 'records' }], 'one of books'],
    ['a list without a choice', [{ ...GENERATOR, choices: { most: [] } }], '1 to 10000 choices'],
    ['no function', [{ ...GENERATOR, request: 3 }], 'a function, none that is async'],
    ['one name twice', [GENERATOR, { ...GENERATOR }], 'each id once'],
    [
      'one that throws for its usual choices',
      [{ ...GENERATOR, request: () => ({ path: 'books' }) }],
      'a request for the usual choices',
    ],
  ])('not %s', (_, given, message) => {
    expect(() => readGenerators(given, APIS)).toThrow(message);
  });
});

test.each([
  [null, 'this is null'],
  [Promise.resolve(), 'this is a promise'],
  [{ path: '/a', query: 1 }, 'no member "query"'],
  [{ path: 'a' }, 'begins with a slash'],
  [{ path: '/a', method: 'get' }, 'a word in capitals'],
  [{ path: '/a', headers: { a: 'b' } }, 'a list of [name, value]'],
])('%j is no request', (given, message) => {
  expect(() => readRequest(given)).toThrow(message);
});
