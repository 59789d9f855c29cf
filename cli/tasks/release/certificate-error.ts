/** Thrown when a certificate is not what it says it is: cut off, altered, or signed with another key. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';

  /** @param why a clause after the name of the file */
  constructor(file: string, why: string) {
    super(`${file} ${why}. It certifies nothing; get it again from whoever made it.`);
  }
}
