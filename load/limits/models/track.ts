import { showAlive } from '../../../target/budget/liveness.ts';
import type { ProbeEvent } from '../transcript.ts';
import { fitOfReport } from './report-fit.ts';
import { pointMassProbability, restProbability } from './usual.ts';
import type { Interval } from './interval.ts';
import { PUT_OFF, type Extent, type LimiterClass, type Model, type Tracker } from './model.ts';

/** States up to which all are kept; more are joined roughly, where the model can. */
const MANY_STATES = 150;
/** States kept: those that are worth most. */
const MAX_STATES = 200;
/** Those that are dropped may be worth this part of all before the truth may be among them. */
const MAX_LOST = 0.002;
/** A state with this part of the greatest likelihood is dropped. */
const MIN_LIKELIHOOD = 1e-4;

/** What comes after a rejection differs from what would have come without it. */
const CHANGED_BY_REJECTIONS: ReadonlySet<LimiterClass> = new Set([...PUT_OFF, 'penalty']);

/** A state, and how likely it makes what the service said of itself. */
interface Likely<S> {
  readonly state: S;
  readonly likelihood: number;
}

/**
 * Follows a transcript through a model. A failed request may have been counted or not: both are kept.
 *
 * @param times how often as many states are kept as usual, for as much more work
 */
export function track<S>(model: Model<S>, times = 1): Tracker {
  const following: Following<S> = { model, times };
  const first = follow(following, certain(model.initial), false);
  if (model.afterRun === undefined) return first;
  const after = (run: readonly ProbeEvent[]): Tracker =>
    run.length === 0 ? first : follow(following, certain(model.afterRun?.(run) ?? []), false);
  return running(first, [], after);
}

/** Waits for the first rejection. */
function running(
  first: Tracker,
  run: readonly ProbeEvent[],
  afterRun: (run: readonly ProbeEvent[]) => Tracker,
): Tracker {
  return {
    class: first.class,
    cut: false,
    isLeft: true,
    observe: (event) =>
      event.outcome === 'rejected'
        ? afterRun(run).observe(event)
        : running(first, [...run, event], afterRun),
    candidates: () => (run.length === 0 ? first : afterRun(run)).candidates(),
  };
}

function certain<S>(states: readonly S[]): Likely<S>[] {
  return states.map((state) => ({ state, likelihood: 1 }));
}

/** A model, and how often as many of its states are kept as usual. */
interface Following<S> {
  readonly model: Model<S>;
  readonly times: number;
}

function follow<S>(following: Following<S>, states: readonly Likely<S>[], cut: boolean): Tracker {
  const { model, times } = following;
  return {
    class: model.class,
    cut,
    isLeft: states.length > 0,
    observe: (event) => {
      // Hundreds of states over hundreds of events take seconds.
      showAlive();
      const ways = likely(states.flatMap((one) => waysOf(model, one, event)));
      const all = joined(model, ways, (state) => model.key(state));
      if (all.length <= times * MANY_STATES) return follow(following, all, cut);
      const rough = joined(model, all, (state) => (model.roughKey ?? model.key)(state));
      if (rough.length <= times * MAX_STATES) return follow(following, rough, cut);
      const [kept, lost] = worthiest(model, rough, times * MAX_STATES);
      return follow(following, kept, cut || lost > MAX_LOST);
    },
    candidates: () =>
      states.map(({ state, likelihood }) => {
        const candidate = model.candidate(state);
        return { ...candidate, likelihood: likelihood * (candidate.likelihood ?? 1) };
      }),
  };
}

function waysOf<S>(
  model: Model<S>,
  { state, likelihood }: Likely<S>,
  event: ProbeEvent,
): Likely<S>[] {
  const next =
    event.outcome === 'failed'
      ? [
          state,
          ...model.step(state, { ...event, outcome: 'admitted' }),
          // Of one that a rejection does not change this is a part of what not counting it leaves.
          ...(CHANGED_BY_REJECTIONS.has(model.class)
            ? model.step(state, { ...event, outcome: 'rejected' })
            : []),
        ]
      : model.step(state, event);
  return next.map((way) => ({
    state: way,
    likelihood:
      event.report === undefined
        ? likelihood
        : likelihood * fitOfReport(model.candidate(way), event),
  }));
}

/** Without those that the service's word all but rules out beside others. */
function likely<S>(ways: readonly Likely<S>[]): readonly Likely<S>[] {
  const most = ways.reduce((max, { likelihood }) => Math.max(max, likelihood), 0);
  return ways.filter(({ likelihood }) => likelihood >= MIN_LIKELIHOOD * most);
}

/** The states that are worth most, and the part of all that the others are worth. */
function worthiest<S>(
  model: Model<S>,
  states: readonly Likely<S>[],
  most: number,
): readonly [Likely<S>[], number] {
  const all = states.map((one) => ({
    one,
    worth: one.likelihood * worthOf((model.extent ?? model.candidate)(one.state)),
  }));
  const sorted = all.sort((a, b) => b.worth - a.worth);
  const [kept, lost] = [sorted.slice(0, most), sorted.slice(most)];
  const sum = (from: readonly { readonly worth: number }[]): number =>
    from.reduce((total, { worth }) => total + worth, 0);
  return [kept.map(({ one }) => one), sum(lost) / sum(sorted)];
}

/** The part of all times, and of all phases, that a candidate leaves. */
function worthOf({ timeMs, windowMs, boundaryMs, likelihood = 1 }: Extent): number {
  const spread = ({ lo, hi }: Interval): number =>
    restProbability(lo, hi) + pointMassProbability(lo, hi);
  const width = boundaryMs === undefined ? Infinity : boundaryMs.hi - boundaryMs.lo;
  const phase = Math.min(1, width / timeMs.lo);
  return likelihood * phase * spread(timeMs) * (windowMs === undefined ? 1 : spread(windowMs));
}

function joined<S>(
  model: Model<S>,
  states: readonly Likely<S>[],
  keyOf: (state: S) => string,
): Likely<S>[] {
  const kept = new Map<string, Likely<S>>();
  for (const one of states) {
    const key = keyOf(one.state);
    const other = kept.get(key);
    kept.set(
      key,
      other === undefined
        ? one
        : {
            state: model.join(other.state, one.state),
            likelihood: Math.max(other.likelihood, one.likelihood),
          },
    );
  }
  return [...kept.values()];
}
