import type { RefObject } from 'react'
import { useDeskKeys } from '../use-desk-keys.ts'

/** Shortcuts of the list while no ticket is open: j and k move the focus, x selects, Enter opens. */
export function useListKeys(pane: RefObject<HTMLElement | null>, on: boolean): void {
  const entries = (): HTMLElement[] => [
    ...(pane.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? []),
  ]
  const at = (all: readonly HTMLElement[]): number =>
    all.findIndex((entry) => entry.parentElement?.contains(document.activeElement))
  const go = (step: 1 | -1): void => {
    const all = entries()
    const here = at(all)
    const next = here < 0 ? all[0] : all[here + step]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest' })
  }
  useDeskKeys(
    on
      ? {
          j: () => go(1),
          k: () => go(-1),
          x: () => {
            const all = entries()
            all[at(all)]?.parentElement
              ?.querySelector<HTMLElement>('input[type="checkbox"]')
              ?.click()
          },
        }
      : {},
  )
}
