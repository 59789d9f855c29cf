import type { RuleRegistry } from '../../contracts/rules/registry.ts';
import { plainWords } from '../../reports/forge/markdown-text.ts';
import { tableOf } from './markdown-table.ts';

/** The page of all rules, by section of the document. */
export function rulesPage({ sections, all }: Pick<RuleRegistry, 'sections' | 'all'>): string {
  return [
    '# Rules',
    `${all.length} rules, by section of the interface document. \`assay rules explain ID\` says of one which evidence it needs, which faults it catches, and where it is written. [Levels](../explanation/levels.md).`,
    ...sections.map(({ name, rules }) =>
      [
        `## ${name}`,
        tableOf(
          ['rule', 'level', 'source', 'protects'],
          rules.map(({ id, level, source, protects }) => [
            `\`${id}\``,
            level,
            plainWords(source),
            plainWords(protects),
          ]),
        ),
      ].join('\n\n'),
    ),
  ].join('\n\n');
}
