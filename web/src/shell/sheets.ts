import { madeCalls } from '../command/made-calls.ts'
import { showCommands } from '../command/shown-commands.ts'
import { timestampText } from '../ui/data/timestamps.ts'

let open: (() => void) | undefined

export function onOpenShortcuts(listener: () => void): () => void {
  open = listener
  return () => {
    open = undefined
  }
}

/** Opens the sheet of the shortcuts, which loads then. */
export const openShortcuts = (): void => open?.()

/** Shows what this tab changed as commands for the API. */
export const openLastChanges = (): void =>
  showCommands({
    title: 'Last changes as curl',
    commands: madeCalls().map((call) => ({
      label: `${call.key}, ${timestampText(call.at, { timeStyle: 'medium' })}`,
      call,
    })),
  })
