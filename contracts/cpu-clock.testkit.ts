/**
 * What this process has computed since, in ms of CPU: for tests that something costs little. A clock would also
 * count what else the machine does.
 */
export function cpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}
