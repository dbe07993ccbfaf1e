import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { MailSettings } from './mail-settings.tsx'
import { MailTest } from './mail-test.tsx'
import { t } from './words.ts'

/** The mail server settings. */
export default function MailTab() {
  const settings = useQuery(q('GET /api/settings/mail'))
  return (
    <Loaded query={settings} lines={8}>
      {(saved) => (
        <>
          <MailTest saved={saved} />
          <SaveForm label={t.mail} submitText={t.saveSettings}>
            <MailSettings saved={saved} />
          </SaveForm>
        </>
      )}
    </Loaded>
  )
}
