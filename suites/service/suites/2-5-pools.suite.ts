import { suiteOf } from '../../harness.ts';

suiteOf('2-5-pools');
