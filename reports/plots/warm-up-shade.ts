import { HUES, type PanelBox, short } from './plot-panel.ts';

/**
 * The beginning of a panel in grey, up to where a warm-up ended; nothing if that is its left edge.
 *
 * @param end in pixels from the left
 */
export function shade(end: string, { left, top, height, bottom }: PanelBox): string[] {
  const width = Number(end) - left;
  if (width <= 0) return [];
  const place = `x="${left}" y="${top}" width="${short(width)}" height="${height - bottom - top}"`;
  return [
    `<rect class="warm" ${place} fill="${HUES.grey}" fill-opacity=".15"><title>warm-up</title></rect>`,
  ];
}
