import { type RefObject, useEffect } from 'react'

/**
 * Tells an element how much of the page the keyboard of a phone covers, as `--keyboard`: the
 * browser moves the page under it without making the page smaller.
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
