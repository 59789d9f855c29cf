/** Where pages in Markdown lead. */

import path from 'node:path';

/** A page: its place from the root, and what stands in it. */
interface Page {
  readonly path: string;
  readonly text: string;
}

const CODE = /^(?: *```.*\n(?:.*\n)*? *```$)|`[^`\n]*`/gm;

/** Where the links and pictures of a page lead, those to other hosts left out. */
export function localLinks(markdown: string): { path: string; anchor: string | undefined }[] {
  const prose = markdown.replace(CODE, (code) => code.replace(/[[\]]/g, ' '));
  return [...prose.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, place = '', anchor]) => ({ path: place, anchor }),
  );
}

/** What a link can name in a page: its headings, as GitHub and npm spell them there. */
export function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Links of pages to a file or a heading that is not there, by page. */
export function brokenLinks(pages: readonly Page[], files: readonly string[]): string[] {
  const texts = new Map(pages.map((page) => [page.path, page.text]));
  const known = new Set(files);
  return pages.flatMap((page) =>
    localLinks(page.text)
      .filter((link) => {
        const target =
          link.path === '' ? page.path : path.posix.join(path.posix.dirname(page.path), link.path);
        if (!known.has(target)) return true;
        const text = texts.get(target);
        return (
          link.anchor !== undefined && text !== undefined && !anchorsOf(text).includes(link.anchor)
        );
      })
      .map(
        (link) => `${page.path}: ${link.path}${link.anchor === undefined ? '' : `#${link.anchor}`}`,
      ),
  );
}
