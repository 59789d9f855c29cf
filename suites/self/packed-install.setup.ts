import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run, in which its tests share one packed installation. */
    packedIn: string;
  }
}

/** Names the folder of the shared installation, which takes no time until a test asks for one. */
export default function setup({ provide }: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-packed-'));
  provide('packedIn', folder);
  // Thousands of files: meanwhile vitest hears that its workers end, which it says they did not otherwise.
  return () => rm(folder, { recursive: true, force: true });
}
