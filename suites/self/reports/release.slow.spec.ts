/** Long because what a certificate must not certify is tried on the same runs, which take long to make. */

import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Statement } from '../../../reports/certificate/certificate.ts';
import { assay, type Ended, runOf, scratch, start, untilRecorded } from '../command-line.ts';
import { CHECK, pythonWithDsse } from './securesystemslib.testkit.ts';

const folder = scratch();
const pkcs8 = { format: 'pem', type: 'pkcs8' } as const;
const spki = { format: 'pem', type: 'spki' } as const;
const pair = generateKeyPairSync('ed25519');
const PRIVATE = pair.privateKey.export(pkcs8) as string;

/** Must rules that only a run of `assay limits` reaches, which takes a minute. */
const UNREACHED = [
  'zap.throttled.typed-body',
  'zap.throttled.retry-after',
  'zap.throttled.rate-limit-headers',
  'zap.limits.per-address',
  'trade.limits.key-raises-limit',
];
/** Must rules that a run does not reach if the machine takes a second for sixteen requests at once. */
const AT_TIMES = ['typed-body', 'retry-after', 'rate-limit-headers'].map(
  (name) => `trade.throttled.${name}`,
);
const WAIVERS = [...UNREACHED, ...AT_TIMES].map((rule) => ({
  ...{ rule, reason: 'no limits there', owner: 'the gateway team', expires: '2999-12-31' },
}));

const [one, two, other, keys, signed, plain] = Array.from({ length: 6 }, folder) as [
  ...[string, string, string, string, string, string],
];
const key = join(keys, 'key.pem');
const certificate = join(signed, 'certificate.json');

beforeAll(async () => {
  mkdirSync(keys);
  writeFileSync(join(keys, 'signing-key.pem'), PRIVATE);
  writeFileSync(key, pair.publicKey.export(spki));
  const config = join(keys, 'assay.config.json');
  writeFileSync(config, JSON.stringify({ waivers: WAIVERS }));
  const few = ['--only', 'docs'];
  // Of the runs of a release one has to reach a rule: the others are short.
  for (const [out, commit, ...more] of [
    [one, 'a1', '--config', config],
    [two, 'a1', '--config', config, ...few],
    [other, 'b2', ...few],
  ] as const) {
    const args = ['check', '--embedded', '--label', `commit=${commit}`, ...more, '--out', out];
    expect((await assay(args)).code).toBe(0);
  }
  const made = await assay(['report', one, two, '--release', '1.2.3', '--out', signed], {
    env: { ASSAY_SIGNING_KEY: PRIVATE },
  });
  expect(made.code, made.said).toBe(0);
  expect((await assay(['report', one, '--release', '1', '--out', plain])).code).toBe(0);
});

const verify = (file: string, dirs: readonly string[], ...more: string[]): Promise<Ended> =>
  assay(['verify', file, ...dirs, ...more]);

/** A copy of a record in which one thing is other. */
function altered(dir: string, file: string, edit: (text: string) => string): string {
  const copy = folder();
  cpSync(dir, copy, { recursive: true });
  writeFileSync(join(copy, file), edit(readFileSync(join(copy, file), 'utf8')));
  return copy;
}

