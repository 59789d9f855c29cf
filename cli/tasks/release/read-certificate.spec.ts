import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../../../contracts/run/load/load-run.testkit.ts';
import { releaseOf } from '../../../contracts/release/release-outcome.ts';
import { KNOWN, passed, runOf, same } from '../../../contracts/release/release.testkit.ts';
import { EVERY_RULE } from '../../../contracts/judging/rule-choice.ts';
import {
  certificateText,
  EARLIER_TYPES,
  PAYLOAD_TYPE,
  type Statement,
  statementOf,
} from '../../../reports/certificate/certificate.ts';
import { signEnvelope } from '../../../reports/certificate/dsse.ts';
import { CertificateRefused } from './certificate-error.ts';
import { UsageError } from '../../exit-code.ts';
import { readCertificate } from './read-certificate.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-certificate-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

const own = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const file = join(root, 'certificate.json');
const RUN = runOf('r1', {
  outcome: 'does-not-conform',
  rules: [passed('zap.a', { verdict: 'fail' })],
  labels: { commit: 'a1' },
  choice: { ...EVERY_RULE, skip: ['zap.c'], leftOut: { must: 1, should: 0, observe: 0 } },
  waivers: [{ rule: 'zap.b', reason: 'known', owner: 'me', expires: '2026-12-31' }],
  load: EXAMPLE_LOAD,
});
const statement = statementOf(
  {
    ...releaseOf({
      ...{ release: '1.2', issuedAt: '2026-01-03T00:00:00.000Z', known: KNOWN, scope: ['zap'] },
      runs: [same(RUN)],
    }),
    lineMarks: { 'r1/run.json': 'AAAA' },
  },
  ['exchanges.ndjson', 'run.json'].map((name) => ({
    name: `r1/${name}`,
    digest: { sha256: 'ab'.repeat(32) },
  })),
);

/** Writes a certificate and reads it. */
function read(text: string | Uint8Array, key?: typeof own): ReturnType<typeof readCertificate> {
  writeFileSync(file, text);
  return readCertificate(file, key?.publicKey);
}

function signed(value: unknown, type = PAYLOAD_TYPE): string {
  const body = Buffer.from(JSON.stringify(value));
  return JSON.stringify(signEnvelope(type, body, own.privateKey, own.publicKey));
}

test('a certificate reads as it was made, signed or not', () => {
  const plain = JSON.parse(JSON.stringify(statement)) as Statement;
  expect(read(certificateText(statement))).toEqual({ statement: plain });
  const { statement: verified, signer } = read(certificateText(statement, own), own);
  expect(verified).toEqual(plain);
  expect(signer).toMatch(/^[0-9a-f]{64}$/);
});

describe('a certificate of version 1', () => {
  const [predicateType] = EARLIER_TYPES;
  const { predicate } = statement;

  test('is read, and has no scope', () => {
    const old = releaseOf({
      ...{ release: '1.2', issuedAt: '2026-01-03T00:00:00.000Z', known: KNOWN },
      runs: [same(RUN)],
    });
    const one = { ...statement, predicateType, predicate: { ...old, lineMarks: {} } };
    expect(read(signed(one), own).statement).toEqual(JSON.parse(JSON.stringify(one)));
  });

  test('with a scope, or of this version without one, contradicts itself', () => {
    expect(() => read(JSON.stringify({ ...statement, predicateType }))).toThrow(/its scope/);
    const without = { ...statement, predicate: { ...predicate, scope: undefined } };
    expect(() => read(JSON.stringify(without))).toThrow(/its scope/);
  });
});

test('one on which nothing rests is read whoever signed it, and says whether the key did', () => {
  for (const [key, signer] of [
    [undefined, undefined],
    [other, undefined],
    [own, expect.any(String) as string],
  ] as const) {
    writeFileSync(file, certificateText(statement, own));
    expect(readCertificate(file, key?.publicKey, true).signer).toEqual(signer);
  }
  writeFileSync(file, certificateText(statement));
  expect(readCertificate(file, own.publicKey, true).signer).toBeUndefined();
});

