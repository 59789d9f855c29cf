/** What a run came to, and what it rests on. */

import type { ComponentChildren, VNode } from 'preact';
import { modeWords } from '../run-kinds.ts';
import { countVerdicts, type RunJson, type Verdict, VERDICTS } from '../../contracts/run/run.ts';
import { apisWithoutUrl, apisWithUrl } from '../../contracts/run/apis-of-run.ts';
import { isCounted } from '../../contracts/run/unjudged.ts';
import type { PageRun } from '../html/html-data.ts';
import { duration, plural } from '../text.ts';
import { askedRules, rulesSum } from '../rules-pass.ts';
import { judgedWords } from '../terminal/load-words.ts';
import { VERDICT_WORDS } from '../verdict-words.ts';
import { Fields } from './basics.tsx';
import { Fold } from './fold.tsx';
import { grouped } from './exchange.tsx';
import { LoadErrors } from './load-errors.tsx';

/** The class that gives an outcome its colour. */
const TONES = { '✓': 'good', '✗': 'bad', '?': 'open' } as const;

/** Of several runs: the outcome of each in a line. */
export function RunsHead({
  runs,
}: {
  readonly runs: readonly { readonly run: PageRun; readonly place: string }[];
}): VNode {
  return (
    <header class="runs-head">
      <h1>Assay report on {runs.length} runs</h1>
      <ol class="overview">
        {runs.map(({ run: page, place }) => {
          const { symbol, words } = page.outcome;
          return (
            <li key={place} class={`o-${TONES[symbol]}`}>
              <span>
                <span class="symbol" aria-hidden="true">
                  {symbol}
                </span>{' '}
                {words}
              </span>
              <a href={`#${place}`}>{page.name}</a>
              <span class="dim">
                {page.run.complete ? '' : 'partial; '}
                {page.load?.outcome ?? page.replay ?? rulesSum(page.run)}
              </span>
            </li>
          );
        })}
      </ol>
    </header>
  );
}

/** Of a load: whoever sees a share of errors asks for these. */
const MAX_ERRORS = 3;

interface HeadProps {
  readonly run: PageRun;
  readonly isAlone: boolean;
  readonly id: string;
}

/** Outcome, counts, facts and notices. */
export function RunHead({ run: page, isAlone, id }: HeadProps): VNode {
  const { run } = page;
  const { symbol, words } = page.outcome;
  const outcome = (
    <>
      <span class="symbol" aria-hidden="true">
        {symbol}
      </span>{' '}
      {words}
      <span class="name">{page.name}</span>
    </>
  );
  return (
    <header class={`run-head o-${TONES[symbol]}`} id={id}>
      {isAlone ? <h1>{outcome}</h1> : <h2 class="run-title">{outcome}</h2>}
      <p class="rests">{page.replay ?? rulesSum(run)}</p>
      {page.load === undefined ? null : <p class="rests">{page.load.outcome}</p>}
      {run.load === undefined ? null : <LoadErrors load={run.load} most={MAX_ERRORS} />}
      {page.undecided === undefined ? null : <p>{page.undecided}</p>}
      {run.complete ? null : (
        <p class="banner" role="note">
          <strong>Partial.</strong> This run did not come to its end
          {isCounted(run)
            ? `: what it says rests on the ${plural(run.counts.exchanges, 'exchange')} that it had by then`
            : ''}
          . What it did not reach may be broken.
        </p>
      )}
      {run.failure === undefined ? null : (
        <p class="banner" role="note">
          <strong>Assay itself failed</strong>, which says nothing of the target: {run.failure}
        </p>
      )}
      {run.rules.length === 0 ? null : <Bar counts={countVerdicts(askedRules(run))} />}
      <div class="facts">
        <Fields rows={factsOf(run)} />
      </div>
      {[...run.notices, ...page.leftOut].length === 0 ? null : (
        <ul class="notices">
          {[...run.notices, ...page.leftOut].map((notice, at) => (
            <li key={at}>{notice}</li>
          ))}
        </ul>
      )}
      <Fold class="more-facts" summary="How it was run, and what makes this record that of the run">
        {() => <Fields rows={moreFactsOf(run)} />}
      </Fold>
    </header>
  );
}

