import CommandsDialog from '../ui/command/commands-dialog.tsx'
import { madeCalls } from '../ui/command/made-calls.ts'
import { timestampText } from '../ui/data/timestamps.ts'

/** What this tab changed, as commands for the API. */
export default function LastChanges({ onClose }: { onClose: () => void }) {
  return (
    <CommandsDialog
      title="Last changes as curl"
      commands={madeCalls().map((call) => ({
        label: `${call.key}, ${timestampText(call.at, { timeStyle: 'medium' })}`,
        call,
      }))}
      onClose={onClose}
    />
  )
}
