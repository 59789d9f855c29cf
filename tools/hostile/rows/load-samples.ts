import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Lab, Row } from '../row.ts';
import { row } from './kit.ts';

/** Unpacked, of each member of a bomb. */
const MEMBER_BYTES = 16_777_216;
/** Beyond what is read of any run of so few requests. */
const MEMBERS = 100;

/** A gzip file of 1.7 GB in a few MB: members that say the same follow each other (RFC 1952 section 2.2). */
function bombOf(text: string): Buffer {
  const member = gzipSync(text.repeat(Math.ceil(MEMBER_BYTES / text.length)));
  return Buffer.concat(Array.from({ length: MEMBERS }, () => member));
}

/** The folder of a run in a cluster, as `assay load --k8s` writes it. */
async function cluster(lab: Lab): Promise<string> {
  const { urls } = await lab.open({ spoils: [] });
  const dir = lab.path('cluster');
  const ended = await lab.assay([
    ...['load', '--k8s', dir, '--zap-url', urls.zap, '--scenario', 'smoke', '--seed', '1'],
  ]);
  if (ended.exit === 0) return dir;
  throw new Error(`no manifest was written: exit ${ended.exit ?? '?'}\n${ended.stderr}`);
}

function bomb(name: string, text: string, fast = false): Row {
  return row(
    'load',
    `record: samples of a cluster, a gzip bomb of ${name}`,
    [2],
    async (lab) => {
      const dir = await cluster(lab);
      const out = lab.path('out');
      mkdirSync(out);
      for (const pod of ['one', 'two']) {
        writeFileSync(join(dir, `${pod}.json.gz`), bombOf(text));
      }
      return {
        args: ['load', '--merge', dir, '--out', out],
        says: [/unpacked, they have more than \d+ bytes/],
        // Of which unpacking alone takes some.
        seconds: 60,
        after: () => (readdirSync(out).length === 0 ? [] : ['there is a record all the same']),
      };
    },
    fast,
  );
}

/** Samples of pods that are small, and unpacked are not. */
export const LOAD_SAMPLE_ROWS: readonly Row[] = [
  bomb('one endless line', 'a', true),
  bomb('empty lines', '\n'),
  bomb(
    'requests of no run',
    `{"metric":"http_req_duration","type":"Point","data":{"time":"2026-01-01T00:00:00Z","value":1,"tags":{"status":"200"}}}\n`,
  ),
];
