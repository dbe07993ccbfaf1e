import { why } from '../../panel/said.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { useServer } from '../servers/one/use-server.ts'
import { stopWords, usePower, whyNoPower } from '../servers/power.ts'
import type { Vm } from './use-vm.ts'
import { t } from './words.ts'

/** Why nothing on this page can be changed now, and how to change that. */
export function ChangeNote({ vm }: { vm: Vm }) {
  const server = useServer()
  const power = usePower(server)
  if (vm.changeable.now) return null
  const stop = stopWords(server)
  const stoppable = whyNoPower('stop', server) === undefined && server.status !== 'stopping'
  return (
    <Note
      tone="info"
      title={stop.asks ? t.offFirst : t.stoppedOnly}
      action={
        !stoppable ? undefined : stop.asks ? (
          <QuickConfirm
            question={t.shutDownQuestion}
            verb={t.shutDown}
            onConfirm={() => power.mutate('stop')}
          >
            <Button size="small">{t.shutDown}</Button>
          </QuickConfirm>
        ) : (
          <Button size="small" onClick={() => power.mutate('stop')}>
            {stop.label}
          </Button>
        )
      }
    >
      {why(vm.changeable.why)}
    </Note>
  )
}
