import { readNamedConfig } from '../config.ts';
import type { OwnRulesSource } from '../../target/config/own-rules.ts';

/**
 * Where the rules stand that a configuration brings which somebody names; no other is looked for, since
 * what is certified must not depend on the folder in which it is checked.
 *
 * @throws ConfigError when it cannot be used
 */
export async function ownRulesIn(named: string | undefined): Promise<OwnRulesSource | undefined> {
  if (named === undefined) return undefined;
  const input = { flags: { config: named }, env: {}, cwd: process.cwd(), defaultSeed: 0 };
  return (await readNamedConfig(input)).rules;
}
