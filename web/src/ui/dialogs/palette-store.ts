/** Opens the command palette from anywhere; the palette itself loads after the page. */
let open: (() => void) | undefined

export function onOpenPalette(listener: () => void): () => void {
  open = listener
  return () => {
    open = undefined
  }
}

export const openPalette = (): void => open?.()
