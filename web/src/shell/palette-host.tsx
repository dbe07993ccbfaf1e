import { lazy, Suspense, useEffect, useState } from 'react'
import { keepTyped, onOpenPalette } from '../ui/dialogs/palette-store.ts'

const Palette = lazy(() => import('./palette.tsx'))

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
  return asked ? (
    <Suspense>
      <Palette />
    </Suspense>
  ) : null
}
