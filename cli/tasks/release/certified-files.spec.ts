import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exchangeOf } from '../../../contracts/judging/exchange.testkit.ts';
import { openRecorder } from '../../../target/record/recorder.ts';
import type { Statement } from '../../../reports/certificate/certificate.ts';
import { certify, recordRun, statementFor } from './certificate.testkit.ts';
import { certifiedFiles } from './certified-files.ts';
import { readCertificate } from './read-certificate.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-certified-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

const kept = join(root, 'kept');
let statement: Statement;
let ofTwo: Statement;
beforeAll(async () => {
  await recordRun(kept, 'r1');
  await recordRun(join(root, 'second'), 'r2');
  await recordRun(join(root, 'third'), 'r3');
  statement = await statementFor([kept]);
  ofTwo = await statementFor([kept, join(root, 'second')]);
});

let dir = '';
let count = 0;
beforeEach(() => {
  dir = join(root, `copy-${(count += 1)}`);
  cpSync(kept, dir, { recursive: true });
});

/** Changes one byte in the middle of a line, which stays a line. */
function changeByte(file: string, line: number): void {
  const lines = readFileSync(join(dir, file), 'latin1').split('\n');
  const text = lines[line - 1] ?? '';
  const at = Math.floor(text.length / 2);
  lines[line - 1] = `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;
  writeFileSync(join(dir, file), lines.join('\n'), 'latin1');
}

test('the files as they were certified have no fault, whatever the folder is called', async () => {
  expect(await certifiedFiles(statement, [dir])).toEqual({ faults: [], notes: [], dirs: [dir] });
});

test('the certificate on a real record reads as it was made', async () => {
  const file = join(root, 'certificate.json');
  await certify(file, [kept]);
  expect(readCertificate(file, undefined).statement).toEqual(JSON.parse(JSON.stringify(statement)));
  expect(statement.subject.map(({ name }) => name)).toEqual([
    'r1/exchanges.ndjson',
    'r1/findings.ndjson',
    'r1/junit.xml',
    'r1/run.json',
  ]);
  expect(statement.predicate).toMatchObject({ outcome: 'does-not-conform', runs: [{ id: 'r1' }] });
});

describe('one byte changed is reported with its file and line', () => {
  test('in every file of a record, at its beginning, in its middle and at its end', async () => {
    const names = readdirSync(kept);
    expect(names.sort()).toEqual(['exchanges.ndjson', 'findings.ndjson', 'junit.xml', 'run.json']);
    for (const name of names) {
      const lines = readFileSync(join(kept, name), 'utf8').trimEnd().split('\n').length;
      for (const line of new Set([1, Math.ceil(lines / 2), lines])) {
        rmSync(dir, { recursive: true });
        cpSync(kept, dir, { recursive: true });
        changeByte(name, line);
        const { faults } = await certifiedFiles(statement, [dir]);
        expect(faults).toEqual([
          expect.stringContaining(`${join(dir, name)}, line ${line} `) as string,
        ]);
      }
    }
  });

  test('in several files at once', async () => {
    changeByte('run.json', 1);
    changeByte('exchanges.ndjson', 2);
    const { faults } = await certifiedFiles(statement, [dir]);
    expect(faults.join('; ')).toMatch(/exchanges.ndjson, line 2 .*run.json, line 1 /);
  });

  test('of a folder of which nothing is left as it was, as far as it says which run it is', async () => {
    for (const file of ['exchanges.ndjson', 'findings.ndjson', 'junit.xml']) changeByte(file, 1);
    writeFileSync(join(dir, 'run.json'), '{"record":{"id":"r1"}}');
    expect((await certifiedFiles(statement, [dir])).faults).toHaveLength(4);
    writeFileSync(join(dir, 'run.json'), '{"record":{"id":"__proto__"}}');
    expect((await certifiedFiles(statement, [dir])).faults.join('; ')).toMatch(
      /none of the runs.*r1.*no folder holds it/,
    );
  });
});

describe('a record is not the certified one when', () => {
  test.each<[string, () => void, RegExp]>([
    [
      'exchanges are missing at the end',
      () => {
        const file = join(dir, 'exchanges.ndjson');
        const lines = readFileSync(file, 'utf8').split('\n').slice(0, 4);
        writeFileSync(file, `${lines.join('\n')}\n`);
      },
      /exchanges.ndjson holds 3 exchanges, and 4 were certified$/,
    ],
    [
      'its last line is cut off',
      () => {
        const file = join(dir, 'exchanges.ndjson');
        writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9));
      },
      /exchanges.ndjson, line 7 is cut off$/,
    ],
    [
      'its chain was recomputed',
      () => {
        rmSync(join(dir, 'exchanges.ndjson'));
        const recorder = openRecorder(dir, { recordId: 'r1' });
        for (const id of ['a', 'b', 'c', 'd']) recorder.record(exchangeOf({ id }));
        recorder.close();
      },
      /whole chain of its run, and not the one that was certified/,
    ],
    [
      'a line is added',
      () => {
        appendFileSync(join(dir, 'findings.ndjson'), '{}\n');
      },
      /findings.ndjson, line 2 is not as it was certified$/,
    ],
    [
      'only a line break is gone',
      () => {
        const file = join(dir, 'run.json');
        writeFileSync(file, readFileSync(file, 'utf8').trimEnd());
      },
      /run.json is not as it was certified$/,
    ],
    [
      'a file is missing',
      () => {
        rmSync(join(dir, 'junit.xml'));
      },
      /junit.xml is missing$/,
    ],
    [
      'a file of a record is planted',
      () => {
        writeFileSync(join(dir, 'limits.json'), '{}');
      },
      /limits.json is no part of the record$/,
    ],
    [
      'a file is a link',
      () => {
        rmSync(join(dir, 'junit.xml'));
        symlinkSync(join(kept, 'junit.xml'), join(dir, 'junit.xml'));
      },
      /junit.xml, line 1: this is no plain file; the run r1 .* no folder holds it$/,
    ],
  ])('%s', async (_what, alter, fault) => {
    alter();
    const { faults } = await certifiedFiles(statement, [dir]);
    expect(faults.join('; ')).toMatch(fault);
  });

  test('but a page made of it later changes nothing, and is reported', async () => {
    mkdirSync(join(dir, 'page'));
    writeFileSync(join(dir, 'page', 'index.html'), '');
    expect(await certifiedFiles(statement, [dir])).toMatchObject({
      faults: [],
      notes: [`${join(dir, 'page/index.html')} is not certified.`],
    });
  });
});

describe('runs are the certified ones', () => {
  const second = join(root, 'second');
  const third = join(root, 'third');

  test('in any order', async () => {
    expect(await certifiedFiles(ofTwo, [second, dir])).toEqual({
      faults: [],
      notes: [],
      dirs: [dir, second],
    });
  });

  test('not when one is missing, added, swapped or given twice', async () => {
    const missing =
      'the run r2 (check, 2026-01-02T03:04:05.000Z) is certified, and no folder holds it';
    const foreign = `${third} is none of the runs that the certificate rests on`;
    expect((await certifiedFiles(ofTwo, [dir])).faults).toEqual([missing]);
    expect((await certifiedFiles(ofTwo, [dir, second, third])).faults).toEqual([foreign]);
    expect((await certifiedFiles(ofTwo, [dir, third])).faults).toEqual([foreign, missing]);
    expect((await certifiedFiles(ofTwo, [dir, second, kept])).faults).toEqual([
      `${dir} and ${kept} are the same run`,
    ]);
    expect((await certifiedFiles(statement, [second])).faults).toHaveLength(2);
  });

  test('a folder that is not there is wrong use', async () => {
    await expect(certifiedFiles(statement, [join(root, 'nowhere')])).rejects.toThrow(
      'is not there',
    );
  });
});
