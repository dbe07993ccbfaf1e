import { show } from './toast.tsx'

/** Functions that remove the messages on screen. */
const shown = new Set<() => void>()

/** Reports a success that can be undone with one click. */
export function toastUndo(title: string, undo: { label: string; onSelect: () => void }): void {
  const onShown = (hide: () => void) => void shown.add(hide)
  void show({ tone: 'ok', title, message: null, action: undo, onShown })
}

/** Removes these messages, where the page itself offers to undo. */
export function hideUndo(): void {
  for (const hide of shown) hide()
  shown.clear()
}
