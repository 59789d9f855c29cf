import { describe, expect, test } from 'vitest';
import { type Escaping, withoutCommands, withoutInlineCommands } from './ci-commands.ts';

/** What CI systems obey, by their documents. */
const COMMANDS: Readonly<Record<string, string>> = {
  'GitHub, Gitea, Forgejo': '::set-output name=a::b',
  'GitHub, indented': ' \t::error::x',
  'GitHub behind a no-break space': '\u00a0::error::x',
  'GitHub behind a byte order mark': '\ufeff::stop-commands::x',
  'GitHub behind a carriage return': 'text\r::error::x',
  'GitHub behind a line separator': 'text\u2028::error::x',
  'GitHub of before': 'text ##[add-mask]x',
  Azure: 'text ##vso[task.setvariable variable=a;]b',
  'Azure in capitals': '##VSO[task.complete result=Succeeded;]',
  'Azure, formatting': '##[group]x',
  TeamCity: "##teamcity[buildStatus status='SUCCESS']",
  'TeamCity behind a third sign': "###teamcity[buildStatus status='SUCCESS']",
  'GitLab, start': 'section_start:1700000000:name\r\u001b[0Kheader',
  'GitLab, end': 'a section_end:1700000000:name',
};

const OBEYED = /^[\s\ufeff]*::|##[a-z]*\[|section_(?:start|end):/im;

describe.each<Escaping>(['text', 'json', 'xml'])('in the escapes of %s', (escaping) => {
  test.each(Object.entries(COMMANDS))('no command of %s is left', (_name, command) => {
    for (const text of [command, `\n${command}`, `${command}\n${command}`]) {
      expect(text).toMatch(OBEYED);
      expect(withoutCommands(text, escaping)).not.toMatch(OBEYED);
    }
  });
});

test.each(Object.entries(COMMANDS))('JSON with a command of %s reads as before', (_name, text) => {
  const json = JSON.stringify({ [text]: [text] }, undefined, 2);
  expect(JSON.parse(withoutCommands(json, 'json'))).toEqual({ [text]: [text] });
});

test('XML with commands reads as before', () => {
  const read = (text: string): string =>
    text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const text = Object.values(COMMANDS).join('\n');
  expect(read(withoutCommands(text, 'xml'))).toBe(text);
});

test.each(['a :: b', 'std::vector', '# [x]', '## a [b]', 'a section of start:', 'x##y'])(
  'ordinary text stays: %s',
  (text) => {
    expect(withoutCommands(text)).toBe(text);
  },
);

test('a line that is a command keeps what makes it one', () => {
  expect(withoutInlineCommands('::error title=a::b ##vso[x]')).toBe(
    '::error title=a::b #\\u{23}vso[x]',
  );
});

test('time follows the length of a text of nothing but what may begin a command', () => {
  for (const unit of ['\n', ' ', '#', '##a', 'section_', ':']) {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(withoutCommands(text).length).toBeGreaterThanOrEqual(text.length);
  }
});
