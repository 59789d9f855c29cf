/**
 * Two services that are asked with one seed are asked the same, as far as what they answer allows: else
 * there would be little to hold against each other (`check --against`, `check --baseline`).
 */

import { beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../../../contracts/wire/json.ts';
import { Judge } from '../../../contracts/judging/judge.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { FAULTS } from '../../../fixtures/service/faults/catalogue.ts';
import type { Decorator } from '../../../fixtures/service/faults/fault.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../../fixtures/service/reference/index.ts';
import { createVirtualClock } from '../../../fixtures/clocks/virtual-clock.ts';
import { createRandom } from '../../drive/random.ts';
import { exploreInProcess } from '../in-process.ts';
import { IN_PROCESS_URLS } from '../../service/in-process-urls.ts';
import { DRIVEN } from '../../service/driving.ts';

const contract = await loadContract();

/** Drives the reference service with the data of a seed, its behaviour changed. */
async function drive(world: number, apply?: Decorator): Promise<Exchange[]> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(1);
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const options = defaultReferenceOptions({ seed: world, environment, baseUrls: IN_PROCESS_URLS });
  const plain = createReferenceService(options);
  const service = apply?.(plain, 1) ?? plain;
  const exchanges: Exchange[] = [];
  await exploreInProcess({
    driven: DRIVEN,
    ...{ service, contract, clock, seed: 1, profile: 'gate', maxRequests: 1_000 },
    ...{ judge: new Judge(RULES, contract), driveOnly: true, onFound: () => undefined },
    listener: (exchange) => exchanges.push(exchange),
  });
  await service.close();
  return exchanges;
}

function faulty(id: string): Decorator {
  const fault = FAULTS.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`there is no fault ${id}`);
  return fault.apply;
}

/** Keys that a target issues, and those that are each run's own, say nothing of what is asked. */
const OWN = /^(?:idempotency-key|authorization)$/i;

function bytesOf({ api, request: { method, path, headers, body } }: Exchange): string {
  const asked = headers.filter(([name]) => !OWN.test(name));
  return JSON.stringify([api, method, path, asked, body?.text]);
}

/** A request without its values: those are learned from the target, or chosen among what was. */
function formOf({ api, purpose, request: { method, path, headers, body } }: Exchange): string {
  const [place = '', query = ''] = path.split('?');
  const parameters = [...new URLSearchParams(query).keys()].sort();
  const names = headers.map(([name]) => name.toLowerCase()).sort();
  return JSON.stringify([api, purpose, method, place, parameters, names, membersOf(body?.text)]);
}

function membersOf(text: string | undefined): unknown {
  try {
    return kindsOf(JSON.parse(text ?? 'null'));
  } catch {
    // What is no JSON was made to be none, and depends on nothing.
    return text;
  }
}

function kindsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(kindsOf);
  if (!isObject(value)) return typeof value;
  const members = Object.entries(value).map(([name, item]) => [name, kindsOf(item)] as const);
  return members.sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('with one seed', () => {
  let plain: readonly Exchange[];
  beforeAll(async () => {
    plain = await drive(1);
  });

  test('services that do the same are sent the same bytes in the same order', async () => {
    const again = await drive(1);
    expect(plain.length).toBeGreaterThan(600);
    expect(again.map(bytesOf)).toEqual(plain.map(bytesOf));
  });

  test.each([
    'zap-status-ok',
    'trade-value-in-ether',
    'limit-200-plus-one',
    'zap-slippage-taken-from-amount',
  ])('one that is wrong is sent nearly all that a right one is: %s', async (fault) => {
    const there = new Set((await drive(1, faulty(fault))).map(bytesOf));
    const asked = new Set(plain.map(bytesOf));
    const missing = [...asked].filter((request) => !there.has(request));
    expect(missing.length).toBeLessThan(asked.size * 0.02);
  });

  test.each([2, 3])(
    'one with other data is sent every sort of request, of other values: %i',
    async (world) => {
      const there = await drive(world);
      const forms = (exchanges: readonly Exchange[]): string[] =>
        [...new Set(exchanges.map(formOf))].sort();
      expect(forms(there)).toEqual(forms(plain));
      const firstOther = plain.findIndex((one, at) => bytesOf(one) !== bytesOf(there[at] ?? one));
      // Until something is learned nothing differs; then the values do, and not before.
      const learnedAt = plain.findIndex(({ request: { path } }) => path.startsWith('/v1/pools'));
      expect(firstOther).toBeGreaterThanOrEqual(learnedAt);
      expect(plain.slice(0, firstOther).length).toBeGreaterThan(10);
      expect(firstOther).not.toBe(-1);
    },
  );
});
