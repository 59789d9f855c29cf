import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { tempFolder } from '../../target/record/temp-folder.ts';
import { history } from './run-history.ts';

const dir = tempFolder('assay-history-');

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

test('a record is no history: which command shows it, and where its history is, is said', async () => {
  const record = join(dir, 'night');
  mkdirSync(record, { recursive: true });
  for (const name of ['run.json', 'exchanges.ndjson']) writeFileSync(join(record, name), '{}');
  await expect(history(record, {})).rejects.toThrow(
    `${record} is the record of one run: \`assay report\` with it shows that. A history is the folder that it lies in: assay history ${dir}`,
  );
});
