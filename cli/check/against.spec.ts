import { describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { secondTargetOf } from './against.ts';
import { UsageError } from '../exit-code.ts';

const ZAP = { zapUrl: 'http://127.0.0.1:1' };
const BOTH = { ...ZAP, tradeUrl: 'http://127.0.0.1:2/trade' };

/** What flags mean, for a first target that they name as well. */
async function read(
  flags: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
): Promise<ReturnType<typeof secondTargetOf>> {
  const config = await readConfig({ flags, env, cwd: '/nowhere', defaultSeed: 1 });
  return secondTargetOf(flags, config, env);
}

describe('--against', () => {
  test('is none if it is not given', async () => {
    expect(await read(ZAP)).toBeUndefined();
  });

  test('names a URL for each API, or one for all that have none of their own', async () => {
    expect(
      await read({ ...BOTH, against: ['zap=http://127.0.0.1:3/', 'trade=http://127.0.0.1:4'] }),
    ).toEqual({
      kind: 'remote',
      urls: { zap: 'http://127.0.0.1:3', trade: 'http://127.0.0.1:4' },
    });
    expect(await read({ ...BOTH, against: ['http://127.0.0.1:3', 'trade=http://[::1]'] })).toEqual({
      kind: 'remote',
      urls: { zap: 'http://127.0.0.1:3', trade: 'http://[::1]' },
    });
    expect(await read({ ...ZAP, against: ['http://127.0.0.1:3'] })).toEqual({
      kind: 'remote',
      urls: { zap: 'http://127.0.0.1:3' },
    });
  });

  test('names the embedded reference service', async () => {
    expect(await read({ ...ZAP, against: ['embedded'] })).toEqual({ kind: 'embedded' });
  });

  test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['an API that the second lacks', { ...BOTH, against: ['zap=http://127.0.0.1'] }, /for trade,/],
    ['an API that the first lacks', { ...ZAP, against: ['docs=http://127.0.0.1'] }, /--docs-url/],
    ['an API that is none', { ...ZAP, against: ['zip=http://127.0.0.1'] }, /"zip".* zap, trade/],
    ['twice the same', { ...ZAP, against: ['zap=http://a.test', 'zap=http://b.test'] }, /twice/],
    ['two for all', { ...ZAP, against: ['http://a.test', 'http://b.test'] }, /every API twice/],
    ['no URL', { ...ZAP, against: ['zap=there'] }, /http or https URL/],
    ['nothing', { ...ZAP, against: [''] }, /http or https URL/],
    ['embedded and more', { ...ZAP, against: ['embedded', 'http://a.test'] }, /leave the other/],
    ['no first target', { against: ['embedded'] }, /second of two targets/],
    ['a baseline too', { ...ZAP, against: ['embedded'], baseline: 'run' }, /one of the two out/],
    ['a replay', { ...ZAP, against: ['embedded'], replay: 'a@drive:1' }, /nothing to compare/],
  ])('is refused with %s', async (_, flags, why) => {
    await expect(read(flags)).rejects.toThrow(UsageError);
    await expect(read(flags)).rejects.toThrow(why);
  });

  test('repeats no password of a URL', async () => {
    const flags = { ...ZAP, against: ['zap=http://user:hidden@a.test'] };
    await expect(read(flags)).rejects.toThrow('without credentials');
    await expect(read(flags)).rejects.not.toThrow('hidden');
  });

  test('is refused if its key is set to nothing, which would send that of the first', async () => {
    const env = { ASSAY_TRADE_KEY: 'key', ASSAY_AGAINST_TRADE_KEY: '' };
    await expect(read({ ...ZAP, against: ['embedded'] }, env)).rejects.toThrow(
      /ASSAY_AGAINST_TRADE_KEY is empty.* ASSAY_TRADE_KEY is sent there/,
    );
  });
});
