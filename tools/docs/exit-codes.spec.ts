import { expect, test } from 'vitest';
import { commandLine } from '../../cli/command-line.ts';

test.each(['load', 'limits'])(
  'the help of %s lists each exit code that it may end with',
  (name) => {
    const command = commandLine(() => undefined).commands.find((one) => one.name() === name);
    let help = '';
    command?.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    const codes = help.slice(help.indexOf('Exit codes:')).replaceAll(/\s+/g, ' ');
    for (const code of [0, 1, 2, 3, 4]) expect(codes).toMatch(new RegExp(`[:·] ${code} `));
  },
);
