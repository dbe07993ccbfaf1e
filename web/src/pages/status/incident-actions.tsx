import type { StatusIncident } from '@lodge/shared/status.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { IncidentDialog } from './incident-dialog.tsx'
import { t } from './words.ts'

/** Changes an incident, publishes a draft, or deletes it. */
export function IncidentActions({ incident }: { incident: StatusIncident }) {
  const { id, kind, title, publishedAt } = incident
  const [open, setOpen] = useState<'edit' | 'publish' | 'delete'>()
  const close = () => setOpen(undefined)
  const navigate = useNavigate()
  const publish = useAct('POST /api/status/incidents/{id}/publish', [
    'GET /api/status/incidents',
    'GET /api/status/incidents/{id}',
    'GET /api/status/components',
  ])
  const remove = useAct('DELETE /api/status/incidents/{id}', [
    'GET /api/status/incidents',
    'GET /api/status/components',
  ])
  return (
    <Row>
      <Button kind="warning" onClick={() => setOpen('delete')}>
        {t.delete}
      </Button>
      <Button onClick={() => setOpen('edit')}>{t.edit}</Button>
      {publishedAt === null ? (
        <Button kind="primary" onClick={() => setOpen('publish')}>
          {t.publish}
        </Button>
      ) : null}
      {open === 'edit' ? <IncidentDialog kind={kind} incident={incident} onClose={close} /> : null}
      <ConfirmDialog
        opened={open === 'publish'}
        onClose={close}
        title={t.publishTitle}
        verb={t.publish}
        kind="primary"
        onConfirm={async () => {
          await publish.mutateAsync({ params: { id } })
          toastDone(t.published)
        }}
      >
        {t.publishText}
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={close}
        title={t.deleteTitle({ title })}
        verb={t.delete}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { id } })
          toastDone(t.deleted, title)
          await navigate({ to: paths.statusIncidents })
        }}
      >
        {t.deleteText}
      </ConfirmDialog>
    </Row>
  )
}
