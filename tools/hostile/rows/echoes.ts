import { FORMS } from '../service/forms.ts';
import { PLANTED } from '../secrets.ts';
import type { Row } from '../row.ts';
import { target } from './kit.ts';

const TRADE = { api: 'trade' } as const;
const ENOUGH = { requests: 150, seconds: 10, exits: [1, 3] } as const;
/** Places that are tried in CI as well. */
const FAST = [
  'echo-in-body',
  'echo-in-error',
  'echo-in-header',
  'echo-in-utf-16',
  'echo-and-close',
];
const PLACES: readonly string[] = [
  'echo-in-body',
  'echo-as-name',
  'echo-in-error',
  'echo-in-header',
  'echo-in-location',
  'echo-in-status-line',
  'echo-in-text',
  'echo-in-utf-16',
  'echo-and-close',
  'echo-not-http',
];

/** Services that send the key back, in every form and to every place. */
export const ECHO_ROWS: readonly Row[] = [
  ...PLACES.flatMap((how) =>
    target(
      `${how.replaceAll('-', ' ')}, in all forms by turns`,
      { how, text: 'all', ...TRADE },
      {
        ...ENOUGH,
        fast: FAST.includes(how),
        ...(how === 'echo-in-error' ? { limits: [1, 3] } : {}),
      },
    ),
  ),
  ...Object.keys(FORMS).flatMap((text) =>
    target(
      `echoes the key as ${text}`,
      [
        { how: 'echo-in-body', text, ...TRADE, only: 'success' },
        { how: 'echo-in-error', text, ...TRADE },
      ],
      ENOUGH,
    ),
  ),
  ...target(
    'echoes a secret of the base URL',
    {
      how: 'fixed',
      size: 404,
      text: '{"status":404,"code":"NOT_FOUND","message":"nothing at {zap}/v1 nor {trade}","requestId":"r"}',
      headers: { location: '{zap}/x', 'x-base': '{docs}' },
    },
    {
      fast: true,
      spec: { prefix: '/gate/pathSecret-5tGb7/v9' },
      plan: { env: { ASSAY_SECRET_PATH: 'pathSecret-5tGb7' } },
      limits: [1, 3],
    },
  ),
  ...target(
    'echoes a secret with quotes and line breaks',
    {
      how: 'fixed',
      text: JSON.stringify({ status: 'success', data: { pem: PEM() } }),
    },
    {
      fast: true,
      plan: { env: { ASSAY_SECRET_PEM: PEM() } },
    },
  ),
  ...target('echoes the secret of the gateway', {
    how: 'fixed',
    size: 500,
    text: JSON.stringify({
      status: 500,
      code: 'X',
      message: PLANTED.ASSAY_SECRET_GATEWAY,
      requestId: 'r',
    }),
  }),
];

function PEM(): string {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  return `-----BEGIN PRIVATE KEY-----\n${Array.from({ length: 20 }, (_, n) => line.slice(n) + line.slice(0, n)).join('\n')}\n-----END PRIVATE KEY-----\n`;
}
