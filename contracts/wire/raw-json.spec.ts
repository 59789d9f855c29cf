import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pointerOf } from './json-pointer.ts';
import { JsonIndex } from './json-index.ts';
import { duplicateKeys, rawTokenAt as rawTokenOf } from './raw-json.ts';
import { walkedValueAt } from './raw-json.testkit.ts';

const rawTokenAt = (text: string, pointer: string): string | undefined =>
  rawTokenOf(new JsonIndex(text), pointer);

type Path = (string | number)[];

/** Every path in a value, with what stands there. */
function pathsOf(value: unknown, path: Path = []): [Path, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const children = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[path, value], ...children.flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

const keys = fc.constantFrom('a', 'b', '0', '', '~', '/', '"', '\\', '__proto__', 'é', '😀');
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue({ maxDepth: 0 }),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(keys, tie('json'), { maxKeys: 4 }),
  ),
}));

describe('rawTokenAt', () => {
  test.each([
    ['{"a":1.50}', '/a', '1.50'],
    ['{"a":12345678901234567890}', '/a', '12345678901234567890'],
    ['{"a":-0.0e+1 }', '/a', '-0.0e+1'],
    ['{"a":"\\u0041"}', '/a', '"\\u0041"'],
    ['{"\\u0061":1}', '/a', '1'],
    [' [ 1 , { "b" : [ ] } ] ', '/1/b', '[ ]'],
    [' [1] ', '', '[1]'],
    ['{"":{"":7}}', '//', '7'],
    ['{"a/b":{"m~n":8}}', '/a~1b/m~0n', '8'],
    ['{"a":1,"a":2}', '/a', '2'],
    ['{"a":{"b":1},"a":{"b":2}}', '/a/b', '2'],
    ['{"a":{"b":1},"a":{"c":2}}', '/a/b', undefined],
    ['{"a":{"b":1},"c":{"b":2}}', '/a/b', '1'],
    ['{"a":{"a":1},"b":0}', '/a', '{"a":1}'],
    ['{"x":{"a":1}}', '/a', undefined],
    ['[[1],[2]]', '/1/0', '2'],
    ['[1,2]', '/01', undefined],
    ['[1,2]', '/-', undefined],
    ['[1,2]', '/length', undefined],
    ['"a"', '/0', undefined],
    ['[1,2]', 'no pointer', undefined],
    ['', '', undefined],
  ])('%j at %j is %j', (text, pointer, expected) => {
    expect(rawTokenAt(text, pointer)).toBe(expected);
  });

  test('finds what JSON.parse finds, at every path, however the text is spaced', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', ' ', '\n\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        for (const [path, expected] of pathsOf(JSON.parse(text))) {
          const raw = rawTokenAt(text, pointerOf(path));
          if (raw?.endsWith('…') === true) expect(text).toContain(raw.slice(0, -1));
          else expect(JSON.parse(raw ?? 'nothing')).toEqual(expected);
        }
      }),
    );
  });

  test('is what a walk over the whole text finds, keys repeated and in disguise included', () => {
    const text = fc.letrec<{ text: string }>((tie) => ({
      text: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(
          '1',
          '-0.0e+1',
          '"a"',
          '"\\u0041"',
          '"}"',
          '"\\\\"',
          '"a\\""',
          'null',
          '[]',
          '{ }',
        ),
        fc.array(tie('text'), { maxLength: 4 }).map((all) => `[ ${all.join(' ,')}]`),
        fc
          .array(
            fc.tuple(fc.constantFrom('a', '\\u0061', 'b', '0', '', '__proto__'), tie('text')),
            {
              maxLength: 5,
            },
          )
          .map((all) => `{${all.map(([key, value]) => `"${key}" :${value}`).join(',')} }`),
      ),
    })).text;
    const paths = fc.array(fc.constantFrom('a', 'b', '0', '1', '2', '', '__proto__'), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(text, fc.array(paths, { maxLength: 6 }), (json, all) => {
        const index = new JsonIndex(json);
        for (const path of all) {
          const pointer = pointerOf(path);
          const whole = walkedValueAt(json, pointer);
          const isLong =
            whole !== undefined && whole.length > 200 && '[{'.includes(whole.slice(0, 1));
          expect(rawTokenOf(index, pointer)).toBe(isLong ? `${whole.slice(0, 200)}…` : whole);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('finds nothing if JSON.parse finds nothing', () => {
    fc.assert(
      fc.property(json, fc.array(keys, { maxLength: 3 }), (value, path) => {
        const text = JSON.stringify(value);
        const there = pathsOf(JSON.parse(text)).some(([p]) => pointerOf(p) === pointerOf(path));
        expect(rawTokenAt(text, pointerOf(path)) !== undefined).toBe(there);
      }),
    );
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, pointer) => {
        rawTokenAt(text, pointer);
        duplicateKeys(text);
      }),
    );
  });

  test('cuts long objects and arrays, not between surrogates, and no other values', () => {
    const long = `["${'😀'.repeat(500)}"]`;
    const raw = rawTokenAt(long, '') ?? '';
    expect(raw).toBe(`${long.slice(0, 200)}…`);
    expect(rawTokenAt(long.replace('[', '[1,'), '')).not.toMatch(
      /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/,
    );
    expect(rawTokenAt(long, '/0')).toBe(long.slice(1, -1));
  });
});

describe('duplicateKeys', () => {
  test.each([
    ['{"a":1,"b":2}', []],
    ['{"a":1,"a":1}', ['/a']],
    ['{"a":1,"\\u0061":1}', ['/a']],
    ['{"a":1,"a":2,"a":3}', ['/a']],
    ['[{"a":1},{"a":1}]', []],
    ['{"a":{"a":1},"b":{"a":1}}', []],
    ['{"a":1,"b":{"c":1},"a":1}', ['/a']],
    ['[0,{"x":{"~":1,"/":1,"~":2,"/":2}}]', ['/1/x/~0', '/1/x/~1']],
    ['{"__proto__":1,"__proto__":2}', ['/__proto__']],
    ['{"a":1,"a":1', []],
  ])('of %j are %j', (text, expected) => {
    expect(duplicateKeys(text)).toEqual(expected);
  });

  test('none in what JSON.stringify writes; the last member of an object, repeated, is one', () => {
    fc.assert(
      fc.property(json, keys, (value, key) => {
        expect(duplicateKeys(JSON.stringify(value))).toEqual([]);
        const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
        expect(duplicateKeys(`{${member},${member}}`)).toEqual([pointerOf([key])]);
      }),
    );
  });

  test('stays quick on deep nesting full of repetitions', () => {
    const n = 30_000;
    const text = '{"a":'.repeat(n) + '{' + '"b":1,'.repeat(n) + '"b":1}' + '}'.repeat(n);
    const before = process.cpuUsage();
    expect(duplicateKeys(text)).toHaveLength(1);
    expect(rawTokenAt(text, '/a/a')).toHaveLength(201);
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
