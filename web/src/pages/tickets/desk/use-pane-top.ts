import { type RefObject, useLayoutEffect } from 'react'

/** Exposes the top of the panes to the style sheet, because strips above them come and go. */
export function usePaneTop(panes: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const measure = (): void => {
      const element = panes.current
      if (!element) return
      const top = Math.round(element.getBoundingClientRect().top + scrollY)
      element.style.setProperty('--top', `${top}px`)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [panes])
}
