import { afterEach, describe, expect, it } from 'vitest';
import { Judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { Exchange, HeaderList } from '../../contracts/wire/exchange.ts';
import { API_NAMES } from '../../contracts/service/wire/apis.ts';
import type { Decorator } from '../../fixtures/service/faults/fault.ts';
import { VARIANTS } from '../../fixtures/service/variants/variants.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/service/reference/index.ts';
import type { ReferenceService } from '../../fixtures/service/reference/index.ts';
import { listen } from '../../fixtures/service/reference/listen.ts';
import { installLightFetch } from '../../target/transport/light-fetch.ts';
import type { Transport } from '../../target/transport/transport.ts';
import { createUndiciTransport } from '../../target/transport/undici-transport.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import { createRandom } from '../drive/random.ts';
import { exploreInProcess } from './in-process.ts';
import { IN_PROCESS_URLS } from '../service/in-process-urls.ts';
import { DRIVEN } from '../service/driving.ts';

const contract = await loadContract();
let cleanUp: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

type Options = ReturnType<typeof defaultReferenceOptions>;

/** A way to a service over sockets on loopback. */
async function bySockets(service: ReferenceService, options: Options): Promise<Transport> {
  const listening = await listen({
    ...options,
    host: '127.0.0.1',
    portBase: 0,
    singlePort: false,
    create: () => service,
  });
  const sockets = createUndiciTransport();
  cleanUp.push(
    () => listening.close(),
    () => sockets.close(),
  );
  return (request) => {
    const api = API_NAMES.find((name) => request.url.startsWith(IN_PROCESS_URLS[name])) ?? 'docs';
    const url = request.url.replace(IN_PROCESS_URLS[api], listening.urls[api]);
    return sockets({ ...request, url });
  };
}

/** One request after the other: whether two of them meet depends on the way. */
function inTurn(transport: Transport): Transport {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const result = last.then(() => transport(request));
    last = result.catch(() => undefined);
    return result;
  };
}

/** All exchanges of a whole drive of the reference service, decorated. */
async function driven(apply: Decorator, over: 'sockets' | 'nothing'): Promise<Exchange[]> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(3);
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const options = defaultReferenceOptions({ seed: 3, environment, baseUrls: IN_PROCESS_URLS });
  const service = apply(createReferenceService(options), 3);
  const sockets = over === 'sockets' ? await bySockets(service, options) : undefined;
  const exchanges: Exchange[] = [];
  await exploreInProcess({
    driven: DRIVEN,
    service,
    contract,
    seed: 3,
    clock,
    profile: 'gate',
    driveOnly: true,
    maxRequests: 1_000,
    judge: new Judge(RULES, contract),
    onFound: () => undefined,
    listener: (exchange) => {
      exchanges.push(exchange);
    },
    way: (direct) => inTurn(sockets ?? direct),
  });
  return exchanges;
}

/** What a listener adds of its own. */
const OF_THE_CONNECTION: readonly string[] = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
];

function withoutConnection(exchange: Exchange): Exchange {
  const { outcome } = exchange;
  if (outcome.kind === 'failure') return exchange;
  const headers: HeaderList = outcome.response.headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !OF_THE_CONNECTION.includes(name))
    .sort();
  return { ...exchange, outcome: { ...outcome, response: { ...outcome.response, headers } } };
}

/** Which of many equal requests of one moment is answered first, nobody chooses. */
function isRepeatable({ purpose }: Exchange): boolean {
  return purpose.kind !== 'probe' || purpose.about !== 'equal requests at once';
}

describe('light requests and responses', () => {
  const variantsTried = ['bodies-gzip', 'service-of-wallets'];
  const decorators: [string, Decorator][] = [
    ['the reference service', (service) => service],
    ...VARIANTS.filter(({ id }) => variantsTried.includes(id)).map(
      ({ id, apply }): [string, Decorator] => [id, apply],
    ),
  ];

  it.each(decorators)('show of %s, over a whole drive, what sockets show', async (_id, apply) => {
    const expected = (await driven(apply, 'sockets')).filter(isRepeatable);
    cleanUp.push(installLightFetch());
    const light = (await driven(apply, 'nothing')).filter(isRepeatable);
    expect(light.length).toBeGreaterThan(300);
    expect(light.length).toBe(expected.length);
    for (const [index, exchange] of light.entries()) {
      const other = expected[index];
      expect(withoutConnection(exchange)).toEqual(other && withoutConnection(other));
    }
  });
});
