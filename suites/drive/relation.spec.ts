import { describe, expect, test } from 'vitest';
import type { RelationRow } from '../../contracts/rules/relation-rule.ts';
import { changesBy, relation } from './relation.ts';
import type { TriedRequest } from './tried-request.ts';

function row(kind: string): RelationRow {
  return {
    ...{ id: `zap.${kind}`, level: 'should', source: '§1', protects: 'Something.' },
    ...{ relation: kind, api: 'zap', operations: ['zap.quote'] },
    digest: () => 'same',
    compare: () => [],
  };
}

function request(path: string): TriedRequest {
  return { api: 'zap', method: 'GET', path, purpose: { kind: 'valid' } };
}

describe('a metamorphic relation', () => {
  test('has the name that its rules look for', () => {
    const one = relation({ rules: [row('kept'), row('kept')], change: () => undefined });
    expect(one.name).toBe('kept');
    expect(one.change('anything')).toEqual([]);
  });

  test.each([
    ['no rules', [], 'it has no rule'],
    ['rules of two kinds', [row('kept'), row('lost')], 'its rules are of kept and lost'],
  ])('of %s is refused', (_, rules, why) => {
    expect(() => relation({ rules, change: () => undefined })).toThrow(why);
  });

  test('changes one request, or makes several, in the order of the relations', () => {
    const longer = relation({
      rules: [row('longer')],
      change: (path: string) => request(`${path}/more`),
    });
    const twice = relation({
      rules: [row('twice')],
      change: (path: string) => [
        { request: request(`${path}/control`), isControl: true },
        { request: request(`${path}/${path}`) },
      ],
    });
    const made = changesBy([twice, longer], '/a');
    expect(
      made.map(({ relation: { name }, request: { path }, isControl }) => [name, path, isControl]),
    ).toEqual([
      ['twice', '/a/control', true],
      ['twice', '/a//a', undefined],
      ['longer', '/a/more', undefined],
    ]);
  });
});
