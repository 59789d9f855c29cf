import { CREDENTIAL_LIFE } from '../contracts/service/rules/5-authentication/5-credential-life.ts';
import type { Rule } from '../contracts/judging/rule.ts';
import type { RunTarget } from '../contracts/run/run.ts';
import type { ApiName } from '../contracts/wire/exchange.ts';

/**
 * What the user of a run would have to give so that a rule is reached that was not, fit to follow `it
 * needs`; undefined where more or other requests might do.
 *
 * @param probe of a run that looked for rate limits itself: whether it came to its end
 */
export function needsOf(
  { api, answer, relation }: Pick<Rule, 'api' | 'answer' | 'relation'>,
  { urls }: Pick<RunTarget, 'urls'>,
  probe?: 'whole' | 'cut short',
): string | undefined {
  if (urls[api] === undefined) return `--${api}-url`;
  if (answer === 'throttled') {
    const needed = 'a rate limit that the requests of the run exceed';
    // Who ran it just now is not sent to run it, and half a run may have exceeded one.
    if (probe !== undefined) return probe === 'whole' ? needed : undefined;
    return `${needed}; \`assay limits\` looks for one on purpose`;
  }
  if (relation !== CREDENTIAL_LIFE) return undefined;
  const missing = (['docs', 'trade'] as const).filter((one: ApiName) => urls[one] === undefined);
  if (missing.length > 0) return missing.map((one) => `--${one}-url`).join(' and ');
  return 'a service of your own, on loopback or under a reserved name, at which registering for a key disturbs nobody, and approvals within seconds';
}
