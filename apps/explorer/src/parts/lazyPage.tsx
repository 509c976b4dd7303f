import { onReturn, useClient } from '@portolan/client/react'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useSaving } from '../csv/Saving.tsx'
import { text } from '../text.ts'
import { LoadFault } from './LoadFault.tsx'
import { LoadingNote } from './LoadingNote.tsx'

/**
 * A component whose script is loaded when it is first shown. If that fails, it says so, and tries again when the
 * connection to the gateway is back. A gateway that answers, but without this script, has a newer site: the document is
 * loaded anew, once.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isQuiet = false } = {},
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined
  // The text of the function has the name of the script, which is another one in a newer site.
  const key = `portolan:reloaded ${load}`
  return function LazyPage(props) {
    const client = useClient()
    const { isRunning } = useSaving()
    const [state, setState] = useState<'loading' | 'failed' | 'reloading' | 'loaded'>('loading')
    const [turn, setTurn] = useState(0)
    const retry = () => setTurn((last) => last + 1)
    useEffect(() => {
      if (Part) return
      let isLeft = false
      const attempt = async () => {
        try {
          Part = await load()
          keep(key, false)
          if (!isLeft) setState('loaded')
        } catch {
          if (isLeft) return
          setState('failed')
          // A new document would end a file that is being made.
          if (isRunning || !(await isReachable()) || isLeft || !keep(key, true)) return
          setState('reloading')
          location.reload()
        }
      }
      void attempt()
      const stop = onReturn(client, retry)
      return () => {
        isLeft = true
        stop()
      }
    }, [client, turn])
    if (Part) return <Part {...props} />
    if (state === 'reloading') return <p class="waiting">{text.newerSite}</p>
    const press = () => {
      keep(key, false)
      retry()
    }
    if (state === 'failed') return <LoadFault onRetry={press}>{text.notLoaded}</LoadFault>
    return isQuiet ? null : <LoadingNote />
  }
}

/** Remembers in this tab that the document was loaded anew, or forgets it. Returns whether that is a change. */
function keep(key: string, isReloaded: boolean): boolean {
  try {
    const wasReloaded = sessionStorage.getItem(key) !== null
    if (isReloaded) sessionStorage.setItem(key, '')
    else sessionStorage.removeItem(key)
    return wasReloaded !== isReloaded
  } catch {
    // A tab that remembers nothing could load the document for ever.
    return false
  }
}

/** Whether the gateway answers, and no proxy in its place. */
const isReachable = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )
