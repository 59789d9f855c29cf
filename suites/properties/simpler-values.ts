import { isObject } from '../../contracts/wire/json.ts';
import type { TriedRequest } from '../drive/tried-request.ts';
import type { Reproducer } from './reproducer.ts';
import { differences, withBody } from './fields.ts';
import { objectIn } from '../drive/tried-request.ts';
import { bodyTextOf } from '../drive/tried-request.ts';

/** A step of shrinking: the next candidate, from the smallest reproducer so far; none when it is done. */
export type Step = (current: Reproducer) => Reproducer | undefined;

/** More items of one list are not tried one by one. */
const MAX_ITEMS = 6;
const AMOUNT = /^[1-9][0-9]*$/;

/**
 * Steps that make the values simpler which still differ from the plain request. Lists lose one item
 * at a time, amounts come down to the least power of ten.
 */
export function simplerValues(
  reproducer: Reproducer,
  plainFor: (request: TriedRequest) => TriedRequest | undefined,
): Step[] {
  const [first] = reproducer;
  const plain = first === undefined ? undefined : plainFor(first.request);
  const body = first === undefined ? undefined : objectIn(bodyTextOf(first.request));
  if (first === undefined || plain === undefined || body === undefined) return [];
  return differences(first.request, plain).flatMap((field): Step[] => {
    const [, name = '', ...deeper] = field.split('/');
    if (deeper.length > 0 || !field.startsWith('body/')) return [];
    const value = body[name];
    if (Array.isArray(value)) {
      return value.slice(0, MAX_ITEMS).map((item: unknown) => withoutItem(name, item));
    }
    return typeof value === 'string' && AMOUNT.test(value) ? smallerAmounts(name, value) : [];
  });
}

function withoutItem(name: string, item: unknown): Step {
  return (current) =>
    changed(current, name, (value) => {
      if (!Array.isArray(value) || value.length < 2 || isObject(item)) return undefined;
      const rest = value.filter((other) => other !== item);
      return rest.length < value.length ? rest : undefined;
    });
}

/** Halves the number of digits between what does not show it and what does. */
function smallerAmounts(name: string, amount: string): Step[] {
  let least = 0;
  let tried: string | undefined;
  return Array.from(
    { length: Math.ceil(Math.log2(amount.length + 1)) },
    () => (current) =>
      changed(current, name, (value) => {
        if (typeof value !== 'string') return undefined;
        if (tried !== undefined && value !== tried) least = tried.length;
        const most = value.length;
        const digits = Math.floor((least + most) / 2);
        if (digits <= least || digits >= most) return undefined;
        tried = `1${'0'.repeat(digits - 1)}`;
        return tried;
      }),
  );
}

function changed(
  reproducer: Reproducer,
  name: string,
  change: (value: unknown) => unknown,
): Reproducer | undefined {
  const bodies = reproducer.map(({ request }) => objectIn(bodyTextOf(request)));
  const [first] = bodies;
  const next = first === undefined ? undefined : change(first[name]);
  // A value in which the requests differ is what shows it.
  const isShared = bodies.every(
    (body) => JSON.stringify(body?.[name]) === JSON.stringify(first?.[name]),
  );
  if (next === undefined || !isShared) return undefined;
  return reproducer.map(({ request, ...rest }, at) => {
    const { purpose } = request;
    const text = JSON.stringify({ ...bodies[at], [name]: next });
    const simpler = withBody(request, text);
    return {
      request: { ...simpler, purpose: purpose.kind === 'valid' ? { kind: 'unknown' } : purpose },
      ...rest,
    };
  });
}
