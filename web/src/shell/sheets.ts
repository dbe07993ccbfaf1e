import { madeCalls } from '../command/made-calls.ts'
import { showCommands } from '../command/shown-commands.ts'
import { timestampText } from '../ui/locale/timestamps.ts'
import { t } from './words.ts'

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
    title: t.lastChanges,
    commands: madeCalls().map((call) => ({
      label: t.lastChange({
        call: call.key,
        when: timestampText(call.at, { timeStyle: 'medium' }),
      }),
      call,
    })),
  })
