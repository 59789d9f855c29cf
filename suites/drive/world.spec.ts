import { describe, expect, test } from 'vitest';
import { protocolId, tokenAddresses } from './world.ts';

const FIRST = `0x${'1'.repeat(40)}`;
const SECOND = `0x${'2'.repeat(40)}`;

describe('tokenAddresses', () => {
  test.each([
    ['strings', [FIRST, SECOND]],
    ['objects with an address', [{ address: FIRST }, { address: SECOND }]],
    ['objects that hold one further in', [{ token: { id: FIRST } }, { token: { id: SECOND } }]],
    ['members of an object', { token0: FIRST, token1: SECOND }],
    ['names of an object', { [FIRST]: { index: 0 }, [SECOND]: {} }],
    ['one text', `${FIRST}, ${SECOND}`],
  ])('finds them as %s', (_, tokens) => {
    expect(tokenAddresses(tokens)).toEqual([FIRST, SECOND]);
  });

  test.each([null, undefined, 7, [], {}, [{ symbol: 'T' }]])('finds none in %j', (tokens) => {
    expect(tokenAddresses(tokens)).toEqual([]);
  });
});

describe('protocolId', () => {
  test('is the text, or the id of an object', () => {
    expect([protocolId('a'), protocolId({ id: 'b', name: 'B' })]).toEqual(['a', 'b']);
  });

  test('is undefined where there is none', () => {
    expect([protocolId(null), protocolId({ name: 'B' }), protocolId(3)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
