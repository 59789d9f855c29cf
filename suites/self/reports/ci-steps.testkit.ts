import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A step of a workflow or of a composite action, as far as it is executed here. */
export interface CiStep {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** What steps are executed with. */
export interface CiSetting {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What expressions stand for, e.g. `inputs.out`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** What became of a step. */
export interface EndedStep {
  readonly step: CiStep;
  /** The exit code; undefined of one that was skipped or that uses an action. */
  readonly code?: number;
  readonly said: string;
}

/**
 * Executes steps as a runner of GitHub does: those after a failure only if they say so, expressions in
 * `env` and `if` alone, outputs from their files. Steps that use actions are not executed.
 */
export async function executeSteps(
  steps: readonly CiStep[],
  { cwd, env, values = {} }: CiSetting,
): Promise<EndedStep[]> {
  const known: Record<string, string> = { ...values };
  const ended: EndedStep[] = [];
  const outputs = join(cwd, '.outputs');
  let hasFailed = false;
  for (const step of steps) {
    if (step.run === undefined || !isWanted(step.if, known, hasFailed)) {
      ended.push({ step, said: '' });
      continue;
    }
    writeFileSync(outputs, '');
    const own = Object.entries(step.env ?? {}).map(([name, text]): [string, string] => [
      name,
      filled(text, known),
    ]);
    const variables = { ...env, ...Object.fromEntries(own), GITHUB_OUTPUT: outputs };
    const { code, said } = await bash(step.run, cwd, variables);
    ended.push({ step, code, said });
    hasFailed ||= code !== 0;
    if (step.id === undefined || !existsSync(outputs)) continue;
    for (const line of readFileSync(outputs, 'utf8').split('\n').filter(Boolean)) {
      const [name = '', ...value] = line.split('=');
      known[`steps.${step.id}.outputs.${name}`] = value.join('=');
    }
  }
  return ended;
}

/** Runs a script as a runner does. */
export function bash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly said: string }> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    ...{ cwd, env, timeout: 900_000, killSignal: 'SIGKILL' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => (said += piece));
  }
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code: code ?? -1, said });
    });
  });
}

/** Conditions of the forms that the files have: `always()`, comparisons with a text, and both of them. */
function isWanted(
  condition: string | undefined,
  values: Readonly<Record<string, string>>,
  hasFailed: boolean,
): boolean {
  if (condition === undefined) return !hasFailed;
  const parts = condition.split('&&').map((part) => part.trim());
  const holds = parts.every((part) => {
    if (part === 'always()') return true;
    const [, name = '', operator, text] = /^([\w.-]+) (!=|==) '([^']*)'$/.exec(part) ?? [];
    if (operator === undefined) throw new Error(`a condition that is not known here: ${part}`);
    return ((values[name] ?? '') === text) === (operator === '==');
  });
  return holds && (!hasFailed || parts.includes('always()'));
}

/** A text with its expressions filled in; one that is not known is a mistake. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`an expression that is not known here: ${name}`);
    return value;
  });
}
