/** Long because all promises of the format are tried on the same run. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestResult } from 'allure-js-commons';
import {
  FileSystemWriter,
  getTestResultHistoryId,
  InMemoryWriter,
  parseEnvInfo,
  stringifyEnvInfo,
} from 'allure-js-commons/sdk/reporter';
import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { writeAllure } from './allure.ts';
import { addressOf } from './allure-words.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { HOSTILE_TEXTS, hostileRun } from '../hostile-run.testkit.ts';
import { sourceOf } from '../source.testkit.ts';

const BROKEN = 'zap.path.min-return-within-amount';
const CHECK: RunJson = { ...EXAMPLE_RUN, limits: [] };

interface Written {
  readonly results: readonly TestResult[];
  readonly of: (name: string) => TestResult;
  /** What an attachment says. */
  readonly textOf: (source: string) => string;
  /** Everything, one after the other. */
  readonly all: string;
  readonly environment: string;
}

/** What writing runs makes. */
function written(
  runs: readonly RunJson[],
  exchanges: readonly Exchange[] = [],
  withoutSecrets = (text: string): string => text,
): Written {
  const writer = new InMemoryWriter();
  const sources = runs.map((run, at) => sourceOf(run, exchanges, `run ${at}`));
  writeAllure(sources, { writer, withoutSecrets });
  const { tests: results, attachments, envInfo = {}, categories } = writer;
  const textOf = (source: string): string => String(attachments[source]);
  const environment = stringifyEnvInfo(envInfo);
  const rest = [...Object.keys(attachments).map(textOf), JSON.stringify(categories), environment];
  return {
    ...{ results, textOf, environment },
    of: (name) => {
      const found = results.filter((result) => result.name === name);
      const [one] = found;
      if (one === undefined || found.length > 1) throw new Error(`${found.length} of ${name}`);
      return one;
    },
    all: [...results.map((result) => JSON.stringify(result)), ...rest].join('\n'),
  };
}
const labelsOf = ({ labels }: TestResult, wanted: string): string[] =>
  labels.flatMap(({ name, value }) => (name === wanted ? [value] : []));

