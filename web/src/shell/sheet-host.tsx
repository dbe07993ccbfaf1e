import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { onOpenShortcuts } from './sheets.ts'
import { useShortcuts } from './use-shortcuts.ts'

const Shortcuts = lazy(() => import('./shortcuts.tsx'))

/** Listens for the shortcuts, and shows the sheet that lists them. */
export function SheetHost() {
  const [opened, setOpened] = useState(false)
  const openSheet = useCallback(() => setOpened(true), [])
  useEffect(() => onOpenShortcuts(openSheet), [openSheet])
  useShortcuts(openSheet)
  return opened ? (
    <Suspense>
      <Shortcuts onClose={() => setOpened(false)} />
    </Suspense>
  ) : null
}
