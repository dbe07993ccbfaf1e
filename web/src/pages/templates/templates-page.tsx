import { useQuery } from '@tanstack/react-query'
import FilePlus from 'lucide-react/icons/file-plus'
import Upload from 'lucide-react/icons/upload'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { allTemplates } from './all-templates.ts'
import { Gallery } from './gallery.tsx'
import { t } from './words.ts'

/** All templates, as a gallery. */
export default function TemplatesPage() {
  const may = useMay()('templates.manage')
  const templates = useQuery(allTemplates)
  return (
    <Page
      title={t.templates}
      lead={t.templatesLead}
      actions={
        may ? (
          <>
            <LinkButton to={paths.writeTemplate} icon={<FilePlus />}>
              {t.newTemplate}
            </LinkButton>
            <LinkButton to={paths.newTemplate} kind="primary" icon={<Upload />}>
              {t.importTemplate}
            </LinkButton>
          </>
        ) : undefined
      }
    >
      <Loaded query={templates} lines={8}>
        {({ items }) =>
          items.length === 0 ? (
            <Card>
              <Empty title={t.noTemplates} art="templates">
                {t.noTemplatesText}
              </Empty>
            </Card>
          ) : (
            <Gallery templates={items} />
          )
        }
      </Loaded>
    </Page>
  )
}
