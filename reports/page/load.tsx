/** A load run: errors, thresholds, latencies by step and operation, wrong answers. */

import type { VNode } from 'preact';
import { whyLoadOpen } from '../../contracts/run/load/load-outcome.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import type { PageRun } from '../html/html-data.ts';
import { judgedWords, setAsideWords } from '../terminal/load-words.ts';
import { Fields, Part } from './basics.tsx';
import { grouped } from './exchange.tsx';
import { Remarks } from './tables.tsx';
import { connectionFields, LoadTables } from './load-tables.tsx';
import { LoadErrors } from './load-errors.tsx';
import { Plot } from './limits.tsx';

interface LoadProps {
  readonly run: PageRun;
  readonly place: string;
}

/** All that a load run measured. */
export function Load({ run, place }: LoadProps): VNode | null {
  const { load } = run.run;
  if (load === undefined || run.load === undefined) return null;
  return (
    <Part id={`${place}-load`} title={`Load: ${load.scenario}`}>
      <LoadErrors load={load} most={MAX_ERRORS} />
      <Remarks of={whyOpen(load).map((why) => ['?', why] as const)} />
      <Remarks of={run.load.thresholds} />
      <Fields
        rows={[
          ['judged', judgedWords(load)],
          ...load.violations.map((one, at) => {
            const { rule, count, firstStep, firstExchange } = one;
            const first = firstExchange === '' ? '' : `, ${firstExchange}`;
            const where = `first in ${load.steps[firstStep]?.name ?? 'a step'}${first}`;
            const words = `${rule}: ${grouped(count)} times, ${where}${setAsideWords(one)}`;
            return [at === 0 ? 'wrong' : '', words] as const;
          }),
        ]}
      />
      <Plot of="load" run={run} />
      <LoadTables load={load} />
      <Fields rows={[...connectionFields(load), ['generator', run.load.generator]]} />
    </Part>
  );
}

/** Others are left to run.json. */
const MAX_ERRORS = 10;

function whyOpen(load: RunLoad): readonly string[] {
  const why = load.limiter === undefined ? undefined : whyLoadOpen(load);
  return why === undefined ? load.invalid : [...load.invalid, `${why}.`];
}
