import { whyNot } from '@lodge/shared/server-status.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { formatMib } from '@lodge/shared/units.ts'
import { useState } from 'react'
import { useAct } from '../../../../query.ts'
import { useMe, useMissing } from '../../../../session/session.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { Card, Facts } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { DangerRow } from '../danger-row.tsx'
import { useLackingAction, useRights, useUnsupported } from '../use-rights.ts'
import { useServer } from '../use-server.ts'
import { DeleteOwn } from './delete-own.tsx'
import { DeleteServer } from './delete-server.tsx'
import { LeaveServer } from './leave-server.tsx'
import { NameForm } from './name-form.tsx'
import { SizeForm } from './size-form.tsx'

type Asked = 'reinstall' | 'suspend' | 'unsuspend'

/** Name and size; the dangerous actions come last. */
export default function SettingsTab() {
  const server = useServer()
  const me = useMe()
  const missing = useMissing()
  const rights = useRights(server.id)
  return (
    <Column>
      <Card title="Name and size">
        {me.role === 'admin' ? (
          <SizeForm server={server} disabledBecause={missing('servers.edit')} />
        ) : (
          <Column>
            {rights?.role === 'owner' ? <NameForm server={server} /> : null}
            <Facts
              rows={[
                ...(rights?.role === 'owner' ? [] : [['Name', server.name] as const]),
                ['Memory', formatMib(server.memoryMb)],
                ['CPU', `${server.cpuPercent} %`],
                ['Disk', formatMib(server.diskMb)],
              ]}
            />
          </Column>
        )}
      </Card>
      <Card title="Danger zone" danger>
        <Column gap={14}>
          <DangerActions server={server} />
          {me.role === 'admin' ? (
            <DeleteServer server={server} />
          ) : rights?.role === 'owner' ? (
            <DeleteOwn server={server} />
          ) : rights?.role === 'collaborator' ? (
            <LeaveServer server={server} />
          ) : null}
        </Column>
      </Card>
    </Column>
  )
}

/** Reinstalling for those who may, suspending for the host. */
function DangerActions({ server }: { server: Server }) {
  const me = useMe()
  const missing = useMissing()
  const lacking = useLackingAction(server.id)
  const unsupported = useUnsupported(server.id)
  const act = useAct('POST /api/servers/{id}/actions', ['GET /api/jobs', 'GET /api/servers/{id}'])
  const [asked, setAsked] = useState<Asked>()
  // Other suspensions are lifted where they were set.
  const suspended = server.holds.some(
    (hold) => hold.kind === 'suspension' && hold.cause === 'administrator',
  )
  const close = () => setAsked(undefined)
  const run = (action: Asked) =>
    act.mutateAsync({ params: { id: server.id }, body: { action, confirm: true } })
  return (
    <>
      {server.kind === 'vm' ? null : (
        <DangerRow
          title="Install again"
          text="Runs the installer of the template over the present files. Files that it does not write stay."
        >
          <Button
            kind="warning"
            disabledBecause={
              lacking('reinstall') ?? unsupported('installer') ?? whyNot('reinstall', server.status)
            }
            onClick={() => setAsked('reinstall')}
          >
            Reinstall
          </Button>
        </DangerRow>
      )}
      {me.role !== 'admin' ? null : suspended ? (
        <DangerRow title="Lift the suspension" text="The owner may start the server again.">
          <Button
            disabledBecause={missing('servers.suspend')}
            onClick={() => setAsked('unsuspend')}
          >
            Lift suspension
          </Button>
        </DangerRow>
      ) : (
        <DangerRow
          title="Suspend"
          text="Stops the server and keeps it from being started until the suspension is lifted. Nothing is deleted."
        >
          <Button
            kind="warning"
            disabledBecause={missing('servers.suspend') ?? whyNot('suspend', server.status)}
            onClick={() => setAsked('suspend')}
          >
            Suspend
          </Button>
        </DangerRow>
      )}
      <ConfirmDialog
        opened={asked === 'reinstall'}
        onClose={close}
        title={`Reinstall ${server.name}`}
        verb="Reinstall server"
        onConfirm={() => run('reinstall')}
      >
        The server is stopped and its installer runs again over the present files. What the
        installer writes is overwritten.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'suspend'}
        onClose={close}
        title={`Suspend ${server.name}`}
        verb="Suspend server"
        onConfirm={() => run('suspend')}
      >
        The server is stopped now. {server.ownerEmail} cannot start it until the suspension is
        lifted.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'unsuspend'}
        onClose={close}
        title={`Lift the suspension of ${server.name}`}
        verb="Lift suspension"
        onConfirm={() => run('unsuspend')}
      >
        The server may be started again. It is not started by this.
      </ConfirmDialog>
    </>
  )
}
