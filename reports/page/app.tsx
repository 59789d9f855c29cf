/** The whole page. */

import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { countVerdicts } from '../../contracts/run/run.ts';
import { apisOfRun } from '../../contracts/run/apis-of-run.ts';
import type { PageData, PageRun } from '../html/html-data.ts';
import { plural } from '../text.ts';
import { Part } from './basics.tsx';
import { Printing } from './fold.tsx';
import { Broken, brokenRules, headOf } from './broken.tsx';
import { Regressions, Waivers } from './earlier.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Comparison } from './comparison.tsx';
import { EVERYTHING, type Filter, isChoosing, showsRule, showsUnspecified } from './filter.ts';
import { History } from './history.tsx';
import { RunHead, RunsHead } from './head.tsx';
import { Ledger } from './ledger.tsx';
import { Load } from './load.tsx';
import { Matrix } from './matrix.tsx';
import { type SectionRow, sectionsOf } from './sections.ts';
import { NotReached } from './tables.tsx';
import { Simulations } from './simulations.tsx';
import { Limits } from './limits.tsx';
import { Latencies } from './latencies.tsx';
import { Trend } from './trend.tsx';

/** A run with its sections. */
interface Prepared {
  readonly run: PageRun;
  readonly place: string;
  readonly sections: readonly SectionRow[];
  /** Sections that each rule is part of. */
  readonly ofRules: ReadonlyMap<string, ReadonlySet<string>>;
}

function prepared({ runs, clauses }: PageData): Prepared[] {
  return runs.map((run, at) => {
    const sections = sectionsOf(run.run, clauses);
    const ofRules = new Map<string, Set<string>>();
    for (const { section, clauses: rows } of sections) {
      for (const { id } of rows.flatMap(({ rules }) => rules)) {
        ofRules.set(id, (ofRules.get(id) ?? new Set()).add(section));
      }
    }
    return { run, place: `run${at + 1}`, sections, ofRules };
  });
}

/** The page of some runs. */
export function App({ data }: { readonly data: PageData }): VNode {
  const [filter, setFilter] = useState(EVERYTHING);
  const runs = useMemo(() => prepared(data), [data]);
  const printing = usePrinting();
  const rules = runs.flatMap(({ run }) => run.run.rules);
  const shown = runs.flatMap((one) =>
    one.run.run.rules.filter((rule) => showsRule(filter, rule, one.ofRules)),
  );
  const all = new Set(runs.flatMap(({ run }) => apisOfRun(run.run)));
  const apis = [...all].filter((api) => rules.some((rule) => rule.api === api));
  const sections = [
    ...new Set(runs.flatMap((one) => one.sections.map(({ section }) => section))),
  ].filter((section) => section.startsWith('§'));
  return (
    <Printing.Provider value={printing}>
      <a class="skip" href="#content">
        To the report
      </a>
      <FilterBar
        {...{ filter, apis, sections }}
        onChange={setFilter}
        links={linksOf(runs)}
        verdicts={countVerdicts(rules)}
        shown={
          isChoosing(filter)
            ? `${shown.length} of ${plural(rules.length, 'rule')}`
            : plural(rules.length, 'rule')
        }
      />
      <main class="page" id="content">
        {runs.length === 1 ? null : <RunsHead runs={runs} />}
        {runs.map((one) => (
          <Run key={one.place} {...one} filter={filter} isAlone={runs.length === 1} />
        ))}
      </main>
    </Printing.Provider>
  );
}

interface RunProps extends Prepared {
  readonly filter: Filter;
  readonly isAlone: boolean;
}

function Run({ run, place, sections, ofRules, filter, isAlone }: RunProps): VNode {
  const isFiltered = isChoosing(filter);
  const rules = run.run.rules.filter((rule) => showsRule(filter, rule, ofRules));
  const ids = new Set(rules.map(({ id }) => id));
  const ledger = run.run.ledger.filter((row) => showsUnspecified(filter, row));
  const unspecified = new Set(ledger.map(({ id }) => id));
  const left = !isFiltered
    ? sections
    : sections.flatMap(({ section, clauses }) => {
        if (filter.section !== '' && section !== filter.section) return [];
        const some = clauses.flatMap((row) => {
          const kept = {
            ...row,
            rules: row.rules.filter(({ id }) => ids.has(id)),
            ledger: row.ledger.filter(({ id }) => unspecified.has(id)),
          };
          return kept.rules.length + kept.ledger.length === 0 ? [] : [kept];
        });
        return some.length === 0 ? [] : [{ section, clauses: some }];
      });
  return (
    <>
      <RunHead run={run} isAlone={isAlone} id={place} />
      <Broken {...{ run, rules, place, isFiltered }} />
      <Comparison {...{ run, place }} />
      <Load {...{ run, place }} />
      <Trend {...{ run, place }} />
      <Limits {...{ run, place }} />
      <Simulations run={run.run} place={place} />
      <History {...{ run, place }} />
      <Regressions rows={run.run.regressions ?? []} place={place} />
      <Waivers run={run.run} place={place} />
      {sections.length === 0 ? null : <Matrix {...{ run, place, isFiltered }} sections={left} />}
      <NotReached {...{ rules, place }} />
      {run.search === undefined ? null : (
        <Part id={`${place}-search`} title="What going on has reached">
          <p>{run.search}</p>
        </Part>
      )}
      <Latencies rows={run.run.latencies ?? []} place={place} />
      <Ledger {...{ run, place }} rows={ledger} />
    </>
  );
}

/** Where a reader may want to go. */
function linksOf(runs: readonly Prepared[]): (readonly [href: string, text: string])[] {
  const [first] = runs;
  if (first === undefined) return [];
  if (runs.length > 1) return runs.map(({ place, run }) => [`#${place}`, run.name] as const);
  const { run, place } = first;
  const { rules, load, ledger, latencies = [], regressions = [], simulations = [] } = run.run;
  const broken = brokenRules(rules);
  const parts: readonly (readonly [string, string, boolean])[] = [
    ['broken', `${headOf(broken).word} ${broken.length}`, broken.length > 0],
    ['since', 'Baseline', run.comparison !== undefined],
    ['load', 'Load', load !== undefined],
    ['trend', 'Trend', load?.trend !== undefined || run.baseline.length > 0],
    ['limits', 'Limits', run.limits.length > 0],
    ['simulated', 'Executed', simulations.length > 0],
    ['history', 'History', run.history !== undefined],
    ['earlier', 'Earlier', regressions.length > 0],
    ['waivers', 'Waivers', (run.run.waivers ?? []).length > 0],
    ['clauses', 'Clauses', rules.length > 0],
    [
      'not-reached',
      'Not reached',
      rules.some(({ verdict }) => verdict === 'not-reached' || verdict === 'inconclusive'),
    ],
    ['latency', 'Latency', latencies.length > 0],
    ['unspecified', 'Unspecified', ledger.length > 0],
  ];
  return parts.flatMap(([name, text, isThere]) =>
    isThere ? [[`#${place}-${name}`, text] as const] : [],
  );
}

function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const before = (): void => {
      setPrinting(true);
    };
    const after = (): void => {
      setPrinting(false);
    };
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, []);
  return printing;
}
