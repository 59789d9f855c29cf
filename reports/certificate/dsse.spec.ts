import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Envelope,
  fromBase64,
  keyIdOf,
  preAuthEncoding,
  signEnvelope,
  verifiedBody,
} from './dsse.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');

function enveloped(text: string, type = 'text/plain'): Envelope {
  return signEnvelope(type, Buffer.from(text), privateKey, publicKey);
}

test('what is signed is the encoding of the protocol, its lengths in bytes', () => {
  const encoded = (type: string, body: string): string =>
    preAuthEncoding(type, Buffer.from(body)).toString();
  expect(encoded('text/plain', 'hello world')).toBe('DSSEv1 10 text/plain 11 hello world');
  expect(encoded('', '')).toBe('DSSEv1 0  0 ');
  expect(encoded('é', '∞')).toBe('DSSEv1 2 é 3 ∞');
});

test('what was signed comes out of its envelope as it was, for its own key alone', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (body, type) => {
      const envelope = signEnvelope(type, body, privateKey, publicKey);
      expect(verifiedBody(envelope, publicKey)).toEqual(Buffer.from(body));
      expect(verifiedBody(envelope, other.publicKey)).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

describe('an envelope is refused when', () => {
  test.each<[string, (one: Envelope) => Envelope]>([
    ['its body is another', (one) => ({ ...one, payload: Buffer.from('b').toString('base64') })],
    ['its type is another', (one) => ({ ...one, payloadType: 'text/html' })],
    ['lengths could be read in two ways', (one) => ({ ...one, payloadType: 'text/plain 1 a' })],
    ['it has no signature', (one) => ({ ...one, signatures: [] })],
    ['its signature is short', (one) => ({ ...one, signatures: [{ keyid: '', sig: 'AAAA' }] })],
    [
      'its signature is of bytes without their type',
      (one) => {
        const sig = sign(null, Buffer.from('a'), privateKey).toString('base64');
        return { ...one, signatures: [{ keyid: keyIdOf(publicKey), sig }] };
      },
    ],
    ['its body is in another base64', (one) => ({ ...one, payload: one.payload.replace('=', '') })],
    ['something stands between', (one) => ({ ...one, payload: `${one.payload}\n` })],
  ])('%s', (_what, edit) => {
    const envelope = enveloped('a');
    expect(verifiedBody(envelope, publicKey)?.toString()).toBe('a');
    expect(verifiedBody(edit(envelope), publicKey)).toBeUndefined();
  });
});

test('which key a signature names does not matter, and one good signature is enough', () => {
  const envelope = enveloped('a');
  const [good] = envelope.signatures;
  const lying = { keyid: keyIdOf(publicKey), sig: Buffer.alloc(64).toString('base64') };
  const signatures = [lying, { sig: good?.sig ?? '' }];
  expect(verifiedBody({ ...envelope, signatures }, publicKey)?.toString()).toBe('a');
});

test.each(['AB==', 'A', 'AAA', '-_8=', 'AA A', '=', 'AAAA=', 'AAAA====', '\u0410AAA'])(
  'base64 has one spelling, which %s is not',
  (text) => {
    expect(fromBase64(text)).toBeUndefined();
  },
);

test('a key is named as securesystemslib names it', () => {
  const hex = Buffer.from(publicKey.export({ format: 'der', type: 'spki' }).subarray(12)).toString(
    'hex',
  );
  const named = `{"keytype":"ed25519","keyval":{"public":"${hex}"},"scheme":"ed25519"}`;
  expect(keyIdOf(publicKey)).toBe(createHash('sha256').update(named).digest('hex'));
});
