import type { HeaderList, RecordedRequest } from './wire/exchange.ts';
import { headerOf } from './wire/exchange.ts';

/** What curl adds by itself, or what belongs to one connection only. */
const LEFT_OUT = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'user-agent',
]);

/** The names that stand for secrets in a record; the shell puts in their values. */
const SECRET_NAME = /(\$ASSAY_[A-Z0-9_]+)/;

/** Text that reads the same in double quotes, secrets apart. */
const PLAIN = /^[A-Za-z0-9 \t@%+=:,./?&#~*;<>()[\]{}|^_-]*$/;

/** Longer arguments are refused by some systems; a pipe takes them. */
const MAX_ARGUMENT_BYTES = 100_000;

/**
 * The request as one line for a POSIX shell, printing the response with its headers. Secrets stand
 * in it as `$ASSAY_…`, which the shell expands; in a body that is not plain text they do not.
 */
export function curlOf(request: RecordedRequest): string {
  const { method, url, headers, body } = request;
  const words = ['curl', '-i'];
  // Else curl reads ranges in brackets, and takes away dots before the target can see them.
  if (/[[\]{}]/.test(url)) words.push('--globoff');
  if (/\/\.|%2e/i.test(url)) words.push('--path-as-is');
  if (method === 'HEAD' && body === null) words.push('--head');
  else if (method !== 'GET' || body !== null) words.push('-X', quote(method));
  words.push(quote(url), ...headerWords(headers));
  if (body === null) return words.join(' ');

  if (headerOf(headers, 'content-type') === undefined) words.push('-H', "'Content-Type:'");
  if (body.encoding === 'utf8' && fitsInWord(body.text)) {
    return [...words, '--data-raw', quote(body.text)].join(' ');
  }
  const base64 =
    body.encoding === 'base64' ? body.text : Buffer.from(body.text, 'utf8').toString('base64');
  return `printf %s ${quote(base64)} | base64 -d | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

function headerWords(headers: HeaderList): string[] {
  return headers
    .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()))
    .flatMap(([name, value]) => ['-H', quote(value === '' ? `${name};` : `${name}: ${value}`)]);
}

/** Whether the text can stand in the line: no line breaks or other control characters. */
function fitsInWord(text: string): boolean {
  return !/\p{Cc}/u.test(text) && Buffer.byteLength(text) <= MAX_ARGUMENT_BYTES;
}

/** One word of the shell: as it is where that is safe, else quoted, with secrets left to expand. */
function quote(text: string): string {
  if (/^[A-Za-z0-9@%+:,./_-]+$/.test(text)) return text;
  const parts = text.split(SECRET_NAME).filter((part) => part !== '');
  const secret = (part: string): boolean => SECRET_NAME.test(part);
  if (parts.some(secret) && parts.every((part) => secret(part) || PLAIN.test(part))) {
    return `"${parts.map((part, at) => (secret(part) ? braced(part, parts[at + 1]) : part)).join('')}"`;
  }
  if (parts.length === 0) return "''";
  return parts
    .map((part) => (secret(part) ? `"${part}"` : `'${part.replaceAll("'", `'\\''`)}'`))
    .join('');
}

/** The name in braces where what follows would read as part of it. */
function braced(name: string, next: string | undefined): string {
  return /^[a-z]/.test(next ?? '') ? `\${${name.slice(1)}}` : name;
}