describe('a release', () => {
  test('that conforms is verified by whoever has the runs and the public key', async () => {
    const { code, said } = await verify(certificate, [two, one], '--key', key);
    expect(code).toBe(0);
    expect(said).toContain('is verified: release 1.2.3 conforms, by 2 runs');
  });

  test('is reported to people with its waivers', () => {
    const text = readFileSync(join(signed, 'release.md'), 'utf8');
    expect(text).toMatch(/^# Release 1\.2\.3 conforms \(scope: zap, trade, docs, ai\)\n/);
    expect(text).toContain('labels: commit `a1`');
    for (const rule of UNREACHED) expect(text).toContain(`\`${rule}\` (not-reached, waived)`);
    expect(text).toContain('(the gateway team, until 2999-12-31)');
  });

  test('is incomplete if a must rule was not reached', async () => {
    const out = folder();
    const { code, said } = await assay(['report', other, '--release', '2', '--out', out]);
    expect(code).toBe(3);
    expect(said).toContain('Release 2 is incomplete. Scope: zap, trade, docs, ai.');
    expect(said).toContain('not-reached: trade.body-is-json, since');
    expect(said).toContain('it was left out by --only or --skip');
    expect((await verify(join(out, 'certificate.json'), [other])).code).toBe(3);
  });

  test('speaks of the APIs that are named, and says since when something changed', async () => {
    const out = folder();
    const args = ['report', one, '--release', '3', '--apis', 'zap', '--out', out];
    const { code, said } = await assay([...args, '--previous', certificate]);
    expect(code, said).toBe(0);
    const text = readFileSync(join(out, 'release.md'), 'utf8');
    expect(text).toMatch(/^# Release 3 conforms \(scope: zap; out of scope: trade, docs, ai\)\n/);
    expect(text).toContain(
      `Run \`${runOf(one).record.id}\`: it drove out of scope: trade, docs, ai.`,
    );
    expect(text).toMatch(
      /### What changed since 1\.2\.3, which conforms .*signature was not checked/,
    );
    expect(text).toContain('- in one scope alone: `trade`, `docs`, `ai`');
    expect((await verify(join(out, 'certificate.json'), [one])).code).toBe(0);
    const wrong = await assay([
      'report',
      one,
      '--release',
      '3',
      '--apis',
      'zaps',
      '--out',
      folder(),
    ]);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.said).toContain('--apis takes APIs of the service, comma-separated: zap, trade');
  });

  test('lists runs of its build that lie beside the given ones, a failed one first of all', async () => {
    const nights = folder();
    cpSync(one, join(nights, 'green'), { recursive: true });
    mkdirSync(join(nights, 'red'));
    const red = { ...runOf(two), outcome: 'does-not-conform' };
    writeFileSync(join(nights, 'red', 'run.json'), JSON.stringify(red));
    cpSync(join(nights, 'red'), join(nights, 'more', 'red'), { recursive: true });
    const again = { ...red, record: { ...red.record, id: 'another' } };
    writeFileSync(join(nights, 'more', 'red', 'run.json'), JSON.stringify(again));
    const unjudged = { by: 'end-of-process', judged: 0, cutShort: true };
    const killed = { ...red, complete: false, unjudged, record: { ...red.record, id: 'k' } };
    mkdirSync(join(nights, 'killed'));
    writeFileSync(join(nights, 'killed', 'run.json'), JSON.stringify(killed));
    const out = folder();
    const { said } = await assay(['report', join(nights, 'green'), '--release', '4', '--out', out]);
    expect(said).toContain('beside them, of the same build: red (check of ');
    expect(said).toContain('beside them, of the same build: more/red (check of ');
    const text = readFileSync(join(out, 'release.md'), 'utf8');
    expect(text).toContain('But 2 other runs of this build do not conform: see below.');
    expect(text).toMatch(/- `red` \(check of .*\): \*\*does not conform\*\*/);
    expect(text).toContain('- killed (of this build, and not judged to its end');
    const { predicate } = JSON.parse(
      readFileSync(join(out, 'certificate.json'), 'utf8'),
    ) as Statement;
    expect(predicate.others).toMatchObject([
      { folder: 'red', outcome: 'does-not-conform' },
      { folder: 'more/red', outcome: 'does-not-conform' },
    ]);
  });

  test('that an earlier version certified is still verified', async () => {
    const file = `${folder()}.json`;
    const statement = JSON.parse(
      readFileSync(join(plain, 'certificate.json'), 'utf8'),
    ) as Statement;
    const predicateType = 'urn:assay:release-verification:v1';
    const predicate = { ...statement.predicate, scope: undefined };
    writeFileSync(file, JSON.stringify({ ...statement, predicateType, predicate }));
    const { code, said } = await verify(file, [one]);
    expect(code, said).toBe(0);
  });
});

describe('a certificate does not certify', () => {
  test('a record in which one byte of any file was changed, which it names with the line', async () => {
    for (const file of readdirSync(one)) {
      const lines = readFileSync(join(one, file), 'utf8').split('\n');
      const line = Math.min(lines.length, 7);
      const text = lines[line - 1] ?? '';
      if (text === '') continue;
      const dir = altered(one, file, () =>
        lines.with(line - 1, `${text.slice(0, -2)}~${text.slice(-1)}`).join('\n'),
      );
      const { code, stderr } = await verify(certificate, [dir, two], '--key', key);
      expect(code).toBe(4);
      expect(stderr).toContain(`${join(dir, file)}, line ${line} `);
    }
  });

  test('other runs, fewer, or more', async () => {
    const removed = await verify(certificate, [one], '--key', key);
    expect(removed).toMatchObject({ code: 4 });
    expect(removed.stderr).toContain(`the run ${runOf(two).record.id} (check`);
    const added = await verify(certificate, [one, two, other], '--key', key);
    expect(added).toMatchObject({ code: 4 });
    expect(added.stderr).toContain(`${other} is none of the runs`);
    const swapped = await verify(join(plain, 'certificate.json'), [other]);
    expect(swapped).toMatchObject({ code: 4 });
  });

  test('by another key, by a private one, by one of RSA, or without any', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const [pem, code, words] of [
      [generateKeyPairSync('ed25519').publicKey.export(spki), 4, 'it is of another key'],
      [PRIVATE, 2, 'holds a private key'],
      [rsa.publicKey.export(spki), 2, 'but one for rsa'],
    ] as const) {
      const file = `${folder()}.pem`;
      writeFileSync(file, pem);
      const ended = await verify(certificate, [one, two], '--key', file);
      expect(ended.code).toBe(code);
      expect(ended.said).toContain(words);
    }
    expect(await verify(certificate, [one, two])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Name the public key') as string,
    });
    expect(await verify(join(plain, 'certificate.json'), [one], '--key', key)).toMatchObject({
      code: 4,
    });
  });
});

