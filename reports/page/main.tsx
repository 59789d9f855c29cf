/** Unpacks the data of the page and shows it. */

import { render } from 'preact';
import type { PageData } from '../html/html-data.ts';
import { App } from './app.tsx';
import './style/base.css';
import './style/bar.css';
import './style/verdicts.css';
import './style/head.css';
import './style/broken.css';
import './style/tables.css';
// Last, as it takes back some of the others.
import './style/media.css';

async function unpacked(): Promise<PageData> {
  const text = document.getElementById('data')?.textContent ?? '';
  const bytes = Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as PageData;
}

async function show(): Promise<void> {
  const place = document.getElementById('app');
  if (place === null) return;
  try {
    const data = await unpacked();
    place.textContent = '';
    render(<App data={data} />, place);
    // What a link leads to was not there when the browser looked for it.
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
    document.documentElement.dataset.readyMs = String(Math.round(performance.now()));
  } catch (error) {
    const words = document.createElement('p');
    words.className = 'page';
    words.textContent = `The data of this report could not be read (${String(error)}). It takes a browser of 2024 or later; run.json of the record has the same facts.`;
    place.append(words);
  }
}

void show();
