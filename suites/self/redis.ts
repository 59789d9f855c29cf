import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;

/**
 * Whether tests that need a real Redis run: where one is on the PATH, and in CI always, where they
 * fail without one.
 */
export const hasRedis: boolean = isInstalled || process.env.CI === 'true';

if (!hasRedis)
  process.stderr.write(
    'No redis-server on PATH: replicas that share one are left out (Debian: apt-get install redis-server).\n',
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A Redis that runs until it is stopped. */
export interface RunningRedis {
  readonly url: string;
  readonly stop: () => void;
}

/** Starts a Redis that keeps nothing, on loopback. */
export async function startRedis(): Promise<RunningRedis> {
  const port = await freePort();
  const args = `--port ${port} --bind 127.0.0.1 --appendonly no --save`.split(' ');
  const redis = spawn('redis-server', [...args, ''], { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of redis.stdout) if (String(line).includes('Ready')) break;
  return { url: `redis://127.0.0.1:${port}`, stop: () => void redis.kill() };
}
