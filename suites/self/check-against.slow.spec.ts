import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from '../../reports/html/html.testkit.ts';
import {
  assay,
  type Ended,
  exchangesOf,
  runOf,
  scratch,
  type Served,
  serve,
  start,
  untilRecorded,
} from './command-line.ts';

const folder = scratch();

/** A right service and one with a fault; each is served for two minutes, so tests have their own. */
function serveBoth(): Promise<[good: Served, faulty: Served]> {
  return Promise.all([serve([]), serve(['--fault', 'zap-dust-unmarked'])]);
}

/** Requests as they were sent, without what distinguishes one run from another. */
function sentIn(dir: string): string[] {
  return exchangesOf(dir).map(({ request: { method, path, headers, body } }) => {
    const asked = headers.filter(([name]) => name.toLowerCase() !== 'idempotency-key');
    return JSON.stringify([method, path, asked, body?.text]);
  });
}

describe('a check against a second target', () => {
  let dir: string;
  let other: string;
  let ended: Ended;
  let good: Served;
  let faulty: Served;
  beforeAll(async () => {
    [good, faulty] = await serveBoth();
    dir = folder();
    other = join(dir, 'against');
    const args = ['check', '--zap-url', faulty.urls.zap, '--against', good.urls.zap];
    // A tenth of its seconds is what each waits for the other.
    ended = await assay([...args, '--max-seconds', '3000', '--out', dir], {
      env: { ASSAY_LABEL: 'build=7' },
      patienceMs: 1_000_000,
    });
  });

  test('fails for what the first breaks, and says that the second does not', () => {
    const { baseline } = runOf(dir);
    expect(ended.code).toBe(1);
    expect(ended.said).toContain(`Checking zap ${faulty.urls.zap} beside zap ${good.urls.zap}`);
    expect(ended.said).toMatch(/Against the baseline zap \S+, which conforms \(record against\)/);
    expect(baseline).toMatchObject({ verdict: 'changed', reservations: [] });
    expect(baseline?.base.beside).toEqual({ zap: good.urls.zap });
    expect(baseline?.findings.fresh.rows.map(({ rule, operation }) => [rule, operation])).toEqual([
      ['zap.path.dust-mark', 'zap.quote'],
      ['zap.path.dust-mark', 'zap.build-tx'],
    ]);
    expect(baseline?.findings.fixed.rows).toEqual([]);
    expect(baseline?.latencies.length).toBeGreaterThan(5);
    const [page] = dataOf(readFileSync(join(dir, 'report.html'), 'utf8')).runs;
    expect(page?.comparison?.headline).toContain(good.urls.zap);
  });

  test('leaves a whole record of both, which `compare` says the same of', async () => {
    expect(runOf(other)).toMatchObject({ outcome: 'conforms', complete: true, seed: 1 });
    expect([runOf(dir).labels, runOf(other).labels]).toEqual([{ build: '7' }, undefined]);
    expect(existsSync(join(other, 'report.html'))).toBe(true);
    // What a person pastes from there shows it on the second target.
    expect(runOf(other).command).toMatch(/main\.js'? check --zap-url /);
    expect(runOf(other).command).toContain(good.urls.zap);
    const compared = await assay(['compare', other, dir, '--json']);
    expect(compared.code).toBe(1);
    const { base, ...same } = runOf(dir).baseline ?? {};
    expect(base).toBeDefined();
    expect(JSON.parse(compared.stdout)).toMatchObject(same);
    expect((await assay(['judge', dir])).code).toBe(1);
    expect((await assay(['judge', other])).code).toBe(0);
  });

  test('asks both the same at the same times, until what one answered is looked into', () => {
    const [sent, sentThere] = [sentIn(dir), sentIn(other)];
    const first = sent.findIndex((request, at) => request !== sentThere[at]);
    expect(first).toBeGreaterThan(300);
    const sentAt = (record: string, step: number): [atMs: number, step: number][] =>
      exchangesOf(record).map(({ sentAtMs }) => [sentAtMs, step]);
    const both = [...sentAt(dir, 1), ...sentAt(other, -1)].sort(([a], [b]) => a - b);
    let ahead = 0;
    const leads = both.map(([, step]) => Math.abs((ahead += step)));
    // A drive that waits for a whole second goes on by itself, which on a busy machine happens now and then.
    expect(Math.max(...leads.slice(0, 2 * first))).toBeLessThanOrEqual(10);
  });
});

describe('a second target', () => {
  test('may break what the first keeps, which changes no verdict', async () => {
    const [good, faulty] = await serveBoth();
    const dir = folder();
    const args = ['check', '--zap-url', good.urls.zap, '--against', faulty.urls.zap];
    const less = ['--only', 'zap.path.*', '--quiet'];
    const { code, said } = await assay([...args, ...less, '--out', dir]);
    expect([code, said]).toEqual([0, expect.stringContaining('conforms')]);
    expect(runOf(join(dir, 'against')).outcome).toBe('does-not-conform');
    expect(runOf(dir).baseline?.findings.fixed.rows).toMatchObject([
      { rule: 'zap.path.dust-mark', operation: 'zap.quote' },
      { rule: 'zap.path.dust-mark', operation: 'zap.build-tx' },
    ]);
  });

  test('may be the embedded service, of which the APIs of the first are asked', async () => {
    const good = await serve([]);
    const dir = folder();
    const args = ['check', '--docs-url', good.urls.docs, '--against', 'embedded'];
    const { code } = await assay([...args, '--quiet', '--out', dir], {
      env: { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: new URL(good.urls.docs).host },
    });
    expect(code).toBe(0);
    expect(Object.keys(runOf(join(dir, 'against')).target.urls)).toEqual(['docs']);
    expect(runOf(dir).baseline).toMatchObject({ verdict: 'same', reservations: [] });
  });

  test('is sent its own key and fields, and no file or print holds any', async () => {
    const keys = { first: 'first-key-4f2a91c07d', second: 'second-key-8b1d33e5aa' };
    const [own, there] = await Promise.all([
      serve([], { env: { ASSAY_SERVE_KEYS: keys.first } }),
      serve([], { env: { ASSAY_SERVE_KEYS: keys.second } }),
    ]);
    const dir = folder();
    const regressions = folder();
    mkdirSync(regressions);
    writeFileSync(join(regressions, 'bad.json'), '{');
    const { code, stdout, stderr } = await assay(
      [
        ...['check', '--only', 'trade.auth.*,zap.chains.*', '--out', dir],
        ...['--trade-url', own.urls.trade, '--zap-url', own.urls.zap],
        ...['--against', `trade=${there.urls.trade}`, '--against', there.urls.zap],
        ...['--header', 'X-Gate: $ASSAY_SECRET_GATE', '--regressions', regressions],
      ],
      {
        env: {
          ASSAY_TRADE_KEY: keys.first,
          ASSAY_AGAINST_TRADE_KEY: keys.second,
          ASSAY_SECRET_GATE: 'gate-of-the-first',
          ASSAY_AGAINST_SECRET_GATE: 'gate-of-the-second',
        },
      },
    );
    expect(code).toBe(0);
    const run = runOf(dir);
    expect(run.baseline).toMatchObject({ verdict: 'same', reservations: [] });
    expect(run.target.credentials.toSorted()).toEqual(['ASSAY_SECRET_GATE', 'ASSAY_TRADE_KEY']);
    for (const record of [dir, join(dir, 'against')]) {
      const fields = exchangesOf(record).flatMap(({ request }) => request.headers);
      expect(fields).toContainEqual(['Authorization', 'Bearer $ASSAY_TRADE_KEY']);
      expect(fields).toContainEqual(['X-Gate', '$ASSAY_SECRET_GATE']);
    }
    const texts = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => readFileSync(join(dir, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(8);
    for (const secret of [...Object.values(keys), 'gate-of-the-first', 'gate-of-the-second']) {
      for (const text of [...texts, stdout, stderr]) expect(text).not.toContain(secret);
    }
    expect(readdirSync(regressions)).toEqual(['bad.json']);
  });

  test('that nobody answers for is reported, and the first is judged all the same', async () => {
    const good = await serve([]);
    const dir = folder();
    const args = ['check', '--docs-url', good.urls.docs, '--against', 'http://127.0.0.1:9'];
    const { code, said } = await assay([...args, '--out', dir]);
    expect(code).toBe(0);
    expect(said).toContain('The baseline was cut short.');
    expect(runOf(dir)).toMatchObject({ outcome: 'conforms', baseline: { verdict: 'unclear' } });
    expect(runOf(join(dir, 'against'))).toMatchObject({ outcome: 'undecided' });
  });
});

describe('Ctrl-C', () => {
  test('keeps both records, judged as far as they came', async () => {
    const [good, faulty] = await serveBoth();
    const dir = folder();
    const args = ['--zap-url', good.urls.zap, '--against', faulty.urls.zap, '--max-rate', '20'];
    const check = start(['check', ...args, '--out', dir]);
    await untilRecorded(join(dir, 'against'), 8);
    check.process.kill('SIGINT');
    const { code, said } = await check.ended;
    expect(code).toBe(3);
    for (const record of [dir, join(dir, 'against')]) {
      expect(runOf(record)).toMatchObject({
        complete: false,
        notices: ['The run was interrupted; what it had recorded was judged.'],
      });
      // The other one may be a request behind.
      expect(runOf(record).counts.exchanges).toBeGreaterThanOrEqual(7);
    }
    expect(said).toContain('The baseline was cut short.');
    expect(runOf(dir).baseline?.verdict).not.toBe('same');
  });

  test('and nothing goes on once the check is killed', async () => {
    const [good, faulty] = await serveBoth();
    const dir = folder();
    const args = ['--zap-url', good.urls.zap, '--against', faulty.urls.zap, '--max-rate', '20'];
    const check = start(['check', ...args, '--out', dir]);
    const other = join(dir, 'against');
    await untilRecorded(other, 5);
    check.process.kill('SIGKILL');
    await check.ended;
    while (runOf(other).notices[0]?.startsWith('The run was interrupted') !== true) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const left = exchangesOf(other).length;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(exchangesOf(other)).toHaveLength(left);
  });
});
