import { expect, test } from 'vitest';
import { ConnectionsMade } from './connections-made.ts';

test('connections are counted with the time that TCP and TLS took, and nothing is said of what was not', () => {
  const made = new ConnectionsMade();
  expect(made.facts()).toEqual({ opened: 0 });
  made.add({ connectingMs: 3 });
  expect(made.facts()).toMatchObject({ opened: 1, connecting: { count: 1 } });
  expect(made.facts()).not.toHaveProperty('tls');
  made.add({ connectingMs: 4, tlsMs: 20 });
  expect(made.facts()).toMatchObject({ opened: 2, tls: { count: 1 } });
});
