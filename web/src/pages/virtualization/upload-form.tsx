import { UploadVmMedium } from '@lodge/shared/vms.ts'
import FileUp from 'lucide-react/icons/file-up'
import { useRef } from 'react'
import { api, type Reply } from '../../api.ts'
import { useRefresh } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { type MediumKind, mediumKinds } from './medium-kinds.ts'
import { sendFile } from './uploads.ts'
import { t } from './words.ts'

interface Values {
  file: File | undefined
  name: string
  kind: string
  sha256: string
}

const bodyOf = ({ file, name, kind, sha256 }: Values) => ({
  name,
  kind,
  sizeBytes: file?.size ?? 0,
  ...(sha256.trim() === '' ? {} : { sha256 }),
})

const kindOf = (file: File): MediumKind =>
  /\.iso$/i.test(file.name) ? 'iso' : /\.(raw|dd)$/i.test(file.name) ? 'raw' : 'qcow2'

/** Uploads a medium from this computer in parts; an interrupted upload can be resumed. */
export function UploadForm({
  kinds,
  onDone,
}: {
  kinds: readonly MediumKind[]
  onDone: (mediumId: string) => void
}) {
  const picker = useRef<HTMLInputElement>(null)
  const refresh = useRefresh()
  const form = useForm<Values, Reply<'POST /api/virtualization/media/uploads'>>({
    initial: { file: undefined, name: '', kind: kinds[0] ?? 'iso', sha256: '' },
    schema: UploadVmMedium,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/virtualization/media/uploads', { body: UploadVmMedium.parse(bodyOf(values)) }),
    refreshes: ['GET /api/virtualization/catalogue'],
    done: ({ id }, { file }) => {
      if (file)
        void sendFile(id, file).then(() =>
          refresh(['GET /api/virtualization/catalogue', 'GET /api/jobs']),
        )
      onDone(id)
    },
  })
  const { file } = form.values
  const take = (chosen: File | undefined): void => {
    if (!chosen) return
    const kind = kindOf(chosen)
    form.setValues((old) => ({
      ...old,
      file: chosen,
      name: old.name || chosen.name.replace(/\.[a-z0-9]+$/i, '').slice(0, 64),
      kind: kinds.includes(kind) ? kind : old.kind,
    }))
  }
  return (
    <Form
      form={form}
      submitText={t.uploadMedium}
      disabledBecause={file ? undefined : t.fileMissing}
    >
      <Row>
        <Button icon={<FileUp />} onClick={() => picker.current?.click()}>
          {t.chooseFile}
        </Button>
        <Text small muted clip>
          {file ? t.chosenFile({ name: file.name, size: formatBytes(file.size) }) : t.fileKinds}
        </Text>
      </Row>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t.mediumFile}
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
      <TextField label={t.name} {...form.field('name')} />
      <SelectField label={t.kind} choices={mediumKinds(kinds)} {...form.field('kind')} />
      <TextField
        label={t.sha256Optional}
        description={t.sha256Check}
        mono
        {...form.field('sha256')}
      />
    </Form>
  )
}
