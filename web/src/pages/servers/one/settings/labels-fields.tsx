import { MOST_TAGS } from '@lodge/shared/server-labels.ts'
import { EditLabels, type Server } from '@lodge/shared/servers.ts'
import type { DrawnGlyph } from '@lodge/shared/templates/glyphs.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../../api.ts'
import { q } from '../../../../query.ts'
import { TagsField } from '../../../../ui/choices/tags-field.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { useForm } from '../../../../ui/form/form.tsx'
import { useSavePart } from '../../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../../ui/form/use-saved.ts'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { useLacking } from '../use-rights.ts'
import { IconField } from './icon-field.tsx'
import { t } from './words.ts'

interface Values {
  name: string
  icon: DrawnGlyph | null
  tags: readonly string[]
}

const sorted = (tags: readonly string[]) => [...tags].sort()

/** Only the differences: an unchanged name need not be sent to the node. */
function changed(server: Server, { name, icon, tags }: Values) {
  const same = tags.join() === sorted(server.tags).join()
  return {
    ...(name === server.name ? {} : { name }),
    ...(icon === server.icon ? {} : { icon }),
    ...(same ? {} : { tags: [...tags] }),
  }
}

/** The error about any of the tags, which share one field. */
const complaintOfTags = (errors: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(errors).find(([pointer]) => pointer.startsWith('tags'))?.[1]

/** The labels that everybody sees: name, icon and tags. */
export function LabelsFields({ server }: { server: Server }) {
  const params = { id: server.id }
  const { name, icon, tags } = server
  const saved: Values = { name, icon, tags: sorted(tags) }
  const labels = useQuery({ ...q('GET /api/me/servers/labels'), staleTime: 60_000 })
  const form = useForm<Values, Server>({
    initial: saved,
    schema: EditLabels,
    toBody: (values) => changed(server, values),
    submit: (values) =>
      api('PATCH /api/servers/{id}/labels', {
        params,
        body: EditLabels.parse(changed(server, values)),
      }),
    refreshes: ['GET /api/servers/{id}', 'GET /api/me/servers/labels'],
    done: () => toastDone(t.labelsSaved),
  })
  const lacking = useLacking(server.id)('PATCH /api/servers/{id}/labels', 'settings.rename')
  useSaved(form, saved)
  useSavePart(form, {
    labelOf: (field) => ({ name: t.name, icon: t.icon, tags: t.tags })[field],
    blocked: lacking,
  })
  return (
    <>
      <FieldGrid least={260}>
        <TextField label={t.name} disabled={lacking !== undefined} {...form.field('name')} />
        <TagsField
          label={t.tags}
          description={t.tagsHelp}
          most={MOST_TAGS}
          suggestions={labels.data?.tags ?? []}
          disabled={lacking !== undefined}
          value={form.values.tags}
          error={complaintOfTags(form.errors)}
          onChange={(next) => form.set('tags', sorted(next))}
        />
      </FieldGrid>
      <IconField
        server={server}
        value={form.values.icon}
        disabled={lacking !== undefined}
        onChange={(next) => form.set('icon', next)}
      />
    </>
  )
}
