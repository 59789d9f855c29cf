/** The body of a message: JSON as lines with what broke marked, anything else as it came. */

import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { printable, printableLines } from '../../contracts/run/printable.ts';
import type { PageBody } from '../html/html-data.ts';
import { type JsonLine, jsonLines, markedLines } from '../json-lines.ts';
import { isMarkedLine, stretchesOf } from './shown-lines.ts';

const MAX_LINE_CHARACTERS = 2_000;
const MAX_INDENT = 40;
/** Of a text that is no JSON. */
const MAX_TEXT_CHARACTERS = 1_000;

interface BodyProps {
  readonly body: PageBody;
  /** What a finding speaks of; undefined if it speaks of another message. */
  readonly pointer?: string;
}

/** A body. */
export function BodyView({ body, pointer }: BodyProps): VNode {
  const { encoding, text, characters, parts } = body;
  const lines = useMemo(() => (encoding === 'utf8' ? printableJson(text) : undefined), [body]);
  if (characters === 0) return <p class="dim">no body</p>;
  if (parts !== undefined) {
    return (
      <>
        <p class="dim">JSON of {characters} characters, in parts</p>
        {parts.map((part) => (
          <PartLines
            key={part.before}
            part={part.lines.map(shownLine)}
            before={part.before}
            {...optional(pointer)}
          />
        ))}
      </>
    );
  }
  if (lines !== undefined) return <Lines lines={lines} {...optional(pointer)} />;
  return (
    <>
      {encoding === 'base64' ? (
        <p class="dim">no UTF-8; {characters} characters of base64</p>
      ) : null}
      <Text text={printableLines(text)} characters={characters} />
    </>
  );
}

function optional(pointer: string | undefined): { readonly pointer?: string } {
  return pointer === undefined ? {} : { pointer };
}

function printableJson(text: string): JsonLine[] | undefined {
  return jsonLines(text)?.map(shownLine);
}

function shownLine(line: JsonLine): JsonLine {
  const { text, key } = line;
  const isLong = text.length > MAX_LINE_CHARACTERS;
  const shown = isLong
    ? `${text.slice(0, MAX_LINE_CHARACTERS)}… (${text.length} characters in all)`
    : text;
  return {
    ...line,
    pointer: printable(line.pointer),
    text: printable(shown),
    ...(key === undefined ? {} : { key: printable(key.slice(0, MAX_LINE_CHARACTERS)) }),
  };
}

function Text({ text, characters }: { readonly text: string; readonly characters: number }): VNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : text.slice(0, MAX_TEXT_CHARACTERS);
  const left = characters - shown.length;
  return (
    <>
      <pre class="body">{shown}</pre>
      {shown.length < text.length ? (
        <button
          type="button"
          class="more"
          onClick={() => {
            setWhole(true);
          }}
        >
          Show {text.length - shown.length} more characters
        </button>
      ) : left > 0 ? (
        <p class="dim">{left} more characters in the record</p>
      ) : null}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly JsonLine[];
  readonly pointer?: string;
}

/** All lines of a text, those far from what broke hidden until they are asked for. */
function Lines({ lines, pointer }: LinesProps): VNode {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const mark = pointer === undefined || pointer === '' ? undefined : markedLines(lines, pointer);
  const stretches = stretchesOf(lines.length, mark);
  const held = useMemo(() => (mark === undefined ? 0 : heldBy(lines, mark)), [lines, mark?.first]);
  return (
    <>
      {mark?.isThere === false ? (
        <p class="dim">
          Nothing stands at <code>{pointer}</code>; marked is what would hold it.
        </p>
      ) : null}
      <pre class="body">
        {stretches.map(({ from, to, isShown }) =>
          isShown || opened.has(from) ? (
            lines
              .slice(from, to)
              .map((line, at) => (
                <Line
                  key={from + at}
                  line={line}
                  isMarked={isMarkedLine(from + at, mark)}
                  held={from + at === mark?.first ? held : 0}
                />
              ))
          ) : (
            <button
              key={`hidden-${from}`}
              type="button"
              class="hidden-lines"
              onClick={() => {
                setOpened(new Set([...opened, from]));
              }}
            >
              ⋯ {to - from} lines
            </button>
          ),
        )}
      </pre>
    </>
  );
}

function PartLines({
  part,
  before,
  pointer,
}: {
  readonly part: readonly JsonLine[];
  readonly before: number;
  readonly pointer?: string;
}): VNode {
  const first = part.findIndex((line) => line.pointer === pointer);
  const last = part.findLastIndex((line) => line.pointer === pointer);
  const mark =
    pointer === undefined || pointer === '' || first === -1 ? undefined : { first, last };
  return (
    <>
      {before === 0 ? null : <p class="dim">from line {before + 1} on</p>}
      <pre class="body">
        {part.map((line, at) => (
          <Line key={at} line={line} isMarked={isMarkedLine(at, mark)} />
        ))}
      </pre>
    </>
  );
}

/** How many members or elements a value has. */
function heldBy(
  lines: readonly JsonLine[],
  { first, last }: { readonly first: number; readonly last: number },
): number {
  const depth = (lines[first]?.depth ?? 0) + 1;
  return lines
    .slice(first + 1, last)
    .filter((line) => line.depth === depth && line.kind !== 'close').length;
}

interface LineProps {
  readonly line: JsonLine;
  readonly isMarked: boolean;
  /** Of the first line of what is marked: how much it holds. */
  readonly held?: number;
}

function Line({ line, isMarked, held = 0 }: LineProps): VNode {
  const { depth, key, text, comma, kind } = line;
  const content = (
    <>
      {'  '.repeat(Math.min(depth, MAX_INDENT))}
      {key === undefined ? null : (
        <>
          <span class="key">{key}</span>
          {': '}
        </>
      )}
      <span class={kind}>{text}</span>
      {comma ? ',' : ''}
      {held > 0 ? <span class="dim"> {held} inside</span> : null}
      {'\n'}
    </>
  );
  return isMarked ? <mark>{content}</mark> : content;
}