type Row = readonly [label: string, value: ComponentChildren];

function factsOf(run: RunJson): Row[] {
  const { target, counts, labels = {} } = run;
  const began = run.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  const took = duration(Date.parse(run.endedAt) - Date.parse(run.startedAt));
  const others = apisWithoutUrl(run);
  const urls = apisWithUrl(run).map((api) => [api, <code>{target.urls[api]}</code>] as const);
  const asked = [
    plural(counts.exchanges, 'exchange').replace(/^\d+/, grouped(counts.exchanges)),
    ...(counts.throttled > 0 ? [`${grouped(counts.throttled)} throttled`] : []),
    ...(counts.failed > 0 ? [`${grouped(counts.failed)} unanswered`] : []),
  ];
  return [
    ['began', `${began}${isCounted(run) ? `, took ${took}` : ''}`],
    // The record of a load is a sample of it, and has what was asked before: what was sent stands with the load.
    ...(isCounted(run)
      ? [[run.load === undefined ? 'sent' : 'recorded', asked.join(', ')] as const]
      : []),
    ...(run.load === undefined ? [] : [['judged', judgedWords(run.load)] as const]),
    ['by', `${run.tool.name} ${run.tool.version}, ${modeWords(run)}, seed ${run.seed}`],
    ...(target.kind === 'reference'
      ? [['target', 'the embedded reference service'] as const]
      : urls),
    ...(others.length === 0 ? [] : [['not tested', others.join(', ')] as const]),
    ...Object.entries(labels).slice(0, 30),
  ];
}

function moreFactsOf(run: RunJson): Row[] {
  const { contract, record, choice, command, tool, target } = run;
  const words = (list: readonly string[]): string => list.join(' ');
  const rows: (readonly [string, string | undefined])[] = [
    ['command', command],
    ['only', choice === undefined ? undefined : words(choice.only)],
    ['skip', choice === undefined ? undefined : words(choice.skip)],
    ['levels', choice === undefined ? undefined : JSON.stringify(choice.levels)],
    ['credentials', words(target.credentials)],
    ['at most', target.maxRate === undefined ? undefined : `${target.maxRate} requests a second`],
    ['contract', `sha256 ${contract.sha256}`],
    ...(contract.files ?? []).map(
      ({ api, url, sha256 }) => [`${api} contract`, `${url} (sha256 ${sha256})`] as const,
    ),
    ['code', `sha256 ${tool.sha256}`],
    [
      'record',
      record.head === undefined
        ? `${record.id}, not sealed`
        : `${record.id}, sha256 ${record.head}`,
    ],
    [
      'whose it is',
      'Nobody signed this page or its record: only a signature, as of a release, protects against somebody who rewrites everything.',
    ],
  ];
  return rows.flatMap(([label, text]) =>
    text === undefined || text === '' || text === '[]'
      ? []
      : [[label, <code>{text}</code>] as const],
  );
}

const WIDTH = 1000;

/** The verdicts of all rules as one bar; the words below it say the same. */
function Bar({ counts }: { readonly counts: Readonly<Record<Verdict, number>> }): VNode {
  const whole = VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0);
  const shown = VERDICTS.filter((verdict) => counts[verdict] > 0);
  let x = 0;
  return (
    <figure class="bar">
      <svg viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
        {shown.map((verdict) => {
          // One broken rule of hundreds must be seen.
          const width = Math.max(6, (WIDTH * counts[verdict]) / whole);
          const from = x;
          x += width;
          return (
            <rect key={verdict} class={`f-${verdict}`} x={from} y={0} width={width} height={10} />
          );
        })}
      </svg>
      <figcaption>
        {shown.map((verdict) => (
          <span key={verdict} class={`v-${verdict}`}>
            <span class="symbol" aria-hidden="true">
              {VERDICT_WORDS[verdict].symbol}
            </span>{' '}
            {counts[verdict]} {VERDICT_WORDS[verdict].word}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
