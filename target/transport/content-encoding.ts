import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { headersOf, type FailureKind, type HeaderList } from '../../contracts/wire/exchange.ts';
import { DecodingRoom } from './decoding-room.ts';

/** The result of undoing the content codings of a body. */
export type Decoded =
  | { readonly kind: 'decoded'; readonly body: Uint8Array }
  | { readonly kind: 'failure'; readonly failure: FailureKind; readonly message: string };

type Decode = (bytes: Uint8Array, options: ZlibOptions) => Promise<Buffer>;

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: (bytes, options) => inflateEither(bytes, options),
};

/** More layers than any server needs; each would be another chance for a small body to blow up. */
const MAX_LAYERS = 3;

/** What comes out comes in pieces, each a turn of this thread; of the 16 KiB that Node takes there are four times as many. */
const CHUNK_BYTES = 65_536;

/** One for all that a thread decodes. */
const ROOM = new DecodingRoom();

/**
 * Undoes the Content-Encoding of a whole body, last coding first (RFC 9110 section 8.4). The output
 * of every layer is held below the cap, in bytes, so that a compression bomb ends as `too-large`
 * before it is unpacked. An empty body is left alone: HEAD, 204 and 304 name a coding without content. Of answers
 * that came in together few are decoded at once; the others wait.
 *
 * @param isGivenUp asked once it is its turn: one that nobody waits for any more is left as it is
 */
export async function decodeContent(
  headers: HeaderList,
  body: Uint8Array,
  maxBodyBytes: number,
  isGivenUp: () => boolean = () => false,
): Promise<Decoded> {
  const codings = codingsOf(headers);
  if (codings.length === 0 || body.length === 0) return { kind: 'decoded', body };
  const named = codings.join(', ');
  if (codings.length > MAX_LAYERS) {
    return failure('encoding', `Content-Encoding names ${codings.length} layers: ${named}`);
  }
  const { decoded } = await ROOM.decoded(maxBodyBytes, async () => {
    const result: Decoded = isGivenUp()
      ? { kind: 'decoded', body }
      : await undone(codings.reverse(), body, maxBodyBytes);
    return { decoded: result, bytes: result.kind === 'decoded' ? result.body.length : 0 };
  });
  return decoded;
}

/** Undoes codings, each in turn. */
async function undone(
  codings: readonly string[],
  body: Uint8Array,
  maxBodyBytes: number,
): Promise<Decoded> {
  let bytes = body;
  for (const coding of codings) {
    const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    if (decode === undefined) {
      return failure('encoding', `Content-Encoding ${coding} was not asked for and is not known`);
    }
    try {
      bytes = await decode(bytes, { maxOutputLength: maxBodyBytes, chunkSize: CHUNK_BYTES });
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') {
        return failure('too-large', `the body unpacks to more than ${maxBodyBytes} bytes`);
      }
      return failure('encoding', `the body is not valid ${coding}: ${messageOf(error)}`);
    }
  }
  return { kind: 'decoded', body: bytes };
}

function codingsOf(headers: HeaderList): string[] {
  return headersOf(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** `deflate` means the zlib format, but some servers send the bare stream (RFC 9110 section 8.4.1.2). */
function inflateEither(bytes: Uint8Array, options: ZlibOptions): Promise<Buffer> {
  const looksLikeZlib = ((bytes[0] ?? 0) & 0x0f) === 0x08;
  return (promisify(looksLikeZlib ? inflate : inflateRaw) as Decode)(bytes, options);
}

function failure(kind: FailureKind, message: string): Decoded {
  return { kind: 'failure', failure: kind, message };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
