import { expect, test } from 'vitest';
import { HOSTILE_ROWS } from './table.ts';

const nameOf = ({ command, name }: (typeof HOSTILE_ROWS)[number]): string => `${command} ${name}`;

test('there are at least 150 rows, each with a name of its own', () => {
  expect(HOSTILE_ROWS.length).toBeGreaterThanOrEqual(150);
  const names = HOSTILE_ROWS.map(nameOf);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('all commands and all kinds are among them, in the fast part as well', () => {
  for (const rows of [HOSTILE_ROWS, HOSTILE_ROWS.filter(({ fast }) => fast)]) {
    const commands = new Set(rows.map(({ command }) => command));
    expect([...commands].sort()).toEqual([
      'check',
      'judge',
      'limits',
      'load',
      'report',
      'serve',
      'verify',
    ]);
    for (const kind of ['target', 'contract', 'record', 'signal', 'stream', 'input', 'serve']) {
      expect(rows.filter(({ name }) => name.startsWith(`${kind}: `)).length, kind).toBeGreaterThan(
        2,
      );
    }
  }
});

test('no crash is right for a hostile target', () => {
  const targets = HOSTILE_ROWS.filter(({ name }) => name.startsWith('target: '));
  expect(targets.filter(({ exits }) => exits.includes(4)).map(nameOf)).toEqual([]);
});

test('a row says which exit codes are right', () => {
  expect(HOSTILE_ROWS.filter(({ exits }) => exits.length === 0).map(nameOf)).toEqual([]);
});
