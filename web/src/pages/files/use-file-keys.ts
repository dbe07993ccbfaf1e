import { type RefObject, useEffect, useRef } from 'react'
import { rowPathOf, type Selection } from './use-selection.ts'

export interface FileKeys {
  readonly selection: Selection
  readonly paths: readonly string[]
  readonly onUp: () => void
  readonly onRename: (path: string) => void
  readonly onDelete: (paths: readonly string[], forGood: boolean) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
const busyElsewhere = (target: Element): boolean =>
  target.matches('[contenteditable], input:not([type="checkbox"]), textarea, select') ||
  target.closest('[role="dialog"], [popover], [role="menu"], nav, header') !== null ||
  document.querySelector('[role="dialog"][aria-modal="true"], :popover-open') !== null

/** The shortcuts of a file manager. Enter is handled by every table. */
export function useFileKeys(wrap: RefObject<HTMLElement | null>, keys: FileKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { target } = event
      if (!(target instanceof Element) || event.altKey || busyElsewhere(target)) return
      if (handled(event, wrap.current, latest.current)) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [wrap])
}

function handled(event: KeyboardEvent, wrap: HTMLElement | null, keys: FileKeys): boolean {
  const { selection, paths, onUp, onRename, onDelete } = keys
  const { key, shiftKey } = event
  const here = rowPathOf(document.activeElement)
  const about = selection.ids.size > 0 ? [...selection.ids] : here === undefined ? [] : [here]
  const [first] = about
  const step = STEPS[key]
  if (event.ctrlKey || event.metaKey) {
    if (key !== 'a') return false
    selection.set(new Set(paths))
  } else if (step !== undefined) return move(wrap, step, shiftKey, selection)
  else if (key === 'Backspace') onUp()
  else if (key === ' ' && here !== undefined && isRow(document.activeElement))
    selection.toggle(here)
  else if (key === 'Escape' && selection.ids.size > 0) selection.clear()
  else if (key === 'F2' && first !== undefined) onRename(first)
  else if (key === 'Delete' && first !== undefined) onDelete(about, shiftKey)
  else return false
  return true
}

const isRow = (element: Element | null): boolean => element?.matches('tr') === true

/** Moves to the next row; with Shift, selects the rows between. */
function move(
  wrap: HTMLElement | null,
  step: number,
  isRange: boolean,
  selection: Selection,
): boolean {
  const rows = [...(wrap?.querySelectorAll<HTMLElement>('[data-row][data-key]') ?? [])]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const selected = rows.findIndex((row) => selection.ids.has(row.dataset.key ?? ''))
  const from = at >= 0 ? at : selected
  const next = from < 0 ? rows[0] : rows[from + step]
  const path = next?.dataset.key
  if (!next || path === undefined) return false
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
  if (isRange) selection.rangeTo(path)
  else selection.only(path)
  return true
}
