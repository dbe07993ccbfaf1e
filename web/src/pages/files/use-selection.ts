import { type MouseEvent, useCallback, useMemo, useRef, useState } from 'react'

/** The path of the row that an element is in. */
export const rowPathOf = (target: EventTarget | null): string | undefined =>
  target instanceof Element
    ? target.closest<HTMLElement>('[data-row][data-key]')?.dataset.key
    : undefined

/** Selected rows: one with a click, more with Ctrl, a range with Shift, in the order of the rows. */
export function useSelection(paths: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string>(undefined)
  // Drops entries that are no longer listed, for example because they were deleted.
  const ids = useMemo(() => {
    const there = new Set(paths)
    return new Set([...chosen].filter((path) => there.has(path)))
  }, [chosen, paths])

  const only = useCallback((path: string): void => {
    anchor.current = path
    setChosen(new Set([path]))
  }, [])
  const toggle = useCallback((path: string): void => {
    anchor.current = path
    setChosen((old) => {
      const next = new Set(old)
      if (!next.delete(path)) next.add(path)
      return next
    })
  }, [])
  const rangeTo = useCallback(
    (path: string): void => {
      const from = paths.indexOf(anchor.current ?? path)
      const to = paths.indexOf(path)
      if (from < 0 || to < 0) only(path)
      else setChosen(new Set(paths.slice(Math.min(from, to), Math.max(from, to) + 1)))
    },
    [paths, only],
  )
  /** Clicks with a modifier select; without one, only where the row does nothing itself. */
  const click = (event: MouseEvent): void => {
    const path = rowPathOf(event.target)
    const target = event.target as Element
    if (path === undefined || target.closest('[popover], [role="menu"]')) return
    const onTick = target.matches('input[type="checkbox"]')
    if (event.shiftKey) {
      event.preventDefault()
      event.stopPropagation()
      getSelection()?.removeAllRanges()
      rangeTo(path)
    } else if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      event.stopPropagation()
      toggle(path)
    } else if (onTick) {
      anchor.current = path
    } else if (!target.closest(':is(a, button, label)')) {
      only(path)
    }
  }
  const clear = useCallback(() => setChosen(new Set()), [])
  return { ids, set: setChosen, only, toggle, rangeTo, click, clear }
}

export type Selection = ReturnType<typeof useSelection>
