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

/** The editor of one template. */
export default function EditTemplatePage() {
  const { id } = useParams({ from: '/in/admin/templates/$id/edit' })
  const template = useQuery(q('GET /api/templates/{id}', { params: { id } }))
  if (template.data) return <Edited template={template.data} />
  if (!template.isError) return <PageSkeleton />
  return (
    <Page title="Edit template" narrow>
      <LoadFailed error={template.error} onRetry={() => void template.refetch()} />
    </Page>
  )
}

function Edited({ template }: { template: ShownTemplate }) {
  const { id, name, version } = template
  return (
    <Page
      title={`Edit ${name}`}
      icon={<TemplateIcon icon={template.icon} name={name} />}
      crumbs={
        <>
          <Link to={paths.templates}>Templates</Link>
          <Link to={paths.template} params={{ id }}>
            {name}
          </Link>
        </>
      }
      lead={`Version ${version}. A change of what runs makes a new version; servers keep theirs until it is applied.`}
    >
      <TemplateEditor
        document={template.document}
        version={version}
        label={`Template ${name}`}
        submitText="Save template"
        save={(body, baseVersion) =>
          api('PUT /api/templates/{id}', { params: { id }, query: { baseVersion }, body })
        }
        refreshes={['GET /api/templates', 'GET /api/templates/{id}']}
        done={(next) => {
          toastDone(
            'Template saved',
            next.version > version ? `It is version ${next.version} now.` : undefined,
          )
        }}
        beside={(changed) => (
          <TryButton
            template={template}
            {...(changed ? { disabledBecause: 'Save the template first' } : {})}
          />
        )}
      />
    </Page>
  )
}
