import { suiteOf } from '../../harness.ts';

suiteOf('2-6-config');
