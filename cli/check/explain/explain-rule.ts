import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Rule } from '../../../contracts/judging/rule.ts';
import type { JudgedRun } from '../../../contracts/rules/registry.ts';
import { loadCases } from '../../../fixtures/service/cases/load-cases.ts';
import { FAULTS } from '../../../fixtures/service/faults/catalogue.ts';
import { LIMIT_FAULTS } from '../../../fixtures/service/faults/limits/limits.ts';
import { LOAD_FAULTS } from '../../../fixtures/service/faults/limits/load.ts';
import { LIMIT_VARIANTS } from '../../../fixtures/service/variants/limits/limits.ts';
import { LOAD_VARIANTS } from '../../../fixtures/service/variants/limits/load.ts';
import { VARIANTS } from '../../../fixtures/service/variants/variants.ts';
import { ROOT } from '../../package.ts';
import { SERVICE } from '../../service.ts';
import { nearVariants } from './near-variants.ts';
import { renderRule } from './render-rule.ts';
import { isCheckout, rulePlaces, servicePlaces, specsOf } from './rule-place.ts';

/** All that is known of a rule, as text. */
export async function explainRule(rule: Rule): Promise<string> {
  const { sections } = SERVICE.rules;
  const judges = sections.find(({ rules }) => rules.includes(rule))?.judges ?? 'any';
  const place = rulePlaces(ROOT)(rule.id);
  const cases = await casesOf(rule);
  return renderRule(rule, {
    ...(place === undefined ? {} : { place }),
    clauses: SERVICE.loadClauses().filter(({ rules = [] }) => rules.includes(rule.id)),
    faults: [...FAULTS, ...LIMIT_FAULTS, ...LOAD_FAULTS].filter(({ breaks }) => breaks === rule.id),
    variants: nearVariants(rule, VARIANTS_OF[judges]),
    ...(cases === undefined ? {} : { cases }),
    specs: specsOf(ROOT, rule.id),
    placeOf: servicePlaces(ROOT),
    commands: commandsOf(rule, judges, place?.file),
  });
}

const VARIANTS_OF = { any: VARIANTS, limits: LIMIT_VARIANTS, load: LOAD_VARIANTS } as const;

/** The mocked cases that break it; undefined if they are not at hand, as in an installed package. */
async function casesOf({ id }: Rule): Promise<string[] | undefined> {
  if (!existsSync(path.join(ROOT, 'fixtures', 'service', 'cases'))) return undefined;
  return (await loadCases())
    .filter(({ expect }) => expect.broken.some(({ rule }) => rule === id))
    .map(({ operation, name }) => `${operation}: ${name}`);
}

/** The command lines that judge by it alone, and that show its faults. */
function commandsOf({ id }: Rule, judges: JudgedRun, file: string | undefined): string[] {
  const hasSources = isCheckout(ROOT);
  const assay = hasSources ? 'npm run -s assay --' : 'npx --no -- assay';
  const faultsOf = (own: readonly { readonly id: string; readonly breaks: string }[]): string[] =>
    own.flatMap((fault) => (fault.breaks === id ? [fault.id] : []));
  const spec = file?.replace(/\.ts$/, '.spec.ts');
  const hasSpec = hasSources && spec !== undefined && existsSync(path.join(ROOT, spec));
  return [
    // A probe has one measurement for all of its rules.
    judges === 'limits'
      ? `${assay} limits --embedded`
      : `${assay} ${judges === 'load' ? 'load' : 'check'} --embedded --only ${id}`,
    ...(faultsOf(FAULTS).length > 0 ? [`${assay} self-test --only ${id}`] : []),
    ...faultsOf(LIMIT_FAULTS).map((fault) => `${assay} self-test --limits --only ${fault}`),
    ...faultsOf(LOAD_FAULTS).map((fault) => `${assay} self-test --load --only ${fault}`),
    ...(hasSpec ? [`npx vitest run ${spec}`] : []),
  ];
}
