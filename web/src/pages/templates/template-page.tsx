import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { lazy, Suspense } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Copyable } from '../../ui/data/copy.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { LoadFailed, PageSkeleton, Skeletons } from '../../ui/notices/states.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Split } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { OutdatedCard } from './outdated-card.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { StoreCard } from './store-card.tsx'
import { TemplateActions } from './template-actions.tsx'

const DocumentForm = lazy(() => import('./document-form.tsx'))

/** One template: its document, its outdated servers, and whether customers see it. */
export default function TemplatePage() {
  const { id } = useParams({ from: '/in/admin/templates/$id' })
  const template = useQuery(q('GET /api/templates/{id}', { params: { id } }))
  if (template.data) return <Shown template={template.data} />
  if (!template.isError) return <PageSkeleton />
  return (
    <Page title="Template" narrow>
      <LoadFailed error={template.error} onRetry={() => void template.refetch()} />
    </Page>
  )
}

function Shown({ template }: { template: ShownTemplate }) {
  return (
    <Page
      title={template.name}
      crumbs={<Link to={paths.templates}>Templates</Link>}
      beside={<Pill tone="idle">v{template.version}</Pill>}
      lead={template.description}
      actions={
        <>
          <LinkButton
            kind="primary"
            icon={<Plus />}
            to={paths.newServer}
            search={{ template: template.id }}
          >
            New server
          </LinkButton>
          <TemplateActions template={template} />
        </>
      }
    >
      <Split side={340}>
        <Card title="Document">
          <Suspense fallback={<Skeletons lines={14} />}>
            <DocumentForm key={template.version} template={template} />
          </Suspense>
        </Card>
        <Column>
          <OutdatedCard template={template} />
          <StoreCard template={template} />
          <Card title="Details">
            <Facts
              rows={[
                ['Origin', template.origin === 'builtin' ? 'Built in' : 'Custom'],
                ['Servers', template.servers],
                ['Images', template.document.runtime.images.map(({ name }) => name).join(', ')],
                ['Variables', template.document.variables?.length ?? 0],
                ['Changed', <Ago key="changed" at={template.updatedAt} />],
                ['Id', <Copyable key="id" value={template.id} label="Copy the id" />],
              ]}
            />
          </Card>
        </Column>
      </Split>
    </Page>
  )
}
