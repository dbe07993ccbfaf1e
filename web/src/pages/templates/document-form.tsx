import { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { api, type Reply } from '../../api.ts'
import { useMissing } from '../../session/session.ts'
import { Form, NOTHING_CHANGED, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import Editor from '../../ui/panes/editor.tsx'
import { DocumentFaults } from './document-faults.tsx'
import { readJson } from './read-json.ts'
import type { ShownTemplate } from './shown-template.ts'

/** The document of a template as JSON. A change of its runtime creates a new version. */
export default function DocumentForm({ template }: { template: ShownTemplate }) {
  const missing = useMissing()
  const saved = JSON.stringify(template.document, null, 2)
  const form = useForm<{ text: string }, Reply<'PUT /api/templates/{id}'>>({
    initial: { text: saved },
    submit: ({ text }) =>
      api('PUT /api/templates/{id}', {
        params: { id: template.id },
        query: { baseVersion: template.version },
        body: TemplateDocument.parse(readJson(text).value),
      }),
    refreshes: ['GET /api/templates', 'GET /api/templates/{id}'],
    done: (next) => {
      toastDone(
        'Template saved',
        next.version > template.version ? `It is version ${next.version} now.` : undefined,
      )
    },
  })
  const read = readJson(form.values.text)
  const parsed = read.fault === undefined ? TemplateDocument.safeParse(read.value) : undefined
  const faults = parsed?.success === false ? parsed.error.issues.slice(0, 8) : []
  const blocked =
    missing('templates.manage') ??
    (form.values.text === saved ? NOTHING_CHANGED : undefined) ??
    (read.fault === undefined && faults.length === 0 ? undefined : 'The document has faults')
  return (
    <Form form={form} submitText="Save template" disabledBecause={blocked}>
      <Editor
        label={`Document of ${template.name}`}
        value={form.values.text}
        language="json"
        onChange={(text) => form.set('text', text)}
      />
      {read.fault === undefined ? null : (
        <Note tone="warn" title="Not valid JSON">
          {read.fault}
        </Note>
      )}
      {faults.length > 0 ? (
        <Note tone="warn" title="The document does not say all that a template needs">
          <ul>
            {faults.map((issue) => (
              <li key={`${issue.path.join('.')} ${issue.message}`}>
                {issue.path.join('.') || 'document'}: {issue.message}
              </li>
            ))}
          </ul>
        </Note>
      ) : null}
      <DocumentFaults refusal={form.refusal} />
    </Form>
  )
}
