/** Habits that no compiler holds. */

import path from 'node:path';
import ts from 'typescript';
import { roomOf } from './import-directions.ts';
import { isSpec, type Source } from '../sources/sources.ts';

const MAX_LINES = 350;
/** In one folder, those of its folders apart. */
const MAX_FILES = 40;
/** What is longer says why. */
const LONG_LINES = 250;
/** What is shorter needs no reason; between the two it may stay, so that no line more or less turns it. */
const SHORT_LINES = 200;
/** Half of the files of the rooms have no more. */
const MAX_MEDIAN_LINES = 80;
/** In the comment that a file begins with, in one line. */
const REASON = /^[ /*]*Long because \S.*\.(?: \*\/)?$/m;
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
const TYPED = /^[\w./-]+$/;
/** Files, specs apart, that are too long to hold one idea. */
export function longFiles(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path: file, text }) => {
    const lines = text.split('\n').length - 1;
    return isSpec(file) || lines <= MAX_LINES
      ? []
      : [`${file} has ${lines} lines, more than ${MAX_LINES}`];
  });
}

/** Files, specs as well, that are long and do not say why, and those that say why and are no longer long. */
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
    const isKebab = file.split('/').every((name) => name === 'README.md' || KEBAB_CASE.test(name));
    return isKebab ? [] : [`${file} is not named in kebab-case`];
  });
}
