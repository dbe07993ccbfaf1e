/** The sheets that the help menu and the palette open; they load when first opened. */
type Sheet = 'shortcuts' | 'changes'

let open: ((sheet: Sheet) => void) | undefined

export function onOpenSheet(listener: (sheet: Sheet) => void): () => void {
  open = listener
  return () => {
    open = undefined
  }
}

export const openShortcuts = (): void => open?.('shortcuts')
export const openLastChanges = (): void => open?.('changes')
