import type { RuleResult } from '../../contracts/judging/judge.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import { SIMULTANEOUS } from '../../contracts/rules/simultaneous.ts';
import { isOnFailingRequests } from '../../contracts/rules/valid-requests/valid-request-rules.ts';
import type { Session } from '../driven-service.ts';
import type { Reproducer, Shown } from './reproducer.ts';
import { metamorphicOf, relationOf } from './reproducer.ts';
import type { Shrinking } from './minimise.ts';
import { differsIn } from './minimise.ts';
import type { SentLog, SentRequest } from './replay/sent-log.ts';
import { MAX_REQUESTS } from './show-again.ts';

/** What is known of what a run sent, and of what its rules need of it. */
export interface SentOfRun {
  readonly log: SentLog;
  /** The fewest exchanges that a rule over the run needs to be broken. */
  readonly fewestExchanges: (ruleId: string) => readonly string[];
}

/** What takes more requests than these to show is shown by these. */
const MAX_MEMBERS = 5;

/** Requests of a run that show a broken rule. */
export interface Found {
  readonly reproducer: Reproducer;
  /** Where it was found, e.g. `drive:17`. */
  readonly origin: string;
  /** All that the rule needs to be broken, if that is more than what shows how. */
  readonly whole?: Reproducer;
  /** The exchange by which one request alone was found; absent of several. */
  readonly exchange?: string;
}

/** The requests that showed a broken rule, the nearest to a plain one if there is a choice. */
export function reproducerOf(
  { rule, findings }: RuleResult,
  { log, fewestExchanges }: SentOfRun,
  plainFor: Shrinking['plainFor'],
  service: Session['service'],
): Found {
  const metamorphic = metamorphicOf(service, rule);
  const relation = relationOf(service, rule);
  /** What a rule over the run needs, if that is not too much to be sent again. */
  const neededFor = (id: string): SentRequest[] => {
    const fewest = fewestExchanges(id);
    const needed = fewest.flatMap((exchange) => log.requestOf(exchange) ?? []);
    return fewest.length <= MAX_REQUESTS && needed.length === fewest.length ? needed : [];
  };
  const found = findings.map(({ exchanges }): Found[] => {
    const sent = exchanges.flatMap((id) => {
      const one = log.requestOf(id);
      return one === undefined ? [] : [{ ...one, id }];
    });
    if (rule.scope === 'exchange') {
      return sent.map(({ id, request, origin, relations }) => {
        const place = relations.find(({ kind }) => kind === SIMULTANEOUS);
        // What goes wrong while another request is answered may need that one.
        const members = place === undefined ? [] : log.groupOf(place);
        const reproducer = members.flatMap((one) =>
          one.relations.map((relation) => ({ request: one.request, ...relation })),
        );
        return reproducer.length > 0
          ? { reproducer, origin }
          : { reproducer: [{ request }], origin, exchange: id };
      });
    }
    if (isOnFailingRequests(rule)) {
      // What failed comes first, what was served last.
      const members = [sent[0], sent.at(-1)].filter((one) => one !== undefined);
      const reproducer = members.map(({ request }) => ({ request }));
      return [{ reproducer, origin: originOf(members.slice(0, 1)) }];
    }
    if (relation === undefined) {
      const needed = neededFor(rule.id);
      if (needed.length > 0) {
        const reproducer = needed.map(({ request, relations: [place] }) =>
          place === undefined ? { request } : { request, ...place },
        );
        return [{ reproducer, origin: originOf(needed) }];
      }
      // Ids are in the order of sending.
      const members = [...exchanges].sort().flatMap((id) => log.requestOf(id) ?? []);
      const shown = members.slice(0, MAX_MEMBERS).map(({ request }) => ({ request }));
      return [{ reproducer: [...readBy(service, rule), ...shown], origin: originOf(members) }];
    }
    const place = sent[0]?.relations.find(({ kind }) => kind === relation);
    if (place === undefined) return [];
    const needed = metamorphic === undefined ? neededFor(rule.id) : [];
    const places = needed.map(({ relations }) => relations.find(({ kind }) => kind === relation));
    if (needed.length > 0 && !places.includes(undefined)) {
      const reproducer = needed.map(({ request }, at): Shown => {
        const { role = '', group = '' } = places[at] ?? {};
        return { request, role, group };
      });
      return [{ reproducer, origin: originOf(needed) }];
    }
    // Of two that are compared one answer to each request is enough; of a story all that happened matters.
    const story = log.groupOf(place);
    const members = metamorphic === undefined ? story : sent.slice(0, 2).reverse();
    const reproducer = members.flatMap(({ request, relations }) => {
      const role = relations.find(({ kind }) => kind === relation)?.role;
      return role === undefined ? [] : [{ request, role }];
    });
    const whole = metamorphic?.wantsSeveral === true ? wholeOf(relation, sent, log) : undefined;
    return [{ reproducer, origin: originOf(members), ...(whole === undefined ? {} : { whole }) }];
  });
  const nearness = ({ reproducer }: Found): number => differsIn(reproducer, plainFor).length;
  const [nearest] = found
    .flat()
    .filter(({ reproducer }) => reproducer.length > 0)
    .sort((a, b) => nearness(a) - nearness(b));
  return nearest ?? { reproducer: [], origin: '' };
}

/** All groups of a relation that a finding names, each with a name of its own. */
function wholeOf(
  relation: string,
  sent: readonly SentRequest[],
  log: SentLog,
): Reproducer | undefined {
  const places = sent.flatMap(({ relations }) => relations.filter(({ kind }) => kind === relation));
  const groups = new Map(places.map((place) => [place.group, place]));
  const whole = [...groups.values()].flatMap((place, at) =>
    log.groupOf(place).flatMap(({ request, relations }) => {
      const role = relations.find(({ kind }) => kind === relation)?.role;
      return role === undefined ? [] : [{ request, role, group: String(at + 1) }];
    }),
  );
  return whole.length > MAX_REQUESTS ? undefined : whole;
}

function originOf(members: readonly { readonly origin: string }[]): string {
  return members.at(-1)?.origin ?? '';
}

/** What a rule over a whole run compares answers with. */
function readBy(service: Session['service'], rule: Rule): Reproducer {
  return (service.readBy?.(rule) ?? []).map((request) => ({ request }));
}
