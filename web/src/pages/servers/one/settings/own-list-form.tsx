import { ServerMark } from '@lodge/shared/server-labels.ts'
import type { MarkedServer } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../query.ts'
import { useViewing } from '../../../../session/session.ts'
import { SuggestField } from '../../../../ui/choices/suggest-field.tsx'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { Form, nothingChanged, useForm } from '../../../../ui/form/form.tsx'
import { useMark } from '../../use-mark.ts'
import { t } from './words.ts'

interface Values {
  folder: string
  favourite: boolean
}

const markOf = ({ folder, favourite }: Values): ServerMark => ({
  folder: folder.trim() || null,
  favourite,
})

/** Where this person keeps the server in their own list. */
export function OwnListForm({ server }: { server: MarkedServer }) {
  const labels = useQuery({ ...q('GET /api/me/servers/labels'), staleTime: 60_000 })
  const mark = useMark(server)
  const viewing = useViewing()
  const form = useForm<Values, unknown>({
    initial: { folder: server.folder ?? '', favourite: server.favourite },
    schema: ServerMark,
    toBody: markOf,
    submit: (values) => mark.mutateAsync(markOf(values)),
  })
  const { values } = form
  const same =
    (values.folder.trim() || null) === server.folder && values.favourite === server.favourite
  return (
    <Form
      form={form}
      submitText={t.saveOwnList}
      label={t.ownList}
      disabledBecause={viewing ? t.viewing : same ? nothingChanged() : undefined}
    >
      <FieldGrid least={260}>
        <SuggestField
          label={t.folder}
          description={t.folderHelp}
          suggestions={labels.data?.folders ?? []}
          {...form.field('folder')}
        />
      </FieldGrid>
      <SwitchField label={t.favourite} {...form.field('favourite')} />
    </Form>
  )
}
