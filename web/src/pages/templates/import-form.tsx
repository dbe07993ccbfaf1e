import FileUp from 'lucide-react/icons/file-up'
import { lazy, Suspense, useRef } from 'react'
import { api, Refusal, type Reply } from '../../api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Skeletons } from '../../ui/notices/states.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { DocumentFaults } from './document-faults.tsx'

const Editor = lazy(() => import('../../ui/panes/editor.tsx'))

export type Imported = Reply<'POST /api/templates/import'>

/** The document as text, from a file or pasted. */
export function ImportForm({ onDone }: { onDone: (imported: Imported) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  const form = useForm<{ text: string; overwrite: boolean }, Imported>({
    initial: { text: '', overwrite: false },
    submit: ({ text, overwrite }) =>
      api('POST /api/templates/import', {
        body: { document: text, ...(overwrite ? { overwrite } : {}) },
      }),
    refreshes: ['GET /api/templates'],
    done: (imported) => {
      onDone(imported)
    },
  })
  const read = async (file: File | undefined): Promise<void> => {
    if (file) form.set('text', await file.text())
  }
  const exists = form.refusal instanceof Refusal && form.refusal.problem.code === 'duplicate'
  const { text } = form.values
  return (
    <Form
      form={form}
      submitText="Import template"
      disabledBecause={text.trim() === '' ? 'Choose a file or paste a document' : undefined}
    >
      <Column gap={10}>
        <Row>
          <Button icon={<FileUp />} onClick={() => picker.current?.click()}>
            Choose file
          </Button>
          <Text small muted>
            or paste the document below
          </Text>
        </Row>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".json,.yaml,.yml,application/json"
          aria-label="Template file"
          onChange={(event) => void read(event.currentTarget.files?.[0])}
        />
        <Suspense fallback={<Skeletons lines={12} />}>
          <Editor
            label="Template document"
            value={text}
            language={text.trimStart().startsWith('{') ? 'json' : 'yaml'}
            onChange={(value) => form.set('text', value)}
          />
        </Suspense>
        <DocumentFaults refusal={form.refusal} />
        {exists || form.values.overwrite ? (
          <SwitchField
            label="Overwrite the template that exists already"
            description="Its servers stay as they are until the new version is applied"
            {...form.field('overwrite')}
          />
        ) : null}
      </Column>
    </Form>
  )
}
