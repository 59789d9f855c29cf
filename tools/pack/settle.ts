/** Run last by `npm run build`: what is packed next is what was built. */

import { ROOT } from '../../cli/package.ts';
import { settlePackedFiles } from './packed-files.ts';

settlePackedFiles(ROOT);
