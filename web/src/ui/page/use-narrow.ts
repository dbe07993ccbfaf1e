import { useSyncExternalStore } from 'react'

/** As in the style sheets. */
const NARROW = '(max-width: 767px)'

export const isNarrow = (): boolean => matchMedia(NARROW).matches

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone: what is hidden there need not be made. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, isNarrow)
