import ts from 'typescript';
import { callsOf, type Source } from '../sources/sources.ts';

const TEST_FUNCTIONS = new Set(['test', 'it', 'describe', 'suite', 'bench']);

/** Tests that are left out, or that leave all others out. */
export function narrowedTests(sources: readonly Source[]): string[] {
  // Most files hold neither word, and to parse one takes far longer than to search it.
  const named = sources.filter(({ text }) => /\b(?:only|skip)\b/.test(text));
  return named.flatMap((source) =>
    callsOf(source).flatMap(({ call, line }) => {
      const [root = '', ...modifiers] = calleeNames(call.expression);
      const narrowing = modifiers.find((name) => name === 'only' || name === 'skip');
      return TEST_FUNCTIONS.has(root) && narrowing !== undefined
        ? [`${source.path}:${line} has ${root}.${narrowing}`]
        : [];
    }),
  );
}

/** `test`, `only`, `each` of `test.only.each`. */
function calleeNames(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (!ts.isPropertyAccessExpression(callee)) return [];
  return [...calleeNames(callee.expression), callee.name.text];
}

/**
 * Calls of `fc.assert` whose result is dropped although it may be a promise, so that the test passes
 * whatever becomes of it. Only a property written there as `fc.property(…)` is sure to be none.
 */
export function droppedAssertions(sources: readonly Source[]): string[] {
  const asserting = sources.filter(({ text }) => text.includes('assert'));
  return asserting.flatMap((source) =>
    callsOf(source)
      .filter(({ call }) => calleeNames(call.expression).join('.') === 'fc.assert')
      .filter(({ call }) => !isSynchronous(call.arguments[0]) && !isKept(call))
      .map(({ line }) => `${source.path}:${line} neither awaits nor returns fc.assert`),
  );
}

function isSynchronous(property: ts.Expression | undefined): boolean {
  let call = property;
  // Past hooks: fc.property(…).beforeEach(…).
  while (
    call !== undefined &&
    ts.isCallExpression(call) &&
    ts.isPropertyAccessExpression(call.expression) &&
    ts.isCallExpression(call.expression.expression)
  ) {
    call = call.expression.expression;
  }
  if (call === undefined || !ts.isCallExpression(call)) return false;
  if (calleeNames(call.expression).join('.') !== 'fc.property') return false;
  const predicate = call.arguments.at(-1);
  const isAsync = (node: ts.Node): boolean =>
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  return predicate !== undefined && !isAsync(predicate);
}

function isKept(call: ts.CallExpression): boolean {
  const { parent } = call;
  if (ts.isAwaitExpression(parent) || ts.isReturnStatement(parent)) return true;
  return ts.isArrowFunction(parent) && parent.body === call;
}
