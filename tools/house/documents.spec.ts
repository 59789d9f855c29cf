import path from 'node:path';
import { type Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../../cli/command-line.ts';
import { generatedPages } from '../docs/pages.ts';
import { brokenLinks } from '../../fixtures/markdown-links.ts';
import { longSentences } from './sentences.ts';
import { blocksOf, callsIn, inlineCallsIn } from './shown-commands.ts';
import { file } from '../sources/source.testkit.ts';
import { readSources } from '../sources/sources.ts';

const everything = readSources(path.join(import.meta.dirname, '../..'));
const pages = everything.filter((source) => source.path.endsWith('.md'));
const generated = await generatedPages();
/** Those that say how Assay is used or made; texts of generated ones are those of the code. */
const written = pages.filter(
  (page) => /^(?:docs\/|[A-Z]+\.md$)/.test(page.path) && !generated.has(page.path),
);
/** Those that somebody who uses Assay types from. */
const typedFrom = written.filter((page) => page.path !== 'CHANGELOG.md');

test.each([...generated.keys()])('%s is what "npm run docs" writes', (name) => {
  const page = pages.find((one) => one.path === name);
  expect(page?.text === generated.get(name), `run "npm run docs" for ${name}`).toBe(true);
});

test.each([
  ['README.md', 200],
  ['ARCHITECTURE.md', 250],
  ['CONTRIBUTING.md', 150],
])('%s has at most %i lines', (name, most) => {
  const text = pages.find((page) => page.path === name)?.text ?? '';
  expect(text.split('\n').length - 1).toBeGreaterThan(50);
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(most);
});

test('the changelog has the form of Keep a Changelog', () => {
  const text = pages.find((page) => page.path === 'CHANGELOG.md')?.text ?? '';
  const [, ...versions] = text.split(/^## /m);
  expect(versions[0]).toMatch(/^\[Unreleased\]\n/);
  for (const version of versions) {
    expect(version).toMatch(/^\[(?:Unreleased|\d+\.\d+\.\d+)\](?: - \d{4}-\d{2}-\d{2})?\n/);
    const kinds = [...version.matchAll(/^### (.*)$/gm)].map(([, kind = '']) => kind);
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    expect(kinds).toEqual(known.filter((kind) => kinds.includes(kind)));
  }
});

describe('links lead to files and headings that are there', () => {
  test('on all pages', () => {
    const files = everything.map((source) => source.path);
    expect(brokenLinks(pages, files)).toEqual([]);
  });

  const files = ['a.md', 'docs/b.md', 'c.png'];

  test.each(['[x](docs/d.md)', '![x](d.png)', '[x](#none)', '[x](docs/b.md#none)'])(
    'the check sees %s',
    (link) => {
      const texts = [file('a.md', `# A\n\n${link}`), file('docs/b.md', '# The second')];
      expect(brokenLinks(texts, files)).toHaveLength(1);
    },
  );

  test.each(['[x](docs/b.md#the-second)', '![x](c.png)', '`[x](none)`', '[x](https://a.example)'])(
    'the check takes %s',
    (link) => {
      const texts = [file('a.md', `# A\n\n${link}`), file('docs/b.md', '# The second')];
      expect(brokenLinks(texts, files)).toEqual([]);
    },
  );
});

describe('sentences have 25 words at most', () => {
  test('on all written pages but the changelog', () => {
    expect(
      typedFrom.flatMap(({ path: name, text }) =>
        longSentences(text).map((sentence) => `${name}: ${sentence}`),
      ),
    ).toEqual([]);
  });

  const words = (count: number): string => Array.from({ length: count }, () => 'w').join(' ');

  test.each([
    `A ${words(24)} b.`,
    `- A ${words(14)}\n  ${words(14)}.`,
    `| A ${words(26)} | b |`,
    `Short. A ${words(26)}.`,
  ])('the check sees %j', (text) => {
    expect(longSentences(text)).toHaveLength(1);
  });

  test.each([
    `A ${words(24)}.`,
    `A ${words(14)}. A ${words(14)}.`,
    `- ${words(14)}\n- ${words(14)}`,
    `| ${words(14)} | ${words(14)} |`,
    `\`\`\`\n${words(30)}\n\`\`\``,
    `One \`${words(30)}\`.`,
  ])('the check takes %j', (text) => {
    expect(longSentences(text)).toEqual([]);
  });
});

describe('commands that pages show are ones that the command line takes', () => {
  const calls = typedFrom.flatMap(({ path: name, text }) =>
    callsIn(text).map((args) => [name, args] as const),
  );

  test('pages show many', () => {
    expect(calls.length).toBeGreaterThan(40);
  });

  test.each(calls)('%s: assay %j', async (_, args) => {
    expect(await refusalOf(args)).toBeUndefined();
  });

  test('names and options of commands within a line', async () => {
    const refused: string[] = [];
    for (const { path: name, text } of typedFrom) {
      for (const args of inlineCallsIn(text)) {
        // What it is given may be left out there.
        const refusal = await refusalOf(args.filter((word) => word !== '…'));
        if (/unknown|too many/.test(refusal ?? ''))
          refused.push(`${name}: ${args.join(' ')}: ${String(refusal)}`);
      }
    }
    expect(refused).toEqual([]);
  });

  test.each([
    [['checks'], /unknown command/],
    [['check', '--embeded'], /unknown option/],
    [['compare', 'one'], /missing required argument/],
  ])('the check sees %j', async (args, refusal) => {
    expect(await refusalOf(args)).toMatch(refusal);
  });

  test('a block that needs the embedded service alone is marked, so that it is run', () => {
    const unmarked = typedFrom.flatMap(({ path: name, text }) =>
      blocksOf(text)
        .filter(
          (block) => block.info === 'sh' && / (?:check|load|limits) --embedded\b/.test(block.text),
        )
        .filter(() => !OF_A_CHECKOUT.includes(name))
        .map((block) => `${name}: ${block.text}`),
    );
    expect(unmarked).toEqual([]);
  });
});

/** Run by a spec of its own. */
const OF_A_CHECKOUT = ['docs/contributing/worked-example.md'];

/** Why the command line does not take the words; they are parsed, and nothing is run. */
async function refusalOf(args: readonly string[]): Promise<string | undefined> {
  const program = commandLine(() => undefined);
  let said = '';
  const silence = (command: Command): void => {
    command.exitOverride().configureOutput({
      writeOut: () => undefined,
      writeErr: (text) => {
        said += text;
      },
    });
    if (command.commands.length === 0 || command.name() === 'rules')
      command.action(() => undefined);
    for (const one of command.commands) silence(one);
  };
  silence(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? undefined : said || error.message;
  }
}
