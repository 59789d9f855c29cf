import { execFileSync } from 'node:child_process';

/** What a machine has of loopback: one address as macOS, that of IPv6 alone, or none. */
export type Loopback = '127.0.0.1' | '::1' | 'none';

const SETTING: Readonly<Record<Loopback, string>> = {
  // Linux gives the interface 127.0.0.1/8 when it comes up.
  '127.0.0.1':
    'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && ip addr add 127.0.0.1/32 dev lo',
  '::1': 'ip link set lo up && ip addr del 127.0.0.1/8 dev lo',
  none: 'true',
};

/**
 * The words that run a command in a network namespace of its own.
 *
 * @param loopback what that has; nothing else is in it
 */
export function within(loopback: Loopback, command: readonly string[]): [string, string[]] {
  const script = `${SETTING[loopback]} && exec "$@"`;
  return ['unshare', ['-rn', 'sh', '-c', script, 'sh', ...command]];
}

/** Why this machine makes no network namespaces; undefined if it does. */
export function whyNoNamespace(): string | undefined {
  try {
    const [file, args] = within('127.0.0.1', ['true']);
    execFileSync(file, args, { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return String(error).split('\n')[0];
  }
}
