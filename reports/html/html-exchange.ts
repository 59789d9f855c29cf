import type { Body, Exchange, HeaderList } from '../../contracts/wire/exchange.ts';
import type { PageBody, PageExchange, PagePart } from './html-data.ts';
import { type JsonLine, jsonLines, markedLines } from '../json-lines.ts';
import { printable } from '../text.ts';

/** Longer bodies are shown in parts. */
const MAX_BODY_CHARACTERS = 65_536;
/** What is shown of them from their beginning. */
const BEGINNING_CHARACTERS = 16_384;
const BASE64_CHARACTERS = 4_096;
const BEGINNING_LINES = 12;
/** Before and after what a finding speaks of. */
const LINES_AROUND = 20;
const MAX_LINE_CHARACTERS = 2_000;
const MAX_FIELDS = 100;
const MAX_FIELD_CHARACTERS = 4_096;
const MAX_URL_CHARACTERS = 16_384;

/**
 * An exchange as the page shows it.
 *
 * @param pointers what findings speak of in its response
 */
export function pageExchange(
  { id, api, purpose, sentAtMs, latencyMs, request, outcome }: Exchange,
  pointers: readonly string[],
): PageExchange {
  return {
    ...{ id, api, sentAtMs, latencyMs },
    purpose: purposeWords(purpose),
    request: {
      method: shown(request.method, 100),
      url: shown(request.url, MAX_URL_CHARACTERS),
      path: shown(request.path, MAX_URL_CHARACTERS),
      headers: fieldsOf(request.headers),
      body: request.body === null ? null : pageBody(request.body, []),
    },
    outcome:
      outcome.kind === 'failure'
        ? {
            kind: 'failure',
            failure: outcome.failure,
            message: shown(outcome.message, MAX_LINE_CHARACTERS),
          }
        : {
            kind: 'response',
            status: outcome.response.status,
            headers: fieldsOf(outcome.response.headers),
            body: pageBody(outcome.response.body, pointers),
          },
  };
}

function purposeWords(purpose: Exchange['purpose']): string {
  switch (purpose.kind) {
    case 'valid':
      return 'valid';
    case 'invalid':
      return `invalid: ${shown(purpose.defect, 500)}`;
    case 'probe':
      return `asks about ${shown(purpose.about, 500)}`;
    case 'unknown':
      return '';
  }
}

function shown(text: string, mostCharacters: number): string {
  return printable(cut(text, mostCharacters));
}

function fieldsOf(headers: HeaderList): HeaderList {
  return headers
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => [shown(name, 500), shown(value, MAX_FIELD_CHARACTERS)] as const);
}

/** A body, a long one in parts: those around what findings speak of where it is JSON. */
function pageBody({ encoding, text }: Body, pointers: readonly string[]): PageBody {
  const characters = text.length;
  if (encoding === 'base64')
    return { encoding, text: text.slice(0, BASE64_CHARACTERS), characters };
  if (characters <= MAX_BODY_CHARACTERS) return { encoding, text, characters };
  const lines = jsonLines(text);
  const beginning = whole(text.slice(0, BEGINNING_CHARACTERS));
  return {
    ...{ encoding, text: beginning, characters },
    ...(lines === undefined ? {} : { parts: partsOf(lines, pointers) }),
  };
}

function partsOf(lines: readonly JsonLine[], pointers: readonly string[]): PagePart[] {
  const wanted = new Set<number>();
  const want = (from: number, to: number): void => {
    for (let at = Math.max(0, from); at <= Math.min(to, lines.length - 1); at += 1) wanted.add(at);
  };
  want(0, BEGINNING_LINES - 1);
  for (const pointer of pointers) {
    const marked = markedLines(lines, pointer);
    if (marked === undefined) continue;
    want(
      marked.first - LINES_AROUND,
      Math.min(marked.last, marked.first + LINES_AROUND) + LINES_AROUND,
    );
  }
  const parts: { before: number; lines: JsonLine[] }[] = [];
  for (const at of [...wanted].sort((a, b) => a - b)) {
    const line = lines[at];
    if (line === undefined) continue;
    const last = parts.at(-1);
    const part = { ...line, text: cut(line.text, MAX_LINE_CHARACTERS) };
    if (last !== undefined && last.before + last.lines.length === at) last.lines.push(part);
    else parts.push({ before: at, lines: [part] });
  }
  return parts;
}

/** The text, or its beginning and how long it is. */
export function cut(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  return `${whole(text.slice(0, mostCharacters))}… (${text.length} characters in all)`;
}

/** A beginning that does not end within a character. */
function whole(beginning: string): string {
  return beginning.replace(/[\uD800-\uDBFF]$/, '');
}
