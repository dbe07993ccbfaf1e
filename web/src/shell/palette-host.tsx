import { useEffect, useState } from 'react'
import { keepTyped, onOpenPalette, stopKeepingTyped } from '../ui/dialogs/palette/palette-store.ts'
import { part } from '../ui/page/part.tsx'

const Palette = part(() => import('./palette/palette.tsx'))

/** Loads the command palette when first opened, by Ctrl K, ⌘ K or its button. */
export function PaletteHost() {
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    if (asked) return
    const open = (): void => {
      keepTyped()
      setAsked(true)
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
  }, [asked])
  // Returns the focus to the page, which works without a palette.
  const giveUp = (): void => {
    stopKeepingTyped()
    setAsked(false)
  }
  return asked ? <Palette onLost={giveUp} /> : null
}
