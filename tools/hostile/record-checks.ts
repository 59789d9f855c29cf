import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SyntaxValidator } from 'fast-xml-validator';
import { packageRoot } from '../../contracts/document/package-root.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { linesOf } from './left-behind.ts';

const SCHEMA = join(packageRoot(import.meta.url), 'reports', 'run.schema.json');
const EXIT_OF: Readonly<Record<string, number>> = {
  conforms: 0,
  'does-not-conform': 1,
  undecided: 3,
};

/** What no document of XML 1.0 may hold, not even as a reference. */
const NOT_IN_XML =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}|&#(?:x0*(?:[0-8bcef]|1[0-9a-f])|0*(?:[0-8]|1[124-9]|2\d|3[01]));/iu;

let isRun: ReturnType<Ajv2020['compile']> | undefined;

function runValidator(): ReturnType<Ajv2020['compile']> {
  const ajv = new Ajv2020({ allErrors: false, strict: false });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object);
}

/** What is wrong with a record that should be whole. */
export function recordComplaints(dir: string, exit: number | null): string[] {
  const missing = ['run.json', 'junit.xml', 'exchanges.ndjson', 'findings.ndjson'].filter(
    (name) => !existsSync(join(dir, name)),
  );
  if (missing.length > 0) return [`the record has no ${missing.join(', no ')}`];
  return [
    ...strangerComplaints(dir),
    ...runComplaints(dir, exit),
    ...lineComplaints(dir),
    ...junitComplaints(dir),
    ...pageComplaints(dir),
  ];
}

/** Whatever stands in a record is part of its evidence, sealed by its run, or made from those. */
function strangerComplaints(dir: string): string[] {
  const run = jsonOrUndefined(readFileSync(join(dir, 'run.json'), 'utf8')) as RunJson | undefined;
  const reported = ['exchanges.ndjson', 'run.json', 'findings.ndjson', 'junit.xml', 'report.html'];
  // A run that was killed had no time to seal anything.
  if (run?.record.head === undefined) return [];
  const known = new Set([...reported, ...Object.keys(run.record.files ?? {})]);
  const strangers = readdirSync(dir).filter((name) => !known.has(name));
  return strangers.map((name) => `nothing shows whether ${name} is as the run left it`);
}

function runComplaints(dir: string, exit: number | null): string[] {
  const run = jsonOrUndefined(readFileSync(join(dir, 'run.json'), 'utf8')) as RunJson | undefined;
  if (run === undefined) return ['run.json is no JSON'];
  isRun ??= runValidator();
  if (!isRun(run)) {
    const [first] = isRun.errors ?? [];
    return [`run.json breaks its schema: ${first?.instancePath ?? ''} ${first?.message ?? ''}`];
  }
  const reported = EXIT_OF[run.outcome];
  if (exit !== null && exit !== 4 && reported !== exit) {
    return [`run.json says ${run.outcome}, and the exit code is ${exit}`];
  }
  const own = run.notices.filter((notice) => notice.includes('Assay itself failed'));
  return exit === 4 ? [] : own.map((notice) => `it failed itself: ${notice.slice(0, 200)}`);
}

function lineComplaints(dir: string): string[] {
  return ['exchanges.ndjson', 'findings.ndjson'].flatMap((name) => {
    let last = '{}';
    let number = 0;
    for (const line of linesOf(join(dir, name))) {
      if (jsonOrUndefined(last) === undefined) return [`${name}, line ${number}, is no JSON`];
      [last, number] = [line, number + 1];
    }
    return last === '' ? [] : [`${name} does not end with a whole line`];
  });
}

function junitComplaints(dir: string): string[] {
  try {
    const xml = readFileSync(join(dir, 'junit.xml'), 'utf8');
    SyntaxValidator.validate(xml);
    return NOT_IN_XML.test(xml) ? ['junit.xml holds characters that XML forbids'] : [];
  } catch (error) {
    return [`junit.xml is not well-formed: ${String(error)}`];
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A page that could not be made in time is not there; one that is there says what run.json says. */
function pageComplaints(dir: string): string[] {
  const file = join(dir, 'report.html');
  if (!existsSync(file)) return [];
  const [, packed = ''] = /id="data">([^<]*)</.exec(readFileSync(file, 'utf8')) ?? [];
  try {
    const text = gunzipSync(Buffer.from(packed.trim(), 'base64')).toString('utf8');
    const { runs } = JSON.parse(text) as { readonly runs: readonly { readonly run: RunJson }[] };
    const run = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as RunJson;
    const shown = runs[0]?.run;
    return shown?.outcome === run.outcome && shown.complete === run.complete
      ? []
      : [`report.html says ${shown?.outcome ?? 'nothing'}, and run.json ${run.outcome}`];
  } catch (error) {
    return [`report.html cannot be read: ${String(error)}`];
  }
}
