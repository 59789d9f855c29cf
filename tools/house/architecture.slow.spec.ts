import path from 'node:path';
import { expect, test } from 'vitest';
import { wrongImports } from './import-rules.ts';

test('imports of the repository follow the table of ARCHITECTURE', async () => {
  expect(await wrongImports(path.join(import.meta.dirname, '../..'))).toEqual([]);
});
