import { whyNot } from '@lodge/shared/server-status.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMe, useMissing } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm.tsx'
import { Column } from '../../ui/layout.tsx'
import { toastDone } from '../../ui/toast.tsx'
import { DangerRow } from './danger-row.tsx'
import { SizeForm } from './size-form.tsx'
import { useServer } from './use-server.ts'

type Asked = 'reinstall' | 'suspend' | 'unsuspend' | 'delete'

/** Name and size; then, last, what hurts. */
export default function SettingsTab() {
  const server = useServer()
  const me = useMe()
  const missing = useMissing()
  const navigate = useNavigate()
  const act = useAct('POST /api/servers/{id}/actions', ['GET /api/jobs', 'GET /api/servers/{id}'])
  const [asked, setAsked] = useState<Asked>()
  const params = { id: server.id }
  const owner = server.ownerId === me.id
  const suspended = server.holds.some((hold) => hold.kind === 'suspension')
  const close = () => setAsked(undefined)
  const run = (action: Exclude<Asked, 'delete'>) =>
    act.mutateAsync({ params, body: { action, confirm: true } })
  const remove = async (): Promise<void> => {
    await api('DELETE /api/servers/{id}', { params })
    toastDone(`${server.name} is being deleted`, 'Its progress is under Jobs.')
    await navigate({ to: paths.servers })
  }
  return (
    <Column>
      <Card title="Name and size">
        <SizeForm server={server} disabledBecause={missing('servers.edit')} />
      </Card>
      <Card title="Danger zone" danger>
        <Column gap={14}>
          <DangerRow
            title="Install again"
            text="Runs the installer of the template over the present files. Files that it does not write stay."
          >
            <Button
              kind="warning"
              disabledBecause={
                whyNot('reinstall', server.status) ?? (owner ? undefined : missing('servers.edit'))
              }
              onClick={() => setAsked('reinstall')}
            >
              Reinstall
            </Button>
          </DangerRow>
          {suspended ? (
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
          <DangerRow
            title="Delete"
            text="Removes the server and every file in it. This cannot be undone."
          >
            <Button
              kind="danger"
              disabledBecause={missing('servers.delete')}
              onClick={() => setAsked('delete')}
            >
              Delete server
            </Button>
          </DangerRow>
        </Column>
      </Card>
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
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={close}
        title={`Delete ${server.name}`}
        verb="Delete server"
        typed={server.name}
        onConfirm={remove}
      >
        The server, its ports and all of its files on {server.nodeName} are removed for good.
      </ConfirmDialog>
    </Column>
  )
}
