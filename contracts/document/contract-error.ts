import { MendableError } from '../wire/mendable-error.ts';

/**
 * Thrown when a contract file cannot be used. Then it cannot be read, is not YAML or JSON, is not OpenAPI
 * 3.0 or 3.1, or one of its schemas does not compile. The message is one sentence that names the
 * file and the place.
 */
export class ContractError extends MendableError {
  override readonly name = 'ContractError';
  /** The file path or URL. */
  readonly source: string;

  /**
   * @param source file path or URL
   * @param problem continues a sentence that begins with the source
   */
  constructor(source: string, problem: string, options?: ErrorOptions) {
    super(plain(`The contract ${source} ${problem}`), options);
    this.source = source;
  }
}

const MAX_CHARACTERS = 2_000;

/** In one line without control characters: names and references in it are others' words. */
function plain(message: string): string {
  const text = message.replaceAll(/\p{Cc}/gu, '?');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
