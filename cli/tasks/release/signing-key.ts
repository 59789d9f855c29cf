/** Keys that sign certificates, and those that check them. */

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readRegularFile, UnreadableFile } from '../../../contracts/document/regular-file.ts';
import { SIGNING_KEY } from '../../../target/config/secrets.ts';
import type { SigningKey } from '../../../reports/certificate/certificate.ts';
import { UsageError } from '../../exit-code.ts';

/** A key in PEM has some hundred bytes. */
const MAX_KEY_BYTES = 16_384;
const MAKE_ONE = '`openssl genpkey -algorithm ed25519 -out signing-key.pem` makes one.';
const EXPORT_IT = '`openssl pkey -in signing-key.pem -pubout -out key.pem` writes it.';

/**
 * The key to sign with: that of the file, else that of the environment; undefined if there is neither.
 *
 * @throws UsageError when it is no private Ed25519 key; never says what it holds
 */
export function signingKeyOf(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): SigningKey | undefined {
  const variable = env[SIGNING_KEY];
  if (file !== undefined) return privateKeyOf(keyText(file), file);
  if (variable === undefined) return undefined;
  if (variable.trim() === '') {
    throw new UsageError(
      `${SIGNING_KEY} is set and empty, so the certificate would not be signed and nobody would notice. Give it the key, or do not set it.`,
    );
  }
  return privateKeyOf(variable, SIGNING_KEY);
}

function privateKeyOf(pem: string, source: string): SigningKey {
  const what = `${source} holds no private Ed25519 key in PEM`;
  if (pem.includes('-----BEGIN PUBLIC KEY-----'))
    throw new UsageError(`${what}, but a public one, which cannot sign. ${MAKE_ONE}`);
  if (pem.includes('-----BEGIN OPENSSH'))
    throw new UsageError(`${what}, but one of OpenSSH, which has a form of its own. ${MAKE_ONE}`);
  if (pem.includes('-----BEGIN ENCRYPTED'))
    throw new UsageError(`${what} that is not encrypted. \`openssl pkey -in FILE\` decrypts it.`);
  if (!pem.includes('\n') && pem.includes('\\n'))
    throw new UsageError(
      `${what}: its lines are separated by the two characters \\n in place of line breaks. Keep the line breaks.`,
    );
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    throw new UsageError(`${what}. ${MAKE_ONE}`);
  }
  requireEd25519(privateKey, `${what}, but one for`);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/**
 * The public key of a text: SubjectPublicKeyInfo in PEM. A private key is refused: whoever checks
 * certificates must not have it.
 *
 * @param source its name in messages
 * @throws UsageError when it is something else
 */
export function publicKeyOf(pem: string, source: string): KeyObject {
  const what = `${source} holds no public Ed25519 key in PEM`;
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw new UsageError(
      `${source} holds a private key, which only whoever signs may have. Give the public one: ${EXPORT_IT}`,
    );
  }
  // What else stands in a file, a certificate for one, may be read as a key as well.
  const [block, another] = pem.match(/-----BEGIN [^-]*-----[^-]*-----END [^-]*-----/g) ?? [];
  if (block?.startsWith('-----BEGIN PUBLIC KEY-----') !== true || another !== undefined)
    throw new UsageError(`${what} (one block BEGIN PUBLIC KEY). ${EXPORT_IT}`);
  let key: KeyObject;
  try {
    key = createPublicKey({ key: block, format: 'pem', type: 'spki' });
  } catch {
    throw new UsageError(`${what} that can be read. ${EXPORT_IT}`);
  }
  requireEd25519(key, `${what}, but one for`);
  return key;
}

function requireEd25519({ asymmetricKeyType: type }: KeyObject, complaint: string): void {
  if (type === 'ed25519') return;
  throw new UsageError(`${complaint} ${type ?? 'something else'}. ${MAKE_ONE}`);
}

/**
 * The text of a key file.
 *
 * @throws UsageError when it cannot be read
 */
export function keyText(file: string): string {
  try {
    return readRegularFile(file, MAX_KEY_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UsageError(`the key ${file} cannot be read: ${error.message}`);
  }
}
