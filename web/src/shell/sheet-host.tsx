import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { onOpenSheet } from './sheets.ts'
import { useShortcuts } from './use-shortcuts.ts'

const Shortcuts = lazy(() => import('./shortcuts.tsx'))
const LastChanges = lazy(() => import('./last-changes.tsx'))

/** Listens for the shortcuts, and shows what the help menu opens. */
export function SheetHost() {
  const [sheet, setSheet] = useState<'shortcuts' | 'changes'>()
  useEffect(() => onOpenSheet(setSheet), [])
  useShortcuts(useCallback(() => setSheet('shortcuts'), []))
  const close = () => setSheet(undefined)
  return (
    <Suspense>
      {sheet === 'shortcuts' ? <Shortcuts onClose={close} /> : null}
      {sheet === 'changes' ? <LastChanges onClose={close} /> : null}
    </Suspense>
  )
}
