import { describe, expect, test } from 'vitest';
import type { Proxies } from '../../target/config/proxies.ts';
import type { TargetConfig } from '../../target/config/config-types.ts';
import { UsageError } from '../exit-code.ts';
import { BUILTIN } from './load-scenario.ts';
import { neededApis, openLoadTarget, requireLoadAllowed } from './load-target.ts';

function config(urls: Partial<TargetConfig>): TargetConfig {
  return { timeoutMs: 1000, headers: [], ...urls } as unknown as TargetConfig;
}

const smoke = BUILTIN.smoke;
const perKey = BUILTIN['per-key'];
if (smoke === undefined || perKey === undefined) throw new Error('there is no such scenario');

describe('load', () => {
  test.each(['http://127.0.0.1:1', 'http://127.8.9.1:1', 'http://[::1]:1', 'http://localhost:1'])(
    'runs freely on %s',
    (zapUrl) => {
      expect(() => {
        requireLoadAllowed(config({ zapUrl }), ['zap'], []);
      }).not.toThrow();
    },
  );

  test('needs a word of the owner for every other host, by its exact name', () => {
    const zapUrl = 'http://zap.example';
    const both = config({ zapUrl, tradeUrl: 'http://trade.example' });
    const ask = (allowed: readonly string[]) => () => {
      requireLoadAllowed(both, ['zap', 'trade'], allowed);
    };
    expect(ask([])).toThrow(UsageError);
    expect(ask(['example'])).toThrow(/--allow-load zap.example --allow-load trade.example/);
    expect(ask(['zap.example'])).toThrow(/--allow-load trade.example$/);
    expect(ask(['zap.example', 'trade.example'])).not.toThrow();
    for (const url of ['http://127.0.0.1.example', 'http://0.0.0.0', 'http://2130706434.example']) {
      expect(() => {
        requireLoadAllowed(config({ zapUrl: url }), ['zap'], []);
      }).toThrow(UsageError);
    }
  });

  test('on loopback by a proxy needs a word of whoever is behind it', () => {
    const ask = (allowed: readonly string[], proxies: Proxies) => () => {
      requireLoadAllowed(config({ zapUrl: 'http://127.0.0.1:1' }), ['zap'], allowed, proxies);
    };
    const httpProxy = 'http://proxy.example:3128';
    expect(ask([], { httpProxy })).toThrow(/--allow-load proxy\.example$/);
    expect(ask(['proxy.example'], { httpProxy })).not.toThrow();
    expect(ask([], { httpProxy: 'http://127.0.0.1:2' })).toThrow(/--allow-load 127\.0\.0\.1$/);
    expect(ask([], { httpProxy, noProxy: '127.0.0.1' })).not.toThrow();
  });

  test('goes to the APIs of the mix, and to the zap API for what can be asked for', () => {
    expect(neededApis(smoke, () => true)).toEqual(['zap', 'trade']);
    expect(neededApis(perKey, (api) => api !== 'zap')).toEqual(['trade']);
    expect(neededApis({ ...smoke, mix: { 'docs.llms': 1 } }, () => true)).toEqual(['zap', 'docs']);
  });

  test('is no use if none of these has a URL', async () => {
    const docsUrl = 'http://127.0.0.1:1';
    await expect(openLoadTarget(config({ docsUrl }), smoke, {})).rejects.toThrow(
      /asks for zap.quote, .* none of these APIs has a URL/,
    );
  });

  test('on the embedded service has limits and keys if the scenario is about them', async () => {
    const opened = await openLoadTarget(config({}), perKey, { ASSAY_TRADE_KEY: 'a-known-secret' });
    try {
      expect(Object.keys(opened.keys)).toEqual(['ASSAY_TRADE_KEY_2']);
      expect(opened.described).toMatchObject({ kind: 'reference' });
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => fetch(`${opened.config.zapUrl ?? ''}/v1/config/chains`)),
      );
      expect(answers.some(({ status }) => status === 429)).toBe(true);
    } finally {
      await opened.close();
    }
    const free = await openLoadTarget(config({}), smoke, {});
    try {
      expect(free.keys).toEqual({});
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => fetch(`${free.config.zapUrl ?? ''}/v1/config/chains`)),
      );
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    } finally {
      await free.close();
    }
  });
});
