import { describe, expect, test } from 'vitest';
import { assay, runOf, scratch, verdictsOf, type Ended } from './command-line.ts';
import { misbehave, type Misbehaviour } from './misbehaving-server.ts';

const folder = scratch();

interface Seen extends Ended {
  readonly dir: string;
}

async function checkAgainst(how: Misbehaviour): Promise<Seen> {
  const url = await misbehave(how);
  const dir = folder();
  const urls = ['--zap-url', url, '--trade-url', url, '--docs-url', url];
  const ended = await assay(['check', ...urls, '--timeout-ms', '300', '--out', dir]);
  return { ...ended, dir };
}

describe('a server that nobody can talk to leaves the run undecided', () => {
  test.each<[Misbehaviour, string]>([
    ['never-answers', 'The last: no response after 300 ms'],
    ['closes-at-once', 'The last: the connection ended before a response'],
    ['not-http', 'The last: the answer is not HTTP'],
  ])('%s', async (how, why) => {
    const { code, said, dir } = await checkAgainst(how);
    expect(code).toBe(3);
    // One line for the host of all three.
    expect(said).toContain('(the docs, zap and trade APIs) did not answer any of 9 requests.');
    expect(runOf(dir).notices).toHaveLength(1);
    expect(said).toContain(why);
    expect(said).toContain('Check its base URL and whether it is up.');
    expect(runOf(dir)).toMatchObject({ outcome: 'undecided', complete: false });
    // Nothing was learned of any rule.
    expect([...new Set(Object.values(verdictsOf(runOf(dir))))]).toEqual(['not-reached']);
    // Three to each API, each given up after its 300 ms: nobody goes on until the budget ends.
    expect(runOf(dir).counts.requests).toBe(9);
  });

  test('nothing listens', async () => {
    const dir = folder();
    const { code, said } = await assay(['check', '--zap-url', 'http://127.0.0.1:1', '--out', dir]);
    expect(code).toBe(3);
    expect(said).toContain('(the zap API) did not answer any of 3 requests');
    expect(said).toContain('127.0.0.1:1');
  });
});

describe('a server that is something else does not conform', () => {
  test.each<[Misbehaviour, string, string]>([
    ['half-json', 'trade.body-is-json', '{"status":"success","data":{'],
    ['empty-object', 'zap.quote.response-shape', 'expected'],
  ])('%s', async (how, rule, words) => {
    const { code, said, stderr, dir } = await checkAgainst(how);
    expect(code).toBe(1);
    expect(said).toContain(words);
    expect(said).toContain('does not conform');
    const run = runOf(dir);
    expect(verdictsOf(run)[rule]).toBe('fail');
    expect(run.outcome).toBe('does-not-conform');
    // A stack trace would be a fault of Assay's own.
    expect(stderr).not.toContain('    at ');
    expect(run.notices.join()).not.toContain('Assay itself failed');
    // It ended by itself, before its budget did.
    expect(run.counts.requests).toBeLessThan(1_000);
    expect(run.notices.join()).not.toContain('is used up');
  });
});

describe('a server that serves nothing leaves the run undecided, and breaks no rule', () => {
  test.each<[Misbehaviour, string]>([
    ['html', 'web pages in place of JSON'],
    ['plain-500', 'served nothing in the whole run'],
    [
      'redirect',
      'Redirects are not followed: give the URL that they lead to, here http://127.0.0.1:1/',
    ],
  ])('%s', async (how, words) => {
    const { code, said, dir } = await checkAgainst(how);
    expect(code).toBe(3);
    expect(said).toContain(words);
    const run = runOf(dir);
    expect(run.outcome).toBe('undecided');
    expect(run.rules.filter(({ findings }) => findings.length > 0)).toEqual([]);
  });
});
