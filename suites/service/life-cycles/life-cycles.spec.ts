import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decorator } from '../../../fixtures/service/faults/fault.ts';
import { refusal } from '../../../fixtures/service/faults/conventions/idempotency-kit.ts';
import type { Command } from './commands.ts';
import { driveLifeCycles, mayRegister, runCommands } from './index.ts';
import type { Commands, LifeCycleWorld } from './plan.ts';
import {
  commandsArbitrary,
  credentialCommands,
  filterWalk,
  keyCommands,
  keyLives,
  keyStory,
  poolCommands,
  registrations,
} from './plan.ts';
import type { Tried } from './session.testkit.ts';
import { tried } from './session.testkit.ts';

const { world } = await tried();

const PLANS: readonly (readonly [string, (lifeWorld: LifeCycleWorld) => Commands])[] = [
  ['the story of a zap key', (lifeWorld) => keyStory(lifeWorld, 'zap')],
  ['the story of a trade key', (lifeWorld) => keyStory(lifeWorld, 'trade')],
  ['any zap keys', (lifeWorld) => keyCommands(lifeWorld, 'zap')],
  ['any trade keys', (lifeWorld) => keyCommands(lifeWorld, 'trade')],
  ['lives of credentials', keyLives],
  ['any credentials', credentialCommands],
  ['a walk through filters', filterWalk],
  ['any filters', poolCommands],
  ['any cycle', commandsArbitrary],
];

function sent({ exchanges }: Tried): string[] {
  return exchanges.map(({ request: { method, path, headers, body } }) =>
    JSON.stringify([method, path, headers, body]),
  );
}

describe.each(PLANS)('%s', (_name, planOf) => {
  const plan = planOf(world);

  test('is the same with the same seed', () => {
    const twice = [0, 1].map(() => fc.sample(plan, { seed: 7, numRuns: 20 }));
    expect(twice[0]).toEqual(twice[1]);
  });

  test('is plain data', () => {
    for (const commands of fc.sample(plan, { seed: 3, numRuns: 20 })) {
      expect(JSON.parse(JSON.stringify(commands))).toEqual(commands);
    }
  });

  test('is empty for a target that lists and serves nothing', () => {
    const nothing = planOf({ zapBodies: [], tradeBodies: [], pools: [] });
    const uses = fc.sample(nothing, { seed: 1, numRuns: 5 }).flat();
    expect(uses.filter(({ cycle, act }) => cycle !== 'credential' || act === 'use')).toEqual([]);
  });
});

describe('a sequence that fails shrinks', () => {
  test('to the commands that it needs', () => {
    const has = (commands: readonly Command[], act: string): boolean =>
      commands.some((command) => command.act === act);
    const result = fc.check(
      fc.property(keyCommands(world, 'zap'), (commands) => !has(commands, 'twins')),
      { seed: 1 },
    );
    expect(result.counterexample?.[0]).toHaveLength(1);
  });
});

describe('the shortest sequences', () => {
  const gated = gate();

  test('send the same bytes in the same order with the same seed', async () => {
    const [one, other] = await Promise.all([gated, gate()]);
    expect(sent(one).length).toBeGreaterThan(20);
    expect(sent(one)).toEqual(sent(other));
  });

  test('take no more than 44 requests, of which two wait for an approval', async () => {
    expect((await gated).exchanges.length).toBeLessThanOrEqual(44);
  });

  test('are marked for the rules, and break none of a correct service', async () => {
    const { exchanges, broken } = await gated;
    expect(exchanges.filter(({ relations }) => relations.length === 0)).toEqual([]);
    expect(broken()).toEqual([]);
  });

  test('leave no secret in what is recorded', async () => {
    const { exchanges } = await gated;
    const recorded = JSON.stringify(exchanges);
    expect(recorded).toContain('$ASSAY_AGENT_KEY_');
    expect(recorded).not.toMatch(/(?:ask|clm)_[0-9a-f]{8}/);
  });

  test('do nothing at a depth of 0', async () => {
    expect((await gate(0)).exchanges).toEqual([]);
  });
});

