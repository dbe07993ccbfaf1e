import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { saidReason } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { type Imported, ImportForm } from './import-form.tsx'
import { t } from './words.ts'

/** Imports a template: from a file or as pasted text, in Lodge's format or as a Pterodactyl or Pelican egg. */
export default function NewTemplatePage() {
  const [imported, setImported] = useState<Imported>()
  return (
    <Page
      title={t.importTemplate}
      crumbs={<Link to={paths.templates}>{t.templates}</Link>}
      lead={t.importLead}
    >
      {imported ? (
        <Card title={imported.template.name}>
          <Note
            tone={imported.warnings.length > 0 ? 'warn' : 'ok'}
            title={imported.warnings.length > 0 ? t.importedWithRemarks : t.imported}
            action={
              <LinkButton kind="primary" to={paths.template} params={{ id: imported.template.id }}>
                {t.openTemplate}
              </LinkButton>
            }
          >
            <ul>
              {imported.warnings.map(({ path, detail }) => (
                <li key={`${path} ${detail}`}>
                  {path === ''
                    ? saidReason(detail)
                    : t.remarkAt({ place: path, remark: saidReason(detail) })}
                </li>
              ))}
            </ul>
          </Note>
        </Card>
      ) : (
        <Card>
          <ImportForm onDone={setImported} />
        </Card>
      )}
    </Page>
  )
}
