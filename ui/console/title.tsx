import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The heading of a page: it names the window, and takes the focus when one comes to the page. */
export function Title({ children, of }: { children: ComponentChildren; of?: string }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${of ?? heading.current?.textContent ?? ''} · forthright console`;
    if (document.activeElement === document.body || cameByLink) heading.current?.focus();
    cameByLink = false;
  }, [of]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

let cameByLink = false;
addEventListener('hashchange', () => {
  cameByLink = true;
});
