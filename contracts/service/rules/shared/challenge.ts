import type { View } from '../../../judging/view.ts';
import { headersOf } from '../../../wire/exchange.ts';

/** Where the protected resource metadata are, below {docs_url} (sections 4.3 and 5.3). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The challenge of the Bearer scheme in one or more `WWW-Authenticate` fields, and its parameter. */
const CHALLENGE = /(?:^|,)\s*bearer\s+(?:.*,\s*)?resource_metadata\s*=\s*"([^"]*)"/i;
/** More of the fields is not read. */
const MAX_CHARACTERS = 16_384;

/** The URL of the metadata that an answer's Bearer challenge names; undefined when it names none. */
export function metadataUrlOf(view: View): string | undefined {
  const fields = headersOf(view.responseHeaders, 'www-authenticate').join(', ');
  const url = CHALLENGE.exec(fields.slice(0, MAX_CHARACTERS))?.[1];
  return url !== undefined && isMetadataUrl(url) ? url : undefined;
}

function isMetadataUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text) && text.endsWith(METADATA_PATH);
}
