import { useEffect } from 'preact/hooks'

/** Rows that came while a list was open. Beyond it, the list is read anew, so that a page may be open for days. */
const maxLiveRows = 1_000

/** The same while somebody reads far below the top of the list, who loses the place. */
const maxRowsWhileRead = 2_000

/** Reads a list anew once too many rows have come: later if somebody reads far below its top. */
export function useRenewal(liveRows: number, renew: () => void): void {
  useEffect(() => {
    const isRead = !document.hidden && scrollY > 2 * innerHeight
    if (liveRows >= (isRead ? maxRowsWhileRead : maxLiveRows)) renew()
  }, [liveRows])
}
