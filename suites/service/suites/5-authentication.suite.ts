import { suiteOf } from '../../harness.ts';

await suiteOf('5-authentication');
