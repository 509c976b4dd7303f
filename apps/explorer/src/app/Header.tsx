import { useConnectionProblem, useConnectionStatus, useQuery } from '@portolan/client/react'
import { ServiceDocument } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { links } from './links.ts'
import { SearchBox } from './SearchBox.tsx'
import { useTheme } from './theme.ts'
import { useConnection } from './useConnection.ts'

/** The top of every page: search, what network this is, whether it is connected, the theme. */
export function Header() {
  const { data } = useQuery(ServiceDocument, {})
  useConnection(data?.chains[0]?.chainId)
  const isOffline = useConnectionStatus() === 'offline'
  const isBuffered = useConnectionProblem()?.code === 'BUFFERED'
  const [theme, nextTheme] = useTheme()
  return (
    <>
      <header class="top">
        <a href={links.home()} class="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d="M16 1l4 11 11 4-11 4-4 11-4-11-11-4 11-4z" />
          </svg>
          <span>{text.title}</span>
        </a>
        {data?.service.isSandbox && (
          <a href={links.status()} class="badge" title={text.sandboxHint}>
            {text.sandbox}
          </a>
        )}
        <SearchBox chains={data?.chains ?? []} hasAssets={data?.service.hasRouter ?? false} />
        <nav>
          {data?.service.hasRouter && (
            <>
              <a href={links.assets()}>{text.assets}</a>
              <a href={links.quote()}>{text.quote}</a>
              <a href={links.transfers()}>{text.transfers}</a>
            </>
          )}
          <a href={links.status()}>{text.status}</a>
          <a href="/graphql">{text.graphiql}</a>
          <a href="/docs/">{text.docs}</a>
        </nav>
        <button
          type="button"
          class="theme"
          onClick={nextTheme}
          title={text.theme[theme]}
          aria-label={text.theme[theme]}
        >
          {{ auto: '◐', light: '○', dark: '●' }[theme]}
        </button>
      </header>
      <div role="status">
        {isOffline && (
          <p class="offline">
            {text.offline} {isBuffered && text.buffered}
          </p>
        )}
      </div>
    </>
  )
}
