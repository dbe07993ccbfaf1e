import { useCallback, useEffect, useState } from 'react'
import { part } from '../ui/page/part.tsx'
import { onOpenShortcuts } from './sheets.ts'
import { useShortcuts } from './use-shortcuts.ts'

const Shortcuts = part(() => import('./dialogs/shortcuts.tsx'))

/** Listens for the shortcuts, and shows the sheet that lists them. */
export function SheetHost() {
  const [opened, setOpened] = useState(false)
  const openSheet = useCallback(() => setOpened(true), [])
  useEffect(() => onOpenShortcuts(openSheet), [openSheet])
  useShortcuts(openSheet)
  const hide = () => setOpened(false)
  return opened ? <Shortcuts onClose={hide} onLost={hide} /> : null
}
