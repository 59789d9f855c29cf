import { mkdtempSync, rmSync } from 'node:fs';
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
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'assay-packed-'));
  provide('packedIn', folder);
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
