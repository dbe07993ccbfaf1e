import { ServerMark } from '@lodge/shared/server-labels.ts'
import type { MarkedServer } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../query.ts'
import { useViewing } from '../../../../session/session.ts'
import { SuggestField } from '../../../../ui/choices/suggest-field.tsx'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { useForm } from '../../../../ui/form/form.tsx'
import { useSavePart } from '../../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../../ui/form/use-saved.ts'
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

/** The person's own mark: folder and favourite. */
export function OwnListFields({ server }: { server: MarkedServer }) {
  const labels = useQuery({ ...q('GET /api/me/servers/labels'), staleTime: 60_000 })
  const mark = useMark(server)
  const viewing = useViewing()
  const saved: Values = { folder: server.folder ?? '', favourite: server.favourite }
  const form = useForm<Values, unknown>({
    initial: saved,
    schema: ServerMark,
    toBody: markOf,
    submit: (values) => mark.mutateAsync(markOf(values)),
  })
  useSaved(form, saved)
  useSavePart(form, {
    labelOf: (field) => ({ folder: t.folder, favourite: t.favourite })[field],
    blocked: viewing ? t.viewing : undefined,
  })
  return (
    <>
      <FieldGrid least={260}>
        <SuggestField
          label={t.folder}
          description={t.folderHelp}
          suggestions={labels.data?.folders ?? []}
          {...form.field('folder')}
        />
      </FieldGrid>
      <SwitchField label={t.favourite} {...form.field('favourite')} />
    </>
  )
}
