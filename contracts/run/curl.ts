import type { HeaderList, RecordedRequest } from '../wire/exchange.ts';
import { headerOf } from '../wire/exchange.ts';

/** What curl adds by itself, or what belongs to one connection only. */
const LEFT_OUT = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'user-agent',
]);

/** A name that stands in a record for a secret of the environment, which the shell has as well. */
const NAME = '\\$ASSAY_(?:TRADE_KEY(?:_2)?|SECRET_[A-Z0-9_]+)';
const NAMES = new RegExp(`(${NAME})`);
const CREDENTIAL = new RegExp(`^([A-Za-z]+ )(${NAME})$`);

/** A field of the user whose value is nothing but a secret. */
const WHOLE_SECRET = /^\$ASSAY_SECRET_[A-Z0-9_]+$/;

/** Longer arguments are refused by some systems; a pipe takes them. */
const MAX_ARGUMENT_BYTES = 100_000;

/**
 * The request as one line for a POSIX shell, printing the response with its headers.
 *
 * The shell expands a `$ASSAY_…` where Assay alone put it: as the whole credential of the field
 * Authorization, as the whole value of a header field, and in the base URL, which is the user's. Anywhere else the same characters may be
 * what the target answered, and a line that sends the key wherever a target's text goes would be a
 * leak. There they stay as they are, and so do names of credentials that the target issued.
 */
export function curlOf(request: RecordedRequest): string {
  const { method, url, headers, body } = request;
  const words = ['curl', '-i'];
  // Else curl reads ranges in brackets, and takes away dots before the target can see them.
  if (/[[\]{}]/.test(url)) words.push('--globoff');
  if (/\/\.|%2e/i.test(url)) words.push('--path-as-is');
  if (method === 'HEAD' && body === null) words.push('--head');
  else if (method !== 'GET' || body !== null) words.push('-X', quote(method));
  // Of a record that somebody else wrote: no option of curl.
  if (!/^https?:/i.test(url)) words.push('--url');
  words.push(urlWord(request), ...headerWords(headers));
  if (body === null) return words.join(' ');

  if (headerOf(headers, 'content-type') === undefined) words.push('-H', "'Content-Type:'");
  if (body.encoding === 'utf8' && fitsInWord(body.text)) {
    return [...words, '--data-raw', quote(body.text)].join(' ');
  }
  const base64 =
    body.encoding === 'base64' ? body.text : Buffer.from(body.text, 'utf8').toString('base64');
  return `printf %s ${quote(base64)} | base64 -d | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

/** The URL; secrets expand in what stands before the path. */
function urlWord({ url, path }: RecordedRequest): string {
  const base = path.startsWith('/') && url.endsWith(path) ? url.slice(0, -path.length) : '';
  return NAMES.test(base) ? expanding(base) + quoted(url.slice(base.length)) : quote(url);
}

function headerWords(headers: HeaderList): string[] {
  return headers
    .filter(([name]) => FIELD_NAME.test(name) && !LEFT_OUT.has(name.toLowerCase()))
    .flatMap(([name, value]) => ['-H', headerWord(name, value)]);
}

/** curl reads a file if a field's name begins with `@`, which no name does (RFC 9110, 5.1). */
const FIELD_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

function headerWord(name: string, value: string): string {
  if (value === '') return quote(`${name};`);
  const text = `${name}: ${value}`;
  const isCredential =
    (name.toLowerCase() === 'authorization' && CREDENTIAL.test(value)) || WHOLE_SECRET.test(value);
  return isCredential ? `"${text}"` : quote(text);
}

/** Whether the text can stand in the line: no line breaks or other control characters. */
function fitsInWord(text: string): boolean {
  return !/\p{Cc}/u.test(text) && Buffer.byteLength(text) <= MAX_ARGUMENT_BYTES;
}

/**
 * One word of the shell: as it is where that is safe, else quoted. What a CI system would obey in its log is taken
 * apart by quotes, which the shell takes away: such a line can be pasted from there.
 */
export function quote(text: string): string {
  if (/^[A-Za-z0-9@%+:,./_-]+$/.test(text) && !COMMAND.test(text)) return text;
  const quoted = text.replaceAll("'", `'\\''`);
  return `'${quoted.replaceAll(COMMANDS, (both) => `${both.slice(0, -1)}''${both.slice(-1)}`)}'`;
}

/** The first two signs of `##[`, `##vso[` and `##teamcity[`, and what begins `section_start:`. */
const COMMANDS = /##(?=[a-z]{0,20}\[)|section_(?=(?:start|end):)/gi;
const COMMAND = new RegExp(COMMANDS.source, 'i');

/** The same within a word. */
function quoted(text: string): string {
  return text === '' ? '' : quote(text);
}

/** One word of the shell, names of secrets left to expand. */
function expanding(text: string): string {
  return text
    .split(NAMES)
    .map((part, at) => (at % 2 === 1 ? `"${part}"` : quoted(part)))
    .join('');
}
