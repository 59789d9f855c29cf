import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Rolldown } from 'vite';

/** The page as one file, and what it was made of. */
export interface BundledPage {
  /** With places for what a report puts there. */
  readonly html: string;
  /** Sources, from the root, that are not in the folder of the page. */
  readonly files: readonly string[];
}

/** Thrown when what the bundler made cannot stand in a page. */
class PageNotBuilt extends Error {
  override readonly name = 'PageNotBuilt';
}

/**
 * Bundles the page. Script and style stand in the file, and its policy allows them by digest, and
 * nothing else but images in the file itself.
 *
 * @param root folder of the package
 * @throws PageNotBuilt when script or style would end their element early
 */
export async function bundlePage(root: string): Promise<BundledPage> {
  const folder = path.join(root, 'reports', 'page');
  const result = await build({
    root: folder,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    publicDir: false,
    // Of the main configuration Vite would take settings that are not meant for it.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: ['chrome123', 'firefox121', 'safari17.5'],
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: path.join(folder, 'main.tsx'),
        output: { format: 'iife' },
      },
    },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as Rolldown.RolldownOutput;
  const chunk = output.find((one) => one.type === 'chunk');
  const sheet = output.find((one) => one.type === 'asset' && one.fileName.endsWith('.css'));
  if (chunk?.type !== 'chunk' || sheet?.type !== 'asset' || output.length !== 2) {
    throw new PageNotBuilt('the bundler made something else than one script and one style');
  }
  const script = chunk.code.trim();
  const style = String(sheet.source).trim();
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) {
    throw new PageNotBuilt('script or style would end their element early');
  }
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const template = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const html = filled(template, {
    policy: `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    style: `<style>${style}</style>`,
    script: `<script>${script}</script>`,
  });
  return { html, files: sourcesOf(chunk, root) };
}

/** Puts texts in the places of the template; `$` means nothing in them. */
function filled(template: string, texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts).reduce((html, [name, text]) => {
    const [before, after, more] = html.split(`<!--build:${name}-->`);
    if (before === undefined || after === undefined || more !== undefined) {
      throw new PageNotBuilt(`index.html has no one place for ${name}`);
    }
    return before + text + after;
  }, template);
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function sourcesOf({ modules }: Rolldown.OutputChunk, root: string): string[] {
  return Object.keys(modules)
    .map((file) => path.relative(root, file.replace(/\0|\?.*$/g, '')))
    .filter((file) => /^(?:contracts|reports)[/\\]/.test(file))
    .filter((file) => path.dirname(file) !== path.join('reports', 'page'))
    .sort();
}
