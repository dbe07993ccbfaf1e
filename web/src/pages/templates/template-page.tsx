import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Copyable } from '../../ui/data/copy.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { TemplateIcon } from '../../ui/icons/template-icon.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Split } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { OutdatedCard } from './outdated-card.tsx'
import { RequirementsCard } from './requirements-card.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { StoreCard } from './store-card.tsx'
import { TemplateActions } from './template-actions.tsx'
import styles from './templates.module.css'
import { TryButton } from './try-button.tsx'
import { VariablesCard } from './variables-card.tsx'
import { t } from './words.ts'

/**
 * One template: its description, its requirements, its outdated servers, and whether customers see
 * it.
 */
export default function TemplatePage() {
  const { id } = useParams({ from: '/in/admin/templates/$id' })
  const template = useQuery(q('GET /api/templates/{id}', { params: { id } }))
  if (template.data) return <Shown template={template.data} />
  if (!template.isError) return <PageSkeleton />
  return (
    <Page title={t.template} narrow>
      <LoadFailed error={template.error} onRetry={() => void template.refetch()} />
    </Page>
  )
}

function Shown({ template }: { template: ShownTemplate }) {
  const params = { id: template.id }
  return (
    <Page
      title={template.name}
      crumbs={<Link to={paths.templates}>{t.templates}</Link>}
      icon={<TemplateIcon icon={template.icon} name={template.name} />}
      beside={<Pill tone="idle">{t.version({ version: template.version })}</Pill>}
      actions={
        <>
          <TemplateActions template={template} />
          <TryButton template={template} />
          <LinkButton icon={<Pencil />} to={paths.editTemplate} params={params}>
            {t.editTemplate}
          </LinkButton>
          <LinkButton
            kind="primary"
            icon={<Plus />}
            to={paths.newServer}
            search={{ template: template.id }}
          >
            {t.newServer}
          </LinkButton>
        </>
      }
    >
      <Split side={340}>
        <Column>
          <Card title={t.about}>
            <div className={styles.text}>{template.description || t.noDescriptionYet}</div>
          </Card>
          {template.warnings.length === 0 ? null : (
            <Note tone="warn" title={t.importRemarks}>
              <ul>
                {template.warnings.map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            </Note>
          )}
          <VariablesCard template={template} />
          <OutdatedCard template={template} />
        </Column>
        <Column>
          <RequirementsCard template={template} />
          <StoreCard template={template} />
          <Card title={t.details}>
            <Facts
              rows={[
                [t.author, template.author || t.unknownAuthor],
                [t.origin, template.origin === 'builtin' ? t.builtIn : t.custom],
                [t.tags, template.tags.join(', ') || t.noTags],
                [t.servers, template.servers],
                [t.changed, <Ago key="changed" at={template.updatedAt} />],
                [t.id, <Copyable key="id" value={template.id} label={t.copyId} />],
              ]}
            />
          </Card>
        </Column>
      </Split>
    </Page>
  )
}
