import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isObject, member } from '../../contracts/wire/json.ts';
import { parseJson } from '../../contracts/wire/parse-json.ts';
import { unpackedEnds } from './packed.ts';
import { unseal } from './record-chain.ts';
import { BEGINNING, EXCHANGES_FILE } from './recorder.ts';

/** Why a record is left out, after its name. */
export const NOT_AS_LEFT =
  'its run.json is not as its run left it, so it is no evidence; restore it';

/**
 * Whether a summary is the one that the last lines of its record name, without reading the record. Whoever needs to
 * know that the whole record is as it was left reads all of it.
 *
 * @param text of the summary
 * @param isNamed whether a run of this version would have named it, asked if no line does
 * @returns undefined if nothing shows it: a record of an earlier version, one that its run did not judge, or one
 *   without its exchanges
 */
export function isJudgedAs(dir: string, text: string, isNamed: () => boolean): boolean | undefined {
  const { begins, last } = endsOf(join(dir, EXCHANGES_FILE));
  const lines = last.map((line) => ({ line, json: parsed(line) }));
  const digests: string[] = [];
  for (const [at, { line, json }] of lines.entries()) {
    const judged = member(json, 'judged');
    if (!isObject(judged)) continue;
    const head = member(lines[at - 1]?.json, 'chain');
    if (typeof head !== 'string' || unseal(line, head) === undefined) return false;
    digests.push(String(judged.sha256));
  }
  // Of this version, so that its run named the summary, and somebody took that line away.
  if (digests.length === 0) return begins && isNamed() ? false : undefined;
  return digests.includes(createHash('sha256').update(text).digest('hex'));
}

function parsed(line: Buffer): unknown {
  const read = parseJson(line.toString('utf8'));
  return read.kind === 'json' ? read.value : undefined;
}

/** How a record begins and ends. */
interface Ends {
  /** Whether its first line says what the run began with. */
  readonly begins: boolean;
  /** Lines at its end, the first of which may lack its beginning. */
  readonly last: readonly Buffer[];
}

const NEITHER: Ends = { begins: false, last: [] };

/** The ends of a file; neither of what is no plain file. */
function endsOf(file: string): Ends {
  const ends = unpackedEnds(file, BEGINNING.length);
  if (ends === undefined) return NEITHER;
  return { begins: ends.head.toString('latin1') === BEGINNING, last: linesOf(ends.tail) };
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, from)) {
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  return lines;
}
