/**
 * A certificate: an in-toto statement (github.com/in-toto/attestation, v1) on the files of run records,
 * alone or in a signed envelope.
 */

import type { KeyObject } from 'node:crypto';
import type { Release } from '../../contracts/release/release.ts';
import { signEnvelope } from './dsse.ts';

/** The type of what an envelope of in-toto holds. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** What the statement says of its subjects; another version if its readers would notice. */
export const PREDICATE_TYPE = 'urn:assay:release-verification:v2';
/** Earlier ones, which are read: version 1 has no scope, and counts what no run reached as broken. */
export const EARLIER_TYPES = ['urn:assay:release-verification:v1'] as const;

/** One file of a record. */
export interface Subject {
  /** The id of the record, a slash, and the path within its folder. */
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** What is certified. */
export interface Statement {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly Subject[];
  readonly predicateType: typeof PREDICATE_TYPE | (typeof EARLIER_TYPES)[number];
  readonly predicate: CertifiedRelease;
}

/** A release, and what finds the line at which a file was altered. */
export interface CertifiedRelease extends Release {
  /** By subject; `lineMarksOf` says what of. No proof of anything: the digests are. */
  readonly lineMarks: Readonly<Record<string, string>>;
}

/** The statement on a release and its files. */
export function statementOf(release: CertifiedRelease, subject: readonly Subject[]): Statement {
  return {
    _type: STATEMENT_TYPE,
    subject,
    predicateType: PREDICATE_TYPE,
    predicate: release,
  };
}

/** The two halves of a key. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A certificate as a text: an envelope if there is a key, else the bare statement. */
export function certificateText(statement: Statement, key?: SigningKey): string {
  if (key === undefined) return `${JSON.stringify(statement, undefined, 2)}\n`;
  const body = Buffer.from(JSON.stringify(statement), 'utf8');
  const envelope = signEnvelope(PAYLOAD_TYPE, body, key.privateKey, key.publicKey);
  return `${JSON.stringify(envelope, undefined, 2)}\n`;
}
