import type { Rule } from '../judging/rule.ts';
import { exchangeRule } from '../judging/rule.ts';
import type { View } from '../judging/view.ts';
import { apiOf } from '../wire/exchange.ts';
import { brokenBySchema } from './schema-broken.ts';

/**
 * The rule that successful responses of an operation have the documented shape: every stated field
 * there and of its stated type. What the document leaves open, the contract's schema leaves open.
 *
 * @param isElsewhere whether what stands at a pointer is the business of another rule, or of none
 */
export function responseShape(
  operation: string,
  source: string,
  isElsewhere: (view: View, pointer: string) => boolean = () => false,
): Rule {
  return exchangeRule({
    id: `${operation}.response-shape`,
    level: 'must',
    source,
    protects: 'A successful response has every documented field, each of its documented type.',
    rulesOut:
      'A service that renames, leaves out or retypes a documented field, or answers without the envelope.',
    api: apiOf(operation),
    operations: [operation],
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      if (!view.isJson || !view.isBodyStated) return null;
      return brokenBySchema(
        view,
        ({ facet, pointer }) => facet === undefined && !isElsewhere(view, pointer),
      );
    },
  });
}
