import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { isSecretName } from '../../target/config/secrets.ts';
import type { Bounds } from './bounds.ts';
import { textsOf } from './left-behind.ts';
import { leaksIn, needlesOf } from './needles.ts';
import { recordComplaints } from './record-checks.ts';
import type { Ended, Plan, Row } from './row.ts';
import { PLANTED } from './secrets.ts';

/** What a row came to, as far as it can be judged. */
export interface Happened {
  readonly ended: Ended;
  readonly bounds: Bounds;
  /** Files that were written or changed while it ran. */
  readonly written: readonly string[];
  /** Files that were there before. */
  readonly gone: readonly string[];
  readonly dir: string;
}

/** What would act on a terminal, or hide text from its reader: all controls but tab and line feed. */
const CONTROL =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** A line that a CI system takes for a command of its own; annotations of Assay name a rule or a check. */
const CI_COMMAND = /^\s*::(?!(?:error|warning) title=[a-z0-9.-]+::)[a-z-]+(?: [^:]*)?::/m;
/** What only a crash prints. */
const CRASH = /^ {4}at |^node:internal|UnhandledPromiseRejection|Uncaught|FATAL ERROR/m;

/** All that is wrong with how a row went, in sentences. */
export async function complaintsOf(row: Row, plan: Plan, happened: Happened): Promise<string[]> {
  const { ended } = happened;
  return [
    ...endComplaints(row, ended, happened.bounds),
    ...textComplaints(plan, ended),
    ...(await leakComplaints(plan, happened)),
    ...placeComplaints(plan, happened),
    ...recordOf(plan, ended),
    ...((await plan.after?.(ended)) ?? []),
  ];
}

function endComplaints({ exits }: Row, ended: Ended, { seconds, megabytes }: Bounds): string[] {
  if (ended.killed !== undefined) return [`${ended.killed}, and was killed`];
  const found: string[] = [];
  if (ended.signal !== null && !exits.includes(null)) found.push(`${ended.signal} ended it`);
  if (ended.signal === null && !exits.includes(ended.exit)) {
    const last = lastLine(ended.stderr) || lastLine(ended.stdout);
    found.push(`exit ${ended.exit ?? '?'} where ${exits.join(' or ')} is right: ${last}`);
  }
  const own = ended.seconds - ended.starvedSeconds;
  if (own > seconds) found.push(`took ${own.toFixed(1)} s of ${seconds.toFixed(1)}`);
  if (ended.megabytes !== undefined && ended.megabytes > megabytes) {
    found.push(`took ${ended.megabytes.toFixed(0)} MB of ${megabytes}`);
  }
  return found;
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return JSON.stringify((lines.at(-1) ?? '').trim().slice(0, 160));
}

function textComplaints({ says = [], never = [] }: Plan, { stdout, stderr }: Ended): string[] {
  const all = `${stdout}\n${stderr}`;
  const said = all.replace(/\s+/g, ' ');
  const has = (text: string | RegExp): boolean =>
    typeof text === 'string' ? said.includes(text) : text.test(said);
  const found = [
    ...says.filter((text) => !has(text)).map((text) => `does not say ${String(text)}`),
    ...never.filter(has).map((text) => `says ${String(text)}`),
  ];
  const crash = CRASH.exec(all);
  if (crash !== null) found.push(`prints what only a crash prints: ${lineAt(all, crash.index)}`);
  for (const [name, text] of Object.entries({ stdout, stderr })) {
    const control = CONTROL.exec(text);
    if (control !== null)
      found.push(`raw control character on ${name}: ${lineAt(text, control.index)}`);
    const command = CI_COMMAND.exec(text);
    if (command !== null)
      found.push(`a line of ${name} is a CI command: ${lineAt(text, command.index)}`);
  }
  return found;
}

function lineAt(text: string, index: number): string {
  return JSON.stringify(text.slice(Math.max(0, index - 20), index + 80));
}

/** Every value that must stand nowhere: planted ones, secret variables of the plan, and what it names. */
function hiddenOf({ env = {}, hidden = {}, revealed = [] }: Plan): Record<string, string> {
  const variables = { ...PLANTED, ...env };
  const secrets = Object.entries(variables).filter(
    ([name, value]) => isSecretName(name) && value.length > 3 && !revealed.includes(name),
  );
  return { ...Object.fromEntries(secrets), ...hidden };
}

async function leakComplaints(plan: Plan, { ended, written, dir }: Happened): Promise<string[]> {
  const needles = needlesOf(hiddenOf(plan));
  const found: string[] = [];
  const look = (where: string, text: string): void => {
    const leaks = leaksIn(text, needles);
    if (leaks.length > 0) found.push(`${where} holds ${leaks.join(', ')}`);
  };
  look('standard output', ended.stdout);
  look('standard error', ended.stderr);
  for (const path of written) {
    look('the name of a file', relative(dir, path));
    if (existsSync(path)) for (const text of textsOf(path)) look(relative(dir, path), text);
    await Promise.resolve();
  }
  return [...new Set(found)];
}

function placeComplaints(plan: Plan, { written, gone, dir }: Happened): string[] {
  const folders = [
    ...(typeof plan.record === 'string' ? [plan.record] : []),
    ...(plan.writes ?? []),
  ];
  const isAllowed = (path: string): boolean =>
    folders.some(
      (folder) => path === folder || path.startsWith(`${folder}/`) || folder.startsWith(`${path}/`),
    );
  const stray = written.filter((path) => path !== dir && !isAllowed(path));
  return [
    ...(stray.length === 0 ? [] : [`wrote ${stray.map((path) => relative(dir, path)).join(', ')}`]),
    ...(gone.length === 0 ? [] : [`removed ${gone.map((path) => relative(dir, path)).join(', ')}`]),
  ];
}

function recordOf({ record, args }: Plan, { exit, killed }: Ended): string[] {
  if (record === undefined || record === null || killed !== undefined) return [];
  if (args[0] === 'judge' || exit === 2) return [];
  return recordComplaints(record, exit);
}
