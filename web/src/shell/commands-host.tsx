import { useEffect, useState } from 'react'
import { onShowCommands, type ShownCommands } from '../command/shown-commands.ts'
import { part } from '../ui/page/part.tsx'

const CommandsDialog = part(() => import('../ui/dialogs/commands/commands-dialog.tsx'))

/** Shows actions as commands on any page; loaded with the first one. */
export function CommandsHost() {
  const [shown, setShown] = useState<ShownCommands>()
  useEffect(() => onShowCommands(setShown), [])
  const hide = () => setShown(undefined)
  return shown ? <CommandsDialog {...shown} onClose={hide} onLost={hide} /> : null
}
