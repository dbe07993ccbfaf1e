import type { Server } from '@lodge/shared/servers.ts'
import { useState } from 'react'
import { useAct } from '../../../../query.ts'
import { useMe, useMissing } from '../../../../session/session.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { formatMib } from '../../../../ui/data/numbers.ts'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { writeCores } from '../../../../ui/fields/size.ts'
import { SaveForm } from '../../../../ui/form/save-form.tsx'
import { Card, Facts } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { whyNotNow } from '../../why-not.ts'
import { DangerRow } from '../danger-row.tsx'
import { useLackingAction, useRights, useUnsupported } from '../use-rights.ts'
import { useServer } from '../use-server.ts'
import { CloneServer } from './clone-server.tsx'
import { DeleteOwn } from './delete-own.tsx'
import { DeleteServer } from './delete-server.tsx'
import { LabelsFields } from './labels-fields.tsx'
import { LeaveServer } from './leave-server.tsx'
import { NotesPart } from './notes-part.tsx'
import { OwnListFields } from './own-list-fields.tsx'
import { SizeFields } from './size-fields.tsx'
import { t } from './words.ts'

type Asked = 'reinstall' | 'suspend' | 'unsuspend'

/** Labels first, then sizes; irreversible actions come last. */
export default function SettingsTab() {
  const server = useServer()
  const me = useMe()
  const missing = useMissing()
  const rights = useRights(server.id)
  return (
    <Column>
      <SaveForm label={t.settings}>
        <Card title={t.labels}>
          <Column>
            <LabelsFields server={server} />
          </Column>
        </Card>
        <Card title={t.ownList}>
          <Column>
            <OwnListFields server={server} />
          </Column>
        </Card>
        <Card title={t.notes}>
          <Column gap={12}>
            <NotesPart serverId={server.id} />
          </Column>
        </Card>
        <Card title={t.size}>
          {me.role === 'admin' ? (
            <Column>
              <SizeFields server={server} blocked={missing('servers.edit')} />
            </Column>
          ) : (
            <Facts
              rows={[
                [t.memory, formatMib(server.memoryMb)],
                [t.cpu, writeCores(server.cpuPercent)],
                [t.disk, formatMib(server.diskMb)],
              ]}
            />
          )}
        </Card>
      </SaveForm>
      {me.role === 'admin' ? <CloneServer server={server} /> : null}
      <Card title={t.danger}>
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
        <DangerRow title={t.reinstall} text={t.reinstallText}>
          <Button
            kind="warning"
            disabledBecause={
              lacking('reinstall') ??
              unsupported('installer') ??
              whyNotNow('reinstall', server.status)
            }
            onClick={() => setAsked('reinstall')}
          >
            {t.reinstall}
          </Button>
        </DangerRow>
      )}
      {me.role !== 'admin' ? null : suspended ? (
        <DangerRow title={t.resume} text={t.resumeText}>
          <Button
            disabledBecause={missing('servers.suspend')}
            onClick={() => setAsked('unsuspend')}
          >
            {t.resume}
          </Button>
        </DangerRow>
      ) : (
        <DangerRow title={t.suspend} text={t.suspendText}>
          <Button
            kind="warning"
            disabledBecause={missing('servers.suspend') ?? whyNotNow('suspend', server.status)}
            onClick={() => setAsked('suspend')}
          >
            {t.suspend}
          </Button>
        </DangerRow>
      )}
      <ConfirmDialog
        opened={asked === 'reinstall'}
        onClose={close}
        title={t.reinstallTitle({ server: server.name })}
        verb={t.reinstallServer}
        onConfirm={() => run('reinstall')}
      >
        {t.reinstallQuestion}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'suspend'}
        onClose={close}
        title={t.suspendTitle({ server: server.name })}
        verb={t.suspendServer}
        onConfirm={() => run('suspend')}
      >
        {t.suspendQuestion({ owner: server.ownerEmail })}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'unsuspend'}
        onClose={close}
        title={t.resumeTitle({ server: server.name })}
        verb={t.resumeServer}
        onConfirm={() => run('unsuspend')}
      >
        {t.resumeQuestion({ owner: server.ownerEmail })}
      </ConfirmDialog>
    </>
  )
}
