import { expect, test } from 'vitest';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import { createFakeClock, type FakeClock } from '../../fixtures/clocks/fake-clock.testkit.ts';
import { createGovernor, type Governor } from './governor.ts';
import { createJudgingTime, type JudgingTime } from './judging-time.ts';
import { runTimes } from './run-times.ts';

const SECONDS = 60;
const BUDGET = { maxRequests: Infinity, maxSeconds: SECONDS, maxRejects: Infinity };

/** Time passes while somebody works as well. */
interface WorkingClock extends FakeClock {
  readonly advance: (ms: number) => void;
}

interface Run {
  readonly clock: WorkingClock;
  readonly time: JudgingTime;
  readonly governor: Governor;
  readonly startedMs: number;
}

function runOf(loadingMs: number): Run {
  const sleeping = createFakeClock();
  let workedMs = 0;
  const clock: WorkingClock = {
    ...sleeping,
    nowMs: () => sleeping.nowMs() + workedMs,
    advance: (ms) => (workedMs += ms),
  };
  const startedMs = clock.nowMs();
  const time = createJudgingTime({ clock, startedMs, maxSeconds: SECONDS, loadingMs });
  const governor = createGovernor({
    budget: BUDGET,
    ...{ clock, startedMs, waitIn: TYPED_ERRORS.waitIn, sendUntilMs: time.sendUntilMs },
  });
  return { clock, time, governor, startedMs };
}

/** Sends until the budget ends, each exchange judged in a time of its own. */
async function driven({ clock, time, governor }: Run, judgingMs: number): Promise<unknown> {
  const driving = (async (): Promise<void> => {
    for (;;) {
      governor.settle(await governor.admit('zap'), { kind: 'answered' });
      await clock.sleep(judgingMs);
      time.timed(() => {
        clock.advance(judgingMs);
      });
    }
  })();
  return clock.run(driving).catch((error: unknown) => error);
}

test.each([1, 10, 200])('a drive leaves the time to judge its record: %d ms each', async (each) => {
  const run = runOf(500);
  const error = await driven(run, each);
  const { clock, startedMs } = run;
  const drivenMs = clock.nowMs() - startedMs;
  // Half of the time went to judging, and judging the record takes twice that.
  const { judgeStopMs } = runTimes(startedMs, SECONDS, 0);
  expect(clock.nowMs() + 2 * (drivenMs / 2) + 500).toBeLessThan(judgeStopMs);
  // It is no use to leave much more.
  expect(drivenMs).toBeGreaterThan((SECONDS * 1000) / 4);
  expect(error).toMatchObject({ which: 'seconds', value: SECONDS });
  expect(String(error)).toContain(
    'the budget of 60 seconds is used up, with what judging the record takes. --max-seconds allows',
  );
});

test('a drive that is judged in no time has all of its seconds', async () => {
  const run = runOf(100);
  const error = await run.clock.run(
    (async () => {
      for (;;) {
        await run.governor.admit('zap');
        await run.clock.sleep(100);
      }
    })().catch((thrown: unknown) => thrown),
  );
  expect(run.clock.nowMs() - run.startedMs).toBe(SECONDS * 1000);
  expect(String(error)).toContain('the budget of 60 seconds is used up. --max-seconds allows');
});

test('a wait that would take the time for judging is not begun', async () => {
  const { clock, time, governor } = runOf(0);
  time.timed(() => {
    clock.advance(5_000);
  });
  await clock.run(governor.sleep(30_000));
  await expect(governor.sleep(20_000)).rejects.toMatchObject({ which: 'seconds' });
});

test('what throws is timed as well', () => {
  const { clock, time } = runOf(0);
  const before = time.sendUntilMs();
  const work = (): void => {
    clock.advance(100);
    throw new Error('the disk is full');
  };
  expect(() => {
    time.timed(work);
  }).toThrow('the disk is full');
  expect(time.sendUntilMs()).toBeLessThan(before);
});
