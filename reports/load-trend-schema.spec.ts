import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { BASELINE, seriesOf, SLOWER, trendOf } from './plots/trend.testkit.ts';

const file = `${import.meta.dirname}/run.schema.json`;
const schema = JSON.parse(readFileSync(file, 'utf8')) as { readonly $id?: string };
const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
ajv.addSchema(schema, 'run');

/** Where a value departs from a definition of the schema. */
function faultsOf(name: string, value: unknown): string[] {
  const validate = ajv.getSchema(`run#/$defs/${name}`);
  if (validate === undefined) throw new Error(`There is no definition of ${name}.`);
  void validate(JSON.parse(JSON.stringify(value)));
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
  );
}

describe('run.schema.json', () => {
  test('takes a trend with everything, and with nothing', () => {
    const full = seriesOf({
      operation: 'zap.quote',
      smallestPercent: 6,
      autocorrelation: 0.4,
      asides: [{ ...SLOWER, cause: 'machine' }],
      ratios: [null, 4],
      ranges: [null, [3, 4]],
    });
    const leftOut = [{ run: 'x', reason: 'it was cut short' }];
    expect(faultsOf('loadTrend', trendOf([full, seriesOf()], { leftOut }))).toEqual([]);
    expect(faultsOf('loadTrend', trendOf([], { refused: ['It lagged.'] }))).toEqual([]);
  });

  test('takes a baseline', () => {
    expect(faultsOf('loadBaseline', BASELINE)).toEqual([]);
    const rows = BASELINE.rows.map((row) => ({ ...row, cause: 'control' as const }));
    expect(faultsOf('loadBaseline', { ...BASELINE, rows })).toEqual([]);
    expect(faultsOf('loadBaseline', { ...BASELINE, refused: ['No.'], rows: [] })).toEqual([]);
  });

  test.each([
    ['loadTrend', { ...trendOf([]), more: 1 }],
    ['loadTrend', trendOf([{ ...seriesOf(), verdict: 'slow' as 'slower' }])],
    ['loadTrend', trendOf([], { nights: ['yesterday'] })],
    ['loadBaseline', { ...BASELINE, confidence: 95 }],
    ['loadBaseline', { ...BASELINE, rows: [{ percentile: 'p50' }] }],
  ])('refuses a %s that is none', (name, value) => {
    expect(faultsOf(name, value)).not.toEqual([]);
  });
});
