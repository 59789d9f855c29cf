import { expect, test } from 'vitest';
import { cpuClock } from '../../contracts/cpu-clock.testkit.ts';
import { FORMS } from './service/forms.ts';
import { leaksIn, needlesOf } from './needles.ts';
import { PLANTED } from './secrets.ts';

const needles = needlesOf(PLANTED);

test.each(Object.entries(FORMS))('a secret is found as %s', (_, write) => {
  for (const [name, secret] of Object.entries(PLANTED)) {
    const text = `{"echo":"${write(secret)}"}`;
    const found = leaksIn(text, needles).map((leak) => leak.split(' ')[0]);
    expect(found, text).toContain(name);
  }
});

test('a secret is found in JSON, and in JSON in JSON', () => {
  for (const [name, secret] of Object.entries(PLANTED)) {
    for (const text of [JSON.stringify(secret), JSON.stringify({ body: JSON.stringify(secret) })]) {
      expect(leaksIn(text, needles).join(), text).toContain(name);
    }
  }
});

test.each(['$ASSAY_TRADE_KEY', 'Bearer $ASSAY_TRADE_KEY', 'tk_Live', 'aaaaaaaaaaaa', ''])(
  'nothing is found in %s',
  (text) => {
    expect(leaksIn(text, needles)).toEqual([]);
  },
);

test.each(['\\', '\\u', '&#', '&#x0', '%', '%25', 'a', '"'])(
  'a megabyte of %s is looked through at once',
  (piece) => {
    const cpuMs = cpuClock();
    expect(leaksIn(piece.repeat(1_000_000 / piece.length), needles)).toEqual([]);
    // Many times what it takes, and little of what looking at each piece from each place would.
    expect(cpuMs()).toBeLessThan(10_000);
  },
);
