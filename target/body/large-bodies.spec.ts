import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { roomInHeap } from './large-bodies.ts';

test('there is room in a heap that is hardly used', () => {
  const hasRoom = roomInHeap();
  expect(Array.from({ length: 500 }, hasRoom)).not.toContain(false);
});

// In a thread with a heap of its own: it keeps things until there is said to be no room.
test('there is none before a heap is full, and garbage does not count', async () => {
  const module = new URL('../../build/target/body/large-bodies.js', import.meta.url);
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     import(${JSON.stringify(module.href)}).then(({ roomInHeap }) => {
       const hasRoom = roomInHeap();
       for (let turn = 0; turn < 1e4; turn += 1) {
         Array.from({ length: 2e3 }, (_, at) => ({ at }));
         if (!hasRoom()) parentPort.postMessage('full of garbage');
       }
       const kept = [];
       while (hasRoom() && kept.length < 1e6) kept.push(Array.from({ length: 200 }, (_, at) => at + 0.5));
       parentPort.postMessage(kept.length < 1e6 ? 'full' : 'never full');
     });`,
    { eval: true, resourceLimits: { maxOldGenerationSizeMb: 64 } },
  );
  const said: unknown[] = [];
  await new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', resolve);
    worker.on('message', (message) => said.push(message));
  });
  expect(said).toEqual(['full']);
});
