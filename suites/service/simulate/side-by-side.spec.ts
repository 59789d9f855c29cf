import { expect, test } from 'vitest';
import { createSideBySide } from './side-by-side.ts';

/** Work that ends when a spec says so, and what has begun so far. */
function pieces() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => (): Promise<void> => {
    begun.push(name);
    return new Promise((done, fail) => {
      ends.set(name, (error) => {
        if (error === undefined) done();
        else fail(error);
      });
    });
  };
  return { begun, work, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

test('there is room for so much work in all, and for so much on a chain', async () => {
  const { begun, work, end } = pieces();
  const all = createSideBySide(2);
  const asked: string[] = [];
  const ask = async (name: string, chainId: number): Promise<void> => {
    await all.room(chainId, 1);
    asked.push(name);
    all.begin(chainId, work(name));
  };
  await ask('first', 1);
  const ofSame = ask('second', 1);
  await Promise.resolve();
  expect(asked).toStrictEqual(['first']);
  end('first');
  await ofSame;
  await ask('third', 2);
  const fourth = ask('fourth', 3);
  await Promise.resolve();
  expect(begun).toStrictEqual(['first', 'second', 'third']);
  end('third');
  await fourth;
  end('second');
  end('fourth');
  await all.ended();
  expect(begun).toHaveLength(4);
});

test('the first failure is one of whoever waits for room, and of the end', async () => {
  const { work, end } = pieces();
  const all = createSideBySide(1);
  all.begin(1, work('first'));
  const room = all.room(1, 1);
  end('first', new Error('interrupted'));
  await expect(room).rejects.toThrow('interrupted');
  await expect(all.ended()).rejects.toThrow('interrupted');
});
