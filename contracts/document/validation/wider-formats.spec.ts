import { expect, test } from 'vitest';
import { newAjv } from './json-schema.ts';

const TABLE: readonly (readonly [format: string, yes: readonly string[], no: readonly string[]])[] =
  [
    [
      'url',
      ['http://a.example', 'ftp://a/b'],
      ['a.example', 'http://', 'http://a b', 'mailto:a@b'],
    ],
    [
      'email',
      ['a@b.example', '"a b"@c.example', 'a@[127.0.0.1]', '"a@b"@c'],
      ['a', '@b', 'a@', 'a@b c', 'a\n@b'],
    ],
    ['uri-template', ['/a/{b}', '/{a.b}', "/it's/{+c}"], ['/a/{b', '/a}', '/{a{b}}', '/a b']],
    [
      'date-time',
      ['2026-11-25T10:00:00Z', '2026-11-25T10:00:59.999999999999999999+01:00'],
      ['2026-11-25', '2026-13-25T10:00:00Z', '2026-11-25T10:00:61Z', '2026-11-25T25:00:00Z'],
    ],
    ['time', ['10:00:59.9999999999999999Z'], ['25:00:00Z']],
  ];

test.each(TABLE)('%s is read as its RFC means it', (format, yes, no) => {
  const validate = newAjv({ errors: 'first', places: 'script' }).compile({ format });
  for (const text of yes) expect([text, validate(text)]).toEqual([text, true]);
  for (const text of no) expect([text, validate(text)]).toEqual([text, false]);
});

test.each(TABLE)(
  'a long text of the format %s takes time in proportion to its length',
  (format) => {
    const validate = newAjv({ errors: 'first', places: 'script' }).compile({ format });
    for (const unit of ['a', '{', '{a', '"', '.', '1', ' ', 'a.', '@']) {
      // A quadratic expression would take minutes.
      expect(validate(`${unit.repeat(500_000)}\n`)).toBe(false);
    }
  },
);
