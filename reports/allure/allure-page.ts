/** The page that Allure makes, without what it sends to others. */

/** Thrown when the script that counts readers could not be taken out of a page. */
export class AnalyticsLeft extends Error {
  override readonly name = 'AnalyticsLeft';

  constructor(what: string) {
    super(
      `this version of Allure makes pages that call ${what} in a way that is not known, so none was written`,
    );
  }
}

/** What loads the script that counts readers. */
const LOADER =
  /<script\b[^<>]{0,200}\bsrc="https:\/\/www\.googletagmanager\.com\/[^"<>]{0,200}"[^<>]{0,100}>\s{0,20}<\/script>\s{0,20}/g;
/** What stands right behind it, and names the page to it. */
const TELLER =
  /^<script>(?:(?!<\/script>)[\s\S]){0,2000}?\bgtag\((?:(?!<\/script>)[\s\S]){0,2000}?<\/script>\s{0,20}/;
/** A script of another host. */
const FOREIGN =
  /<script\b[^<>]{0,400}\bsrc\s{0,5}=\s{0,5}["']?\s{0,5}(?:https?:)?\/\/([^/"'<>\s]{1,100})/i;

/** All that the page needs stands in it: nothing of it is fetched, and nothing is sent. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' data: blob:",
  "style-src 'unsafe-inline' data: blob:",
  ...['img', 'font', 'media', 'connect', 'frame', 'worker'].map(
    (kind) => `${kind}-src data: blob:`,
  ),
  "form-action 'none'",
].join('; ');

/**
 * The page without the script by which Google counts its readers, and with a policy under which browsers
 * fetch nothing from any host.
 *
 * @throws AnalyticsLeft when a script of another host is left
 */
export function withoutAnalytics(page: string): string {
  let rest = page;
  let kept = '';
  for (;;) {
    LOADER.lastIndex = 0;
    const found = LOADER.exec(rest);
    if (found === null) break;
    kept += rest.slice(0, found.index);
    rest = rest.slice(found.index + found[0].length).replace(TELLER, '');
  }
  const made = kept + rest;
  const [, host] = FOREIGN.exec(made) ?? [];
  if (host !== undefined) throw new AnalyticsLeft(host);
  const head = made.indexOf('<head>');
  if (head < 0) throw new AnalyticsLeft('others, perhaps,');
  const meta = `\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  return `${made.slice(0, head + '<head>'.length)}${meta}${made.slice(head + '<head>'.length)}`;
}
