/**
 * Envelopes of the Dead Simple Signing Envelope protocol, v1 (github.com/secure-systems-lab/dsse), signed
 * with Ed25519 (RFC 8032).
 */

import { createHash, type KeyObject, sign, verify } from 'node:crypto';

/** A signed text: what was signed is the type and the bytes together. */
export interface Envelope {
  readonly payloadType: string;
  /** Base64. */
  readonly payload: string;
  /** Tools of others may leave the id of the key out. */
  readonly signatures: readonly { readonly keyid?: string; readonly sig: string }[];
}

const SIGNATURE_BYTES = 64;

/** The bytes that are signed: `DSSEv1`, lengths in bytes, type and body, with single spaces between. */
export function preAuthEncoding(payloadType: string, body: Uint8Array): Buffer {
  const type = Buffer.from(payloadType, 'utf8');
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${body.length} `),
    body,
  ]);
}

/**
 * @param key private, Ed25519; whoever calls has checked that, since other keys sign as quietly
 * @param publicKey its other half
 */
export function signEnvelope(
  payloadType: string,
  body: Uint8Array,
  key: KeyObject,
  publicKey: KeyObject,
): Envelope {
  const sig = sign(null, preAuthEncoding(payloadType, body), key).toString('base64');
  return {
    payloadType,
    payload: Buffer.from(body).toString('base64'),
    signatures: [{ keyid: keyIdOf(publicKey), sig }],
  };
}

/**
 * The bytes that an envelope holds, if one of its signatures is of the key; undefined if none is. Which
 * key a signature names is not asked: anybody may write any name there.
 *
 * @param publicKey Ed25519
 */
export function verifiedBody(envelope: Envelope, publicKey: KeyObject): Buffer | undefined {
  const body = fromBase64(envelope.payload);
  if (body === undefined) return undefined;
  const signed = preAuthEncoding(envelope.payloadType, body);
  const isOfKey = envelope.signatures.some(({ sig }) => {
    const bytes = fromBase64(sig);
    return bytes?.length === SIGNATURE_BYTES && verify(null, signed, publicKey, bytes);
  });
  return isOfKey ? body : undefined;
}

/**
 * The bytes of a text in standard base64 with padding; undefined when it is anything else. Node itself
 * reads other spellings, and skips what it does not know, so that two texts would have one signature.
 */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/**
 * The name of a key as securesystemslib gives it, by which other tools find the key; a hint and no proof.
 *
 * @param publicKey Ed25519
 */
export function keyIdOf(publicKey: KeyObject): string {
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const hex = Buffer.from(x, 'base64url').toString('hex');
  const described = `{"keytype":"ed25519","keyval":{"public":"${hex}"},"scheme":"ed25519"}`;
  return createHash('sha256').update(described).digest('hex');
}
