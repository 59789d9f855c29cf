import { suiteOfOwnRules } from '../../harness.ts';

await suiteOfOwnRules();
