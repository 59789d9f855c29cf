import type { Command, Option } from 'commander';
import { plainWords } from '../../reports/forge/markdown-text.ts';
import { tableOf } from './markdown-table.ts';

/** The page of all commands and options: what `--help` says of each. */
export function cliPage(program: Command): string {
  const commands = program.commands.flatMap((command) => [command, ...command.commands]);
  return [
    '# Commands and options',
    `${program.description()} In a checkout write \`npm run -s assay -- …\` for \`assay …\`.`,
    tableOf(
      ['command', 'does'],
      commands.map((command) => [linkTo(command), plainWords(command.description())]),
    ),
    `[Exit codes](exit-codes.md). [Variables and keys of a configuration](../guide/configuration.md).`,
    ...commands.map(sectionOf),
  ].join('\n\n');
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

function linkTo(command: Command): string {
  const name = nameOf(command);
  return `[${name}](#${name.replaceAll(' ', '-')})`;
}

function sectionOf(command: Command): string {
  const help = command.createHelp();
  const name = nameOf(command);
  const usage = help.commandUsage(command);
  const terms = [
    ...help
      .visibleArguments(command)
      .map((one) => [help.argumentTerm(one), help.argumentDescription(one)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((one) => [help.optionTerm(one), `${help.optionDescription(one)}${unsetDefault(one)}`]),
  ];
  const rows = terms.map(([term = '', words = '']) => [`\`${term}\``, plainWords(words)]);
  const more = textAfter(command);
  return [
    `## ${name}`,
    `${plainWords(help.commandDescription(command))}.`,
    `\`\`\`text\n${usage}\n\`\`\``,
    ...(rows.length === 0 ? [] : [tableOf(['argument or option', 'meaning'], rows)]),
    ...(more === '' ? [] : [`\`\`\`text\n${more}\n\`\`\``]),
  ].join('\n\n');
}

/** The default of an option that the command line leaves to the configuration. */
function unsetDefault({ defaultValue, defaultValueDescription: words }: Option): string {
  return defaultValue === undefined && words !== undefined ? ` (default: ${words})` : '';
}

/** What `--help` prints below the options. */
function textAfter(command: Command): string {
  let printed = '';
  const before = command.configureOutput();
  command.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
    getOutHelpWidth: () => WIDTH,
  });
  command.outputHelp();
  const own = command.helpInformation();
  command.configureOutput(before);
  return printed.slice(own.length).trim();
}

/** Of what is cut off again, and the same for whoever writes the page. */
const WIDTH = 80;
