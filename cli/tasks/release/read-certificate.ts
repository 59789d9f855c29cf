import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, type JsonObject } from '../../../contracts/wire/json.ts';
import { readRegularBytes, UnreadableFile } from '../../../contracts/document/regular-file.ts';
import { parseJson } from '../../../contracts/wire/parse-json.ts';
import { repeatedMember } from '../../../contracts/wire/repeated-member.ts';
import {
  EARLIER_TYPES,
  PAYLOAD_TYPE,
  PREDICATE_TYPE,
  type Statement,
} from '../../../reports/certificate/certificate.ts';
import {
  type Envelope,
  fromBase64,
  keyIdOf,
  verifiedBody,
} from '../../../reports/certificate/dsse.ts';
import { CertificateRefused } from './certificate-error.ts';
import { UsageError } from '../../exit-code.ts';
import { ROOT } from '../../package.ts';

/** Larger ones are none: a certificate on a hundred runs has some five megabytes. */
const MAX_BYTES = 33_554_432;
const MAX_SIGNATURES = 16;

/** A certificate whose signature, if it has one, is that of the key. */
export interface ReadCertificate {
  readonly statement: Statement;
  /** The id of the key that signed it; absent if it is not signed. */
  readonly signer?: string;
}

/**
 * Reads a certificate. Of a signed one only the bytes that the key verifies are ever looked at.
 *
 * @param key the key to trust; undefined if nobody named one
 * @param isOnlyRead whether nothing rests on it, so that the signature of another key, or none, will do
 * @throws UsageError when there is no such file, it is something else, or a key is missing
 * @throws CertificateRefused when it is not signed by the key, or is not whole
 */
export function readCertificate(
  file: string,
  key: KeyObject | undefined,
  isOnlyRead = false,
): ReadCertificate {
  const value = objectOf(file, bytesOf(file));
  if (!('payload' in value) && !('signatures' in value)) {
    if (key === undefined || isOnlyRead) return { statement: statementIn(file, value) };
    throw new CertificateRefused(file, 'is not signed, and --key asks for a signature');
  }
  const envelope = envelopeOf(file, value);
  const verified = key === undefined ? undefined : verifiedBody(envelope, key);
  const body = verified ?? (isOnlyRead ? fromBase64(envelope.payload) : undefined);
  if (key === undefined && body === undefined) {
    throw new UsageError(
      `${file} is signed. Name the public key of whoever you trust to have signed it, --key FILE: without it the signature says nothing.`,
    );
  }
  if (body === undefined) {
    const named = envelope.signatures.map(({ keyid }) => keyid?.slice(0, 12) ?? 'none').join(', ');
    throw new CertificateRefused(
      file,
      `is not signed by the key ${key === undefined ? 'named' : keyIdOf(key).slice(0, 12)}: it was altered, or it is of another key (it names ${named})`,
    );
  }
  if (envelope.payloadType !== PAYLOAD_TYPE)
    throw new UsageError(`${file} is signed, but is no statement of in-toto.`);
  const signer = verified === undefined || key === undefined ? {} : { signer: keyIdOf(key) };
  return { statement: statementIn(file, objectOf(file, body)), ...signer };
}

function bytesOf(file: string): Uint8Array {
  try {
    return readRegularBytes(file, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UsageError(`the certificate ${file} cannot be read: ${error.message}`);
  }
}

function objectOf(file: string, bytes: Uint8Array): JsonObject {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CertificateRefused(file, 'is no UTF-8');
  }
  const parsed = parseJson(text);
  if (parsed.kind !== 'json') throw new CertificateRefused(file, 'is no JSON');
  const name = repeatedMember(text);
  if (name !== undefined) {
    const shown = JSON.stringify(name.slice(0, 100));
    throw new CertificateRefused(file, `says ${shown} twice in one object`);
  }
  if (isObject(parsed.value)) return parsed.value;
  throw new CertificateRefused(file, 'holds no statement and no envelope');
}

function envelopeOf(file: string, value: JsonObject): Envelope {
  const { payloadType, payload, signatures } = value;
  const isWhole =
    typeof payloadType === 'string' &&
    typeof payload === 'string' &&
    Array.isArray(signatures) &&
    signatures.length > 0 &&
    signatures.length <= MAX_SIGNATURES &&
    signatures.every(isSignature);
  if (!isWhole)
    throw new CertificateRefused(file, `is no envelope with 1 to ${MAX_SIGNATURES} signatures`);
  return { payloadType, payload, signatures: signatures as Envelope['signatures'] };
}

function isSignature(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { sig, keyid } = value;
  return typeof sig === 'string' && (keyid === undefined || typeof keyid === 'string');
}

function statementIn(file: string, value: JsonObject): Statement {
  const { predicateType } = value;
  const types: readonly unknown[] = [PREDICATE_TYPE, ...EARLIER_TYPES];
  if (!types.includes(predicateType)) {
    const reported = typeof predicateType === 'string' ? predicateType.slice(0, 200) : 'nothing';
    throw new UsageError(
      `${file} is no certificate that this version of Assay knows: it states ${reported}, not ${PREDICATE_TYPE}.`,
    );
  }
  const { isValid, errors } = validated(value);
  if (!isValid) {
    const fault = errors?.[0];
    const { instancePath = '', message = 'it is wrong' } = fault ?? {};
    const where = instancePath === '' ? 'it' : instancePath;
    throw new CertificateRefused(file, `is no whole certificate: ${where} ${message}`);
  }
  const statement = value as unknown as Statement;
  const fault = contradictionIn(statement);
  if (fault !== undefined) throw new CertificateRefused(file, `contradicts itself: ${fault}`);
  return statement;
}

let validator: ValidateFunction | undefined;

function validated(value: JsonObject): {
  readonly isValid: boolean;
  readonly errors: ValidateFunction['errors'] | undefined;
} {
  if (validator === undefined) {
    const schema = readFileSync(join(ROOT, 'reports', 'certificate.schema.json'), 'utf8');
    const ajv = new Ajv2020({ strict: false, logger: false });
    addFormats.default(ajv);
    validator = ajv.compile(JSON.parse(schema) as object);
  }
  return { isValid: validator(value), errors: validator.errors };
}

/** What the schema does not say: names stand once, and whatever speaks of a run or a file has one. */
function contradictionIn({ subject, predicate, predicateType }: Statement): string | undefined {
  const { runs, rules, scope } = predicate;
  if ((scope === undefined) === (predicateType === PREDICATE_TYPE))
    return 'its version and its scope do not go together';
  const ids = new Set(runs.map(({ id }) => id));
  if (ids.size < runs.length) return 'two of its runs have the same id';
  if (new Set(subject.map(({ name }) => name)).size < subject.length)
    return 'two of its files have the same name';
  if (subject.some(({ name }) => !ids.has(name.split('/')[0] ?? ''))) return 'a file is of no run';
  if (new Set(rules.map(({ id }) => id)).size < rules.length) return 'a rule stands twice';
  if (rules.some(({ verdicts }) => verdicts.length !== runs.length))
    return 'a rule has more or fewer verdicts than there are runs';
  return undefined;
}
