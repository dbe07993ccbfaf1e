import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Editor } from './editor.tsx'
import { History } from './history.tsx'
import { ThemeActions } from './theme-actions.tsx'
import { t } from './words.ts'

/** The look of the panel: a draft that this page previews, its checks, and the history. */
export default function AppearancePage() {
  const look = useQuery(q('GET /api/branding/admin'))
  return (
    <Page title={t.title} lead={t.lead} actions={<ThemeActions />}>
      <Loaded query={look} lines={12}>
        {(saved) => (
          <Column>
            <SaveForm label={t.form} submitText={t.save} long key={saved.revision}>
              <Editor saved={saved} />
            </SaveForm>
            <History history={saved.history} present={saved.revision} />
          </Column>
        )}
      </Loaded>
    </Page>
  )
}
