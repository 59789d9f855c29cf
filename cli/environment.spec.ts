import { afterEach, expect, test, vi } from 'vitest';
import { systemEnvironment } from './environment.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the time of the reference service goes on while the clock of the system is set back', () => {
  const environment = systemEnvironment();
  const before = environment.now();
  vi.spyOn(Date, 'now').mockReturnValue(before - 3_600_000);
  expect(environment.now()).toBeGreaterThanOrEqual(before);
  expect(Number.isInteger(environment.now())).toBe(true);
});
