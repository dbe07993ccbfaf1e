/** Opens the command palette from anywhere; the palette itself loads after the page. */
let open: (() => void) | undefined

export function onOpenPalette(listener: () => void): () => void {
  open = listener
  return () => {
    open = undefined
  }
}

export const openPalette = (): void => open?.()

let typed: string | undefined
let stopKeeping: (() => void) | undefined

/**
 * Buffers what is typed while the palette loads, which would otherwise be lost or taken for
 * shortcuts.
 */
export function keepTyped(): void {
  const keep = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Backspace') typed = typed?.slice(0, -1)
    else if (event.key.length === 1) typed = `${typed ?? ''}${event.key}`
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  stopKeeping?.()
  typed = ''
  addEventListener('keydown', keep, true)
  stopKeeping = () => removeEventListener('keydown', keep, true)
}

/** The text typed since `keepTyped`; undefined if nothing is being buffered. */
export const typedSoFar = (): string | undefined => typed

/** Discards the buffer: the palette has the focus from now on. */
export function stopKeepingTyped(): void {
  stopKeeping?.()
  typed = undefined
}
