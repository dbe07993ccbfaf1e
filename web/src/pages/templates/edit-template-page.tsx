import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { TemplateIcon } from '../../ui/icons/template-icon.tsx'
import { LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Page } from '../../ui/page/page.tsx'
import { TemplateEditor } from './editor/template-editor.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { TryButton } from './try-button.tsx'
import { t } from './words.ts'

/** The editor of one template. */
export default function EditTemplatePage() {
  const { id } = useParams({ from: '/in/admin/templates/$id/edit' })
  const template = useQuery(q('GET /api/templates/{id}', { params: { id } }))
  if (template.data) return <Edited template={template.data} />
  if (!template.isError) return <PageSkeleton />
  return (
    <Page title={t.editTemplate} narrow>
      <LoadFailed error={template.error} onRetry={() => void template.refetch()} />
    </Page>
  )
}

function Edited({ template }: { template: ShownTemplate }) {
  const { id, name, version } = template
  return (
    <Page
      title={t.editNamed({ name })}
      icon={<TemplateIcon icon={template.icon} name={name} />}
      crumbs={
        <>
          <Link to={paths.templates}>{t.templates}</Link>
          <Link to={paths.template} params={{ id }}>
            {name}
          </Link>
        </>
      }
      lead={t.editLead({ version })}
    >
      <TemplateEditor
        document={template.document}
        version={version}
        label={t.templateNamed({ name })}
        submitText={t.saveTemplate}
        save={(body, baseVersion) =>
          api('PUT /api/templates/{id}', { params: { id }, query: { baseVersion }, body })
        }
        refreshes={['GET /api/templates', 'GET /api/templates/{id}']}
        done={(next) => {
          toastDone(
            t.templateSaved,
            next.version > version ? t.savedVersion({ version: next.version }) : undefined,
          )
        }}
        beside={(changed) => (
          <TryButton template={template} {...(changed ? { disabledBecause: t.saveFirst } : {})} />
        )}
      />
    </Page>
  )
}
