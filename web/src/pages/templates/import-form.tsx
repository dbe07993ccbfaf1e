import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import FileUp from 'lucide-react/icons/file-up'
import { useEffect, useRef } from 'react'
import { ApiError, api, type Fault, type Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Choices } from '../../ui/choices/choices.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { CodeEditor } from '../../ui/form/code-editor.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { DocumentFaults } from './document-faults.tsx'
import { t } from './words.ts'

export type Imported = Reply<'POST /api/templates/import'>

interface Values {
  text: string
  address: string
  /** The template that already has the document's identity. */
  existing: Fault['existing']
  instead: 'copy' | 'overwrite'
}

const choices = () =>
  [
    { value: 'copy', label: t.importCopy, description: t.importCopyHelp },
    { value: 'overwrite', label: t.overwrite, description: t.overwriteHelp },
  ] as const

const whyNotFetched = (error: Error): string =>
  error instanceof ApiError
    ? (error.problem.errors?.[0]?.detail ?? error.problem.detail)
    : error.message

/** Imports a document: from a file, from a URL, or pasted. */
export function ImportForm({ onDone }: { onDone: (imported: Imported) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  const form = useForm<Values, Imported>({
    initial: { text: '', address: '', existing: undefined, instead: 'copy' },
    submit: ({ text, existing, instead }) =>
      api('POST /api/templates/import', {
        body: {
          document: text,
          ...(existing ? { [instead === 'copy' ? 'asCopy' : 'overwrite']: true } : {}),
        },
      }),
    refreshes: ['GET /api/templates'],
    done: (imported) => {
      onDone(imported)
    },
  })
  const read = async (file: File | undefined): Promise<void> => {
    if (file) take(await file.text())
  }
  // Another document clears the question about the previous one.
  const take = (text: string): void =>
    form.setValues((old) => ({ ...old, text, existing: undefined, instead: 'copy' }))
  const fetched = useMutation({
    mutationFn: (address: string) => api('POST /api/templates/fetch', { body: { address } }),
    onSuccess: ({ document }) => take(document),
  })
  const refused = form.refusal instanceof ApiError ? form.refusal.problem : undefined
  const found = refused?.code === 'duplicate' ? refused.existing : undefined
  useEffect(() => {
    if (found) form.setValues((values) => ({ ...values, existing: found }))
  }, [found, form.setValues])
  const { text, existing, instead } = form.values
  const chosen = instead === 'copy' ? t.importCopy : t.overwrite
  return (
    <Form
      form={form}
      command
      submitText={existing ? chosen : t.importTemplate}
      disabledBecause={text.trim() === '' ? t.chooseOrPaste : undefined}
    >
      <UnsavedGuard changes={form.changed.length > 0} isSaving={() => form.busy} />
      <Column gap={10}>
        <Row>
          <Button icon={<FileUp />} onClick={() => picker.current?.click()}>
            {t.chooseFile}
          </Button>
          <Text small muted>
            {t.orPaste}
          </Text>
        </Row>
        <Row nowrap>
          <TextField
            label={t.address}
            description={t.addressHelp}
            placeholder="https://raw.githubusercontent.com/…/egg.json"
            mono
            {...form.field('address')}
            error={fetched.error ? whyNotFetched(fetched.error) : undefined}
          />
          <Button
            disabledBecause={form.values.address.trim() === '' ? t.enterAddress : undefined}
            busy={fetched.isPending}
            onClick={() => fetched.mutate(form.values.address.trim())}
          >
            {t.fetch}
          </Button>
        </Row>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".json,.yaml,.yml,application/json"
          aria-label={t.file}
          onChange={(event) => void read(event.currentTarget.files?.[0])}
        />
        <CodeEditor
          placeholderLines={12}
          label={t.document}
          value={text}
          language={text.trimStart().startsWith('{') ? 'json' : 'yaml'}
          onChange={take}
        />
        <DocumentFaults refusal={form.refusal} />
        {existing ? (
          <Choices
            label={t.duplicateChoice}
            value={instead}
            choices={choices()}
            description={
              <Link to={paths.template} params={{ id: existing.id }}>
                {existing.name ? t.openNamed({ name: existing.name }) : t.openExisting}
              </Link>
            }
            onChange={(next) => form.set('instead', next)}
          />
        ) : null}
      </Column>
    </Form>
  )
}
