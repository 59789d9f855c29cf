const HTML = /^\s*(?:<!--[^]{0,2000}?-->\s*)?<(?:!doctype\s+html|html)[\s>]/i;

/** Whether a text is a web page, as hosts of pages answer for any path. */
export function isWebPage(text: string): boolean {
  return HTML.test(text);
}
