/**
 * One limiter from npm in a process of its own; writes its URL on standard output, and ends with its
 * standard input. Arguments: its name, the limit, the window in seconds.
 */
import { REAL_LIMITERS, startRealLimiter } from '../index.ts';
import { startStackedExpress, STACKED_EXPRESS } from './stacked-express.ts';

const [name, limit, windowSeconds] = process.argv.slice(2);
const options = { limit: Number(limit), windowSeconds: Number(windowSeconds) };
const known = REAL_LIMITERS.find((one) => one === name);
if (known === undefined && name !== STACKED_EXPRESS) {
  throw new Error(`there is no limiter ${name ?? ''}`);
}
const { url } =
  known === undefined ? await startStackedExpress(options) : await startRealLimiter(known, options);
process.stdout.write(`${url}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
