/** Parts of the page that are lists of what was measured or seen. */

import type { VNode } from 'preact';
import type { RunRuleRow } from '../../contracts/run/run.ts';
import type { Remark } from '../html/html-data.ts';
import { Part, VerdictBadge } from './basics.tsx';
import { Beginning } from './beginning.tsx';

/** Rules without a verdict, by why. */
export function NotReached({
  rules,
  place,
}: {
  readonly rules: readonly RunRuleRow[];
  readonly place: string;
}): VNode | null {
  const groups = new Map<string, RunRuleRow[]>();
  for (const rule of rules) {
    if (rule.verdict !== 'not-reached' && rule.verdict !== 'inconclusive') continue;
    const why = rule.reason ?? 'no reason was recorded';
    const key = `${rule.verdict}\n${rule.needs === undefined ? why : `${why}; it needs ${rule.needs}`}`;
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  }
  if (groups.size === 0) return null;
  return (
    <Part
      id={`${place}-not-reached`}
      title="Not reached"
      note="These rules have neither passed nor failed: there was too little evidence."
    >
      <ul class="reasons">
        {[...groups].map(([key, some]) => (
          <li key={key}>
            <VerdictBadge verdict={some[0]?.verdict ?? 'not-reached'} />{' '}
            <strong>{some.length}</strong>: {key.slice(key.indexOf('\n') + 1)}
            <ul class="ids">
              <Beginning of={some} most={12} noun="rules" isList>
                {({ id }) => (
                  <li key={id} class="id">
                    {id}
                  </li>
                )}
              </Beginning>
            </ul>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Sentences with their symbols. */
export function Remarks({ of: remarks }: { readonly of: readonly Remark[] }): VNode | null {
  if (remarks.length === 0) return null;
  const verdicts: Readonly<Record<string, string>> = {
    '✗': 'v-fail',
    '✓': 'v-pass',
    '!': 'v-warn',
  };
  return (
    <ul class="remarks">
      {remarks.map(([symbol, text], at) => (
        <li key={at}>
          <span class={`symbol ${verdicts[symbol] ?? 'dim'}`}>{symbol}</span> {text}
        </li>
      ))}
    </ul>
  );
}
