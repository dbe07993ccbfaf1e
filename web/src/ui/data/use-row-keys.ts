import { type RefObject, useEffect } from 'react'

const typing = (target: Element): boolean =>
  target.matches('[contenteditable], input:not([type="checkbox"]), textarea, select')
/** Open overlays have their own keys. */
const elsewhere = (target: Element): boolean =>
  target.closest('[role="dialog"], [popover]') !== null ||
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null

const STEP: Readonly<Record<string, number>> = { j: 1, k: -1 }

/** Goes through the rows of a table: j and k focus, x selects, Enter opens. */
export function useRowKeys(wrap: RefObject<HTMLElement | null>, on: boolean): void {
  useEffect(() => {
    if (!on) return
    // After g, a letter belongs to the shortcut that opens a page.
    let goingUntil = 0
    const press = (event: KeyboardEvent): void => {
      const { target, key } = event
      const modified = event.ctrlKey || event.metaKey || event.altKey
      if (modified || !(target instanceof Element) || typing(target) || elsewhere(target)) return
      const going = event.timeStamp < goingUntil
      goingUntil = key === 'g' ? event.timeStamp + 1_200 : 0
      if (going) return
      const rows = [...(wrap.current?.querySelectorAll<HTMLElement>('tbody [data-row]') ?? [])]
      const at = rows.findIndex((row) => row.contains(document.activeElement))
      const step = STEP[key]
      if (step !== undefined) {
        const next =
          at < 0 ? rows.find((row) => row.getBoundingClientRect().top >= 0) : rows[at + step]
        next?.focus({ preventScroll: true })
        next?.scrollIntoView({ block: 'nearest' })
      } else if (key === 'x') {
        rows[at]?.querySelector<HTMLElement>('input[type="checkbox"]')?.click()
      } else if (key === 'Enter' && rows[at] === document.activeElement) {
        rows[at]?.querySelector<HTMLElement>('[data-opens], a')?.click()
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [wrap, on])
}
