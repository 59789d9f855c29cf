import { MendableError } from '../../../contracts/wire/mendable-error.ts';

/** Thrown when a certificate is not what it says it is: cut off, altered, or signed with another key. */
export class CertificateRefused extends MendableError {
  override readonly name = 'CertificateRefused';
  override readonly exitCode = 4;

  /** @param why a clause after the name of the file */
  constructor(file: string, why: string) {
    super(`${file} ${why}. It certifies nothing; get it again from whoever made it.`);
  }
}
