import { suiteOf } from '../../harness.ts';

await suiteOf('8-limits');
