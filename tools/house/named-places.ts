/** Whether the texts that lead through the repository name files and folders that are there. */

import type { Source } from '../sources/sources.ts';

/** Texts in which a name of code is one of the repository; README and guides name files of users as well. */
const GUIDES =
  /^(?:ARCHITECTURE|CONTRIBUTING|AGENTS)\.md$|^docs\/(?:contributing|decisions|explanation)\//;
/** Code in backticks that names a file of code, or several by `*`. */
const CODE = /`([\w./*-]+\.tsx?)`/g;
const FOLDER = /`((?:cli|contracts|examples|fixtures|load|reports|suites)\/[\w./-]*\/)`/g;

/** Names of files, by their ends, and of folders that the guides have and the repository has not. */
export function missingPlaces(texts: readonly Source[], files: readonly string[]): string[] {
  return texts
    .filter(({ path }) => GUIDES.test(path))
    .flatMap(({ path, text }) => {
      const folders = namesIn(text, FOLDER).filter(
        (name) => !files.some((file) => file.startsWith(name)),
      );
      const missing = namesIn(text, CODE).filter((name) => {
        const end = endOf(name);
        return !files.some((file) => end.test(file));
      });
      return [...folders, ...missing].map((name) => `${path} names ${name}, which is not there`);
    });
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, name = '']) => name))];
}

/** What ends in the name: with it, below any folder. */
function endOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replaceAll(/[.-]/g, String.raw`\$&`));
  return new RegExp(`(?:^|/)${parts.join('[^/]*')}$`);
}
