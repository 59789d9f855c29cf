import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Test data of others, which stands beside the checkout and not in it.
 *
 * @param name of a folder in `shared/data`
 * @returns the path of the folder; undefined if it is missing, which is then said on the terminal
 * @throws Error in CI, where all tests run
 */
export function sharedData(name: string): string | undefined {
  const folder = fileURLToPath(new URL(`../../../shared/data/${name}`, import.meta.url));
  if (existsSync(folder)) return folder;
  const problem = `The folder ../shared/data/${name} is missing`;
  if (process.env.CI !== undefined) throw new Error(`${problem}: CI needs it.`);
  console.warn(`${problem}: the tests that need it are left out.`);
  return undefined;
}
