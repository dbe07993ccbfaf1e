import { type RefObject, useEffect } from 'react'

/**
 * Sets `--keyboard` on an element to the height that a phone's on-screen keyboard covers: the browser
 * scrolls the page below it without resizing it.
 */
export function useKeyboardInset(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    const measure = (): void => {
      const covered = Math.max(0, innerHeight - seen.height - seen.offsetTop)
      element.current?.style.setProperty('--keyboard', `${Math.round(covered)}px`)
    }
    measure()
    seen.addEventListener('resize', measure)
    seen.addEventListener('scroll', measure)
    return () => {
      seen.removeEventListener('resize', measure)
      seen.removeEventListener('scroll', measure)
    }
  }, [element])
}
