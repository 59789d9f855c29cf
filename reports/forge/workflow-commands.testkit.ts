/** A workflow command as the runner of GitHub Actions reads it. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

const IN_DATA: readonly (readonly [string, string])[] = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
];
const IN_PROPERTIES = [...IN_DATA.slice(0, 2), ['%3A', ':'], ['%2C', ','], ['%25', '%']] as const;

/**
 * The commands in a step's output: `::name key=value::data` at the beginning of a line, blanks before it
 * allowed, and the old `##[name key=value;]data` anywhere in one.
 */
export function workflowCommands(output: string): WorkflowCommand[] {
  return output.split(/\r\n|\r|\n/).flatMap((line) => newForm(line.trimStart()) ?? oldForm(line));
}

function newForm(line: string): WorkflowCommand | undefined {
  const end = line.startsWith('::') ? line.indexOf('::', 2) : -1;
  if (end < 0) return undefined;
  const [name = '', ...words] = line.slice(2, end).split(' ');
  const pairs = words.join(' ').split(',').filter(Boolean);
  const properties = pairs.map((pair): [string, string] => {
    const [key = '', ...value] = pair.split('=');
    return [key, undone(value.join('='), IN_PROPERTIES)];
  });
  return {
    name,
    properties: Object.fromEntries(properties),
    data: undone(line.slice(end + 2), IN_DATA),
  };
}

function oldForm(line: string): WorkflowCommand[] {
  const [, name, data = ''] = /##\[([^\]\s]+)[^\]]*\](.*)$/.exec(line) ?? [];
  return name === undefined ? [] : [{ name, properties: {}, data }];
}

function undone(text: string, escapes: readonly (readonly [string, string])[]): string {
  return escapes.reduce((rest, [escape, plain]) => rest.replaceAll(escape, plain), text);
}
