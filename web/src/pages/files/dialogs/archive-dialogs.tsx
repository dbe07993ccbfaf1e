import { ARCHIVE_FORMATS, type ArchiveFormat, type Entry } from '@lodge/shared/files.ts'
import { api } from '../../../api.ts'
import { Segments } from '../../../ui/choices/segments.tsx'
import { Tick } from '../../../ui/choices/tick.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { folderOf, isName, joined, nameOf, resolved, splitName } from '../file-names.ts'
import { nameThat } from './checked.ts'
import { t } from './words.ts'

const started = (title: string, onClose: () => void): void => {
  toastDone(title, t.followAtHead)
  onClose()
}

interface ArchiveFormProps {
  serverId: string
  entries: readonly Entry[]
  onClose: () => void
}

export function ArchiveForm({ serverId, entries, onClose }: ArchiveFormProps) {
  const folder = folderOf(entries[0]?.path ?? '/')
  const base = entries.length === 1 ? (entries[0]?.name ?? '') : nameOf(folder) || 'files'
  const form = useForm({
    initial: { name: base, format: 'zip' as ArchiveFormat, replace: false },
    schema: nameThat(isName),
    submit: ({ name, format, replace }) =>
      api('POST /api/servers/{id}/files/archive', {
        params: { id: serverId },
        body: {
          paths: entries.map(({ path }) => path),
          to: joined(folder, `${name}.${format}`),
          format,
          replace,
        },
      }),
    done: () => started(t.archiveStarted, onClose),
  })
  return (
    <Form form={form} submitText={t.makeArchive} command>
      <TextField
        label={t.name}
        {...form.field('name')}
        meaning={`.${form.values.format}`}
        autoFocus
      />
      <Segments
        label={t.format}
        value={form.values.format}
        choices={ARCHIVE_FORMATS.map((value) => ({ value, label: value }))}
        onChange={(format) => form.set('format', format)}
      />
      <Tick
        label={t.replaceFiles}
        checked={form.values.replace}
        onChange={(replace) => form.set('replace', replace)}
      />
    </Form>
  )
}

interface ExtractFormProps {
  serverId: string
  entry: Entry
  onClose: () => void
}

export function ExtractForm({ serverId, entry, onClose }: ExtractFormProps) {
  const form = useForm({
    initial: { to: joined(folderOf(entry.path), splitName(entry.name)[0]), replace: false },
    submit: ({ to, replace }) =>
      api('POST /api/servers/{id}/files/extract', {
        params: { id: serverId },
        body: { path: entry.path, to: resolved('/', to), replace },
      }),
    done: () => started(t.extractStarted, onClose),
  })
  return (
    <Form form={form} submitText={t.extract} command>
      <TextField
        label={t.extractTo}
        description={t.extractHelp}
        {...form.field('to')}
        mono
        width="fill"
        autoFocus
      />
      <Tick
        label={t.replaceFiles}
        checked={form.values.replace}
        onChange={(replace) => form.set('replace', replace)}
      />
    </Form>
  )
}
