import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendPlain } from '../../target/record/append-plain.ts';
import { removeWithParts, replace, writeWhole } from './write-whole.ts';

let dir = '';
let victim = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-whole-'));
  victim = join(dir, 'victim');
  writeFileSync(victim, 'as it was');
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

describe('a file that is written whole', () => {
  test.each(['a.part', '.a.part', 'a'])('goes through no link named %s', (name) => {
    symlinkSync(victim, join(dir, name));
    writeWhole(join(dir, 'a'), 'new');
    expect(readFileSync(victim, 'utf8')).toBe('as it was');
    expect(readFileSync(join(dir, 'a'), 'utf8')).toBe('new');
  });

  test('takes the place of a second name of another file, and leaves that one', () => {
    linkSync(victim, join(dir, 'a'));
    writeWhole(join(dir, 'a'), 'new');
    expect(readFileSync(victim, 'utf8')).toBe('as it was');
  });

  test('leaves nothing beside it, be it written or refused', () => {
    writeWhole(join(dir, 'a'.repeat(200)), 'new');
    mkdirSync(join(dir, 'b'));
    expect(() => {
      writeWhole(join(dir, 'b'), 'new');
    }).toThrow(/b could not be written: it is a folder/);
    expect(readdirSync(dir).sort()).toEqual(['a'.repeat(200), 'b', 'victim']);
  });

  test('is removed with what a thread that was ended left of it, and no more', () => {
    for (const name of ['a', '.a.1234.part', '.b.1234.part', 'a.part']) {
      writeFileSync(join(dir, name), '');
    }
    removeWithParts(join(dir, 'a'));
    expect(readdirSync(dir).sort()).toEqual(['.b.1234.part', 'a.part', 'victim']);
  });
});

describe('a line that is added to a file', () => {
  test('stands at its end', () => {
    appendPlain(join(dir, 'a'), 'one\n');
    appendPlain(join(dir, 'a'), 'two\n');
    expect(readFileSync(join(dir, 'a'), 'utf8')).toBe('one\ntwo\n');
  });

  test('goes through no link, and into no folder', () => {
    symlinkSync(victim, join(dir, 'a'));
    const add = (name: string) => (): void => {
      appendPlain(join(dir, name), 'new');
    };
    expect(add('a')).toThrow(/a could not be written: it is a link/);
    expect(add('')).toThrow(/could not be written: it is a folder/);
    expect(readFileSync(victim, 'utf8')).toBe('as it was');
  });
});

describe('a file that another program holds', () => {
  /** A system that refuses so often, and then does as it is asked. */
  function refusing(times: number): { readonly rename: () => void; readonly asked: () => number } {
    let asked = 0;
    const rename = (): void => {
      asked += 1;
      if (asked <= times) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    };
    return { rename, asked: () => asked };
  }

  test('is tried again on Windows until it is free', () => {
    const { rename, asked } = refusing(2);
    replace('part', 'file', { rename, platform: 'win32' });
    expect(asked()).toBe(3);
  });

  test('is given up on Windows after some tries, and elsewhere at once', () => {
    const long = refusing(Infinity);
    expect(() => {
      replace('part', 'file', { rename: long.rename, platform: 'win32' });
    }).toThrow('EPERM');
    expect(long.asked()).toBe(10);
    const linux = refusing(1);
    expect(() => {
      replace('part', 'file', { rename: linux.rename, platform: 'linux' });
    }).toThrow('EPERM');
  });
});
