import type { CertifiedRelease } from '../../../reports/certificate/certificate.ts';
import { publicKeyOf } from './signing-key.ts';
import { type CertifiedFiles, certifiedFiles } from './certified-files.ts';
import { readCertificate } from './read-certificate.ts';

/** What looking at a certificate takes. */
export interface OpenCertificateInput {
  readonly file: string;
  /** The public key to trust, in PEM, and its name in messages. */
  readonly key?: { readonly pem: string; readonly source: string };
  /** Folders of the run records; absent if it is only read, and may be signed by anybody. */
  readonly dirs?: readonly string[];
}

/** A certificate, its signature checked, and the records compared with it. */
export interface OpenCertificateOutput extends CertifiedFiles {
  readonly release: CertifiedRelease;
  /** The id of the key that signed it; absent if it is not signed. */
  readonly signer?: string;
}

/**
 * Reads a certificate, checks its signature, and compares the files of run records with it.
 *
 * @throws UsageError when the certificate, the key or a folder is something else
 * @throws CertificateRefused when it is not signed by the key, or is not whole
 */
export async function openCertificateTask({
  file,
  key,
  dirs,
}: OpenCertificateInput): Promise<OpenCertificateOutput> {
  const trusted = key === undefined ? undefined : publicKeyOf(key.pem, key.source);
  const { statement, signer } = readCertificate(file, trusted, dirs === undefined);
  const found =
    dirs === undefined
      ? { faults: [], notes: [], dirs: [] }
      : await certifiedFiles(statement, dirs);
  const { predicate: release } = statement;
  return { release, ...found, ...(signer === undefined ? {} : { signer }) };
}
