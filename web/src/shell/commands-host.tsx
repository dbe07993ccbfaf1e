import { lazy, Suspense, useEffect, useState } from 'react'
import { onShowCommands, type ShownCommands } from '../command/shown-commands.ts'

const CommandsDialog = lazy(() => import('../ui/dialogs/commands-dialog.tsx'))

/** Shows actions as commands on any page; loaded with the first one. */
export function CommandsHost() {
  const [shown, setShown] = useState<ShownCommands>()
  useEffect(() => onShowCommands(setShown), [])
  return shown ? (
    <Suspense>
      <CommandsDialog {...shown} onClose={() => setShown(undefined)} />
    </Suspense>
  ) : null
}
