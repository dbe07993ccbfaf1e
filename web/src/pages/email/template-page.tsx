import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { said } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ResetButton } from './reset-button.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { t } from './words.ts'

/** One mail template: its wording and its preview. */
export default function TemplatePage() {
  const { template: id } = useParams({ from: '/in/admin/email/templates/$template' })
  const templates = useQuery(q('GET /api/email/templates'))
  const template = templates.data?.items.find((one) => one.id === id)
  const [resets, setResets] = useState(0)
  return (
    <Page
      title={template ? said(template.title) : t.template}
      crumbs={<Link to={paths.emailTemplates}>{t.templates}</Link>}
      actions={
        template && <ResetButton template={template} onReset={() => setResets((old) => old + 1)} />
      }
      beside={template?.edited ? <Pill tone="info">{t.own}</Pill> : undefined}
    >
      <Loaded query={templates} lines={8}>
        {() =>
          template === undefined ? (
            <Empty title={t.noSuchMail} />
          ) : (
            // A reset discards what has been typed; other saves do not.
            <TemplateEditor key={`${template.id} ${resets}`} template={template} />
          )
        }
      </Loaded>
    </Page>
  )
}
