import { useState } from 'react'

const KEY = 'lodge.hidden-files'

/** Whether files whose name begins with a dot are shown; by default they are. */
export function useHidden(): [boolean, (shown: boolean) => void] {
  const [shown, setShown] = useState(() => {
    try {
      return localStorage.getItem(KEY) !== 'hide'
    } catch {
      return true
    }
  })
  return [
    shown,
    (next) => {
      setShown(next)
      try {
        localStorage.setItem(KEY, next ? 'show' : 'hide')
      } catch {
        // Without storage it lasts as long as the page.
      }
    },
  ]
}
