/** Habits that no compiler holds. */

import path from 'node:path';
import ts from 'typescript';
import { roomOf } from './import-directions.ts';
import { callsOf, isSpec, type Source } from './sources.ts';

const MAX_LINES = 350;
/** In one folder, those of its folders apart. */
const MAX_FILES = 40;
/** What is longer says why. */
const LONG_LINES = 250;
/** What is shorter needs no reason; between the two it may stay, so that no line more or less turns it. */
const SHORT_LINES = 200;
/** Half of the files of the rooms aim at 80 lines; the rest is room, so that no single file turns it. */
const MAX_MEDIAN_LINES = 85;
/** In the comment that a file begins with, in one line. */
const REASON = /^[ /*]*Long because \S.*\.(?: \*\/)?$/m;
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
const TYPED = /^[\w./-]+$/;
const TEST_FUNCTIONS = new Set(['test', 'it', 'describe', 'suite', 'bench']);

/** Files, specs apart, that are too long to hold one idea. */
export function longFiles(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path: file, text }) => {
    const lines = text.split('\n').length - 1;
    return isSpec(file) || lines <= MAX_LINES
      ? []
      : [`${file} has ${lines} lines, more than ${MAX_LINES}`];
  });
}

/** Files, specs as well, that are long and do not say why, and such as say why and are long no more. */
export function unreasonedLength(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path: file, text }) => {
    const lines = text.split('\n').length - 1;
    const heads = ts.getLeadingCommentRanges(text, 0) ?? [];
    const hasReason = heads.some(({ pos, end }) => REASON.test(text.slice(pos, end)));
    if (lines > LONG_LINES && !hasReason) {
      return [
        `${file} has ${lines} lines, and does not begin with "Long because …": cut it, or say why`,
      ];
    }
    return lines < SHORT_LINES && hasReason ? [`${file} says why it is long, and is not`] : [];
  });
}

/** What is wrong with the length of half of the files of the rooms, if anything. */
export function longMedian(sources: readonly Source[]): string[] {
  const lengths = sources
    .filter(({ path: file }) => roomOf(file) !== undefined)
    .map(({ text }) => text.split('\n').length - 1)
    .sort((a, b) => a - b);
  const median = lengths[Math.floor((lengths.length - 1) / 2)] ?? 0;
  return median <= MAX_MEDIAN_LINES
    ? []
    : [`half of the files have ${median} lines or more: cut some where their ideas part`];
}

/** Folders of the rooms that hold so many files that nobody finds one. */
export function crowdedFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    if (roomOf(file) === undefined) continue;
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${folder} has ${count} files, more than ${MAX_FILES}`);
}

/**
 * Files and folders in the rooms that are not named in kebab-case, and those beside the rooms whose names no
 * one types, as a mistaken redirection of the shell leaves them.
 */
export function oddNames(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    if (roomOf(file) === undefined) return TYPED.test(file) ? [] : [`${file} has an odd name`];
    const isKebab = file.split('/').every((name) => KEBAB_CASE.test(name));
    return isKebab ? [] : [`${file} is not named in kebab-case`];
  });
}

/** Tests that are left out, or that leave all others out. */
export function narrowedTests(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
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
  return sources.flatMap((source) =>
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

/** This machine, or a name without a dot, which no public host has. */
const LOCAL = /^(?:[a-z][a-z0-9-]*|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/;
/** Names and addresses that are nobody's: RFC 2606, RFC 6761, RFC 5737. */
const RESERVED =
  /(?:^|\.)(?:example|invalid|test|localhost|example\.(?:com|net|org))$|^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/;
/** Names that only identify a schema or a standard. */
const STANDARDS =
  /^(?:json-schema\.org|in-toto\.io|www\.w3\.org|spec\.openapis\.org|www\.rfc-editor\.org|datatracker\.ietf\.org|docs\.oasis-open\.org)$/;
/** Documentation that texts may point to. */
const DOCUMENTATION = /^(?:(?:www|docs)\.npmjs\.com|nodejs\.org|opensource\.org|spdx\.org)$/;
const URL_HOST =
  /\b(?:https?|wss?|rediss?):\/\/(?:[^\s/"'`@]*@)?(\[[^\]]*\]|[^\s/:?#"'`<>()\\,;${}]*)/gi;

/** URLs of hosts that may be somebody's. Hosts that a template or a placeholder fills in are none. */
export function foreignHosts(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path: file, text }) =>
    [...text.matchAll(URL_HOST)].flatMap(({ 0: url, 1: host = '', index }) => {
      const name = host.toLowerCase().replace(/\.$/, '');
      const known =
        [LOCAL, RESERVED, STANDARDS].some((hosts) => hosts.test(name)) ||
        (path.extname(file) === '.md' && DOCUMENTATION.test(name));
      if (known || !/^[\p{L}\p{N}[]/u.test(name)) return [];
      return [`${file}:${text.slice(0, index).split('\n').length} has the host of ${url}`];
    }),
  );
}
