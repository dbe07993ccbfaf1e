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
import { LabelsForm } from './labels-form.tsx'
import { LeaveServer } from './leave-server.tsx'
import { NotesForm } from './notes-form.tsx'
import { OwnListForm } from './own-list-form.tsx'
import { SizeForm } from './size-form.tsx'

type Asked = 'reinstall' | 'suspend' | 'unsuspend'

/** What people see, what it may use; what cannot be taken back comes last. */
export default function SettingsTab() {
  const server = useServer()
  const me = useMe()
  const missing = useMissing()
  const rights = useRights(server.id)
  return (
    <Column>
      <Card title="Name, icon and tags">
        <LabelsForm key={`${server.name} ${server.icon} ${server.tags}`} server={server} />
      </Card>
      <Card title="In your list">
        <OwnListForm key={`${server.folder} ${server.favourite}`} server={server} />
      </Card>
      <Card title="Notes">
        <NotesForm serverId={server.id} />
      </Card>
      <Card title="Size">
        {me.role === 'admin' ? (
          <SizeForm server={server} disabledBecause={missing('servers.edit')} />
        ) : (
          <Facts
            rows={[
              ['Memory', formatMib(server.memoryMb)],
              ['CPU', `${server.cpuPercent}%`],
              ['Disk', formatMib(server.diskMb)],
            ]}
          />
        )}
      </Card>
      <Card title="Danger zone">
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
          title="Reinstall"
          text="Runs the template's installer over the files. Files that it does not write stay."
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
        <DangerRow title="Resume" text="The owner can start the server again.">
          <Button
            disabledBecause={missing('servers.suspend')}
            onClick={() => setAsked('unsuspend')}
          >
            Resume
          </Button>
        </DangerRow>
      ) : (
        <DangerRow
          title="Suspend"
          text="Stops the server. It cannot be started until you resume it. Nothing is deleted."
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
        This stops the server and runs its installer over the files. Files that the installer writes
        are overwritten; the others stay.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'suspend'}
        onClose={close}
        title={`Suspend ${server.name}`}
        verb="Suspend server"
        onConfirm={() => run('suspend')}
      >
        This stops the server now. {server.ownerEmail} cannot start it until you resume it.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'unsuspend'}
        onClose={close}
        title={`Resume ${server.name}`}
        verb="Resume server"
        onConfirm={() => run('unsuspend')}
      >
        {server.ownerEmail} can start the server again. It stays stopped until then.
      </ConfirmDialog>
    </>
  )
}
