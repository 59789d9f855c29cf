import type { Rule } from '../../../contracts/judging/rule.ts';

/** What a person is shown of a variant: another correct reading of what the document leaves open. */
export interface ReportedVariant {
  readonly id: string;
  readonly reads: string;
}

/** More are not near. */
const MAX_VARIANTS = 5;
/** By chance a word is shared with some. */
const MIN_WORDS = 2;
/** Of the score of the nearest one; less is a word by chance. */
const MIN_OF_BEST = 0.5;

/**
 * The variants that say most of what the rule says, the nearest first: those at which a rule written
 * without care would raise a false alarm. Nobody states which they are, so words decide; a rare one
 * counts more.
 */
export function nearVariants(
  { id, protects }: Pick<Rule, 'id' | 'protects'>,
  variants: readonly ReportedVariant[],
): ReportedVariant[] {
  // The first word is the API.
  const asked = new Set(wordsOf(`${id.slice(id.indexOf('.') + 1)} ${protects}`));
  const counts = new Map<string, number>();
  const wordsOfAll = variants.map((variant) => new Set(wordsOf(`${variant.id} ${variant.reads}`)));
  for (const words of wordsOfAll) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const scoreOf = (words: ReadonlySet<string>): number => {
    const shared = [...words].filter((word) => asked.has(word));
    if (shared.length < MIN_WORDS) return 0;
    return shared.reduce(
      (sum, word) => sum + Math.log(variants.length / (counts.get(word) ?? 1)),
      0,
    );
  };
  const scored = variants
    .map((variant, at) => ({ variant, score: scoreOf(wordsOfAll[at] ?? new Set()) }))
    .sort((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  return scored
    .filter(({ score }) => score > 0 && score >= MIN_OF_BEST * best)
    .slice(0, MAX_VARIANTS)
    .map(({ variant }) => variant);
}

/** Of the language, not of the matter. */
const COMMON: ReadonlySet<string> = new Set(
  'after also alone always another answer answers asked before client each every from have holds into more none once only other others same service some than that them then there they this those told were what when where which with within without'.split(
    ' ',
  ),
);

/** Words of four letters and more, without the ending of the plural. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= 4 && !COMMON.has(word))
    .map((word) => word.replace(/s$/, ''));
}
