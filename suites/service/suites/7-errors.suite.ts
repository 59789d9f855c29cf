import { suiteOf } from '../../harness.ts';

suiteOf('7-errors');
