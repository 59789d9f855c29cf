/** A rule and what became of it, down to the requests. */

import {
  findingNotes,
  ofOperationWords,
  placeWords,
  reproducedWords,
  seenWords,
} from '../finding-words.ts';
import type { VNode } from 'preact';
import type { RunFinding, RunRuleRow } from '../../contracts/run/run.ts';
import type { PageRun } from '../html/html-data.ts';
import { Fields } from './basics.tsx';
import { Beginning } from './beginning.tsx';
import { Command } from './command.tsx';
import { ExchangeView } from './exchange.tsx';

type Exchanges = PageRun['exchanges'];

interface RuleProps {
  readonly rule: RunRuleRow;
  readonly run: PageRun;
}

/** All that is known of a rule. */
export function RuleDetail({ rule, run }: RuleProps): VNode {
  const { source, protects, clauses = [], reason, needs, evidence, statedLevel, level } = rule;
  return (
    <div class="rule">
      <p class="protects">{protects}</p>
      <Fields
        rows={[
          ['source', source === 'card' ? "card: a fixed promise of the service's design" : source],
          ...clauses.map((clause, at) => [at === 0 ? 'document' : '', clause] as const),
          ...(statedLevel === undefined
            ? []
            : [['level', `${level} by the configuration, ${statedLevel} by itself`] as const]),
          ...(reason === undefined ? [] : [['note', reason] as const]),
          ...(needs === undefined ? [] : [['needs', needs] as const]),
          ...(rule.findings.length > 0 ? [] : [['evidence', `${evidence} judged`] as const]),
        ]}
      />
      <Beginning of={rule.findings} most={5} noun="findings">
        {(finding, at) => (
          <Finding
            key={at}
            finding={finding}
            rule={rule}
            exchanges={run.exchanges}
            isFirst={at === 0}
          />
        )}
      </Beginning>
      <Counterexample rule={rule} run={run} />
    </div>
  );
}

interface FindingProps {
  readonly finding: RunFinding;
  readonly rule: RunRuleRow;
  readonly exchanges: Exchanges;
  readonly isFirst: boolean;
}

function Finding({ finding, rule, exchanges, isFirst }: FindingProps): VNode {
  const { pointer, expected, actual, exchanges: ids, curl } = finding;
  const shown = ids.flatMap((id) => exchanges[id] ?? []);
  return (
    <div class="finding">
      <Fields
        rows={[
          [
            'at',
            pointer === '' ? (
              placeWords(rule, finding)
            ) : (
              <>
                <code>{pointer}</code>
                {ofOperationWords(rule, finding)}
              </>
            ),
          ],
          ['expected', <span class="expected">{expected}</span>],
          ['was', <span class="was">{actual}</span>],
          ['seen', `${seenWords(finding, rule)}, first in ${ids.join(', ')}`],
          ...findingNotes(finding),
        ]}
      />
      {shown.map((exchange, at) => (
        <ExchangeView
          key={exchange.id}
          exchange={exchange}
          pointer={pointer}
          isOpen={isFirst && at === 0}
        />
      ))}
      {rule.counterexample === undefined || !isFirst ? (
        <Command label={`curl, the request of ${ids[0] ?? 'it'}`} text={curl} />
      ) : null}
    </div>
  );
}

function Counterexample({ rule, run }: RuleProps): VNode | null {
  const { counterexample } = rule;
  if (counterexample === undefined) return null;
  const { curl, differsIn, command, replay, response, stopped } = counterexample;
  const size = differsIn.length === 0 ? 'A plain request' : `Differs in ${differsIn.join(', ')}`;
  const why = stopped === undefined ? '' : `; ${stopped}`;
  return (
    <div class="finding">
      <h3>The smallest that shows it</h3>
      <p>
        {size}; {reproducedWords(counterexample)}
        {why}.
      </p>
      {curl.map((line, at) => (
        <Command
          key={at}
          label={curl.length === 1 ? 'curl' : `curl, request ${at + 1}`}
          text={line}
        />
      ))}
      {response === undefined ? null : (
        <Fields
          rows={[
            [
              'answer',
              <code>
                {response.status} {response.body.slice(0, 240)}
              </code>,
            ],
          ]}
        />
      )}
      <Command
        label="replay"
        text={command ?? `assay check --seed ${run.run.seed} --replay ${replay}`}
      />
    </div>
  );
}
