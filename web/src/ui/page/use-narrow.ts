import { useSyncExternalStore } from 'react'

/** As in the style sheets. */
const NARROW = '(max-width: 767px)'

let asked: MediaQueryList | undefined
const narrow = (): MediaQueryList => {
  asked ??= matchMedia(NARROW)
  return asked
}

export const isNarrow = (): boolean => narrow().matches

function subscribe(listener: () => void): () => void {
  const query = narrow()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone: what is hidden there need not be rendered. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, isNarrow)
