/** Run by `npm run figures`: how large the house is. */

import { print } from '../../cli/output.ts';
import { ROOT } from '../../cli/package.ts';
import { readSources } from '../sources/sources.ts';
import { figures } from './figures.ts';

print(`${figures(readSources(ROOT))}\n`);
