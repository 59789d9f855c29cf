import ts from 'typescript';

/** A pattern that k6 would run wrong, without saying so. */
export interface RefusedPattern {
  readonly pattern: string;
  readonly why: string;
}

/** A named group: `(?<name>`, but no lookbehind. */
const NAMED_GROUP = /\(\?<(?![=!])/;
/** A reference to one. */
const NAMED_REFERENCE = '\\k<';
const PROPERTY = /\\p\{/i;

/**
 * The patterns in a script that k6's engine silently misreads: of named groups it gives none
 * and numbers the others wrongly, and `\p{…}` never matches. Looks at literals, and at texts that are
 * given to `RegExp`. A pattern that is no text in the script cannot be determined, and is refused too.
 */
export function refusedPatterns(script: string): RefusedPattern[] {
  const refused: RefusedPattern[] = [];
  const source = ts.createSourceFile('script.js', script, ts.ScriptTarget.ES2022, false);
  const look = (pattern: string): void => {
    const bare = withoutEscapes(pattern);
    if (NAMED_GROUP.test(bare) || pattern.includes(NAMED_REFERENCE)) {
      refused.push({ pattern, why: 'k6 loses named groups; number them' });
    }
    if (hasProperty(pattern)) {
      refused.push({ pattern, why: 'in k6 \\p{…} never matches; write the characters' });
    }
  };
  const lookAt = (node: ts.Expression): void => {
    if (ts.isStringLiteralLike(node)) look(node.text);
    else if (ts.isTemplateExpression(node)) {
      const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
      // What is filled in is taken for a number or a name.
      look(parts.map(({ text }) => text).join('0'));
    } else if (!ts.isRegularExpressionLiteral(node)) {
      const why = 'what RegExp is given must be a literal, to be looked at';
      refused.push({ pattern: node.getText(source), why });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) look(node.text);
    if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      const name = node.expression.getText(source);
      const [first] = node.arguments ?? [];
      if (/^(?:globalThis\.)?RegExp$/.test(name) && first !== undefined) lookAt(first);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return refused;
}

/** Two characters for each escape, so that an escaped bracket opens no group. */
function withoutEscapes(pattern: string): string {
  return pattern.replaceAll(/\\[^]/g, '__');
}

/** Whether a `\p{` stands in a pattern whose backslash is not itself escaped. */
function hasProperty(pattern: string): boolean {
  return PROPERTY.test(pattern.replaceAll('\\\\', '__'));
}
