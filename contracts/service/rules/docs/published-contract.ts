import type { JsonObject } from '../../../wire/json.ts';
import { isObject, member } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule, Witness } from '../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { publishedStatementRules } from './published-statement-rules.ts';
import { publishedTextRules } from './published-texts.ts';
import { disagreements } from './published-agreement.ts';
import type { Published } from './published-openapi.ts';
import { readPublished } from './published-openapi.ts';
import type { Endpoint } from './published-operations.ts';
import { API_ENDPOINTS, lacking } from './published-operations.ts';

const CONTRACT = 'docs.openapi';
const MIRROR = 'docs.openapi-mirror';

// Sections 1 and 9: the contract is published as OpenAPI YAML. It covers both APIs, which section 4
// lists.
function uncovered(view: View): readonly Broken[] | null {
  const { document, faults } = readPublished(view.text);
  if (!isObject(document) || faults.length > 0) return null;
  return (['zap', 'trade'] as const).flatMap((api) =>
    lacking(document, api).map(({ method, path }) => ({
      pointer: '/paths',
      expected: `${method.toUpperCase()} ${path} of the ${api} API`,
      actual: 'no such operation',
    })),
  );
}

type Read = JsonObject;

interface Copy {
  readonly operation: string;
  readonly published: Published;
}

/** What a mirror lacks that is scoped to an API; undefined if it covers what it is scoped to. */
function missingIn(mirror: JsonObject): Broken | undefined {
  const [zap, trade] = [lacking(mirror, 'zap'), lacking(mirror, 'trade')];
  if (zap.length === 0) return undefined;
  if (trade.length > 0) {
    const expected = 'all operations of the zap API, or all of the trade API';
    return { pointer: '/paths', expected, actual: `no ${namesOf([...zap, ...trade])}` };
  }
  // What both APIs have does not show to which the mirror is scoped.
  const own = API_ENDPOINTS.zap.filter(({ path }) =>
    API_ENDPOINTS.trade.every((one) => one.path !== path),
  );
  const lacked = own.filter(({ path }) => zap.some((one) => one.path === path));
  if (lacked.length === own.length) return undefined;
  const expected = 'none or all of the operations of the zap API alone';
  return { pointer: '/paths', expected, actual: `some of them, but no ${namesOf(lacked)}` };
}

function namesOf(endpoints: readonly Endpoint[]): string {
  return endpoints.map(({ method, path }) => `${method} ${path}`).join(', ');
}

/** The latest copies are compared, since a contract may change in a long run. */
function latestCopies(
  copies: readonly Collected<Copy>[],
):
  | { readonly ours: Read; readonly theirs: Read; readonly witnesses: readonly Witness[] }
  | undefined {
  const latest = (operation: string): Collected<Copy> | undefined =>
    copies.findLast(({ fact }) => fact.operation === operation);
  const [contract, mirror] = [latest(CONTRACT), latest(MIRROR)];
  if (contract === undefined || mirror === undefined) return undefined;
  const [ours, theirs] = [contract.fact.published, mirror.fact.published];
  if (!isObject(ours.document) || !isObject(theirs.document)) return undefined;
  if (ours.faults.length > 0 || theirs.faults.length > 0) return undefined;
  const witnesses = [mirror.witness, contract.witness];
  return { ours: ours.document, theirs: theirs.document, witnesses };
}

// Section 1: the mirror is a mirror, which names the version of the contract that it shows.
function judgeVersion(copies: readonly Collected<Copy>[]): GroupJudgement[] {
  const latest = latestCopies(copies);
  if (latest === undefined) return [];
  const { ours, theirs, witnesses } = latest;
  const [contract, mirror] = [member(ours.info, 'version'), member(theirs.info, 'version')];
  if (contract === mirror) return [{ witnesses, judgement: [] }];
  const expected = `the version of /openapi.yaml, ${String(contract)}`;
  const judgement = [{ pointer: '/info/version', expected, actual: String(mirror) }];
  return [{ witnesses, judgement }];
}

// Section 1: the mirror is scoped to an API, which it covers; what it states, it states as the
// contract does.
function judgeMirror(copies: readonly Collected<Copy>[]): GroupJudgement[] {
  const latest = latestCopies(copies);
  if (latest === undefined) return [];
  const { ours, theirs, witnesses } = latest;
  const missing = missingIn(theirs);
  if (missing !== undefined) return [{ witnesses, judgement: [missing] }];
  // The same text is read once, so is the same document.
  const same = ours === theirs;
  const judgement = same ? [] : disagreements(ours, theirs);
  // Too much to compare: no evidence, good or bad.
  return judgement === undefined ? [] : [{ witnesses, judgement }];
}

const ofDocuments = { api: 'docs', answer: 'success', leastEvidence: 1 } as const;

/** What both rules on the mirror have in common. */
const mirrorRule = {
  ...ofDocuments,
  source: '§1',
  operations: [CONTRACT, MIRROR],
  collect: (view: View): Copy => ({
    operation: view.operation?.id ?? '',
    published: readPublished(view.text),
  }),
  // Each may be large, and only the latest are compared.
  latestOf: ({ operation }: Copy): string => operation,
} as const;

/** Rules on the published contract and the other texts of the docs host (section 1, convention 7). */
export const publishedContractRules: readonly Rule[] = [
  exchangeRule({
    ...ofDocuments,
    id: 'docs.openapi.valid',
    level: 'must',
    source: '§1, §9',
    protects: 'The published contract and its mirror are OpenAPI that tools can read.',
    rulesOut:
      'A page that shows the contract, YAML that does not parse, or references to schemas that are not there.',
    operations: [CONTRACT, MIRROR],
    judge: ({ text }) => {
      const { faults, isTooMuch } = readPublished(text);
      // Good YAML may be too large to be looked at: no evidence, good or bad.
      return isTooMuch === true ? null : faults;
    },
  }),
  exchangeRule({
    ...ofDocuments,
    id: 'docs.openapi.covers-endpoints',
    level: 'must',
    source: '§1, §4',
    protects: 'The published contract has every endpoint of the two APIs.',
    rulesOut: 'A contract of one API alone, of another version, or made before an endpoint came.',
    operations: [CONTRACT],
    judge: uncovered,
  }),
  runRule<Copy>({
    ...mirrorRule,
    id: 'docs.openapi-mirror.agrees',
    level: 'must',
    protects: 'The mirror covers an API and says what the published contract says.',
    rulesOut:
      'A mirror that is kept by hand: an endpoint is missing in it, or has another limit, field or type than in the contract of the same run.',
    once: true,
    operations: [CONTRACT, MIRROR],
    collect: (view) => ({
      operation: view.operation?.id ?? '',
      published: readPublished(view.text),
    }),
    // Each may be large, and only the latest are compared.
    latestOf: ({ operation }) => operation,
    conclude: judgeMirror,
  }),
  runRule<Copy>({
    ...mirrorRule,
    id: 'docs.openapi-mirror.same-version',
    once: true,
    level: 'should',
    source: 'implied by §1',
    protects: 'The mirror is one of the version that is published.',
    rulesOut: 'A mirror that was left behind when a new version was published.',
    conclude: judgeVersion,
  }),
  ...publishedStatementRules,
  ...publishedTextRules,
];
