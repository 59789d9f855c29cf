import { suiteOf } from '../../harness.ts';

suiteOf('8-limits');
