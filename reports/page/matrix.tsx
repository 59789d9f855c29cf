/** Clauses by section and verdict, down to the rules. */

import type { VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { RunRuleRow } from '../../contracts/run/run.ts';
import type { PageRun } from '../html/html-data.ts';
import { VERDICT_WORDS } from '../verdict-words.ts';
import { Part, VerdictBadge, Wide } from './basics.tsx';
import { Fold } from './fold.tsx';
import { Printing } from './fold.tsx';
import { percentEncoded } from '../../contracts/wire/http/percent-encoded.ts';
import { cardId } from './broken.tsx';
import { RuleDetail } from './rule.tsx';
import {
  CLAUSE_VERDICTS,
  type ClauseRow,
  type ClauseVerdict,
  countClauses,
  type SectionRow,
} from './sections.ts';

interface MatrixProps {
  readonly run: PageRun;
  readonly sections: readonly SectionRow[];
  readonly place: string;
  /** Whether a filter leaves clauses out: what is left stands open. */
  readonly isFiltered: boolean;
}

const NOT_JUDGED = { symbol: '○', word: 'not judged' };

function wordsOf(verdict: ClauseVerdict): { readonly symbol: string; readonly word: string } {
  return verdict === 'not-judged' ? NOT_JUDGED : VERDICT_WORDS[verdict];
}

/** The table of sections. */
export function Matrix({ run, sections, place, isFiltered }: MatrixProps): VNode {
  const all = sections.flatMap(({ clauses }) => clauses);
  const totals = countClauses(all);
  const columns = CLAUSE_VERDICTS.filter((verdict) => totals[verdict] > 0);
  return (
    <Part
      id={`${place}-clauses`}
      title="Clauses"
      note={`What the document says, by section: ${all.length} clauses${isFiltered ? ' match' : ''}. A clause has the verdict of its rule that wants most attention.`}
    >
      {all.length === 0 ? null : (
        <Wide label="Clauses by section and verdict">
          <table class="matrix">
            <thead>
              <tr>
                <th scope="col">Section</th>
                {columns.map((verdict) => (
                  <th key={verdict} scope="col" class={`v-${verdict}`}>
                    <span class="symbol" aria-hidden="true">
                      {wordsOf(verdict).symbol}
                    </span>{' '}
                    <span class="word">{wordsOf(verdict).word}</span>
                  </th>
                ))}
              </tr>
            </thead>
            {sections.map((section) => (
              <Section
                key={`${section.section} ${isFiltered}`}
                {...{ run, section, place, columns }}
                isOpen={isFiltered && all.length <= 40}
              />
            ))}
            <tfoot>
              <tr>
                <th scope="row">All</th>
                {columns.map((verdict) => (
                  <td key={verdict}>{totals[verdict]}</td>
                ))}
              </tr>
            </tfoot>
          </table>
        </Wide>
      )}
    </Part>
  );
}

interface SectionProps {
  readonly run: PageRun;
  readonly section: SectionRow;
  readonly place: string;
  readonly columns: readonly ClauseVerdict[];
  readonly isOpen: boolean;
}

function Section({ run, section, place, columns, isOpen }: SectionProps): VNode {
  const [open, setOpen] = useState(isOpen);
  const printing = useContext(Printing);
  const counts = countClauses(section.clauses);
  const isShown = open && !printing;
  return (
    <tbody>
      <tr>
        <th scope="row">
          <button
            type="button"
            class="opener"
            aria-expanded={isShown}
            onClick={() => {
              setOpen(!open);
            }}
          >
            {section.section}
          </button>
        </th>
        {columns.map((verdict) => (
          <td key={verdict} class={counts[verdict] > 0 ? `has v-${verdict}` : 'none'}>
            {counts[verdict] > 0 ? counts[verdict] : '·'}
          </td>
        ))}
      </tr>
      {isShown ? (
        <tr>
          <td class="clauses" colSpan={columns.length + 1}>
            <ul>
              {section.clauses.map((row) => (
                <ClauseItem key={row.clause.id} {...{ row, run, place }} />
              ))}
            </ul>
          </td>
        </tr>
      ) : null}
    </tbody>
  );
}

interface ClauseProps {
  readonly row: ClauseRow;
  readonly run: PageRun;
  readonly place: string;
}

function ClauseItem({ row: { clause, rules, ledger, verdict }, run, place }: ClauseProps): VNode {
  return (
    <li>
      <p class="clause">
        {clause.text} <span class="tags">{clause.level}</span>
      </p>
      {rules.map((rule) => (
        <RuleLine key={rule.id} {...{ rule, run, place }} />
      ))}
      {ledger.map((row) => (
        <p key={row.id} class="seen">
          <VerdictBadge verdict="observed" /> <span class="id">{row.id}</span>{' '}
          {row.observed.slice(0, 3).join('; ')}
          {row.observed.length > 3 ? `; and ${row.observed.length - 3} more` : ''}
        </p>
      ))}
      {verdict === 'not-judged' ? (
        <p class="seen dim">not judged{clause.waiver === undefined ? '' : `: ${clause.waiver}`}</p>
      ) : null}
    </li>
  );
}

function RuleLine({
  rule,
  run,
  place,
}: {
  readonly rule: RunRuleRow;
  readonly run: PageRun;
  readonly place: string;
}): VNode {
  const head = (
    <>
      <VerdictBadge verdict={rule.verdict} /> <span class="id">{rule.id}</span>{' '}
      <span class="dim">{rule.evidence} judged</span>
    </>
  );
  if (rule.findings.length === 0) {
    return (
      <Fold class="line" summary={head}>
        {() => <RuleDetail rule={rule} run={run} />}
      </Fold>
    );
  }
  return (
    <p class="line">
      {head} <a href={`#${percentEncoded(cardId(place, rule))}`}>what broke</a>
    </p>
  );
}
