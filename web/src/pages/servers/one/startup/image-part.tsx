import { api, type Reply } from '../../../../api.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { useForm } from '../../../../ui/form/form.tsx'
import { useSavePart } from '../../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../../ui/form/use-saved.ts'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { useLacking } from '../use-rights.ts'
import { t } from './words.ts'

type Startup = Reply<'GET /api/servers/{id}/startup'>

/** Chooses a server's image from those of its template. */
export function ImagePart({ serverId, startup }: { serverId: string; startup: Startup }) {
  const form = useForm<{ image: string }, Startup>({
    initial: { image: startup.image },
    submit: ({ image }) =>
      api('PATCH /api/servers/{id}/settings', {
        params: { id: serverId },
        body: { image, variables: {} },
      }),
    refreshes: ['GET /api/servers/{id}/startup'],
    done: () => {
      toastDone(t.imageChosen, t.imageChosenText)
    },
  })
  const lacking = useLacking(serverId)('PATCH /api/servers/{id}/settings', 'startup.edit')
  useSaved(form, { image: startup.image })
  useSavePart(form, { labelOf: () => t.image, blocked: lacking })
  if (startup.images.length < 2) return <Text mono>{startup.image}</Text>
  return (
    <SelectField
      label={t.image}
      description={t.imageHelp}
      disabled={lacking !== undefined}
      choices={startup.images.map((value) => ({ value, label: value }))}
      {...form.field('image')}
    />
  )
}
