/** The bar that stays in sight: where to go, and what to see. */

import type { VNode } from 'preact';
import { type Verdict, VERDICTS } from '../../contracts/run/run.ts';
import { VERDICT_WORDS } from '../verdict-words.ts';
import { EVERYTHING, type Filter, isChoosing } from './filter.ts';

interface BarProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
  readonly links: readonly (readonly [href: string, text: string])[];
  readonly apis: readonly string[];
  readonly sections: readonly string[];
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** How much is shown, in words. */
  readonly shown: string;
}

/** Links and filters. */
export function FilterBar(props: BarProps): VNode {
  const { filter, onChange, links, apis, sections, verdicts, shown } = props;
  const there = VERDICTS.filter((verdict) => verdicts[verdict] > 0);
  return (
    <div class="toolbar">
      <nav aria-label="Parts of the report">
        {links.map(([href, text]) => (
          <a key={href} href={href}>
            {text}
          </a>
        ))}
      </nav>
      <search class="filters" aria-label="Rules">
        <input
          type="search"
          aria-label="Search rules, findings and unspecified clauses"
          placeholder="Search"
          value={filter.text}
          onInput={(event) => {
            onChange({ ...filter, text: event.currentTarget.value });
          }}
        />
        <Choice
          label="Verdict"
          all="all verdicts"
          value={filter.verdict}
          options={there.map((verdict) => [
            verdict,
            `${VERDICT_WORDS[verdict].word} (${verdicts[verdict]})`,
          ])}
          onChange={(verdict) => {
            onChange({ ...filter, verdict: verdict as Verdict | '' });
          }}
        />
        <Choice
          label="API"
          all="all APIs"
          value={filter.api}
          options={apis.map((api) => [api, api])}
          onChange={(api) => {
            onChange({ ...filter, api });
          }}
        />
        <Choice
          label="Section"
          all="all sections"
          value={filter.section}
          options={sections.map((section) => [section, section])}
          onChange={(section) => {
            onChange({ ...filter, section });
          }}
        />
        <span role="status" class="dim">
          {shown}
        </span>
        {isChoosing(filter) ? (
          <button
            type="button"
            onClick={() => {
              onChange(EVERYTHING);
            }}
          >
            Clear
          </button>
        ) : null}
      </search>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps): VNode {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    >
      <option value="">{all}</option>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}
