import { NODE_API } from '../../contracts/wire/exchange.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { RunTarget } from '../../contracts/run/run.ts';

/**
 * What the user of a run would have to give so that a rule is reached that was not, fit to follow `it
 * needs`; undefined if more or other requests might do.
 *
 * @param wereNodesAsked who has named a node is not sent to name one
 * @param probe of a run that looked for rate limits itself: whether it came to its end
 */
export function needsOf(
  { api, answer, needs, besides = [] }: Pick<Rule, 'api' | 'answer' | 'needs' | 'besides'>,
  { urls }: Pick<RunTarget, 'urls'>,
  probe?: 'whole' | 'cut short',
  wereNodesAsked = false,
): string | undefined {
  if (urls[api] === undefined) return `--${api}-url`;
  if (answer === 'throttled') {
    const needed = 'a rate limit that the requests of the run exceed';
    // Who ran it just now is not sent to run it, and half a run may have exceeded one.
    if (probe === 'whole')
      return `${needed}, and the part of the probe that tries it, or answers that state it`;
    if (probe !== undefined) return undefined;
    return `${needed}; \`assay limits\` looks for one on purpose`;
  }
  if (needs === undefined) return undefined;
  if (wereNodesAsked && besides.includes(NODE_API))
    return 'a build that a node executes to its end; a notice says which were left out, and why';
  const missing = needs.apis.filter((one) => urls[one] === undefined);
  return missing.length > 0 ? missing.map((one) => `--${one}-url`).join(' and ') : needs.also;
}
