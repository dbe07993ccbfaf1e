import type { StatusIncident, StatusUpdate } from '@lodge/shared/status.ts'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { StatePill } from './looks.tsx'
import styles from './status.module.css'
import { t } from './words.ts'

/** The updates, the newest first. */
export function UpdateList({ incident, may }: { incident: StatusIncident; may: boolean }) {
  const [open, setOpen] = useState<StatusUpdate>()
  return (
    <Column gap={18}>
      {incident.updates.map((update) => (
        <article key={update.id} className={styles.update}>
          <Row between>
            <Row>
              <StatePill state={update.state} />
              <Text small muted>
                <Ago at={update.at} />
              </Text>
            </Row>
            {may ? (
              <Button size="small" onClick={() => setOpen(update)}>
                {t.correct}
              </Button>
            ) : null}
          </Row>
          <p>{update.body}</p>
        </article>
      ))}
      {open ? (
        <CorrectDialog
          key={open.id}
          incidentId={incident.id}
          update={open}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </Column>
  )
}

function CorrectDialog({
  incidentId,
  update,
  onClose,
}: {
  incidentId: string
  update: StatusUpdate
  onClose: () => void
}) {
  const form = useForm<{ body: string }, unknown>({
    initial: { body: update.body },
    submit: (body) =>
      api('PATCH /api/status/incidents/{id}/updates/{updateId}', {
        params: { id: incidentId, updateId: update.id },
        body,
      }),
    refreshes: ['GET /api/status/incidents', 'GET /api/status/incidents/{id}'],
    done: () => {
      toastDone(t.saved)
      onClose()
    },
  })
  return (
    <Dialog title={t.correctTitle} opened onClose={onClose}>
      <Form form={form} submitText={t.saveText} command>
        <AreaField
          label={t.updateText}
          description={t.correctHelp}
          width="fill"
          rows={6}
          {...form.field('body')}
        />
      </Form>
    </Dialog>
  )
}
