import { type ComponentType, useEffect, useState } from 'react'
import { keepTyped, onOpenPalette, takeTyped } from '../ui/dialogs/palette-store.ts'
import { toastRefused } from '../ui/notices/toast.tsx'

const RELOAD = new Error('Check your connection, then reload the page.')

/** Loads the command palette when first opened, by Ctrl K, ⌘ K or its button. */
export function PaletteHost() {
  const [Palette, setPalette] = useState<ComponentType>()
  useEffect(() => {
    if (Palette) return
    const open = (): void => {
      keepTyped()
      import('./palette.tsx')
        .then((loaded) => setPalette(() => loaded.default))
        .catch(() => {
          // The keyboard goes back to the page, which works without a palette.
          takeTyped()
          toastRefused('The commands could not be loaded', RELOAD)
        })
    }
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      open()
    }
    const stop = onOpenPalette(open)
    addEventListener('keydown', press)
    return () => {
      stop()
      removeEventListener('keydown', press)
    }
  }, [Palette])
  return Palette ? <Palette /> : null
}