describe('results of Allure', () => {
  test('say of each rule what the run says of it', () => {
    const { results } = written([CHECK]);
    expect(Object.fromEntries(results.map(({ name, status }) => [name, status]))).toEqual({
      'zap.quote.shape': 'passed',
      [BROKEN]: 'failed',
      'zap.pools.limit-default': 'passed',
      'zap.asset.decimals': 'passed',
      'zap.errors.duplicate-keys': 'passed',
      'trade.build.pair-key': 'skipped',
      'trade.idempotency.replay': 'skipped',
      'trade.quotes.stable': 'skipped',
      'assay.run': 'passed',
    });
  });

  test('name rule, level, section and clause, the words of the finding, and why a rule was skipped', () => {
    const rules = CHECK.rules.map((rule) => ({ ...rule, clauses: [`§0 of ${rule.id}`] }));
    const { of: resultOf } = written([{ ...CHECK, rules }]);
    const broken = resultOf(BROKEN);
    expect(
      ['rule', 'level', 'source', 'clause', 'severity'].map((name) => labelsOf(broken, name)),
    ).toEqual([[BROKEN], ['must'], ['card'], [`§0 of ${BROKEN}`], ['critical']]);
    expect(broken.statusDetails.message).toContain('expected at most amount, 1000000000000000000');
    expect(broken.statusDetails.trace).toContain('replay   assay check --seed 42 --replay');
    expect(resultOf('trade.build.pair-key').statusDetails.message).toBe(
      'waived: provider migration (J. Doe, until 2026-02-01)',
    );
    expect(resultOf('zap.errors.duplicate-keys').links).toEqual([
      {
        type: 'link',
        name: 'RFC 8259 section 4',
        url: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
      },
    ]);
  });

  test('fail on a should if the run does', () => {
    const choice = { only: [], skip: [], failOn: 'should', levels: {} };
    const { of: resultOf } = written([{ ...CHECK, choice } as unknown as RunJson]);
    expect(resultOf('zap.errors.duplicate-keys').status).toBe('failed');
  });

  test('carry the smallest requests, the exchange that shows it, and no more of others', () => {
    const exchange = exchangeOf({ id: 'x00391' });
    const { results, of: resultOf, textOf } = written([CHECK], [exchange]);
    const texts = resultOf(BROKEN).attachments.map(({ name, source }) => [name, textOf(source)]);
    expect(texts.map(([name]) => name)).toEqual(['curl', 'request', 'response']);
    expect(texts[0]?.[1]).toBe(
      `curl -i -X POST http://127.0.0.1:4001/v1/quote -H 'Content-Type: application/json' --data-raw '{"srcChainId":1,"slippage":3}'`,
    );
    expect(texts[1]?.[1]).toContain(exchange.request.url);
    const passed = results.filter(({ name }) => name === 'zap.quote.shape');
    expect(passed.map(({ attachments }) => attachments)).toEqual([[]]);
  });

  test('are the same test cases in a later run, with another seed, address and day', () => {
    const later: RunJson = {
      ...CHECK,
      ...{ seed: 7, startedAt: '2026-03-02T03:04:05.000Z' },
      target: { ...CHECK.target, urls: { zap: 'http://127.0.0.1:1', trade: 'http://127.0.0.1:2' } },
    };
    const idsOf = (run: RunJson): string[] =>
      written([run]).results.map(getTestResultHistoryId).sort();
    expect(idsOf(later)).toEqual(idsOf(CHECK));
    expect(new Set(idsOf(CHECK)).size).toBe(9);
  });

  test('of a check, a probe of limits and two runs of load are no retries of each other', () => {
    const load = { ...CHECK, load: EXAMPLE_LOAD };
    const { results } = written([CHECK, EXAMPLE_RUN, load, load]);
    const ids = results.map(getTestResultHistoryId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(results.flatMap((one) => labelsOf(one, 'run')))).toEqual(
      new Set(['check', 'limits', 'load', 'load 2']),
    );
  });

  test('have the thresholds of a load run', () => {
    const thresholds = [
      { expression: 'p99<300ms', measured: 120, held: true },
      { expression: 'errors<1%', measured: 7, held: false },
    ];
    const load = { ...EXAMPLE_LOAD, invalid: [], thresholds };
    const { of: resultOf } = written([{ ...CHECK, load }]);
    expect(resultOf('load.threshold p99<300ms').status).toBe('passed');
    expect(resultOf('load.threshold errors<1%').statusDetails.message).toBe(
      'expected errors<1%, was 7 %',
    );
    const uncertain = written([{ ...CHECK, load: { ...load, invalid: ['it lagged'] } }]);
    expect(uncertain.of('load.threshold p99<300ms').status).toBe('skipped');
    // An error is one whenever it was asked for.
    expect(uncertain.of('load.threshold errors<1%').status).toBe('failed');
  });

  test('say that a run came to no verdict, or was cut short', () => {
    for (const changes of [
      { outcome: 'undecided', rules: [] },
      { complete: false },
      { failure: 'it broke' },
    ] satisfies Partial<RunJson>[]) {
      const { of: resultOf } = written([{ ...CHECK, ...changes }]);
      expect(resultOf('assay.run').status).toBe('broken');
      expect(resultOf('assay.run').statusDetails.message).not.toBe('');
    }
    expect(
      written([{ ...CHECK, complete: false }]).of('assay.run').statusDetails.message,
    ).toContain('partial: the run did not come to its end');
  });

  test('say nothing of the machine that wrote them', () => {
    const { results, all } = written([CHECK]);
    const names = new Set(results.flatMap(({ labels }) => labels.map(({ name }) => name)));
    for (const name of ['host', 'thread', 'package']) expect(names).not.toContain(name);
    expect(all).not.toContain(process.cwd());
  });

  test('have no secret of the environment in any file', () => {
    const secret = 'key-0f6d2b71c4';
    const text = `before ${secret} behind`;
    const exchange: Exchange = {
      ...exchangeOf({ id: text, headers: { 'x-echo': text }, answered: { message: text } }),
      request: {
        ...{ method: 'POST', path: '/v1/quote', url: `http://127.0.0.1/${secret}` },
        headers: [['Authorization', `Bearer ${secret}`]],
        body: { encoding: 'utf8', text },
      },
    };
    const { all } = written([hostileRun(text)], [exchange], (one) =>
      one.replaceAll(secret, '$ASSAY_TRADE_KEY'),
    );
    expect(all).toContain('Bearer $ASSAY_TRADE_KEY');
    expect(all).not.toContain(secret);
  });

  test('stay small, whatever the record holds, and say what is missing', () => {
    const exchange = exchangeOf({ id: 'x1', answered: 'x'.repeat(1_000_000) });
    const finding = { pointer: '', expected: 'a', actual: 'b', exchanges: ['x1'], count: 1 };
    const curl = 'c'.repeat(1_000_000);
    const rules = Array.from({ length: 300 }, (_, at) =>
      ruleRow({ id: `zap.r${at}`, verdict: 'fail', findings: [{ ...finding, curl }] }),
    );
    const { all } = written([{ ...CHECK, rules }], [exchange]);
    expect(all.length).toBeLessThan(17_000_000);
    // Not by a matcher that would print it all.
    expect(all.includes('\n(934466 more characters: the record has them)')).toBe(true);
    expect(all.includes('(a line of 1000000 characters: run.json has it)')).toBe(true);
    expect(all.includes('It was left out, as the results would be too large')).toBe(true);
  });
});

