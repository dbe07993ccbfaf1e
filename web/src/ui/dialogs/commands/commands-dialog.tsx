import type { Call } from '../../../command/call.ts'
import { Empty } from '../../notices/states.tsx'
import { Column } from '../../page/layout.tsx'
import { Dialog } from '../dialog.tsx'
import CommandView from './command-view.tsx'
import { t } from './words.ts'

/** Several calls as commands, each under its name. */
export default function CommandsDialog({
  title,
  commands,
  onClose,
}: {
  title: string
  commands: readonly { readonly label: string; readonly call: Call }[]
  onClose: () => void
}) {
  return (
    <Dialog opened wide title={title} onClose={onClose}>
      {commands.length === 0 ? (
        <Empty title={t.none}>{t.noneText}</Empty>
      ) : (
        <Column gap={20}>
          {commands.map(({ label, call }, at) => (
            <CommandView key={`${label} ${at}`} title={label} call={call} />
          ))}
        </Column>
      )}
    </Dialog>
  )
}
