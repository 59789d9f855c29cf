import { PLANTED_KEY } from './service/planted-key.ts';

/** Secrets of the environment of every row, which no output may hold in any form. */
export const PLANTED: Readonly<Record<string, string>> = {
  ASSAY_TRADE_KEY: PLANTED_KEY,
  ASSAY_SECRET_GATEWAY: 'gw "Zq7/Xk9+\\vW3<é>&%41$HOME',
};
