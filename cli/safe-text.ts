import { printableLines } from '../contracts/run/printable.ts';
import { withoutCommands } from './ci-commands.ts';
import { createRedactor, type Redactor } from '../target/redaction/redactor.ts';
import { whyUnfit } from '../target/secrets/unfit-secret.ts';
import { secretsOf, SIGNING_KEY } from '../target/config/secrets.ts';

/** Variables of `assay serve` that hold secrets, several with commas between them. */
const OF_SERVE = ['ASSAY_ADMIN_TOKEN', 'ASSAY_SERVE_KEYS'] as const;

let redactor: Redactor | undefined;

/** A text in which the secrets of the environment stand as `$NAME`. */
export function withoutSecrets(text: string): string {
  redactor ??= redactorOf(process.env);
  return redactor.text(text);
}

/** A text without secrets that does nothing to a terminal: what it would obey is `\u{…}`. */
export function safeText(text: string): string {
  // First the secrets, which may hold such characters themselves.
  return withoutCommands(printableLines(withoutSecrets(text)));
}

/** Knows the secrets of an environment, but for those that no run takes. */
function redactorOf(env: NodeJS.ProcessEnv): Redactor {
  const made = createRedactor({});
  const served = OF_SERVE.flatMap((name) =>
    (env[name] ?? '').split(',').map((value): [string, string] => [name, value]),
  );
  for (const [name, value] of [...Object.entries(secretsOf(env)), ...served, ...keyLines(env)]) {
    // What is refused before a run is no reason to tear apart what others print.
    if (whyUnfit(value) === undefined) made.add(name, value);
  }
  return made;
}

/** The lines of the key that signs certificates: each alone would give it away. */
function keyLines({ [SIGNING_KEY]: pem = '' }: NodeJS.ProcessEnv): [string, string][] {
  const lines = pem.split(/\s|\\n/).filter((line) => /^[A-Za-z0-9+/=]{16,}$/.test(line));
  return lines.map((line) => [SIGNING_KEY, line]);
}
