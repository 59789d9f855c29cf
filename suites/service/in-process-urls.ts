import { API_NAMES, type DocumentApi } from '../../contracts/service/wire/apis.ts';
import { inProcessUrls } from '../properties/in-process.ts';

/** Where the APIs of the interface document are addressed in the same process. */
export const IN_PROCESS_URLS: Readonly<Record<DocumentApi, string>> = inProcessUrls(API_NAMES);
