import type { ComponentChildren, JSX } from 'preact';
import { EntryPage } from './entry-page.tsx';
import { FindPage } from './find-page.tsx';
import { type Link, type Live, useLive } from './live.ts';
import { NowPage } from './now-page.tsx';
import { type Route, useRoute } from './route.ts';
import { Title } from './title.tsx';

/** The whole page. */
export function App(): JSX.Element {
  const live = useLive();
  const route = useRoute();
  return (
    <>
      <button class="skip" type="button" onClick={toMain}>
        Skip to the content
      </button>
      <Header route={route} live={live} />
      <main id="main" tabIndex={-1}>
        {live.link === 'signed_out' ? <SignedOut /> : <Page route={route} live={live} />}
      </main>
    </>
  );
}

/** A link would change the address, which says where on the page one is. */
function toMain(): void {
  document.getElementById('main')?.focus();
}

function Page({ route, live }: { route: Route; live: Live }): JSX.Element {
  switch (route.page) {
    case 'now':
      return <NowPage live={live} />;
    case 'find':
      return <FindPage query={route.query} live={live} />;
    case 'entry':
      return <EntryPage key={route.key} entryKey={route.key} live={live} />;
  }
}

function Header({ route, live }: { route: Route; live: Live }): JSX.Element {
  const unknown = live.now?.open.filter(({ standing }) => standing === 'unknown').length ?? 0;
  return (
    <header class="top">
      <a class="brand" href="#/">
        <img src="icon.svg" alt="" width="24" height="24" />
        forthright <span class="soft">console</span>
      </a>
      <nav aria-label="Pages">
        <Tab href="#/" isHere={route.page === 'now'}>
          Now
          {unknown > 0 && (
            <span class="count">
              {unknown}
              <span class="unseen"> unknown</span>
            </span>
          )}
        </Tab>
        <Tab href="#/find" isHere={route.page === 'find'}>
          Find
        </Tab>
      </nav>
      <div class="top-end">
        {live.me?.readOnly === true && <span class="read-only">read-only</span>}
        {live.me?.operator != null && <span class="soft small">{live.me.operator}</span>}
        <LinkSign link={live.link} />
      </div>
    </header>
  );
}

function Tab(props: { href: string; isHere: boolean; children: ComponentChildren }): JSX.Element {
  return (
    <a class="tab" href={props.href} aria-current={props.isHere ? 'page' : undefined}>
      {props.children}
    </a>
  );
}

const linkWords: Readonly<Record<Link, string>> = {
  connecting: 'connecting…',
  live: 'live',
  lost: 'no connection, trying again…',
  trouble: 'the ledger does not answer',
  signed_out: 'signed out',
};

function LinkSign({ link }: { link: Link }): JSX.Element {
  return (
    <span class={`link ${link}`} role="status">
      {linkWords[link]}
    </span>
  );
}

function SignedOut(): JSX.Element {
  return (
    <section class="state">
      <Title>You are not signed in</Title>
      <p>
        The address that <code>forthright console</code> prints opens one session, once. Where the
        console was started again, or its address was used before, start it anew and open the new
        address. Behind a proxy, sign in there and load this page again.
      </p>
    </section>
  );
}
