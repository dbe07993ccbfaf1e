import { show } from './toast.tsx'

/** What takes the messages away that are shown. */
const shown = new Set<() => void>()

/** Reports a success that one click takes back. */
export function toastUndo(title: string, undo: { label: string; onSelect: () => void }): void {
  const onShown = (hide: () => void) => void shown.add(hide)
  void show({ tone: 'ok', title, message: null, action: undo, onShown })
}

/** Takes these messages away, where the page itself offers to undo. */
export function hideUndo(): void {
  for (const hide of shown) hide()
  shown.clear()
}
