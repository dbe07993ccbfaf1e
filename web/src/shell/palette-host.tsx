import { lazy, Suspense, useEffect, useState } from 'react'
import { onOpenPalette } from '../ui/dialogs/palette-store.ts'

const Palette = lazy(() => import('./palette.tsx'))

/** Loads the command palette when first opened, by Ctrl K, ⌘ K or its button. */
export function PaletteHost() {
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    if (asked) return
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setAsked(true)
    }
    const stop = onOpenPalette(() => setAsked(true))
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
