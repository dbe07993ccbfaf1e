import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Page } from '../../ui/page/page.tsx'
import { TemplateEditor } from './editor/template-editor.tsx'
import { t } from './words.ts'

/** The minimal template: the rest is added in the form. */
const fresh = () => ({
  format: 'lodge/v1',
  name: t.newTemplate,
  description: '',
  tags: [],
  icon: 'container',
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: { kind: 'debian', suite: 'bookworm', packages: [] } }],
    startup: { kind: 'argv', command: ['/bin/sleep', 'infinity'] },
    dataPath: '/data',
    proofOfLife: { stayUpSeconds: 5 },
    stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 30 }],
    port: { protocol: 'tcp' },
    limits: { memoryMb: 512, cpuPercent: 100, diskMb: 2048 },
  },
  variables: [],
})

/** Writes a template from scratch. */
export default function WriteTemplatePage() {
  const navigate = useNavigate()
  const document = useMemo(fresh, [])
  return (
    <Page
      title={t.newTemplate}
      crumbs={<Link to={paths.templates}>{t.templates}</Link>}
      lead={t.writeLead}
    >
      <TemplateEditor
        document={document}
        isNew
        label={t.newTemplate}
        submitText={t.createTemplate}
        save={(body) => api('POST /api/templates', { body })}
        refreshes={['GET /api/templates']}
        done={({ id }) => {
          toastDone(t.templateCreated, t.templateCreatedText)
          void navigate({ to: paths.template, params: { id } })
        }}
      />
    </Page>
  )
}
