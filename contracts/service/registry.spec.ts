import { expect, test } from 'vitest';
import { loadCases } from '../../fixtures/service/cases/load-cases.ts';
import { judge } from '../judging/judge.ts';
import { loadContract } from './load-contract.ts';
import { NATIVE_TOKEN } from '../wire/addresses.ts';
import { REGISTRY, RULES } from './registry.ts';

const NATIVE = NATIVE_TOKEN.toLowerCase();
const contract = await loadContract();

test('ids are unique, and words joined by dots and hyphens that begin with their API', () => {
  const ids = RULES.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z]+(\.[a-z0-9-]+)+$/.test(id))).toEqual([]);
  expect(RULES.filter(({ id, api }) => !id.startsWith(`${api}.`))).toEqual([]);
});

test('every rule applies to operations that exist, of its own API or one that it compares with', () => {
  for (const { id, api, besides = [], operations } of RULES) {
    if (operations === '*') continue;
    for (const operation of operations) {
      const of = contract.operation(operation)?.api;
      expect([id, [api, ...besides].find((one) => one === of)]).toEqual([id, of ?? 'an API']);
    }
  }
});

test('every rule says where it comes from, what it protects, and what evidence it needs', () => {
  for (const { id, source, protects, leastEvidence } of RULES) {
    expect([id, source]).toEqual([id, expect.stringMatching(/§\d|^card$|RFC \d+|EIP-\d+|draft-/)]);
    expect([id, protects]).toEqual([id, expect.stringMatching(/^[A-Z].+\.$/)]);
    expect([id, leastEvidence >= 1]).toEqual([id, true]);
  }
});

test('the built-in contract brings no rules beyond those of the document', () => {
  expect(REGISTRY.ofContract(contract)).toEqual([]);
  expect(REGISTRY.ofRun(contract)).toEqual(RULES);
});

// A fault at a value with a facet is left out of the shape rules, so some other rule must find it.
test('every fault at a value with a facet is found by a rule', async () => {
  const seen = new Set<string>();
  const orphans = new Set<string>();
  for (const { operation, exchange, expect: wanted } of await loadCases()) {
    const { outcome } = exchange;
    if (wanted.broken.length > 0 || outcome.kind !== 'response') continue;
    // The native token needs no approval, so what stands in its place is nobody's business.
    if (exchange.request.body?.text.toLowerCase().includes(NATIVE) === true) continue;
    const { response } = outcome;
    if (response.status > 299) continue;
    for (const json of spoiled(parsed(response.body.text))) {
      const facets = (
        contract.operation(operation)?.faultsOf(response.status, json).listed ?? []
      ).map(({ facet }) => facet);
      const [facet] = facets;
      // With faults of several kinds it would not be known whose fault was found.
      if (facet === undefined || facets.some((other) => other !== facet)) continue;
      seen.add(`${operation} ${facet}`);
      const body = { encoding: 'utf8', text: JSON.stringify(json) } as const;
      const changed = { ...exchange, outcome: { ...outcome, response: { ...response, body } } };
      const found = judge(RULES, contract, [changed]).some(({ findings }) => findings.length > 0);
      if (!found) orphans.add(`${operation} ${facet}`);
    }
  }
  expect(seen.size).toBeGreaterThan(10);
  expect([...orphans]).toEqual([]);
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Copies of a JSON value, each with one scalar in it replaced by a value of no facet. */
function spoiled(json: unknown): unknown[] {
  if (typeof json !== 'object' || json === null) return [false];
  return Object.entries(json).flatMap(([key, value]) =>
    spoiled(value).map((bad) => {
      const copy: unknown = structuredClone(json);
      Reflect.set(copy as object, key, bad);
      return copy;
    }),
  );
}
