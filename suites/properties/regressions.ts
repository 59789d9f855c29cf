import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, listOf } from '../../contracts/json.ts';
import type { Purpose } from '../../contracts/wire/exchange.ts';
import { API_NAMES } from '../../contracts/wire/exchange.ts';
import type { GeneratedRequest } from '../../fixtures/arbitraries/request.ts';
import { generatedOf } from './as-generated.ts';
import type { Exhibit } from './exhibit.ts';

/** A counterexample that was found once, to be tried first from then on. */
export interface Regression {
  /** Its file without `.json`: the rule that it broke, and a digest. */
  readonly name: string;
  readonly rule: string;
  readonly requests: readonly KeptRequest[];
}

/** A request of a regression, and its place where the rule compares two. */
export interface KeptRequest {
  readonly request: GeneratedRequest;
  readonly role?: string;
}

/** Thrown when a file among the regressions is no regression. */
export class RegressionError extends Error {
  override readonly name = 'RegressionError';
}

/**
 * The regressions of a folder, in the order of their names; none where the folder is not there yet.
 *
 * @throws {RegressionError} with the file, when one cannot be read
 */
export function readRegressions(dir: string): Regression[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => regressionIn(join(dir, file), file.slice(0, -'.json'.length)));
}

/** Keeps a counterexample in a folder, once. @returns its name */
export function keepRegression(dir: string, rule: string, exhibit: Exhibit): string {
  const requests = exhibit.map(({ request, role }): KeptRequest => {
    const kept = generatedOf(request);
    return role === undefined ? { request: kept } : { request: kept, role };
  });
  const text = `${JSON.stringify({ rule, requests }, undefined, 2)}\n`;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const name = `${rule}.${digest}`;
  mkdirSync(dir, { recursive: true });
  const file = join(dir, `${name}.json`);
  if (!existsSync(file)) writeFileSync(file, text);
  return name;
}

function regressionIn(file: string, name: string): Regression {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new RegressionError(`${file} is not JSON: ${String(error)}. Mend it or take it away.`);
  }
  const requests = isObject(json) ? listOf(json.requests).map(keptIn) : [];
  if (!isObject(json) || typeof json.rule !== 'string' || requests.length === 0) {
    throw new RegressionError(wanted(file));
  }
  const complete = requests.filter((kept) => kept !== undefined);
  if (complete.length < requests.length) throw new RegressionError(wanted(file));
  return { name, rule: json.rule, requests: complete };
}

function wanted(file: string): string {
  return `${file} is no regression: { rule, requests: [{ request: { api, method, path, headers?, body?, purpose }, role? }] } is wanted. Mend it or take it away.`;
}

function keptIn(json: unknown): KeptRequest | undefined {
  if (!isObject(json) || !isObject(json.request)) return undefined;
  const { api, method, path, headers, body, purpose } = json.request;
  const known = API_NAMES.find((one) => one === api);
  const texts = [method, path].every((text) => typeof text === 'string' && text !== '');
  if (known === undefined || !texts || !String(path).startsWith('/')) return undefined;
  const request: GeneratedRequest = {
    api: known,
    method: String(method),
    path: String(path),
    purpose: purposeIn(purpose),
    ...(Array.isArray(headers) ? { headers: headers } : {}),
    ...(typeof body === 'string' ? { body } : {}),
  };
  return typeof json.role === 'string' ? { request, role: json.role } : { request };
}

/** What was valid once may name a token that the target no longer lists, so nothing is obliged. */
function purposeIn(purpose: unknown): Purpose {
  const isInvalid = isObject(purpose) && purpose.kind === 'invalid';
  return isInvalid && typeof purpose.defect === 'string'
    ? { kind: 'invalid', defect: purpose.defect }
    : { kind: 'unknown' };
}
