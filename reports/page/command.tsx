import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** What ends a text of which only the beginning is here. */
const CUT_END = /… \(\d+ characters in all\)$/;

/** A line for a shell, to be copied. */
export function Command({ label, text }: { readonly label: string; readonly text: string }): VNode {
  const isCut = CUT_END.test(text);
  return (
    <div class="command">
      <div class="command-head">
        <span>{label}</span>
        {isCut ? (
          <span class="dim">too long for this page: run.json has it</span>
        ) : (
          <Copy text={text} what={label} />
        )}
      </div>
      <pre>{text}</pre>
    </div>
  );
}

/** Copies a text, and says that it did. */
function Copy({ text, what }: { readonly text: string; readonly what: string }): VNode {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => {
      setSaid('');
    }, 2_000);
    return () => {
      clearTimeout(timer);
    };
  }, [said]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setSaid('Copied');
      },
      () => {
        setSaid('Select it and press Ctrl+C');
      },
    );
  };
  return (
    <span class="copy">
      <span role="status">{said}</span>
      <button type="button" onClick={copy} aria-label={`Copy: ${what}`}>
        Copy
      </button>
    </span>
  );
}
