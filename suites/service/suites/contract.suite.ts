import { suiteOfContract } from '../../harness.ts';

await suiteOfContract();
