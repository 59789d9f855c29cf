/** Declares the suites of a run: one for each section of rules, one test for each rule. */

import { beforeAll, describe, expect, inject, test } from 'vitest';
import { loadContractOf } from '../contracts/document/load-contract.ts';
import type { RuleResult } from '../contracts/judging/judge.ts';
import type { Rule } from '../contracts/judging/rule.ts';
import { OWN_RULES } from '../contracts/rules/registry.ts';
import { loadOwnRules } from '../fixtures/target/config/own-rules.ts';
import { type Driven, driveTarget, serviceOf, type SuiteInput } from './drive-target.ts';
import type { DriveReport } from './drive/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly assay: SuiteInput;
  }
  interface TaskMeta {
    /** How the drive went, on the suite that waited for it. */
    driveReport?: DriveReport;
  }
}

/**
 * Evidence for a rule comes from every stage, so the whole target is driven before any rule is
 * judged. All suites share one worker and one governor, hence the one drive.
 */
let driven: Promise<Driven> | undefined;

/**
 * Declares the suite of a section: one test for each of its rules, by the rule's id.
 *
 * @throws Error when the service at hand has no such section
 */
export async function suiteOf(section: string): Promise<void> {
  const { service, config } = inject('assay');
  const { rules } = await serviceOf(service, config);
  const found = rules.sections.find(({ name }) => name === section);
  if (found === undefined) throw new Error(`there are no rules of a section ${section}`);
  declareSuite(section, found.rules);
}

/** Declares the suite of the rules that a contract brings beyond those of the service. */
export async function suiteOfContract(): Promise<void> {
  const { service: url, contractFiles: files, config } = inject('assay');
  const service = await serviceOf(url, config);
  const contract = await loadContractOf(service, { files, isChecked: true });
  declareSuite('contract', service.rules.ofContract(contract));
}

/** Declares the suite of the rules that the configuration brings. */
export async function suiteOfOwnRules(): Promise<void> {
  const { config, service } = inject('assay');
  const { apis } = await serviceOf(service, config);
  declareSuite(OWN_RULES, await loadOwnRules(config.rules, apis));
}

function declareSuite(name: string, rules: readonly Rule[]): void {
  describe.skipIf(rules.length === 0)(name, () => {
    let results: ReadonlyMap<string, RuleResult>;

    // The runner tells the suite in the second argument alone.
    // eslint-disable-next-line no-empty-pattern
    beforeAll(async ({}, suite) => {
      driven ??= driveTarget(inject('assay'));
      const { report, results: all } = await driven;
      suite.meta.driveReport = report;
      results = all;
    }, 0);

    for (const { id } of rules) {
      test(id, ({ skip }) => {
        const result = results.get(id);
        if (result === undefined) throw new Error(`no result for the rule ${id}`);
        const { verdict, findings, reason } = result;
        if (verdict === 'not-reached' || verdict === 'inconclusive') skip(`${verdict}: ${reason}`);
        if (verdict === 'fail') failFor(id, findings);
      });
    }
  });
}

/** @throws Error that names what is broken */
function failFor(id: string, findings: RuleResult['findings']): void {
  const broken = findings.map(({ pointer, expected, actual }) => ({ pointer, expected, actual }));
  try {
    expect(broken, `${id} is broken`).toEqual([]);
  } catch (error) {
    // Each frame would be looked up in the source maps of its file: a second of CPU that tells nothing.
    if (error instanceof Error) error.stack = '';
    throw error;
  }
}
