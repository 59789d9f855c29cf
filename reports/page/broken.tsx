/** What broke: a card for each rule, the causes first. */

import { wasWords } from '../finding-words.ts';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { RunRuleRow } from '../../contracts/run/run.ts';
import { causesFirst, isOfOutage } from '../causes.ts';
import type { PageRun } from '../html/html-data.ts';
import { Part, VerdictBadge } from './basics.tsx';
import { Beginning } from './beginning.tsx';
import { Fold } from './fold.tsx';
import { percentEncoded } from '../../contracts/wire/http/percent-encoded.ts';
import { RuleDetail } from './rule.tsx';

/** Rules with findings, but for those that only an outage broke: what likely caused the others first, those that a waiver accepts last. */
export function brokenRules(rules: readonly RunRuleRow[]): RunRuleRow[] {
  const found = rules.filter(({ findings }) => findings.length > 0);
  const shown = causesFirst(found).filter((rule) => !isOfOutage(rule));
  return [...shown, ...found.filter(({ verdict }) => verdict === 'waived')];
}

/** The place of a rule's card. */
export function cardId(place: string, rule: RunRuleRow): string {
  return `${place}-${rule.id}`;
}

interface BrokenProps {
  readonly run: PageRun;
  readonly rules: readonly RunRuleRow[];
  readonly place: string;
  readonly isFiltered: boolean;
}

/** What rules that failed, only warn, or are waived are headed with, and a word for it in links. */
export function headOf(rules: readonly RunRuleRow[]): {
  readonly title: string;
  readonly word: string;
} {
  const has = (one: string): boolean => rules.some(({ verdict }) => verdict === one);
  if (has('fail')) return { title: 'What broke', word: 'Broken' };
  if (!has('waived')) return { title: 'Warnings', word: 'Warnings' };
  if (!has('warn')) return { title: 'What is waived', word: 'Waived' };
  return { title: 'Warnings, and what is waived', word: 'Warnings' };
}

/** The cards. */
export function Broken({ run, rules, place, isFiltered }: BrokenProps): VNode | null {
  const [isAll, setAll] = useState<boolean | undefined>();
  const broken = brokenRules(rules);
  const all = brokenRules(run.run.rules);
  if (all.length === 0) return null;
  const openAll = (
    <button
      type="button"
      onClick={() => {
        setAll(isAll !== true);
      }}
    >
      {isAll === true ? 'Close all' : 'Open all'}
    </button>
  );
  return (
    <Part
      id={`${place}-broken`}
      title={headOf(all).title}
      {...(isFiltered ? { note: `${broken.length} of ${all.length} shown.` } : {})}
      aside={broken.length > 1 ? openAll : null}
    >
      {broken.length > 1 ? <Overview {...{ run, broken, place }} /> : null}
      <Beginning of={broken} most={100} noun="rules">
        {(rule, at) => (
          <Fold
            key={rule.id}
            id={cardId(place, rule)}
            class={`card c-${rule.verdict}`}
            isOpen={isAll ?? at === 0}
            prints
            summary={<CardHead rule={rule} since={sinceOf(run, rule)} />}
          >
            {() => <RuleDetail rule={rule} run={run} />}
          </Fold>
        )}
      </Beginning>
    </Part>
  );
}

/** All of them in a line each, as there may be a long way between the cards. */
function Overview({
  run,
  broken,
  place,
}: {
  readonly run: PageRun;
  readonly broken: readonly RunRuleRow[];
  readonly place: string;
}): VNode {
  return (
    <ol class="overview">
      <Beginning of={broken} most={30} noun="rules" isList>
        {(rule) => (
          <li key={rule.id}>
            <VerdictBadge verdict={rule.verdict} />
            <a class="id" href={`#${percentEncoded(cardId(place, rule))}`}>
              {rule.id}
            </a>
            <Since words={sinceOf(run, rule)} />
            <span class="was-line">{wasOf(rule)}</span>
          </li>
        )}
      </Beginning>
    </ol>
  );
}

const MAX_WAS_CHARACTERS = 160;

function wasOf(rule: RunRuleRow): string {
  const [first] = rule.findings;
  return first === undefined ? '' : wasWords(rule, first).slice(0, MAX_WAS_CHARACTERS);
}

/** Whether the baseline has what the rule is broken by; undefined if there is none. */
function sinceOf({ since = {} }: PageRun, { id }: RunRuleRow): string | undefined {
  return Object.hasOwn(since, id) ? since[id] : undefined;
}

function Since({ words }: { readonly words: string | undefined }): VNode | null {
  return words === undefined ? null : <span class="tags"> {words} </span>;
}

function CardHead({
  rule,
  since,
}: {
  readonly rule: RunRuleRow;
  readonly since: string | undefined;
}): VNode {
  const more = rule.findings.length - 1;
  return (
    <>
      <VerdictBadge verdict={rule.verdict} /> <strong class="id">{rule.id}</strong>{' '}
      <span class="tags">
        {rule.level} · {rule.source}
        {more > 0 ? ` · ${more + 1} findings` : ''}
        {since === undefined ? '' : ` · ${since}`}
      </span>
      <span class="was-line">{wasOf(rule)}</span>
    </>
  );
}