describe('a verdict that comes out otherwise is named', () => {
  const RULE = 'zap.pools.within-limit';

  async function verifyEdited(edit: (text: string) => string): Promise<Ended> {
    const file = `${folder()}.json`;
    const text = readFileSync(join(plain, 'certificate.json'), 'utf8');
    writeFileSync(file, edit(text));
    return verify(file, [one]);
  }
  const withVerdict = (text: string): string => {
    const statement = JSON.parse(text) as Statement;
    const { predicate } = statement;
    const rules = predicate.rules.map((rule) =>
      rule.id === RULE ? { ...rule, verdicts: ['fail'] } : rule,
    );
    return JSON.stringify({ ...statement, predicate: { ...predicate, rules } });
  };

  test('where the same code judged, as what the certificate should not state', async () => {
    const { code, said } = await verifyEdited(withVerdict);
    expect(code).toBe(1);
    expect(said).toContain(`${RULE} in check ${runOf(one).record.id}: fail, and pass now`);
    expect(said).toContain('The code and the contract that judge are the same');
  });

  test('where other code judged, with which', async () => {
    const { sha256 } = runOf(one).tool;
    const { code, said } = await verifyEdited((text) =>
      withVerdict(text).replaceAll(sha256, '0'.repeat(64)),
    );
    // run.json states the code as well, which is no longer what the certificate says of it.
    expect(code).toBe(1);
    expect(said).toContain('It was judged by assay 0.1.0 (code 000000000000), now by assay 0.1.0');
  });

  test('and another claim than the records make is refused', async () => {
    const { code, said } = await verifyEdited((text) => text.replace('"a1"', '"b2"'));
    expect(code).toBe(4);
    expect(said).toContain('its records say otherwise of this: labels');
  });
});

