import { Button } from '../../ui/buttons/button.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { useServer } from '../servers/one/use-server.ts'
import { usePower, whyNoPower } from '../servers/power.ts'
import type { Vm } from './use-vm.ts'

/** Why nothing on this page can be changed now, and how to change that. */
export function ChangeNote({ vm }: { vm: Vm }) {
  const server = useServer()
  const power = usePower(server)
  if (vm.changeable.now) return null
  const stoppable = whyNoPower('stop', server) === undefined && server.status !== 'stopping'
  return (
    <Note
      tone="info"
      title="This is changed while the machine is off"
      action={
        stoppable ? (
          <QuickConfirm
            question="Shut this machine down?"
            verb="Shut down"
            onConfirm={() => power.mutate('stop')}
          >
            <Button size="small">Shut down</Button>
          </QuickConfirm>
        ) : undefined
      }
    >
      {vm.changeable.why}
    </Note>
  )
}
