import { suiteOf } from '../../harness.ts';

await suiteOf('2-5-pools');
