import type { Row } from './row.ts';
import { BODY_ROWS } from './rows/bodies.ts';
import { BOUND_ROWS } from './rows/bounds.ts';
import { CERTIFICATE_ROWS } from './rows/certificates.ts';
import { CONTRACT_DOCUMENT_ROWS } from './rows/contract-documents.ts';
import { CONTRACT_OPERATION_ROWS } from './rows/contract-operations.ts';
import { CONTRACT_REFERENCE_ROWS } from './rows/contract-references.ts';
import { CONTRACT_SCHEMA_ROWS } from './rows/contract-schemas.ts';
import { DOCUMENT_ROWS } from './rows/documents.ts';
import { ECHO_ROWS } from './rows/echoes.ts';
import { ENCODING_ROWS } from './rows/encodings.ts';
import { FOLDER_ROWS } from './rows/folders.ts';
import { INPUT_CONFIGURATION_ROWS } from './rows/input-configuration.ts';
import { INPUT_FLAG_ROWS } from './rows/input-flags.ts';
import { INPUT_PLACE_ROWS } from './rows/input-places.ts';
import { INPUT_REGRESSION_ROWS } from './rows/input-regressions.ts';
import { LOAD_PART_ROWS } from './rows/load-parts.ts';
import { LOAD_SAMPLE_ROWS } from './rows/load-samples.ts';
import { MACHINE_ROWS } from './rows/machine.ts';
import { NAMED_PLACE_ROWS } from './rows/named-places.ts';
import { RECORD_FILE_ROWS } from './rows/record-files.ts';
import { RECORD_FORGED_ROWS } from './rows/record-forged.ts';
import { NODE_ROWS } from './rows/nodes.ts';
import { RECORD_LINE_ROWS } from './rows/record-lines.ts';
import { RECORD_MEMBER_ROWS } from './rows/record-members.ts';
import { RECORD_SUMMARY_ROWS } from './rows/record-summaries.ts';
import { SECRET_ROWS } from './rows/secrets.ts';
import { SERVE_ROWS } from './rows/serve.ts';
import { SIGNAL_ROWS } from './rows/signals.ts';
import { STRING_ROWS } from './rows/strings.ts';
import { THROTTLING_ROWS } from './rows/throttling.ts';
import { TOKEN_ROWS } from './rows/tokens.ts';
import { TRANSPORT_ROWS } from './rows/transport.ts';

/** Every hostile target, contract, record, signal and input. */
export const HOSTILE_ROWS: readonly Row[] = [
  ...TRANSPORT_ROWS,
  ...ENCODING_ROWS,
  ...BODY_ROWS,
  ...BOUND_ROWS,
  ...STRING_ROWS,
  ...ECHO_ROWS,
  ...TOKEN_ROWS,
  ...THROTTLING_ROWS,
  ...DOCUMENT_ROWS,
  ...CONTRACT_DOCUMENT_ROWS,
  ...CONTRACT_SCHEMA_ROWS,
  ...CONTRACT_OPERATION_ROWS,
  ...CONTRACT_REFERENCE_ROWS,
  ...NAMED_PLACE_ROWS,
  ...NODE_ROWS,
  ...RECORD_LINE_ROWS,
  ...RECORD_MEMBER_ROWS,
  ...RECORD_FILE_ROWS,
  ...RECORD_FORGED_ROWS,
  ...RECORD_SUMMARY_ROWS,
  ...CERTIFICATE_ROWS,
  ...LOAD_PART_ROWS,
  ...LOAD_SAMPLE_ROWS,
  ...SIGNAL_ROWS,
  ...MACHINE_ROWS,
  ...INPUT_FLAG_ROWS,
  ...INPUT_CONFIGURATION_ROWS,
  ...INPUT_PLACE_ROWS,
  ...INPUT_REGRESSION_ROWS,
  ...FOLDER_ROWS,
  ...SECRET_ROWS,
  ...SERVE_ROWS,
];
