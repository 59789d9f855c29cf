import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { TargetConfig } from '../../target/config/config-types.ts';
import { checkCommand, type Started } from './check-command.ts';

function command(
  given: Partial<Omit<Started, 'config'>> & { config?: Partial<TargetConfig> },
): string {
  const config = {
    ...{ headers: [], contracts: [], allowRefs: [], failOn: 'must', only: [], skip: [] },
    ...given.config,
  } as unknown as TargetConfig;
  return checkCommand({
    ...{ flags: {}, isEmbedded: false, entry: 'dist/cli/main.js', root: '/w/assay' },
    ...{
      cwd: '/w/assay',
      withoutSecrets: (text: string) => text.replaceAll('hush', '$ASSAY_SECRET_X'),
    },
    ...given,
    config,
  });
}

/** The words that a shell makes of a line, the program's own left out. */
function wordsOf(line: string): string[] {
  const script = `set -- ${line.slice(line.indexOf('check') + 6)}; for word; do printf '%s\\n' "$word"; done`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').slice(0, -1);
}

describe('the program is named as it was started', () => {
  test.each<[string, Partial<Started>, string]>([
    ['in a checkout', {}, 'npm run -s assay -- check'],
    ['installed', { root: '/p/node_modules/assay', cwd: '/p' }, 'npx --no -- assay check'],
    [
      'a checkout seen from elsewhere',
      { cwd: '/else where', entry: '/w/as say/main.js' },
      "node '/w/as say/main.js' check",
    ],
  ])('%s', (_, started, line) => {
    expect(command(started)).toBe(line);
  });
});

test('the target is named, whatever named it before', () => {
  const zapUrl = "http://127.0.0.1:1/a?b='c'";
  const line = command({ config: { zapUrl, docsUrl: 'http://127.0.0.1:2' } });
  expect(wordsOf(line)).toEqual(['--zap-url', zapUrl, '--docs-url', 'http://127.0.0.1:2']);
  expect(command({ isEmbedded: true, config: { zapUrl } })).toMatch(/ check --embedded$/);
});

test('what reaches a target, and what it is judged by, is reported; secrets by their names alone', () => {
  const line = command({
    flags: {
      ...{ config: 'a b.yaml', env: 'staging', timeoutMs: '500', seed: '7', out: 'x' },
      ...{ rpcOfService: true, rpc: ['1=https://node.example/hush'] },
    },
    config: {
      headers: [
        { name: 'X-Gate', value: '$ASSAY_SECRET_GATE' },
        { api: 'zap', name: 'X-Team', value: "it's hush" },
      ],
      ca: '/w/assay/ca.pem',
      contracts: [
        { api: 'ai', location: 'http://127.0.0.1:3/x.yaml' },
        { location: '/other/zap.yaml' },
      ],
      allowRefs: ['127.0.0.1:8'],
      failOn: 'should',
    },
  });
  expect(wordsOf(line)).toEqual([
    ...['--config', 'a b.yaml', '--env', 'staging', '--timeout-ms', '500'],
    ...['--header', 'X-Gate: $ASSAY_SECRET_GATE'],
    ...['--header', "zap=X-Team: it's $ASSAY_SECRET_X"],
    ...['--ca', 'ca.pem', '--contract', 'ai=http://127.0.0.1:3/x.yaml'],
    ...['--contract', '/other/zap.yaml', '--allow-ref', '127.0.0.1:8'],
    ...['--rpc-of-service', '--fail-on', 'should'],
  ]);
});

test('a service of its own is found in its configuration, or where a variable says', () => {
  const documents = [{ api: 'books', location: '/w/assay/books.yaml' }];
  const urls = { books: 'http://127.0.0.1:1', loans: 'http://127.0.0.1:2' };
  const service = { name: 'library', apis: ['books', 'loans'], documents, urls, limits: {} };
  const contracts = [...documents, { api: 'loans', location: '/w/assay/more.yaml' }];
  const config = { service, contracts, booksUrl: urls.books, loansUrl: 'http://127.0.0.1:9/hush' };
  expect(command({ config })).toBe(
    "ASSAY_LOANS_URL='http://127.0.0.1:9/$ASSAY_SECRET_X' npm run -s assay -- check --contract 'loans=more.yaml'",
  );
});

test('what chooses rules is reported, since the drive follows from it', () => {
  const config = { only: ['zap.pools.*', '§2.2'], skip: ['docs'] };
  expect(wordsOf(command({ config }))).toEqual([
    ...['--only', 'zap.pools.*', '--only', '§2.2', '--skip', 'docs'],
  ]);
});
