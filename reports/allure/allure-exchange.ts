/** An exchange as plain text, for an attachment of Allure. */

import { printable, printableLines } from '../../contracts/run/printable.ts';
import type { Body, Exchange, HeaderList } from '../../contracts/wire/exchange.ts';
import { wellFormed } from './allure-words.ts';

const MAX_BODY_CHARACTERS = 65_536;
const MAX_FIELDS = 100;
const MAX_LINE_CHARACTERS = 16_384;

/** The request, as it went out except for what its record keeps secret. */
export function requestText({ id, request, latencyMs }: Exchange): string {
  const { method, url, headers, body } = request;
  return [
    `${oneLine(method)} ${oneLine(url)}`,
    ...fieldLines(headers),
    ...(body === null ? [] : ['', bodyText(body)]),
    '',
    `(exchange ${oneLine(id)}, ${Math.round(latencyMs)} ms)`,
  ].join('\n');
}

/** What came back. */
export function responseText({ outcome }: Exchange): string {
  if (outcome.kind === 'failure') {
    return `no complete response: ${oneLine(outcome.failure)}, ${oneLine(outcome.message)}`;
  }
  const { status, headers, body } = outcome.response;
  return [`${status}`, ...fieldLines(headers), '', bodyText(body)].join('\n');
}

function fieldLines(headers: HeaderList): string[] {
  const lines = headers
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}`);
  const more = headers.length - MAX_FIELDS;
  return more > 0 ? [...lines, `(${more} more fields)`] : lines;
}

function bodyText({ encoding, text }: Body): string {
  const shown = printableLines(wellFormed(text.slice(0, MAX_BODY_CHARACTERS)));
  const words = encoding === 'base64' ? `(not UTF-8; as base64)\n${shown}` : shown;
  const more = text.length - MAX_BODY_CHARACTERS;
  return more > 0 ? `${words}\n(${more} more characters: the record has them)` : words;
}

function oneLine(text: string): string {
  return printable(wellFormed(text.slice(0, MAX_LINE_CHARACTERS)));
}
