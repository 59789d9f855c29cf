import { describe, expect, test } from 'vitest';
import { ruleRow } from '../example-run.testkit.ts';
import { EVERYTHING, isChoosing, showsRule, showsUnspecified } from './filter.ts';

describe('the filter', () => {
  const rule = ruleRow({
    verdict: 'fail',
    findings: [
      {
        pointer: '/data/x',
        expected: 'One',
        actual: 'two',
        exchanges: ['x00007'],
        curl: '',
        count: 1,
      },
    ],
  });
  const ofRules = new Map([[rule.id, new Set(['§2.2'])]]);

  test.each([
    [{}, true],
    [{ text: 'QUOTE one /data' }, true],
    [{ text: 'x00007' }, true],
    [{ text: 'quote three' }, false],
    [{ verdict: 'fail' }, true],
    [{ verdict: 'pass' }, false],
    [{ api: 'zap', section: '§2.2' }, true],
    [{ api: 'trade' }, false],
    [{ section: '§2.1' }, false],
  ] as const)('%o shows the rule: %s', (choice, isShown) => {
    expect(showsRule({ ...EVERYTHING, ...choice }, rule, ofRules)).toBe(isShown);
  });

  test('an unspecified clause has an API, a section and words, and no verdict but one', () => {
    const row = { id: 'zap.methods', clause: '§4 methods', observed: ['OPTIONS: 204'] };
    expect(
      showsUnspecified({ ...EVERYTHING, section: '§4', text: 'options', api: 'zap' }, row),
    ).toBe(true);
    expect(showsUnspecified({ ...EVERYTHING, verdict: 'observed' }, row)).toBe(true);
    expect(showsUnspecified({ ...EVERYTHING, verdict: 'fail' }, row)).toBe(false);
    expect(showsUnspecified({ ...EVERYTHING, section: '§4.1' }, row)).toBe(false);
  });

  test('an empty one leaves nothing out', () => {
    expect(isChoosing(EVERYTHING)).toBe(false);
    expect(isChoosing({ ...EVERYTHING, text: ' x' })).toBe(true);
  });
});
