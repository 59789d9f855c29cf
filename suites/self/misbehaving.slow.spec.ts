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
    ['never-answers', '(last: no response after 300 ms)'],
    ['closes-at-once', '(last: the connection ended before a response'],
    ['not-http', '(last: the answer is not HTTP'],
  ])('%s', async (how, why) => {
    const { code, said, dir } = await checkAgainst(how);
    expect(code).toBe(3);
    for (const api of ['zap', 'trade', 'docs']) {
      expect(said).toContain(`the ${api} API did not answer 3 times in a row ${why}`);
    }
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
    expect(said).toContain('the zap API did not answer 3 times in a row');
    expect(said).toContain('127.0.0.1:1');
  });
});

describe('a server that is something else does not conform', () => {
  test.each<[Misbehaviour, string, string]>([
    ['html', 'zap.body-is-json', '<html>Welcome</html>'],
    ['half-json', 'trade.body-is-json', '{"status":"success","data":{'],
    ['empty-object', 'zap.quote.response-shape', 'expected'],
    ['plain-500', 'zap.errors.typed-body', 'answered no request with success'],
    ['redirect', 'trade.errors.typed-body', 'Is its base URL the right one, and no redirect?'],
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
