import { stripVTControlCharacters } from 'node:util';
import { SyntaxValidator } from 'fast-xml-validator';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS, hostileRun } from './hostile-run.testkit.ts';
import { renderLimitPlot } from './plots/limit-plot.ts';
import { renderLoadPlot } from './plots/load-plot.ts';
import { renderTerminal } from './terminal/terminal.ts';

const TEXTS = Object.entries(HOSTILE_TEXTS);
/** What turns writing around. */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

const DETAILS = ['quiet', 'short', 'verbose'] as const;

describe('hostile text on a terminal', () => {
  test.each(TEXTS)('is words and nothing else: %s', (_, text) => {
    // Everything of a run that is all megabytes takes seconds to look through.
    const details = text.length > 100_000 ? (['short'] as const) : DETAILS;
    for (const detail of details) {
      const said = renderTerminal(hostileRun(text), { color: false, width: 80, detail });
      // Node's own reading of what a terminal obeys.
      expect(stripVTControlCharacters(said) === said).toBe(true);
      expect(/[^\P{Cc}\n]/u.test(said)).toBe(false);
      expect(TURNS.test(said)).toBe(false);
    }
  });
});

describe('hostile text in a plot', () => {
  const parser = new XMLParser({ ignoreAttributes: false, preserveOrder: true });

  /** The names of elements, in their order. */
  function elementsOf(svg: string): string[] {
    expect(SyntaxValidator.validate(svg)).toBe(true);
    const names: string[] = [];
    const walk = (nodes: readonly Readonly<Record<string, unknown>>[]): void => {
      for (const node of nodes) {
        for (const [name, inner] of Object.entries(node)) {
          if (name === ':@' || name === '#text') continue;
          names.push(name);
          walk(inner as Readonly<Record<string, unknown>>[]);
        }
      }
    };
    walk(parser.parse(svg) as Readonly<Record<string, unknown>>[]);
    return names;
  }

  function plotsOf(text: string): string[] {
    const { load } = hostileRun(text);
    if (load === undefined) throw new Error('a hostile run is one of load as well');
    const events = [{ atSeconds: 0, outcome: 'admitted' }] as const;
    return [
      renderLoadPlot(load),
      renderLimitPlot([{ title: text, found: text, events, levels: [] }], {
        targets: [text],
        startedAt: '2026-01-02T03:04:05.000Z',
      }),
    ];
  }

  const plain = plotsOf('plain').map(elementsOf);

  test.each(TEXTS)('is text and no element: %s', (_, text) => {
    const plots = plotsOf(text);
    expect(plots.map(elementsOf)).toEqual(plain);
    for (const svg of plots) {
      expect(/[^\P{Cc}\n]/u.test(svg)).toBe(false);
      expect(TURNS.test(svg)).toBe(false);
      // XML has no halves of characters, and neither of these two.
      expect(/[\uFFFE\uFFFF]|\p{Cs}/u.test(svg)).toBe(false);
      expect(svg.length).toBeLessThan(100_000);
    }
  });
});
