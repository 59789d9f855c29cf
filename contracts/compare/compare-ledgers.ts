import type { RunJson } from '../run/run.ts';
import type { LedgerChange } from '../run/run-comparison.ts';
import { MAX_OBSERVED } from '../judging/ledger.ts';

type Ledgered = Pick<RunJson, 'ledger' | 'target'>;

/** Of one thing seen; see `Sighting`. */
const MAX_CHARACTERS = 1_000;

/** What stands between a question and what was seen of it. */
const SEPARATOR = ': ';

/**
 * What one run saw of what the document leaves unspecified and the other did not. Of an unspecified
 * clause that only one of both saw anything of, or that is full, nothing is said: it may not have been
 * asked.
 *
 * @param isSameAsked whether both runs asked the same; else nothing is certain
 * @returns with each, whether nothing that one run saw was seen by the other
 */
export function compareLedgers(
  then: Ledgered,
  now: Ledgered,
  isSameAsked: boolean,
): (LedgerChange & { readonly isOther: boolean })[] {
  const before = new Map(then.ledger.map((row) => [row.id, row]));
  return now.ledger.flatMap(({ id, clause, observed }) => {
    const earlier = before.get(id);
    if (earlier === undefined) return [];
    if ([earlier.observed, observed].some(isUnreported)) return [];
    const [was, is] = [anonymous(earlier.observed, then), anonymous(observed, now)];
    const came = is.filter((text) => !was.includes(text));
    const went = was.filter((text) => !is.includes(text));
    if (came.length + went.length === 0) return [];
    const isDisjoint = came.length === is.length && went.length === was.length;
    // What is reported by request, as a status by field, is certain only request by request.
    const isWhole = [...was, ...is].every((text) => !text.includes(SEPARATOR));
    const isOther = isDisjoint && isWhole;
    const grade = isSameAsked && isOther ? ('certain' as const) : ('uncertain' as const);
    return [{ id, clause, came, went, grade, isOther }];
  });
}

/** What else a full row would hold is not known; no run leaves a longer text. */
function isUnreported(observed: readonly string[]): boolean {
  const { length } = observed;
  return (
    length === 0 || length >= MAX_OBSERVED || observed.some((text) => text.length > MAX_CHARACTERS)
  );
}

/** A service names its own hosts, which differ between deployments. */
function anonymous(observed: readonly string[], { target }: Ledgered): string[] {
  const hosts = Object.entries(target.urls)
    .flatMap(([api, url]): [string, string][] => {
      const origin = URL.canParse(url) ? new URL(url).origin : 'null';
      const base = url.replace(/\/$/, '');
      return [
        [base, `<${api}>`],
        ...(origin === 'null' ? [] : [[origin, `<${api}>`] as [string, string]]),
      ];
    })
    .sort(([a], [b]) => b.length - a.length);
  const texts = observed.map((text) =>
    hosts.reduce((left, [host, name]) => (host === '' ? left : left.replaceAll(host, name)), text),
  );
  return [...new Set(texts)].sort();
}
