import { nameOf } from '../judging/replies/asked-requests.ts';
import type { Judge } from '../judging/judge.ts';
import type { Rule } from '../judging/rule.ts';
import { View } from '../judging/view.ts';
import type { Contract } from '../document/schema.ts';
import { isOnFailingRequests } from '../rules/valid-requests/valid-request-rules.ts';
import type { RunJson, RunRuleRow } from '../run/run.ts';
import type { Exchange } from '../wire/exchange.ts';
import { foundIn } from './compare-findings.ts';
import { timesJudgedAt } from './judged-at.ts';

/** A finding of one run that another does not have. */
interface Gone {
  readonly rule: string;
  readonly operation: string | undefined;
  /** What its requests have in common with those that ask the same. */
  readonly names: Set<number>;
}

/** How often requests that ask the same were answered at all, without an error of the service, and with a success. */
interface Answered {
  times: number;
  decided: number;
  served: number;
}

/** How the other run is judged again. */
export interface JudgingAgain {
  /** Of {@link AskedAgain.rules}, as far as they are at hand. */
  readonly rules: readonly Rule[];
  /** By these rules; sees the same exchanges. */
  readonly judge: Judge;
  readonly contract: Pick<Contract, 'find' | 'errors'>;
}

/** How often the requests of findings that a run does not have were judged there, and their rule held. */
export class AskedAgain {
  readonly #gone = new Map<string, Gone>();
  readonly #ofExchange = new Map<string, Gone[]>();
  readonly #answered = new Map<number, Answered>();
  readonly #rows: ReadonlyMap<string, RunRuleRow>;
  #again: JudgingAgain | undefined;

  /** @param then the run that had the findings, of which some are not in the other */
  constructor(then: RunJson, now: RunJson) {
    this.#rows = new Map(now.rules.map((row) => [row.id, row]));
    const after = foundIn(now);
    for (const [fingerprint, { rule, finding }] of foundIn(then)) {
      if (after.has(fingerprint)) continue;
      const { operation, exchanges } = finding;
      const gone = { rule: rule.id, operation, names: new Set<number>() };
      this.#gone.set(fingerprint, gone);
      for (const id of exchanges) {
        this.#ofExchange.set(id, [...(this.#ofExchange.get(id) ?? []), gone]);
      }
    }
  }

  /** The rules that the findings broke; none if the other run has all of them. */
  get rules(): ReadonlySet<string> {
    return new Set([...this.#gone.values()].map(({ rule }) => rule));
  }

  /** Takes an exchange of the run that had the findings. */
  addThen(exchange: Exchange): void {
    for (const { rule, names } of this.#ofExchange.get(exchange.id) ?? []) {
      // What was served between shows that a request fails, and does not fail itself.
      if (isOnFailingRequests({ id: rule }) && isServed(exchange)) continue;
      const name = nameOf(exchange);
      names.add(name);
      this.#answered.set(name, { times: 0, decided: 0, served: 0 });
    }
  }

  /** Takes an exchange of the other run, after all of the first. */
  addNow(exchange: Exchange, again: JudgingAgain): void {
    this.#again = again;
    again.judge.add(exchange);
    const answered = this.#answered.get(nameOf(exchange));
    if (answered === undefined) return;
    const { status, throttled } = new View(exchange, again.contract);
    answered.times += 1;
    if (status > 0 && status < 500 && !throttled) answered.decided += 1;
    if (isServed(exchange)) answered.served += 1;
  }

  /** How often the requests of a finding were asked again, and answered as its rule wants to see it. */
  keptOf(fingerprint: string): number {
    const gone = this.#gone.get(fingerprint);
    if (gone === undefined || gone.names.size === 0) return 0;
    const { rule: id, operation, names } = gone;
    const rule = this.#again?.rules.find((one) => one.id === id);
    const row = this.#rows.get(id);
    const judged = row === undefined ? 0 : (timesJudgedAt(row, operation) ?? 0);
    // What fails each time was to be served; of a rule that is not at hand nothing else is known.
    if (rule === undefined || isOnFailingRequests(rule))
      return Math.min(judged, this.#servedOf(names));
    if (rule.once === true) return judged;
    // What holds over a whole run is shown by examples.
    if (rule.scope === 'run' && rule.relation === undefined)
      return Math.min(judged, this.#sum(names, 'decided'));
    return this.#again?.judge.keptOf(id, names) ?? 0;
  }

  /** Requests that failed each time are served at least once each, as far as they are asked. */
  #servedOf(names: ReadonlySet<number>): number {
    const asked = [...names].flatMap((name) => this.#answered.get(name) ?? []);
    const isFailing = asked.some(({ times, served }) => times > 0 && served === 0);
    return isFailing ? 0 : this.#sum(names, 'served');
  }

  #sum(names: ReadonlySet<number>, what: keyof Answered): number {
    return [...names].reduce((sum, name) => sum + (this.#answered.get(name)?.[what] ?? 0), 0);
  }
}

function isServed({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && outcome.response.status < 400;
}
