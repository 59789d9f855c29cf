import fc from 'fast-check';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import { isObject, listOf } from '../../../contracts/wire/json.ts';
import { QuotesForm } from '../session/quotes-form.ts';
import type { IdempotencyCommand, JsonBody, KeyedRequest } from './commands.ts';
import { type Commands, type LifeCycleWorld, LONGEST, uuid as key } from './life-cycle-world.ts';

const digits = fc.string({
  unit: fc.constantFrom(...Array.from('0123456789')),
  minLength: 40,
  maxLength: 40,
});
const address = digits.map((text) => `0x${text}`);

/**
 * The shortest sequence about Idempotency-Key that is evidence for each of its rules: one key used,
 * used again twice, then with another body; another key twice at the same time; a third for a quote, then
 * for its build.
 */
export function keyStory(
  world: LifeCycleWorld,
  api: 'zap' | 'trade',
): Commands<IdempotencyCommand> {
  const all = requestsOf(world, api);
  const requests = all.filter(({ path }) => path === '/v1/buildTx');
  const [quote] = all.filter(({ path }) => path !== '/v1/buildTx');
  const [build] = requests;
  if (quote === undefined || build === undefined) return fc.constant([]);
  return fc
    .record({ request: fc.constantFrom(...requests), used: key, twin: key, shared: key, address })
    .map(({ request, used, twin, shared, address: recipient }): IdempotencyCommand[] => [
      send(used, request),
      send(used, request),
      send(used, request),
      send(used, withRecipient(request, recipient)),
      { cycle: 'idempotency', act: 'twins', key: twin, request },
      send(shared, quote),
      send(shared, build),
    ]);
}

/** Any sequence about Idempotency-Key: a few keys and requests, in any order. */
export function keyCommands(
  world: LifeCycleWorld,
  api: 'zap' | 'trade',
): Commands<IdempotencyCommand> {
  const requests = requestsOf(world, api);
  if (requests.length === 0) return fc.constant([]);
  const some = fc.record({
    keys: fc.uniqueArray(key, { minLength: 2, maxLength: 3 }),
    request: fc.constantFrom(...requests),
    address,
  });
  return some.chain(({ keys, request, address: recipient }) => {
    const alike = requests.filter(({ path }) => path !== request.path).slice(0, 1);
    const among = [request, request, withRecipient(request, recipient), ...alike];
    const one = fc.record({
      cycle: fc.constant('idempotency' as const),
      act: fc.constantFrom('send' as const, 'send' as const, 'send' as const, 'twins' as const),
      key: fc.constantFrom(...keys),
      request: fc.constantFrom(...among),
    });
    return fc.array(one, { minLength: 1, maxLength: world.longest ?? LONGEST, size: 'max' });
  });
}

function send(used: string, request: KeyedRequest): IdempotencyCommand {
  return { cycle: 'idempotency', act: 'send', key: used, request };
}

/** Every body at every endpoint that takes it; only those whose recipient can be changed. */
function requestsOf(
  { zapBodies, tradeBodies, quotesForm = new QuotesForm() }: LifeCycleWorld,
  api: 'zap' | 'trade',
): KeyedRequest[] {
  if (api === 'zap') {
    return zapBodies
      .filter(({ recipient }) => isEvmAddress(recipient))
      .flatMap((json): KeyedRequest[] => [
        { api, path: '/v1/buildTx', json },
        { api, path: '/v1/quote', json },
      ]);
  }
  return tradeBodies.filter(hasRecipient).flatMap((json): KeyedRequest[] => {
    const { fromChain, sender, data } = json;
    const quotes = quotesForm.bodyOf({ fromChain, sender, data });
    return [
      { api, path: '/v1/buildTx', json },
      { api, path: '/v1/quotes', json: quotes },
    ];
  });
}

function hasRecipient({ data }: JsonBody): boolean {
  const [entry] = listOf(data);
  return isObject(entry) && isEvmAddress(entry.recipient);
}

/** The same request to the profit of another: nothing that an answer has to repeat. */
function withRecipient(request: KeyedRequest, recipient: string): KeyedRequest {
  const { json, api } = request;
  if (api === 'zap') return { ...request, json: { ...json, recipient } };
  const data = listOf(json.data).map((entry) =>
    isObject(entry) ? { ...entry, recipient } : entry,
  );
  return { ...request, json: { ...json, data } };
}
