import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../exit-code.ts';
import { keyText, publicKeyOf, signingKeyOf } from './signing-key.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-key-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

const pair = generateKeyPairSync('ed25519');
const pkcs8 = { format: 'pem', type: 'pkcs8' } as const;
const spki = { format: 'pem', type: 'spki' } as const;
const PRIVATE = pair.privateKey.export(pkcs8) as string;
const PUBLIC = pair.publicKey.export(spki) as string;
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const x25519 = generateKeyPairSync('x25519');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const locked = pair.privateKey.export({
  ...pkcs8,
  cipher: 'aes-256-cbc',
  passphrase: 'x',
}) as string;

describe('a key to sign with', () => {
  test('comes from a file, else from the environment, else there is none', () => {
    const file = join(root, 'key.pem');
    writeFileSync(file, PRIVATE);
    const other = generateKeyPairSync('ed25519').privateKey.export(pkcs8) as string;
    const jwk = pair.publicKey.export({ format: 'jwk' });
    const found = signingKeyOf(file, { ASSAY_SIGNING_KEY: other });
    expect(found?.publicKey.export({ format: 'jwk' })).toEqual(jwk);
    const named = signingKeyOf(undefined, { ASSAY_SIGNING_KEY: PRIVATE });
    expect(named?.publicKey.export({ format: 'jwk' })).toEqual(jwk);
    expect(signingKeyOf(undefined, {})).toBeUndefined();
  });

  test.each<[string, string, RegExp]>([
    ['empty, as a secret is that CI does not have', '', /set and empty/],
    [
      'of RSA, which would sign as quietly',
      rsa.privateKey.export(pkcs8) as string,
      /but one for rsa/,
    ],
    ['of a curve', ec.privateKey.export(pkcs8) as string, /but one for ec/],
    ['for exchanging keys', x25519.privateKey.export(pkcs8) as string, /but one for x25519/],
    ['public', PUBLIC, /public one, which cannot sign/],
    [
      'of OpenSSH',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n',
      /one of OpenSSH/,
    ],
    ['encrypted', locked, /not encrypted/],
    ['in one line with \\n', PRIVATE.replaceAll('\n', '\\n'), /Keep the line breaks/],
    ['cut off', PRIVATE.slice(0, 50), /no private Ed25519 key in PEM/],
    ['anything', 'hunter2-hunter2', /no private Ed25519 key in PEM/],
  ])('is refused when it is %s', (_what, pem, message) => {
    const asking = (): unknown => signingKeyOf(undefined, { ASSAY_SIGNING_KEY: pem });
    expect(asking).toThrow(UsageError);
    expect(asking).toThrow(message);
    for (const line of pem.split(/\n|\\n/).filter((one) => one !== '' && !one.startsWith('-----')))
      expect(asking).not.toThrow(line);
  });
});

describe('a key to check with', () => {
  test('is a public one', () => {
    expect(publicKeyOf(`\n${PUBLIC}`, 'key.pem').equals(createPublicKey(PRIVATE))).toBe(true);
  });

  test.each<[string, string, RegExp]>([
    ['private, which Node would take as well', PRIVATE, /holds a private key.*openssl pkey/],
    ['a private one beside the public one', PUBLIC + PRIVATE, /holds a private key/],
    ['of RSA', rsa.publicKey.export(spki) as string, /but one for rsa/],
    [
      'of RSA in its own form',
      rsa.publicKey.export({ format: 'pem', type: 'pkcs1' }) as string,
      /no public Ed25519/,
    ],
    ['one of two', PUBLIC + PUBLIC, /one block/],
    [
      'a certificate of X.509',
      '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
      /one block/,
    ],
    ['cut off', PUBLIC.replace(/\n.{20}/, '\n'), /can be read/],
    ['nothing', '', /no public Ed25519 key/],
  ])('is refused when it is %s', (_what, pem, message) => {
    expect(() => publicKeyOf(pem, 'key.pem')).toThrow(UsageError);
    expect(() => publicKeyOf(pem, 'key.pem')).toThrow(message);
  });

  test('is a file of its size', () => {
    const file = join(root, 'large.pem');
    writeFileSync(file, '-'.repeat(20_000));
    expect(() => keyText(file)).toThrow(/more than 16384 bytes/);
    expect(() => keyText(root)).toThrow(/it is a folder/);
  });
});