describe('no certificate is made', () => {
  test('of a run that was interrupted, or altered, or of two commits', async () => {
    const cut = folder();
    const check = start(['check', '--embedded', '--max-rate', '20', '--out', cut]);
    await untilRecorded(cut, 10);
    check.process.kill('SIGINT');
    await check.ended;
    const edited = altered(one, 'run.json', (text) => text.replace('"conforms"', '"undecided"'));
    const relabelled = altered(one, 'run.json', (text) => text.replace('"a1"', '"b2"'));
    for (const [dirs, code, words] of [
      [[cut], 2, 'did not come to its end'],
      [[edited], 4, 'is undecided, and by the exchanges it conforms'],
      [[relabelled], 4, 'says otherwise of the settings of its run than its record: labels'],
      [[two, other], 2, 'have the label commit a1 and b2'],
      [[one, one], 2, 'are the same run'],
      [[folder()], 2, 'holds no run record'],
    ] as const) {
      const ended = await assay(['report', ...dirs, '--release', '1', '--out', folder()]);
      expect(ended.said).toContain(words);
      expect(ended.code).toBe(code);
    }
  });

  test('in the folder of a run, over another one, or with options that do not go together', async () => {
    for (const [args, words] of [
      [['--release', '1', '--out', join(one, 'x')], 'is in the folder of a run'],
      [['--release', '1', '--out', signed], 'is there already'],
      [['--release', ' '], 'takes the name of a release'],
      [['--release', '1', '--markdown', '-'], '--markdown does not go with --release'],
      [['--signing-key', key], '--signing-key is for releases'],
      [['--release', '1', '--signing-key', key], 'public one, which cannot sign'],
    ] as const) {
      const ended = await assay(['report', one, ...args]);
      expect(ended.said).toContain(words);
      expect(ended.code).toBe(2);
    }
  });
});

test('the key that signs stands in no output', async () => {
  const body = PRIVATE.split('\n')[1] ?? '';
  const out = folder();
  const { stdout, stderr } = await assay(['report', one, '--release', body, '--out', out], {
    env: { ASSAY_SIGNING_KEY: PRIVATE },
  });
  const texts = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'));
  const envelope = JSON.parse(readFileSync(join(out, 'certificate.json'), 'utf8')) as {
    payload: string;
  };
  texts.push(Buffer.from(envelope.payload, 'base64').toString());
  for (const text of [stdout, stderr, ...texts]) expect(text).not.toContain(body);
  expect(texts.join('\n')).toContain('$ASSAY_SIGNING_KEY');
});

test('of three who write one folder at once one does, and the others say that it is taken', async () => {
  const out = folder();
  const making = ['report', one, '--release', '1', '--out', out];
  const ended = await Promise.all([1, 2, 3].map(() => assay(making)));
  const codes = ended.map(({ code }) => code).sort();
  expect(codes, ended.map(({ said }) => said).join('\n')).toEqual([0, 2, 2]);
  expect(ended.filter(({ said }) => said.includes('is there already'))).toHaveLength(2);
  expect(readdirSync(out).sort()).toEqual(['certificate.json', 'release.md']);
  const { code, said } = await verify(join(out, 'certificate.json'), [one]);
  expect(code, said).toBe(0);
  expect(said).toContain('The embedded reference service of Assay was judged');
});

test('another implementation of DSSE verifies the envelope, and its digests are those of the files', ({
  skip,
}) => {
  const python = pythonWithDsse();
  skip(
    python === undefined,
    'securesystemslib cannot be installed from PyPI here: no Python 3 with venv, or no network',
  );
  const check = (file: string): ReturnType<typeof spawnSync> =>
    spawnSync(python ?? '', ['-c', CHECK, file, key, one, two], { encoding: 'utf8' });
  const { status, stdout, stderr } = check(certificate);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toBe(
    'application/vnd.in-toto+json https://in-toto.io/Statement/v1 urn:assay:release-verification:v2\n',
  );
  const file = `${folder()}.json`;
  const text = readFileSync(certificate, 'utf8');
  writeFileSync(file, text.replace(/("payload": ".{40})./, '$1x'));
  expect(check(file).status).not.toBe(0);
});
