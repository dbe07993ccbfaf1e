import { Link, useNavigate } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Page } from '../../ui/page/page.tsx'
import { TemplateEditor } from './editor/template-editor.tsx'

/** As little as a template can say: the rest is added in the form. */
const FRESH = {
  format: 'lodge/v1',
  name: 'New template',
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
}

/** Writes a template from scratch. */
export default function WriteTemplatePage() {
  const navigate = useNavigate()
  return (
    <Page
      title="New template"
      crumbs={<Link to={paths.templates}>Templates</Link>}
      lead="Fill in the form or write the source: what you change in one appears in the other."
    >
      <TemplateEditor
        document={FRESH}
        isNew
        label="New template"
        submitText="Create template"
        save={(body) => api('POST /api/templates', { body })}
        refreshes={['GET /api/templates']}
        done={({ id }) => {
          toastDone('Template created', 'Try it before servers are made from it.')
          void navigate({ to: paths.template, params: { id } })
        }}
      />
    </Page>
  )
}