describe('a signature', () => {
  test('of another key is refused', () => {
    expect(() => read(certificateText(statement, own), other)).toThrow(CertificateRefused);
    expect(() => read(certificateText(statement, own), other)).toThrow(/another key/);
  });

  test('is asked for if a key is named', () => {
    expect(() => read(certificateText(statement), own)).toThrow(/is not signed, and --key asks/);
  });

  test('is not passed over if no key is named', () => {
    expect(() => read(certificateText(statement, own))).toThrow(UsageError);
    expect(() => read(certificateText(statement, own))).toThrow(/--key FILE/);
  });

  test('holds for every byte that was signed', () => {
    const text = certificateText(statement, own);
    const { payload } = JSON.parse(text) as { payload: string };
    const body = Buffer.from(payload, 'base64').toString();
    const altered = Buffer.from(body.replace('does-not-conform', 'conforms')).toString('base64');
    expect(() => read(text.replace(payload, altered), own)).toThrow(/is not signed by the key/);
    expect(() => read(text.replace(PAYLOAD_TYPE, 'text/plain'), own)).toThrow(CertificateRefused);
  });

  test('on something else makes no certificate of it', () => {
    expect(() => read(signed(statement, 'text/plain'), own)).toThrow(/no statement of in-toto/);
    expect(() => read(signed({ ...statement, predicateType: 'urn:x' }), own)).toThrow(/urn:x/);
    expect(() => read(signed([statement]), own)).toThrow(/no statement and no envelope/);
  });
});

describe('refused is', () => {
  test.each<[string, () => string | Uint8Array]>([
    ['what is cut off', () => certificateText(statement).slice(0, -9)],
    ['what is no JSON', () => 'certificate'],
    ['nothing', () => ''],
    ['what nests without end', () => '['.repeat(1_000_000)],
    ['what is no UTF-8', () => Buffer.from([0x7b, 0xff, 0x7d])],
    ['a list', () => '[]'],
    [
      'an envelope without signatures',
      () => JSON.stringify({ payloadType: '', payload: '', signatures: [] }),
    ],
    ['an envelope of numbers', () => '{"payloadType":1,"payload":2,"signatures":[3]}'],
    [
      'an envelope with a thousand signatures',
      () =>
        JSON.stringify({ payloadType: '', payload: '', signatures: Array(1000).fill({ sig: '' }) }),
    ],
  ])('%s', (_what, text) => {
    expect(() => read(text())).toThrow(CertificateRefused);
  });

  test.each<[string, (one: Statement) => unknown, RegExp]>([
    [
      'a statement without files',
      (one) => ({ ...one, subject: [] }),
      /subject must NOT have fewer/,
    ],
    ['one with more than there should be', (one) => ({ ...one, more: 1 }), /additional properties/],
    [
      'one with a digest in capitals',
      (one) => ({ ...one, subject: [{ name: 'r1/a', digest: { sha256: 'AB'.repeat(32) } }] }),
      /must match pattern/,
    ],
    ['a file twice', (one) => ({ ...one, subject: [...one.subject, ...one.subject] }), /same name/],
    [
      'a file of no run',
      (one) => ({
        ...one,
        subject: [{ name: 'r9/run.json', digest: { sha256: 'ab'.repeat(32) } }],
      }),
      /a file is of no run/,
    ],
    [
      'a run twice',
      (one) => ({
        ...one,
        predicate: { ...one.predicate, runs: [...one.predicate.runs, ...one.predicate.runs] },
      }),
      /same id/,
    ],
    [
      'a rule with verdicts of other runs',
      (one) => ({
        ...one,
        predicate: {
          ...one.predicate,
          rules: one.predicate.rules.map((rule) => ({ ...rule, verdicts: [] })),
        },
      }),
      /more or fewer verdicts/,
    ],
    [
      'a rule twice',
      (one) => ({
        ...one,
        predicate: { ...one.predicate, rules: [...one.predicate.rules, ...one.predicate.rules] },
      }),
      /a rule stands twice/,
    ],
    [
      'an outcome that there is not',
      (one) => ({ ...one, predicate: { ...one.predicate, outcome: 'perfect' } }),
      /outcome must be equal/,
    ],
  ])('%s', (_what, edit, message) => {
    expect(() => read(JSON.stringify(edit(statement)))).toThrow(CertificateRefused);
    expect(() => read(JSON.stringify(edit(statement)))).toThrow(message);
  });

  test('a member that objects have by themselves', () => {
    const text = JSON.stringify(statement).replace('{"_type"', '{"__proto__":{"a":1},"_type"');
    expect(() => read(text)).toThrow(/additional properties/);
  });
});

test('a certificate that is a folder or not there is wrong use', () => {
  expect(() => readCertificate(root, undefined)).toThrow(/cannot be read: it is a folder/);
  expect(() => readCertificate(join(root, 'none'), undefined)).toThrow(UsageError);
});
