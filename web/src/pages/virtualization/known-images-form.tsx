import { KnownImages } from '@lodge/shared/known-images.ts'
import { api, type Reply } from '../../api.ts'
import { saidReason } from '../../panel/said.ts'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CodeEditor } from '../../ui/form/code-editor.tsx'
import { Form, nothingChanged, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { readJson } from '../templates/read-json.ts'
import { t } from './words.ts'

type List = Reply<'GET /api/virtualization/images'>

/** The operator's list of images, as JSON. */
export function KnownImagesForm({ list, onDone }: { list: List; onDone: () => void }) {
  const saved = JSON.stringify(list.images, null, 2)
  const reset = useAct('DELETE /api/virtualization/images', ['GET /api/virtualization/images'])
  const form = useForm<{ text: string }, List>({
    initial: { text: saved },
    submit: ({ text }) =>
      api('PUT /api/virtualization/images', {
        body: { images: KnownImages.parse(readJson(text).value) },
      }),
    refreshes: ['GET /api/virtualization/images'],
    done: onDone,
  })
  const read = readJson(form.values.text)
  const parsed = read.fault === undefined ? KnownImages.safeParse(read.value) : undefined
  const [issue] = parsed?.error?.issues ?? []
  const fault =
    read.fault ??
    (issue &&
      t.faultAt({ place: issue.path.join('.') || t.list, fault: saidReason(issue.message) }))
  const back = () =>
    reset.mutateAsync(undefined).then(onDone, (error) => toastRefused(t.listStays, error))
  return (
    <Form
      form={form}
      command
      submitText={t.saveList}
      disabledBecause={
        fault ? t.listFaults : form.values.text === saved ? nothingChanged() : undefined
      }
      onCancel={onDone}
      beside={
        list.builtIn ? null : (
          <Button busy={reset.isPending} onClick={() => void back()}>
            {t.lodgeList}
          </Button>
        )
      }
    >
      <CodeEditor
        placeholderLines={10}
        label={t.imageList}
        language="json"
        value={form.values.text}
        onChange={(text) => form.set('text', text)}
      />
      {fault === undefined ? null : (
        <Note tone="warn" title={t.cannotSave}>
          {fault}
        </Note>
      )}
    </Form>
  )
}
