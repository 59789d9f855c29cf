import { SyntaxValidator } from 'fast-xml-validator';
import { expect, test } from 'vitest';
import { renderLimitPlot } from './limit-plot.ts';

const panel = {
  title: 'zap <per> client & address',
  found: 'identified',
  events: [
    { atSeconds: 0, outcome: 'admitted' },
    { atSeconds: 1, outcome: 'rejected' },
    { atSeconds: 2, outcome: 'failed' },
  ],
  levels: [
    { atSeconds: 0, left: 4 },
    { atSeconds: 1, left: 0 },
    { atSeconds: 2, left: 2 },
  ],
} as const;

const subject = { targets: ['zap http://127.0.0.1/<a>'], startedAt: '2026-01-02T03:04:05.678Z' };

test('says what its axes are, of which target, and since when', () => {
  const svg = renderLimitPlot([panel, { ...panel, levels: [] }], subject);
  expect(svg.match(/seconds since the first request/g)).toHaveLength(2);
  expect(svg.match(/>requests left</g)).toHaveLength(1);
  expect(svg.match(/>admitted in a row</g)).toHaveLength(1);
  expect(svg).toContain('zap http://127.0.0.1/&lt;a&gt; · 2026-01-02 03:04:05 UTC');
});

test('is well-formed, with a mark for each request if the model has it', () => {
  const svg = renderLimitPlot([panel, { ...panel, levels: [] }], subject);
  expect(SyntaxValidator.validate(svg)).toBe(true);
  expect(svg.match(/class="admitted" cx/g)).toHaveLength(2);
  expect(svg.match(/class="rejected" d/g)).toHaveLength(2);
  expect(svg.match(/class="model"/g)).toHaveLength(1);
  expect(svg).toContain('zap &lt;per&gt; client &amp; address');
  // Admitted with 4 of 4 left: at the top of the panel; rejected with none: at its foot.
  const alone = renderLimitPlot([panel], subject);
  expect(alone).toContain('<circle class="admitted" cx="56" cy="56"');
  expect(alone).toContain('<path class="rejected" d="M498 210m');
});

test('has a panel for nothing at all', () => {
  expect(SyntaxValidator.validate(renderLimitPlot([], subject))).toBe(true);
  const empty = renderLimitPlot([{ ...panel, events: [], levels: [] }], subject);
  expect(empty).not.toMatch(/NaN|Infinity/);
});
