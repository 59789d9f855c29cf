import { suiteOf } from '../../harness.ts';

suiteOf('2-3-trade-request');
