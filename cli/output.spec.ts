import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const KEY = 'key-0f6d2b71c4';
const written = { stdout: '', stderr: '' };

beforeEach(() => {
  written.stdout = written.stderr = '';
  vi.resetModules();
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += String(chunk);
      return true;
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('no secret of the environment passes, nor one that is spelt in another way', async () => {
  vi.stubEnv('ASSAY_TRADE_KEY', KEY);
  vi.stubEnv('ASSAY_SECRET_PATH', 'prefix/one-2');
  vi.stubEnv('ASSAY_ADMIN_TOKEN', 'admin-0f6d');
  const { print, notify } = await import('./output.ts');
  print(`record http://127.0.0.1/prefix%2Fone-2/v1 ${Buffer.from(KEY).toString('hex')}\n`);
  notify(`cannot write ${KEY}.json: ADMIN-0F6D`);
  expect(written).toEqual({
    stdout: 'record http://127.0.0.1/$ASSAY_SECRET_PATH/v1 $ASSAY_TRADE_KEY\n',
    stderr: 'cannot write $ASSAY_TRADE_KEY.json: $ASSAY_ADMIN_TOKEN\n',
  });
});

test('no line of the key that signs certificates passes', async () => {
  const line = 'MC4CAQAwBQYDK2VwBCIEIKUuHRa8GW1RDATJrhLVPK0sD4OHFi0E';
  const pem = `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n`;
  vi.stubEnv('ASSAY_SIGNING_KEY', pem);
  const { print, notify } = await import('./output.ts');
  print(`${line}\n`);
  notify(pem);
  expect(written.stdout).toBe('$ASSAY_SIGNING_KEY\n');
  expect(written.stderr).not.toContain(line);
});

test('what is reported moves no cursor; what is printed keeps the colours of a report', async () => {
  const { print, notify } = await import('./output.ts');
  print('\u001b[31mfail\u001b[39m\n');
  notify('zapUrl: \u001b[2J\u202emoc.live\u009b1m\n  wanted: a URL');
  expect(written).toEqual({
    stdout: '\u001b[31mfail\u001b[39m\n',
    stderr: 'zapUrl: \\u{1b}[2J\\u{202e}moc.live\\u{9b}1m\n  wanted: a URL\n',
  });
});

test.each(['abc', 'short', 'charact'])(
  'a secret that is too short to be replaced stops no message, and tears no word of it: %s',
  async (value) => {
    const names = ['ASSAY_TRADE_KEY', 'ASSAY_ADMIN_TOKEN', 'ASSAY_SERVE_KEYS'];
    for (const name of names) vi.stubEnv(name, value);
    const { notify } = await import('./output.ts');
    notify('ASSAY_ADMIN_TOKEN is shorter than 8 characters');
    expect(written.stderr).toBe('ASSAY_ADMIN_TOKEN is shorter than 8 characters\n');
  },
);

test('a line that says how it goes is written over, and ended before anything else is said', async () => {
  const { endLine, notify, notifyOver } = await import('./output.ts');
  notifyOver('a line of 20 chars!!', 11);
  notifyOver('b\u001b[2J', 80);
  notify('done');
  endLine();
  expect(written.stderr).toBe('\ra line of \u001b[K\rb\\u{1b}[2J\u001b[K\ndone\n');
});
