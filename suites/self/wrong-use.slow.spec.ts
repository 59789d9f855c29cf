import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, ROOT, scratch } from './command-line.ts';

const folder = scratch();
/** A configuration in which nothing is wrong; an empty one is. */
const PLAIN = 'timeoutMs: 1000';

/** A folder with a file in it. */
function withFile(name: string, text: string): string {
  const dir = folder();
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, name), text);
  return dir;
}

describe.concurrent(
  'what cannot be done is reported in a sentence, with the value and the way out',
  () => {
    test.each<[string, readonly string[], readonly string[]]>([
      ['no command', [], ['Usage: assay']],
      ['an unknown command', ['frobnicate'], ["unknown command 'frobnicate'", '--help']],
      ['an unknown flag', ['check', '--nope'], ["unknown option '--nope'", '--help']],
      [
        'a URL of another kind',
        ['check', '--zap-url', 'ftp://x'],
        ['--zap-url: ftp://x', 'wanted: an http or https URL'],
      ],
      ['a seed that is no number', ['check', '--seed', 'x'], ['--seed: x', 'a whole number']],
      ['a budget of nothing', ['check', '--max-requests', '0'], ['--max-requests: 0', 'from 1']],
      [
        'a node beside the embedded service, which would not ask it',
        ['check', '--embedded', '--rpc', '1=http://127.0.0.1:9'],
        ['--rpc', 'a service that has a URL'],
      ],
      [
        'nodes of a service, and no service',
        ['check', '--rpc-of-service'],
        ['--rpc-of-service', 'a service that has a URL'],
      ],
      [
        'a contract that is not there',
        ['check', '--contract', 'zap=/nowhere/zap.yaml'],
        ['/nowhere/zap.yaml', 'cannot be read'],
      ],
      [
        'a configuration that is not there',
        ['check', '--config', '/nowhere/assay.yaml'],
        ['/nowhere/assay.yaml', 'a file that exists'],
      ],
      ['a record that is not there', ['judge', '/nowhere'], ['/nowhere holds no run record']],
      [
        'a replay without a target',
        ['check', '--replay', 'zap.quote.served@drive:17'],
        ['--replay shows a finding again on a target', '--zap-url', '--embedded'],
      ],
      [
        'a replay that is cut off',
        ['check', '--embedded', '--replay', 'zap.quote.served@requests:abc'],
        ['--replay zap.quote.served@…: it holds no requests', 'cut off'],
      ],
      ['judging nothing', ['judge'], ["missing required argument 'dir'"]],
      ['a report on nothing', ['report'], ["missing required argument 'runs'"]],
      ['a report in no format', ['report', '/nowhere'], ['no report is asked for', '--markdown']],
      [
        'a report on a record that is not there',
        ['report', '/nowhere', '--markdown', '-'],
        ['/nowhere holds no run record'],
      ],
      [
        'two reports in one place',
        ['report', '/nowhere', '--markdown', 'a', '--junit', './a'],
        ['--markdown and --junit both go to', 'a file of its own'],
      ],
      [
        'a limit without a window',
        ['serve', '--zap-limit', '5'],
        ['"5" is no rate limit', '100/60'],
      ],
      ['a port that does not exist', ['serve', '--port-base', '99999'], ['99999', '65532']],
      ['an admin without a token', ['serve', '--admin'], ['ASSAY_ADMIN_TOKEN', 'not set']],
      [
        'a Redis that is none',
        ['serve', '--redis-url', 'http://127.0.0.1:6379'],
        ['--redis-url takes', 'redis://127.0.0.1:6379/0', '"http://127.0.0.1:6379"'],
      ],
      ['a Redis that is no URL', ['serve', '--redis-url', 'not a url'], ['--redis-url takes']],
      [
        'rules that are none',
        ['check', '--embedded', '--only', 'nope'],
        ['"nope" chooses no rule'],
      ],
      [
        'a rule misspelt',
        ['check', '--embedded', '--skip', 'zap.quote.servd'],
        ['zap.quote.served'],
      ],
      ['no rule left', ['check', '--embedded', '--only', 'ai', '--skip', 'ai'], ['leave no rule']],
      ['faults that are none', ['self-test', '--only', 'nope'], ['no fault or variant']],
      [
        'limiters that are none',
        ['self-test', '--limits', '--only', 'nope'],
        ['no fault or variant'],
      ],
      ['a list of failures for judge', ['judge', '/a', '/b'], ['too many arguments']],
    ])('%s', async (_, args, words) => {
      const { code, stderr, said } = await assay(args);
      for (const word of words) expect(said).toContain(word);
      expect(stderr).not.toContain('    at ');
      expect(code).toBe(2);
    });

    test('a key on the command line, which is not repeated', async () => {
      const { code, said } = await assay(['check', '--trade-key', 'a-key-of-somebody']);
      expect(said).toContain('ASSAY_TRADE_KEY');
      expect(said).not.toContain('a-key-of-somebody');
      expect(code).toBe(2);
    });

    test('an admin token that can be guessed, which is not repeated', async () => {
      const env = { ASSAY_ADMIN_TOKEN: 'q' };
      const { code, said } = await assay(['serve', '--admin'], { env });
      expect(said).toContain('ASSAY_ADMIN_TOKEN is shorter than 8 characters');
      expect(said).not.toContain('"q"');
      expect(code).toBe(2);
    });

    test.each([
      ['an option', ['check', '--\u001b[2Jzap'], PLAIN],
      ['a flag', ['check', '--seed', '\u001b]0;title\u0007\u202e'], PLAIN],
      ['a configuration', ['check'], 'timeoutMs: "\\e[2J\\u202e\\x9b1m"'],
      ['a rule', ['rules', 'explain', '\u001b[31m'], PLAIN],
    ])('what a terminal would obey in %s is shown, not sent', async (_, args, config) => {
      const cwd = withFile('assay.config.yaml', config);
      const { code, stdout, stderr } = await assay(args, { cwd });
      expect(stderr).toContain('\\u{1b}');
      // eslint-disable-next-line no-control-regex
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(code).toBe(2);
    });

    test('a folder that holds a record already', async () => {
      const dir = withFile('run.json', '{}');
      const { code, said, stderr } = await assay(['check', '--out', dir]);
      expect(said).toContain(`${join(dir, 'run.json')} already holds the record of a run`);
      expect(said).toContain('Name another folder with --out');
      expect(stderr).not.toContain('    at ');
      expect(code).toBe(2);
    });

    test.each([
      ['a summary of nothing', 'run.json', '{}', 4],
      ['a run.json that is none', 'run.json', 'neither', 4],
      ['a folder of other things', 'notes.txt', 'nothing', 2],
    ])('%s', async (_, name, text, exit) => {
      const dir = withFile(name, text);
      const { code, said, stderr } = await assay(['judge', dir]);
      expect(said).toContain(dir);
      expect(stderr).not.toContain('    at ');
      expect(code).toBe(exit);
    });

    test.each([
      ['where the system makes none', '/proc/none/such'],
      ['that is a file', join(ROOT, 'package.json')],
      ['below a file', join(ROOT, 'package.json', 'record')],
    ])('a folder for the record %s', async (_, out) => {
      const { code, said, stderr } = await assay(['check', '--out', out]);
      expect(said).toContain(`${out} cannot hold the record of a run`);
      expect(stderr).not.toContain('    at ');
      expect(code).toBe(2);
    });

    test.each([
      ['that is no YAML', 'zapUrl: [', ['assay.config.yaml', 'a file that can be read']],
      ['with an unknown key', 'zapURL: http://127.0.0.1', ['zapURL', 'one of the keys']],
      ['with a bad value', 'timeoutMs: soon', ['timeoutMs, file assay.config.yaml: soon']],
      [
        'with a waiver of no rule',
        'waivers: [{ rule: zap.pools.within-limits, reason: r, owner: o, expires: 2030-01-01 }]',
        ['zap.pools.within-limits', 'Did you mean zap.pools.within-limit?'],
      ],
      ['with a key in it', 'tradeKey: a-key-of-somebody', ['ASSAY_TRADE_KEY']],
    ])('a configuration %s', async (_, text, words) => {
      const cwd = withFile('assay.config.yaml', text);
      const { code, said, stderr } = await assay(['check'], { cwd });
      for (const word of words) expect(said).toContain(word);
      expect(said).not.toContain('a-key-of-somebody');
      expect(stderr).not.toContain('    at ');
      expect(code).toBe(2);
    });

    test('a variable that is not known is a warning, and no more', async () => {
      const env = { ASSAY_ZAP_ULR: 'http://127.0.0.1:1' };
      const { code, said } = await assay(['check', '--max-requests', '1', '--out', folder()], {
        env,
      });
      expect(said).toContain('the variable ASSAY_ZAP_ULR is not known and has no effect');
      expect(code).toBe(3);
    });
  },
);
