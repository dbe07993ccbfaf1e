import { z } from 'zod'
import { api } from '../../../api.ts'
import { Tick } from '../../../ui/choices/tick.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { isName, joined } from '../file-names.ts'
import { t } from './words.ts'

const isAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** The file name at the end of a URL, as browsers derive it. */
function nameIn(url: string): string {
  if (!isAddress(url)) return ''
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

interface PullFormProps {
  serverId: string
  folder: string
  onClose: () => void
}

/** Has the node fetch a file from the internet. */
export function PullForm({ serverId, folder, onClose }: PullFormProps) {
  const schema = z.object({
    url: z.string().refine(isAddress, { error: () => t.notAnAddress }),
    name: z.string().refine(isName, { error: () => t.notAName }),
  })
  const form = useForm({
    initial: { url: '', name: '', replace: false },
    schema,
    nameOf: (pointer) => (pointer === 'to' ? 'name' : pointer),
    submit: ({ url, name, replace }) =>
      api('POST /api/servers/{id}/files/pull', {
        params: { id: serverId },
        body: { url, to: joined(folder, name), replace },
      }),
    done: () => {
      toastDone(t.pullStarted, t.followAtHead)
      onClose()
    },
  })
  const { url, name } = form.values
  return (
    <Form form={form} submitText={t.pull} command>
      <TextField
        label={t.address}
        description={t.pullHelp}
        {...form.field('url')}
        onChange={(next) => {
          if (name === '' || name === nameIn(url)) form.set('name', nameIn(next))
          form.set('url', next)
        }}
        width="fill"
        autoFocus
      />
      <TextField label={t.pullName} {...form.field('name')} />
      <Tick
        label={t.replaceFiles}
        checked={form.values.replace}
        onChange={(replace) => form.set('replace', replace)}
      />
    </Form>
  )
}
