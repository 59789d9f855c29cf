import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { commandLine } from '../../cli/command-line.ts';
import { ROOT } from '../../cli/package.ts';
import { SERVICE } from '../../cli/service.ts';
import { cliPage } from './cli-page.ts';
import { rulesPage } from './rules-page.ts';
import { type PageSchema, schemaPage } from './schema-page.ts';

const NOTE = '<!-- Written by `npm run docs`. -->';

/** The pages of docs/reference that follow from the code, by their paths from the root, formatted. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const program = commandLine(() => undefined);
  const written: readonly (readonly [string, string])[] = [
    ['cli', cliPage(program)],
    ['rules', rulesPage(SERVICE.rules)],
    ['run-json', pageOfSchema('run.json', 'reports/run.schema.json')],
    ['known', pageOfSchema('Known findings', 'reports/known.schema.json')],
    ['certificate', pageOfSchema('certificate.json', 'reports/certificate.schema.json')],
  ];
  const pages = new Map<string, string>();
  for (const [name, text] of written) {
    const page = await format(`${NOTE}\n\n${text}\n`, { parser: 'markdown', printWidth: 100 });
    pages.set(`docs/reference/${name}.md`, page);
  }
  return pages;
}

function pageOfSchema(title: string, path: string): string {
  const schema = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as PageSchema;
  return schemaPage(schema, title, path);
}
