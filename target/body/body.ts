import { isAscii, isUtf8 } from 'node:buffer';
import type { Body } from '../../contracts/wire/exchange.ts';

/** Bytes as they are recorded: text if that text gives back exactly these bytes, else base64. */
export function bodyOf(bytes: Uint8Array): Body {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Most bodies are ASCII, which Latin-1 reads the same, and faster.
  if (isAscii(buffer)) return { encoding: 'utf8', text: buffer.toString('latin1') };
  return isUtf8(buffer)
    ? { encoding: 'utf8', text: buffer.toString('utf8') }
    : { encoding: 'base64', text: buffer.toString('base64') };
}

/** The bytes of a recorded body. */
export function bytesOf(body: Body): Uint8Array {
  return Buffer.from(body.text, body.encoding);
}
