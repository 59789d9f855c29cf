import { COME_BACK } from '../../../run/load/load-marks.ts';
import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { announcedSeconds } from '../../../wire/http/retry-after.ts';
import { waitIn } from '../../wire/error-body.ts';

/**
 * The same request must wait as announced this often in a row: one wait that was rounded down proves
 * nothing.
 */
const REPORTED_WAITS = 4;
/** Whoever comes again sooner has not waited, whatever was announced: waits are in whole seconds. */
const MIN_WAIT_MS = 1_000;
/** A clock of milliseconds may show the sending so much too early. */
const CLOCK_GRAIN_MS = 5;
/** Such a share of what was sent must have waited: a limiter may hold off who goes on all the same. */
const OBEDIENT_SHARE = 0.9;

interface Fact {
  readonly client: string;
  readonly request: string;
  readonly sentMs: number;
  readonly endMs: number;
  /** The wait that was announced to a refused one; absent of one that was let in. */
  readonly refused?: { readonly waitMs: number | undefined };
}

type Facts = readonly Collected<Fact>[];

function factOf(view: View): Fact | null {
  const { relations, sentAtMs: sentMs, latencyMs } = view.exchange;
  const place = relations.find(({ kind }) => kind === COME_BACK);
  if (place === undefined) return null;
  const [endMs, client, request] = [sentMs + latencyMs, place.group, place.role];
  const fact = { client, request: `${client} ${request}`, sentMs, endMs };
  return view.throttled ? { ...fact, refused: { waitMs: waitOf(view, endMs) } } : fact;
}

/** The longest of the waits that the answer announces; the body's unit is read as seconds. */
function waitOf(view: View, nowMs: number): number | undefined {
  const reported = announcedSeconds(waitIn(view.json), view.responseHeaders, nowMs);
  return reported.length === 0
    ? undefined
    : Math.max(MIN_WAIT_MS, ...reported.map((s) => s * 1000));
}

/** For each fact, how often in a row its request had waited as announced when it was sent again. */
function obeyedWaits(inOrder: Facts): number[] {
  const before = new Map<string, { readonly fact: Fact; readonly waits: number }>();
  return inOrder.map(({ fact }) => {
    const known = before.get(fact.request);
    const waitMs = known?.fact.refused?.waitMs;
    const hasObeyed =
      known !== undefined &&
      waitMs !== undefined &&
      fact.sentMs + CLOCK_GRAIN_MS >= known.fact.endMs + waitMs;
    const waits = hasObeyed ? known.waits + 1 : 0;
    before.set(fact.request, { fact, waits });
    return waits;
  });
}

// Section 7: rate-limit responses say retryAfter. A crowd that comes back when it may can be
// larger than what is let in at once. But if nobody at all comes through, over several waits that
// each of them kept to, what was announced was no time to retry after.
function conclude(facts: Facts): GroupJudgement[] {
  const inOrder = [...facts].sort((one, other) => one.fact.sentMs - other.fact.sentMs);
  const waits = obeyedWaits(inOrder);
  const held = new Map<string, GroupJudgement>();
  inOrder.forEach(({ fact, witness }, at) => {
    if (fact.refused !== undefined || (waits[at] ?? 0) === 0) return;
    held.set(fact.client, { witnesses: [witness], judgement: [] });
  });
  return [...held.values(), ...stuckIn(inOrder, waits)];
}

/** What was sent after the last one that was let in, if that shows that nobody comes through. */
function stuckIn(inOrder: Facts, waits: readonly number[]): GroupJudgement[] {
  const lastIn = inOrder.findLastIndex(({ fact }) => fact.refused === undefined);
  const letInAtMs = inOrder[lastIn]?.fact.endMs ?? -Infinity;
  const firstBack = inOrder.findIndex(
    ({ fact }, at) => at > lastIn && fact.sentMs > letInAtMs && (waits[at] ?? 0) > 0,
  );
  if (firstBack < 0) return [];
  const places = inOrder.map((_, at) => at).slice(firstBack);
  const back = places.filter((at) => (waits[at] ?? 0) > 0);
  if (back.length < OBEDIENT_SHARE * places.length) return [];
  const backSince = new Map<string, Collected<Fact>[]>();
  for (const at of back) {
    const one = inOrder[at];
    if (one === undefined) continue;
    const known = backSince.get(one.fact.request);
    // A request that did not wait once begins again.
    if (known === undefined || waits[at] === 1) backSince.set(one.fact.request, [one]);
    else known.push(one);
  }
  const stuck = [...backSince.values()].filter((times) => times.length >= REPORTED_WAITS);
  const [first] = stuck;
  if (first === undefined) return [];
  const expected = 'somebody to be let in, once all had waited the announced time';
  const actual = `${back.length} requests were sent again after the announced wait and all refused; ${stuck.length} of them waited ${REPORTED_WAITS} times in a row`;
  return [
    {
      witnesses: first.map(({ witness }) => witness),
      judgement: [{ pointer: '/retryAfter', expected, actual }],
    },
  ];
}

/** The rules on clients that come back all at once, when the announced wait ends; only load shows them. */
export const herdRules: readonly Rule[] = (['zap', 'trade'] as const).map((api) =>
  runRule<Fact>({
    id: `${api}.limits.herd-drains`,
    level: 'should',
    source: 'implied by §7',
    protects: 'Clients that are throttled together and wait as announced come through one by one.',
    rulesOut:
      'A service whose limit is used up by those that it refuses: who came back as announced would be refused again, all of them, again and again.',
    api,
    operations: '*',
    answer: 'responded',
    relation: COME_BACK,
    leastEvidence: 1,
    collect: factOf,
    conclude,
  }),
);
