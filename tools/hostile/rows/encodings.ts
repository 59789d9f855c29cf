import type { Row } from '../row.ts';
import { target } from './kit.ts';

/** Servers that lie about content encodings, or pack much into little. */
export const ENCODING_ROWS: readonly Row[] = [
  ...target('gzip bomb of 100 MB', { how: 'gzip-bomb', size: 100 }, { fast: true, limits: [1, 3] }),
  ...target('gzip bomb of 1 GB', { how: 'gzip-bomb', size: 1_024 }),
  ...target('brotli bomb of 100 MB', { how: 'brotli-bomb', size: 100 }),
  ...target('deflate bomb of 100 MB', { how: 'deflate-bomb', size: 100 }),
  ...target('plain text that claims to be gzip', { how: 'false-encoding', text: 'gzip' }),
  ...target('plain text that claims to be zstd', { how: 'false-encoding', text: 'zstd' }),
  ...target('an encoding with control characters in its name', {
    how: 'false-encoding',
    text: 'g\u00e9zip',
  }),
  ...target('ten layers of gzip', { how: 'nested-encoding', size: 10 }),
  ...target('fifty layers of gzip', { how: 'nested-encoding', size: 50 }),
  ...target('a thousand layers that are not there', { how: 'thousand-encodings', size: 1_000 }),
  ...target('half a gzip', { how: 'cut-gzip' }),
  ...target('a gzip with a rest', { how: 'gzip-with-rest' }),
  ...target(
    'endless empty gzip members',
    { how: 'endless-gzip-members' },
    { fast: true, exits: [1, 3] },
  ),
];