async function gate(depth = 1): Promise<Tried> {
  const one = await tried();
  const cycles = driveLifeCycles(one.session, depth);
  const published = await one.session.client.send({
    ...{ api: 'docs', method: 'GET', path: '/openapi.yaml', purpose: { kind: 'valid' } },
  });
  (one.exchanges as unknown[]).pop();
  await cycles.register(published);
  await cycles.pools();
  await cycles.keys('zap', one.world.zapBodies);
  await cycles.keys('trade', one.world.tradeBodies);
  await cycles.credentials(one.world.tradeBodies);
  return one;
}

describe('any sequence', () => {
  test('breaks no rule of a correct service', async () => {
    await fc.assert(
      fc.asyncProperty(commandsArbitrary(world), async (commands) => {
        const one = await tried();
        await runCommands(one.session, commands);
        return one.broken().length === 0;
      }),
      { seed: 1, numRuns: 12 },
    );
  });

  test('is still one with any of its commands left out', async () => {
    const any = fc.oneof(...PLANS.map(([, planOf]) => planOf(world)));
    const subsequence = any.chain((commands) => fc.subarray([...commands]));
    await fc.assert(
      fc.asyncProperty(subsequence, async (commands) => {
        const one = await tried();
        await runCommands(one.session, commands);
        return one.broken().length === 0;
      }),
      { seed: 2, numRuns: 8 },
    );
  });
});

test('a registration that a person must approve is claimed without success, and nothing is used', async () => {
  const one = await tried({ options: { approval: { mode: 'manual' } } });
  const { forms } = one.world;
  if (forms === undefined) throw new Error('no forms');
  const [lives = []] = fc.sample(keyLives(one.world), { seed: 1, numRuns: 1 });
  await runCommands(one.session, [...registrations(forms), ...lives]);
  const roles = one.exchanges.map(({ relations: [relation] }) => relation?.role);
  expect(new Set(roles)).toEqual(new Set(['register', 'claim', 'claim-unknown']));
  expect(one.broken()).toEqual([]);
});

describe('a revocation that fails', () => {
  const failing = (isDone: boolean, status: number, times = 1): Decorator => {
    return (service) => {
      let asked = 0;
      return {
        close: () => service.close(),
        async fetch(api, request, address) {
          if (!request.url.endsWith('/agent-auth/revoke')) {
            return service.fetch(api, request, address);
          }
          asked += 1;
          if (asked > times) return service.fetch(api, request, address);
          if (isDone) await service.fetch(api, request, address);
          return refusal(status, 'FAILED');
        },
      };
    };
  };
  const usesAfter = async (apply: Decorator): Promise<(string | undefined)[]> => {
    const one = await tried({ apply });
    const { forms } = one.world;
    if (forms === undefined) throw new Error('no forms');
    const [lives = []] = fc.sample(keyLives(one.world), { seed: 1, numRuns: 1 });
    await runCommands(one.session, [...registrations(forms), ...lives]);
    expect(one.broken()).toEqual([]);
    const relations = one.exchanges.map(({ relations: [relation] }) => relation);
    const end = relations.findIndex((relation) => relation?.role === 'revoke');
    return relations.slice(end).flatMap((relation) => relation?.role ?? []);
  };

  test('and was done leaves a key of which nothing is known until it is revoked again', async () => {
    const roles = await usesAfter(failing(true, 503));
    expect(roles.filter((role) => role?.startsWith('use'))).toEqual(['use-beside', 'use-revoked']);
  });

  test.each([503, 400])('with %d and was not done is done in another way', async (status) => {
    const roles = await usesAfter(failing(false, status));
    expect(roles).toContain('use-revoked');
    expect(roles).not.toContain('use');
  });

  test('as often as it is asked for leaves the key in use if it is refused', async () => {
    expect(await usesAfter(failing(false, 400, 9))).toContain('use');
    expect(await usesAfter(failing(false, 500, 9))).not.toContain('use');
  });
});

test.each([
  ['http://127.0.0.1:8080/openapi.yaml', true],
  ['http://[::1]:8080/openapi.yaml', true],
  ['http://localhost/openapi.yaml', true],
  ['https://docs.staging.test/openapi.yaml', true],
  ['https://docs.example.example.org/openapi.yaml', false],
  ['https://127.0.0.1.example.net/openapi.yaml', false],
  ['nowhere', false],
])('credentials are asked for at %s: %s', (url, may) => {
  expect(mayRegister(url)).toBe(may);
});
