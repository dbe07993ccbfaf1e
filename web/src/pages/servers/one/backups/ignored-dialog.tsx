import type { EditIgnored, IgnoredFiles } from '@lodge/shared/backups.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { api } from '../../../../api.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { AreaField } from '../../../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { Row, Text } from '../../../../ui/page/layout.tsx'
import { patternsIn, textOf } from './ignored-text.ts'
import { t } from './words.ts'

interface IgnoredProps {
  server: Server
  ignored: IgnoredFiles
  onClose: () => void
}

/** Chooses what backups of a server leave out. */
export default function IgnoredDialog({ onClose, ...rest }: IgnoredProps) {
  return (
    <Dialog title={t.leaveOut} opened onClose={onClose}>
      <IgnoredForm {...rest} onDone={onClose} />
    </Dialog>
  )
}

/** If it equals the template's patterns, it keeps following the template. */
function bodyOf(text: string, { template }: IgnoredFiles): EditIgnored {
  const patterns = patternsIn(text)
  return { patterns: textOf(patterns) === textOf(template) ? null : patterns }
}

function IgnoredForm({
  server,
  ignored,
  onDone,
}: Omit<IgnoredProps, 'onClose'> & { onDone: () => void }) {
  const form = useForm<{ patterns: string }, unknown>({
    initial: { patterns: textOf(ignored.patterns) },
    submit: ({ patterns }) =>
      api('PUT /api/servers/{id}/backups/ignored', {
        params: { id: server.id },
        body: bodyOf(patterns, ignored),
      }),
    nameOf: (pointer) => pointer.split('/')[0] ?? pointer,
    refreshes: ['GET /api/servers/{id}/backups'],
    done: () => {
      toastDone(t.leftOutSaved)
      onDone()
    },
  })
  const template = textOf(ignored.template)
  return (
    <Form form={form} submitText={t.saveLeftOut} command>
      <Text muted>{t.leaveOutText}</Text>
      <AreaField
        label={t.patterns}
        description={t.patternsHelp}
        width="fill"
        mono
        rows={8}
        placeholder={t.patternsExample}
        {...form.field('patterns')}
      />
      {template !== '' && textOf(patternsIn(form.values.patterns)) !== template ? (
        <Row>
          <Button size="small" onClick={() => form.field('patterns').onChange(template)}>
            {t.asTemplate}
          </Button>
        </Row>
      ) : null}
    </Form>
  )
}
