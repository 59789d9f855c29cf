import { suiteOf } from '../../harness.ts';

await suiteOf('1-conventions');
