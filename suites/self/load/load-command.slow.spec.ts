import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunJson } from '../../../contracts/run/run.ts';
import { assay, scratch, start } from '../command-line.ts';

const folder = scratch();

function runOf(dir: string): RunJson {
  return JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as RunJson;
}

/** A machine that is busy with other specs may be late: then the figures do not count, and it says so. */
const WELL = [0, 3];

describe('assay load', () => {
  test.each([
    ['smoke', ['--seconds', '2', '--rate', '20'], 40],
    ['average', ['--seconds', '3', '--rate', '30'], 75],
    ['stress', ['--seconds', '4', '--rate', '60'], 116],
    ['spike', ['--seconds', '4', '--rate', '60'], 60],
    ['soak', ['--seconds', '3', '--rate', '20'], 60],
    ['breakpoint', ['--seconds', '4', '--rate', '40', '--threshold', 'p99<9s'], 84],
    ['per-address', ['--seconds', '3', '--rate', '120'], 180],
    ['per-key', ['--seconds', '3', '--rate', '40'], 60],
    ['herd', ['--seconds', '6', '--rate', '120'], 0],
  ])(
    '%s runs against the embedded service, and its record is judged the same',
    async (name, flags, least) => {
      const out = folder();
      const { code, said } = await assay([
        'load',
        '--embedded',
        '--scenario',
        name,
        ...flags,
        '--out',
        out,
      ]);
      const run = runOf(out);
      expect(WELL, said).toContain(code);
      expect(run.outcome, said).toBe('conforms');
      const { load } = run;
      expect(load?.scenario).toBe(name);
      expect(load?.whole.counts.sent).toBeGreaterThanOrEqual(least);
      expect(load?.whole.counts.served).toBeGreaterThan(0);
      // All of them; on a machine that is busy with something else a share, which is reported.
      const { answers, of: total } = load?.judged ?? { answers: 0, of: 0 };
      const reported =
        answers === total ? `all ${total} answers` : `${answers} of ${total} answers`;
      expect(answers).toBeGreaterThan(0);
      expect(said.replaceAll(',', '')).toContain(reported);
      expect(
        load?.thresholds.find(({ expression }) => expression === 'violations==0'),
      ).toMatchObject({
        held: true,
      });
      // The embedded service has limits if the scenario is about them.
      const isLimited = ['per-address', 'per-key', 'herd'].includes(name);
      expect((load?.whole.counts.throttled ?? 0) > 0).toBe(isLimited);
      expect(said).toContain(`load ${name}:`);
      expect(readFileSync(join(out, 'load.svg'), 'utf8')).toContain('</svg>');
      const judged = await assay(['judge', out, '--json']);
      expect(JSON.parse(judged.stdout)).toEqual(run);
      expect(judged.code).toBe(code);
    },
  );

  test('ends with 1 if a threshold is broken', async () => {
    const out = folder();
    const { code, said } = await assay([
      ...['load', '--embedded', '--seconds', '2', '--rate', '20', '--out', out],
      ...['--threshold', 'errors>50%', '--threshold', 'p99<1ms'],
    ]);
    // If the machine was late, the broken thresholds are not certain.
    expect([1, 3], said).toContain(code);
    expect(runOf(out).load?.thresholds.filter(({ held }) => !held)).toHaveLength(2);
  });

  test('sends the figures of its record to a collector, which changes none of them', async () => {
    const counts: number[] = [];
    const collector = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const sent = [...text.matchAll(/"count":(\d+)/g)].map(([, count]) => Number(count));
        counts.push(sent.reduce((sum, count) => sum + count, 0));
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const out = folder();
    try {
      const flags = ['--embedded', '--seconds', '2', '--rate', '20', '--out', out];
      const { said } = await assay(['load', ...flags, '--otlp', url]);
      const { whole } = runOf(out).load ?? expect.fail(said);
      expect(whole.counts.sent).toBeGreaterThan(0);
      expect(counts.at(-1), said).toBe(whole.counts.sent);
    } finally {
      collector.close().closeAllConnections();
    }
  });

  test('ends cleanly at Ctrl-C, with what was measured', async () => {
    const out = folder();
    const running = start(['load', '--embedded', '--scenario', 'soak', '--out', out]);
    await running.printed('  served ');
    running.process.kill('SIGINT');
    const { code, said } = await running.ended;
    expect(code, said).toBe(3);
    const run = runOf(out);
    expect(run.complete).toBe(false);
    expect(run.notices.join()).toContain('interrupted');
    expect(run.load?.whole.counts.sent).toBeGreaterThan(0);
    expect(run.load?.whole.counts.offered).toBeLessThan(2_000);
    expect((await assay(['judge', out])).code).toBe(3);
  });

  test('says that nothing can be reached', async () => {
    const out = folder();
    const { code, said } = await assay(['load', '--zap-url', 'http://127.0.0.1:9', '--out', out]);
    expect(code).toBe(3);
    expect(said).toContain('No request of the mix could be prepared');
    expect(existsSync(join(out, 'load.json'))).toBe(true);
  });
});

describe('assay load refuses, and says what to do:', () => {
  test.each([
    ['a host of somebody else', ['--zap-url', 'http://zap.example'], '--allow-load zap.example'],
    ['an unknown scenario', ['--embedded', '--scenario', 'smok'], 'Did you mean smoke'],
    ['a threshold that is none', ['--embedded', '--threshold', 'p99<5'], 'Thresholds look like'],
    ['a rate beyond the ceiling', ['--embedded', '--rate', '9999'], 'its ceiling is 2000'],
    ['a share beyond all', ['--embedded', '--judge-share', '2'], 'from 0 to 1'],
    [
      'limits of a folder that has none',
      ['--embedded', '--limits', '/nowhere', '--below-limit', '0.5'],
      'no measured limits',
    ],
  ])('%s', async (_what, flags, reported) => {
    const out = folder();
    const { code, said } = await assay(['load', ...flags, '--out', out]);
    expect(code, said).toBe(2);
    expect(said).toContain(reported);
    expect(existsSync(out)).toBe(false);
  });
});
