import { suiteOf } from '../../harness.ts';

suiteOf('2-4-trade-build-response');
