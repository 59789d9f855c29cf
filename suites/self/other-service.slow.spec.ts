import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assay, type Ended, ROOT, runOf, scratch, verdictsOf } from './command-line.ts';

/** What only the built-in service speaks of. */
const WORDS_OF_ANOTHER = /zap|trade|pool|swap|quot(?:e|ing)s?\b|bridge/i;

/** Judging reads no configuration that was not named: the folder may be one that somebody else made. */
const CONFIG = ['--config', 'assay.config.ts'];

const newFolder = scratch();
let home = '';

beforeAll(() => {
  home = newFolder();
  cpSync(join(ROOT, 'examples', 'other-service'), home, { recursive: true });
  mkdirSync(join(home, 'node_modules'));
  symlinkSync(ROOT, join(home, 'node_modules', 'assay'));
});

let server: ChildProcess | undefined;
afterEach(() => server?.kill());

/** Starts the example's server on a free port. */
function serve(...flags: string[]): Promise<string> {
  const started = spawn(process.execPath, ['server.mjs', '0', ...flags], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = started;
  return new Promise((resolve, reject) => {
    started.once('error', reject);
    started.stdout.setEncoding('utf8').once('data', (text: string) => {
      resolve(text.trim());
    });
  });
}

function run(args: readonly string[], url?: string): Promise<Ended> {
  return assay(args, { cwd: home, env: url === undefined ? {} : { ASSAY_BOOKS_URL: url } });
}

/** A page without its data, which is packed and is that of run.json, and without the hashes of its scripts. */
function wordsOf(page: string): string {
  return page.replaceAll(/[A-Za-z0-9+/=]{200,}|sha256-[A-Za-z0-9+/=]+/g, '');
}

describe('the example of another service', () => {
  test('conforms, with evidence for each of its rules', async () => {
    const ended = await run(['check', '--out', 'clean', '--verbose'], await serve());
    expect(ended.code, ended.said).toBe(0);
    const verdicts = verdictsOf(runOf(join(home, 'clean')));
    expect(verdicts).toMatchObject({
      'books.list.within-most': 'pass',
      'books.list.of-the-shelf': 'pass',
      'books.refusals.say-why': 'pass',
      'books.list.fewer-in-the-same-order': 'pass',
      'books.list.response-shape': 'pass',
      'books.read.response-shape': 'pass',
    });
    expect(runOf(join(home, 'clean')).target).toMatchObject({
      service: 'library',
      apis: ['books'],
    });
  });

  test('shows its planted fault by its relation, again when judged again and replayed', async () => {
    const url = await serve('--faulty');
    const ended = await run(['check', '--out', 'faulty'], url);
    expect(ended.code, ended.said).toBe(1);
    const { rules, command = '' } = runOf(join(home, 'faulty'));
    const failed = rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toEqual(['books.list.fewer-in-the-same-order']);
    expect(command).toContain(`ASSAY_BOOKS_URL=${url} node `);
    const [, replay = ''] = /check --replay (\S+)/.exec(ended.stdout) ?? [];
    const replayed = await run(['check', '--replay', replay, '--out', 'replayed'], url);
    expect(replayed.code, replayed.said).toBe(1);
    const judged = await run(['judge', 'faulty', ...CONFIG]);
    expect(judged.code, judged.said).toBe(1);
    expect(judged.said).not.toContain('Not judged again');
  });

  test('has reports without a word of the built-in service', async () => {
    const files = ['html', 'markdown', 'sarif', 'code-quality', 'junit'];
    for (const record of ['clean', 'faulty']) {
      const wanted = files.flatMap((kind) => [`--${kind}`, `${record}.${kind}`]);
      const ended = await run(['report', record, ...wanted]);
      expect(ended.code, ended.said).toBe(0);
      const shown = await run(['judge', record, '--verbose', ...CONFIG]);
      const texts = [
        ['terminal', shown.said],
        ['run.json', readFileSync(join(home, record, 'run.json'), 'utf8')],
        ...files.map((kind) => {
          const text = readFileSync(join(home, `${record}.${kind}`), 'utf8');
          return [kind, kind === 'html' ? wordsOf(text) : text] as const;
        }),
      ] as const;
      for (const [kind, text] of texts) {
        if (kind !== 'html' && record === 'faulty') {
          expect(text, kind).toContain('books.list');
        }
        expect(WORDS_OF_ANOTHER.exec(text)?.[0], `${record}, ${kind}`).toBeUndefined();
      }
    }
  });

  test('has its limit found by the requests that its configuration names', async () => {
    const ended = await run(['limits', '--out', 'limited'], await serve('--limited'));
    expect(ended.code, ended.said).toBe(0);
    const { limits, target, outcome } = runOf(join(home, 'limited'));
    // A busy machine may leave more than one algorithm.
    expect(limits).toMatchObject([{ api: 'books', limit: 10 }]);
    const [{ windowSeconds = 0 } = {}] = limits;
    expect(Math.abs(windowSeconds - 1)).toBeLessThan(0.2);
    expect(target).toMatchObject({ service: 'library', apis: ['books'] });
    expect(outcome).toBe('conforms');
    const text = readFileSync(join(home, 'limited', 'run.json'), 'utf8');
    expect(WORDS_OF_ANOTHER.exec(text)?.[0]).toBeUndefined();
    expect(WORDS_OF_ANOTHER.exec(ended.said)?.[0]).toBeUndefined();
  });

  test('is listed by its own rules, and no more', async () => {
    const { stdout } = await run(['rules']);
    expect(stdout).toMatch(/^limits\n.*\n\nown-rules\n/);
    expect(stdout).toMatch(/\n5 rules\n$/);
  });

  test.each([
    [['load'], 'a service of one\'s own is for "assay check" and "assay limits"'],
    [['limits', '--embedded'], 'the configuration is for the service library'],
    [['check', '--embedded'], 'the configuration is for the service library'],
    [['check', '--zap-url', 'http://127.0.0.1:9'], 'no URL but of the APIs of the configured'],
  ])('%j is wrong use, without a stack trace', async (args, message) => {
    const { code, said } = await run(args);
    expect(code).toBe(2);
    expect(said).toContain(message);
    expect(said).not.toMatch(/ at \S+:\d+:\d+/);
  });
});