describe('hostile text in results of Allure', () => {
  const entries = Object.entries(HOSTILE_TEXTS);
  test.each(entries)('%s is words and nothing else', (_, text) => {
    const { results, all, environment } = written([hostileRun(text)], [exchangeOf({ id: text })]);
    expect(results).toHaveLength(8);
    // What moves cursors, turns writing, or is no character.
    expect(all).not.toMatch(/[^\P{Cc}\n]|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u);
    expect(all).not.toMatch(/\\u(?:00[01]|d[89a-f])/);
    for (const { description = '', links } of results) {
      expect(description).not.toMatch(/(?<!\\)[<*_[\]`]/);
      expect(links.filter(({ url }) => !url.startsWith('https://www.rfc-editor.org/'))).toEqual([]);
    }
    const names = Object.keys(parseEnvInfo(environment));
    expect(names).toContain('load: seed');
    expect(names.filter((name) => !name.startsWith('load: '))).toEqual([]);
  });

  test('names no file', () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-allure-spec-'));
    const writer = new FileSystemWriter({ resultsDir: dir });
    const source = sourceOf(hostileRun('../../../up'), [exchangeOf({ id: '../../../up' })]);
    try {
      writeAllure([source], { writer, withoutSecrets: (text) => text });
      for (const name of readdirSync(dir)) {
        expect(name).toMatch(
          /^(?:[0-9a-f-]{36}-(?:result\.json|attachment\.txt)|categories\.json|environment\.properties)$/,
        );
      }
      expect(readdirSync(dir).filter((name) => name.endsWith('-result.json'))).toHaveLength(8);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  test('in place of an RFC gives no address', () => {
    expect(addressOf('RFC 9110 section 15.5"><script>')).toBe(
      'https://www.rfc-editor.org/rfc/rfc9110#section-15.5',
    );
    expect(addressOf('RFC 1/../../evil')).toBe('https://www.rfc-editor.org/rfc/rfc1');
    expect(addressOf('§2.2 (loses money)')).toBeUndefined();
  });
});
