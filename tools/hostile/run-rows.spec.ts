import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Plan, Row } from './row.ts';
import { resultLine, summaryLines } from './result-text.ts';
import type { RowResult } from './run-row.ts';
import { runRows } from './run-rows.ts';
import { PLANTED } from './secrets.ts';

const KEY = PLANTED.ASSAY_TRADE_KEY ?? '';
let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'assay-runner-'));
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

interface Tried {
  readonly exits?: Row['exits'];
  readonly plan?: Partial<Plan>;
}

/** Runs one row whose command is a script of its own in place of Assay. */
async function tried(script: string, { exits = [0], plan = {} }: Tried = {}): Promise<RowResult> {
  const entry = join(scratch, `entry-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(entry, `import fs from 'node:fs';\n${script}\n`);
  const row: Row = {
    name: 'a row',
    command: 'judge',
    fast: true,
    exits,
    prepare: (lab) => ({
      args: [],
      seconds: 20,
      ...plan,
      ...(plan.record === undefined ? {} : { record: lab.path('out') }),
    }),
  };
  const options = { jobs: 1, slack: 1, entry, onResult: () => undefined };
  const [result] = await runRows([row], options);
  if (result === undefined) throw new Error('there is no result');
  return result;
}

describe.concurrent('a row', () => {
  test('is ok if all is as it should be', async () => {
    const result = await tried("console.log('hello');", { plan: { says: ['hello'] } });
    expect(result).toMatchObject({ exit: 0, complaints: [] });
    expect(resultLine(result)).toMatch(
      /^ok {3}judge {2}a row .* exit 0 +\d+\.\d s +(?:\d+|\?) MB$/,
    );
  });

  test('fails with another exit code than the right ones', async () => {
    const result = await tried('process.exit(4);', { exits: [1, 3] });
    expect(result.complaints).toEqual([expect.stringMatching(/^exit 4 where 1 or 3 is right/)]);
    expect(resultLine(result)).toMatch(/^FAIL judge {2}a row .*exit 4 where 1 or 3 is right/);
    expect(summaryLines([result], 1).join('\n')).toContain('1 rows, 0 ok, 1 failed');
  });

  test('fails with a signal that nobody sent', async () => {
    const { complaints } = await tried(
      "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 9);",
    );
    expect(complaints).toEqual(['SIGTERM ended it']);
  });

  test('is killed if it outlives its time, with all that it started', async () => {
    const { complaints, seconds } = await tried(
      "const { spawn } = await import('node:child_process'); spawn('sleep', ['300'], { stdio: 'inherit' }); for (;;);",
      { plan: { seconds: 1 } },
    );
    expect(complaints).toEqual(['ran longer than 1.0 s, and was killed']);
    expect(seconds).toBeLessThan(60);
  });

  test('is killed if it goes on after the signal', async () => {
    const { complaints } = await tried(
      "process.on('SIGINT', () => {}); console.log('up'); setInterval(() => {}, 9);",
      {
        plan: {
          secondsAfterMark: 0.5,
          during: async (running) => {
            await running.printed('up');
            running.mark();
            running.kill('SIGINT');
          },
        },
      },
    );
    expect(complaints).toEqual(['went on for more than 0.5 s after the signal, and was killed']);
  });

  test('fails if it takes more memory than its bound', async () => {
    const { complaints, megabytes } = await tried(
      'const kept = Buffer.alloc(150e6, 1); setTimeout(() => kept.length, 500);',
      { plan: { megabytes: 120 } },
    );
    expect(complaints).toEqual([expect.stringMatching(/^took \d+ MB of 120$/)]);
    expect(megabytes).toBeGreaterThan(150);
  });

  test.each([
    ['on standard output', 'console.log(process.env.ASSAY_TRADE_KEY);', 'standard output'],
    [
      'on standard error',
      "console.error('x' + process.env.ASSAY_TRADE_KEY + 'x');",
      'standard error',
    ],
    [
      'in a file',
      "fs.mkdirSync('out'); fs.writeFileSync('out/a', Buffer.from('ab' + process.env.ASSAY_TRADE_KEY).toString('base64'));",
      'out/a holds ASSAY_TRADE_KEY as base64, offset 2',
    ],
    [
      'in the name of a file',
      "fs.mkdirSync('out'); fs.writeFileSync('out/' + Buffer.from(process.env.ASSAY_TRADE_KEY).toString('hex'), '');",
      'the name of a file holds ASSAY_TRADE_KEY as hex',
    ],
  ])('fails if it leaves a secret %s', async (_, script, words) => {
    const { complaints } = await tried(script, { plan: { record: 'out' } });
    expect(complaints.join('\n')).toContain(words);
    expect(resultLine({ ...(await tried('')), complaints })).not.toContain(KEY);
  });

  test.each([
    ['a stack trace', "throw new Error('boom');", [1], 'prints what only a crash prints'],
    ['a control sequence', "console.log('\\u001b[2J');", [0], 'raw control character on stdout'],
    ['a bidi mark', "console.error('\\u202e');", [0], 'raw control character on stderr'],
    ['a CI command', "console.log('a\\n  ::error::x');", [0], 'is a CI command'],
  ])('fails if it prints %s', async (_, script, exits, words) => {
    expect((await tried(script, { exits })).complaints.join()).toContain(words);
  });

  test('fails if it does not say what it must, or says what it must not', async () => {
    const plan = { says: ['one', /tw./], never: ['three'] };
    const { complaints } = await tried("console.log('three');", { plan });
    expect(complaints).toEqual(['does not say one', 'does not say /tw./', 'says three']);
  });

  test('fails if it writes outside of its record, or removes what was there', async () => {
    const { complaints } = await tried("fs.writeFileSync('stray', 'x');", {
      plan: { record: 'out' },
    });
    expect(complaints.join()).toContain('wrote stray');
  });

  test('fails by what is looked at afterwards', async () => {
    const plan = { after: () => ['the trap was asked for /x'] };
    expect((await tried('', { plan })).complaints).toEqual(['the trap was asked for /x']);
  });

  test.each(['stdout', 'stderr'] as const)('may have a %s that is closed or full', async (name) => {
    const script = `fs.writeFileSync('out', ''); try { fs.writeSync(${name === 'stdout' ? 1 : 2}, 'x'); } catch (error) { process.exit(error.code === 'ENOSPC' ? 7 : 8); }`;
    const full = await tried(script, { exits: [7], plan: { [name]: 'full', record: 'out' } });
    expect(full).toMatchObject({ exit: 7 });
    const closed = await tried(script, {
      exits: [0, 8],
      plan: { [name]: 'closed', record: 'out' },
    });
    expect([0, 8]).toContain(closed.exit);
  });

  test('fails by itself if it cannot be set up', async () => {
    const row: Row = {
      name: 'a row',
      command: 'check',
      fast: true,
      exits: [0],
      prepare: () => {
        throw new Error('no such thing');
      },
    };
    const reported: RowResult[] = [];
    await runRows([row], { jobs: 1, slack: 1, onResult: (result) => reported.push(result) });
    expect(reported[0]?.complaints).toEqual(['the row itself failed: no such thing']);
  });
});
